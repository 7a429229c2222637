use arbitrary::Unstructured;
use runstate::export::{ExportOptions, export as write};
use runstate::file::File;
use runstate::header::Header;
use runstate::ingest::{Document, open};
use runstate::time::Millis;

use super::input::{self, SECRET};

const REDACTED: &str = "[redacted]";

const NOW: Millis = Millis(1_795_300_000_000.0);
const LATER: Millis = Millis(1_795_400_000_000.0);

/// An export opens again to the same states, exports to the same bytes, and contains no secret.
pub fn export(data: &[u8]) {
    if let Ok(text) = input::document(&mut Unstructured::new(data)) {
        survives_its_export(text.as_bytes());
    }
}

pub(super) fn survives_its_export(bytes: &[u8]) {
    let file = |bytes| [File { name: None, bytes }];
    let (document, exported) = (open(&file(bytes), NOW), write(&file(bytes), &ExportOptions::new(NOW)));
    let (document, exported) = match (document, exported) {
        (Ok(document), Ok(exported)) => (document, exported),
        (Err(opened), Err(_)) => return assert!(!opened.message.is_empty()),
        (document, exported) => panic!("opened: {}, exported: {}", document.is_ok(), exported.is_ok()),
    };
    let text = String::from_utf8_lossy(&exported.bytes);
    assert!(!text.contains(SECRET), "{text}");
    let again = open(&file(&exported.bytes), LATER).unwrap_or_else(|error| panic!("{error}: {text}"));
    let (shown, expected) = (shown(&again), shown(&document));
    assert_eq!(shown.len(), expected.len(), "{shown:?} for {expected:?}: {text}");
    for (shown, expected) in shown.iter().zip(&expected) {
        assert!(is_redaction_of(shown, expected), "{shown} for {expected}: {text}");
    }
    let second = write(&file(&exported.bytes), &ExportOptions::new(LATER))
        .unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(String::from_utf8_lossy(&second.bytes), text);
}

/// What a document shows of itself and of each row.
fn shown(document: &Document) -> Vec<String> {
    let rows = document.rows();
    let header = |row| {
        let header = document.header(row, LATER)?;
        let Header { name, state, blocked, unhealthy, fields, .. } = header;
        Some(format!("{name:?} {state:?} {blocked:?} {unhealthy:?} {fields:?}"))
    };
    let run = header(None).unwrap_or_default();
    let row = |(place, row)| format!("{row:?} {}", header(Some(place)).unwrap_or_default());
    std::iter::once(run).chain(rows.iter().enumerate().map(row)).collect()
}

/// Whether a text is another one with some of its parts redacted.
fn is_redaction_of(text: &str, original: &str) -> bool {
    let text = without_numbers(text);
    let mut parts = text.split(REDACTED);
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = original.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// A text with its redactions without their numbers.
fn without_numbers(text: &str) -> String {
    let mut parts = text.split("[redacted-");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|digit: char| digit.is_ascii_digit());
        out += if rest.starts_with(']') { "[redacted" } else { "[redacted-" };
        out += if rest.starts_with(']') { rest } else { part };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::is_redaction_of;

    #[test]
    fn only_redactions_are_ignored() {
        for (text, original) in
            [("a", "a"), ("a[redacted-12]", "abc"), ("[redacted]b[redacted-2]d", "abcd"), ("[redacted]", "")]
        {
            assert!(is_redaction_of(text, original), "{text}");
        }
        for (text, original) in
            [("a", "ab"), ("b[redacted]", "abc"), ("[redacted]c[redacted]b", "abc"), ("a[redacted]a", "a")]
        {
            assert!(!is_redaction_of(text, original), "{text}");
        }
    }
}
