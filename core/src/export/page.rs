//! An export as a page: the panel's single file with the document inside. It opens from disk on the same run.

use super::ExportFile;
use super::rule_counts::{RuleCount, StatedCounts, by_rule};
use super::single_file::is_from;
use crate::error_code::ErrorCode;
use crate::ingest::DocumentError;
use crate::ingest::export_format::hash;
use crate::ingest::exported_page::{CLOSE, ExportedPage, ExportedView, KEY, OPEN, VERSION};
use crate::json::{Slice, Writer, fields};
use crate::text::{concat, slice};

/// Characters that could end the element or begin markup, and those that JavaScript formerly treated as line ends. In
/// JSON they occur only in strings, where an escape is equivalent.
const ESCAPES: [(char, &str); 5] =
    [('<', "\\u003c"), ('>', "\\u003e"), ('&', "\\u0026"), ('\u{2028}', "\\u2028"), ('\u{2029}', "\\u2029")];

/// Puts a document into `single_file`, the panel's single file, in place of its present document. `template` is the page from which
/// a build makes the single file.
///
/// # Errors
/// [`DocumentError`] if `single_file` is not made from `template`, or is not as its build left it: a page that somebody has
/// changed would pass on what they added.
pub fn write_page(template: &str, single_file: &str, page: &ExportedPage) -> Result<String, DocumentError> {
    if !is_from(template, single_file) {
        let message = "Expected the page as this version of Runstate makes it, found one that was changed: it is not copied into another page.";
        let hint = "Choose Save file instead, and open that file in your own Runstate.";
        return Err(DocumentError::new(ErrorCode::InvalidInput, message).hint(hint));
    }
    let place = single_file.split_once(OPEN).filter(|(_, rest)| !rest.contains(OPEN));
    let place = place.and_then(|(before, rest)| Some((before, rest.find(CLOSE)?, rest)));
    let Some((before, end, rest)) = place else {
        let message = "Expected the single file of this version of Runstate, found a file without a place for the document.";
        return Err(DocumentError::at(ErrorCode::InvalidInput, message, 0));
    };
    let after = slice(rest, end..rest.len());
    Ok(concat(&[before, OPEN, &escaped(&data(page)), after]))
}

fn data(page: &ExportedPage) -> String {
    let mut out = Writer::default();
    out.object(|out| {
        out.key(KEY).number(f64::from(VERSION));
        out.key("exportedAt").number(page.exported_at.0);
        if let Some(run) = page.run {
            out.key("run").number(run as f64);
        }
        let ExportedView { node, shows_events, event, .. } = &page.view;
        if let Some((node_id, iteration)) = node {
            out.key("node").text(node_id);
            out.key("iteration").number(f64::from(*iteration));
        }
        if let Some(shows_events) = shows_events {
            out.key("events").bool(*shows_events);
        }
        if let Some((row, rows)) = event {
            out.key("event").number(*row as f64);
            out.key("eventRows").number(*rows as f64);
        }
        out.key("document").text(&page.document);
    });
    out.finish()
}

fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 16);
    for letter in json.chars() {
        match ESCAPES.iter().find(|(special, _)| *special == letter) {
            Some((_, escape)) => out.push_str(escape),
            None => out.push(letter),
        }
    }
    out
}

/// The facts that an export contains about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportFacts {
    /// The hash of the content, computed here: `sha256:` and 64 digits.
    pub hash: String,
    /// Whether the export says that its content has this hash.
    pub hash_matches: bool,
    /// The redacted and omitted parts, as a sentence.
    pub left_out: String,
    /// The redacted and omitted parts, by rule.
    pub rules: Vec<RuleCount>,
}

impl ExportFacts {
    /// Reads the facts of an export; `None` if it is incomplete.
    ///
    /// ```
    /// use runstate::export::ExportFacts;
    ///
    /// let facts = ExportFacts::read(r#"{"runstateExport":1,"hash":"sha256:0","content":{"redacted":2}}"#).unwrap();
    /// assert!(!facts.hash_matches);
    /// assert_eq!(facts.left_out, "Redacted: 2 secrets or paths of the server.");
    /// assert_eq!(ExportFacts::read("{"), None);
    /// ```
    pub fn read(document: &str) -> Option<Self> {
        let export = Slice::from_text(document).ok()?;
        let [said, content] = fields(export, ["hash", "content"]).ok()?;
        let (said, content) = (said?.text()?, content?);
        let counts = fields(content, ["redacted", "thinned", "unread"]).ok()?;
        let [redacted, thinned, unread] =
            counts.map(|count| count.and_then(|count| count.read_count().ok()).unwrap_or(0));
        let left_out = ExportFile { bytes: Vec::new(), redacted, thinned, unread }.summary();
        let rules = by_rule(content, StatedCounts { redacted, thinned, unread });
        let hash = hash(content.json());
        Some(Self { hash_matches: said == hash, hash, left_out, rules })
    }
}

#[cfg(test)]
mod tests {
    use super::{CLOSE, DocumentError, ErrorCode, ExportFacts, ExportedPage, ExportedView, OPEN, concat};
    use crate::export::single_file::tests::TEMPLATE;
    use crate::export::{ExportOptions, export};
    use crate::file::File;
    use crate::ingest::open;
    use crate::time::Millis;

    const NOW: Millis = Millis(1_700_000_000_000.0);

    /// The single file with this text in place of a document.
    fn single_file(content: &str) -> String {
        crate::export::single_file::tests::single_file().replacen(OPEN, &concat(&[OPEN, content]), 1)
    }

    fn write_page(single_file: &str, page: &ExportedPage) -> Result<String, DocumentError> {
        super::write_page(TEMPLATE, single_file, page)
    }

    fn page(document: &str) -> ExportedPage {
        let view = ExportedView {
            node: Some(("</script>".to_owned(), 2)),
            shows_events: Some(false),
            event: Some((17, 45)),
        };
        ExportedPage { exported_at: NOW, run: Some(3), view, document: document.into() }
    }

    /// A run with this text in it, exported.
    fn exported(text: &str) -> String {
        let row = format!(r#"{{"runId":"r1","status":"failed","workflowName":{}}}"#, crate::text::json(text));
        let files = [File { name: Some("run.json"), bytes: row.as_bytes() }];
        String::from_utf8(export(&files, &ExportOptions { now: NOW, redact: &[] }).unwrap().bytes).unwrap()
    }

    #[test]
    fn any_document_survives_the_page_and_cannot_end_its_element() {
        let texts = [
            "plain",
            "</script><script>alert(1)</script>",
            "</SCRIPT >",
            "<!-- <script> -->",
            "<!--<script",
            "]]> & &amp; &lt;",
            "\u{2028}\u{2029}\u{feff}\u{0}\u{1f}",
            r"\u003c \\u003c </",
            "\"quotes\" 'single' `back` ${x}",
            OPEN,
            "😀\u{202e}",
        ];
        for text in texts {
            let document = exported(text);
            let html = write_page(&single_file(""), &page(&document)).unwrap();
            let data = ExportedPage::data(html.as_bytes()).unwrap().unwrap();
            assert!(!data.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{text}");
            assert_eq!(ExportedPage::read(data).unwrap(), page(&document), "{text}");
            assert_eq!(html.len(), single_file("").len() + data.len(), "{text}");
        }
    }

    #[test]
    fn a_page_opens_like_its_document_and_is_exported_to_the_same_bytes() {
        let document = exported("release");
        let html = write_page(&single_file(""), &page(&document)).unwrap();
        let files = [File { name: Some("incident.html"), bytes: html.as_bytes() }];
        let header = |files: &[File<'_>]| open(files, NOW).unwrap().header(None, NOW).unwrap();
        let document_header = header(&[File { name: None, bytes: document.as_bytes() }]);
        assert_eq!(header(&files).answer, document_header.answer);
        let again = export(&files, &ExportOptions { now: NOW, redact: &[] }).unwrap();
        assert_eq!(String::from_utf8(again.bytes).unwrap(), document);
    }

    #[test]
    fn a_page_takes_the_place_of_another() {
        let first = write_page(&single_file(""), &page(&exported("first"))).unwrap();
        let second = write_page(&single_file(""), &page(&exported("second"))).unwrap();
        assert_eq!(write_page(&first, &page(&exported("second"))).unwrap(), second);
    }

    #[test]
    fn a_file_without_exactly_one_document_element_is_refused() {
        let twice = single_file(OPEN);
        let open_ended = single_file("").replace(CLOSE, "");
        for file in ["", "<!doctype html>", &twice, &open_ended] {
            let error = write_page(file, &page("{}")).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidInput, "{file}");
        }
    }

    #[test]
    fn damaged_pages_are_refused_with_a_remedy() {
        let whole = write_page(&single_file(""), &page(&exported("release"))).unwrap();
        let data = ExportedPage::data(whole.as_bytes()).unwrap().unwrap();
        let damaged = [
            "{",
            "[]",
            "null",
            "not JSON",
            r#"{"runstatePage":2,"exportedAt":0,"document":"{}"}"#,
            r#"{"exportedAt":0,"document":"{}"}"#,
            r#"{"runstatePage":1,"document":"{}"}"#,
            r#"{"runstatePage":1,"exportedAt":0}"#,
            r#"{"runstatePage":1,"exportedAt":0,"document":{}}"#,
            r#"{"runstatePage":1,"exportedAt":0,"run":-1,"document":"{}"}"#,
            &data[..data.len() / 2],
        ];
        for data in damaged {
            let error = ExportedPage::read(data).unwrap_err();
            assert!(error.message.starts_with("The document in this page cannot be read. "), "{error}");
            assert!(error.hint.unwrap().contains("ask for another copy"), "{data}");
            let html = single_file(data);
            open(&[File { name: None, bytes: html.as_bytes() }], NOW).unwrap_err();
        }
        let begin = whole.find(OPEN).unwrap() + OPEN.len();
        for end in [begin + 9, begin + data.len() / 2] {
            let error = open(&[File { name: None, bytes: &whole.as_bytes()[..end] }], NOW).unwrap_err();
            assert!(error.message.contains("breaks off"), "{error}");
        }
    }

    #[test]
    fn other_pages_are_refused_as_before() {
        let page = single_file("x");
        let at = page.find(OPEN).unwrap() + OPEN.len();
        let mut not_utf8 = page.into_bytes();
        not_utf8[at] = 0xff;
        assert_eq!(ExportedPage::data(&not_utf8).unwrap().unwrap_err().code, ErrorCode::InvalidUtf8);
        for html in ["<!doctype html><p>Sign in</p>", "<html></html>", &single_file("")] {
            assert!(ExportedPage::data(html.as_bytes()).is_none(), "{html}");
            let error = open(&[File { name: None, bytes: html.as_bytes() }], NOW).unwrap_err();
            assert_eq!(error.code, ErrorCode::NotJson, "{html}");
        }
    }

    #[test]
    fn facts_are_those_of_the_content() {
        let document = exported("release");
        let facts = ExportFacts::read(&document).unwrap();
        assert!(facts.hash_matches && facts.hash.starts_with("sha256:"));
        assert_eq!(facts.left_out, "Nothing was redacted or omitted.");
        assert!(!ExportFacts::read(&document.replace("release", "changed")).unwrap().hash_matches);
        for text in ["", "{}", "[]", r#"{"hash":1,"content":{}}"#, &document[..document.len() - 3]] {
            assert_eq!(ExportFacts::read(text), None, "{text}");
        }
    }
}
