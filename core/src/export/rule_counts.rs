//! Counts the redacted and omitted parts of an export, by rule. The counts are read from the export itself, so every export
//! has them.

use serde::{Deserialize, Serialize};

use crate::json::{Slice, Token};
use crate::redact::{Keys, Rule, Shape, is_redacted};

/// A rule, and the number of parts that it redacted or omitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RuleCount {
    /// The rule in words.
    pub rule: String,
    /// The number of redacted or omitted parts.
    pub count: u64,
}

/// The counts that an export states.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StatedCounts {
    pub(super) redacted: u64,
    pub(super) thinned: u64,
    pub(super) unread: u64,
}

/// The numbers of redacted whole values, by the kind of their keys.
#[derive(Default)]
struct WholeValues {
    secrets: u64,
    paths: u64,
    other: u64,
}

/// Returns the rules that redacted or omitted parts of `content`, the content of an export.
pub(super) fn by_rule(content: Slice<'_>, counts: StatedCounts) -> Vec<RuleCount> {
    let WholeValues { secrets, paths, other } = whole_values(content);
    let StatedCounts { redacted, thinned, unread } = counts;
    let inside_texts = redacted.saturating_sub(secrets + paths + other);
    let rules = [
        ("Values of keys for secrets, such as token, authorization and configJson", secrets),
        ("Paths of the server under keys such as cwd", paths),
        ("Other values, such as those of the keys named for this export", other),
        ("Secrets, paths and names of home directories inside texts", inside_texts),
        ("Repeated heartbeats", thinned),
        ("Lines that could not be read", unread),
    ];
    let some = rules.into_iter().filter(|(_, count)| *count > 0);
    some.map(|(rule, count)| RuleCount { rule: rule.to_owned(), count }).collect()
}

fn whole_values(content: Slice<'_>) -> WholeValues {
    let (keys, mut found) = (Keys::new(&[]), WholeValues::default());
    let (mut reader, mut key) = (content.reader(), None);
    // The content has already been read without an error.
    while let Ok(Some(token)) = reader.next() {
        let text = match token {
            Token::Key(name) => {
                key = Some(name);
                continue;
            }
            Token::String(text) => Some(text),
            Token::ObjectStart
            | Token::ArrayStart
            | Token::ObjectEnd
            | Token::ArrayEnd
            | Token::Number(_)
            | Token::Bool
            | Token::Null => None,
        };
        let name = key.take();
        if text.is_some_and(|text| is_redacted(&text.decode())) {
            let rule = name.map_or(Rule::Keep, |name| keys.rule(&name.decode(), Shape::Text));
            match rule {
                Rule::Hide | Rule::HideSecret | Rule::HidePassword | Rule::HideCode => found.secrets += 1,
                Rule::HidePath => found.paths += 1,
                Rule::Keep => found.other += 1,
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::export::{ExportFacts, ExportOptions, RuleCount, export};
    use crate::file::File;
    use crate::time::Millis;

    fn counts_of(document: &str) -> Vec<(String, u64)> {
        let facts = ExportFacts::read(document).unwrap();
        facts.rules.into_iter().map(|RuleCount { rule, count }| (rule, count)).collect()
    }

    #[test]
    fn each_rule_has_its_count_also_when_it_is_exported_again() {
        let row = br#"{"runId":"r1","status":"failed","configJson":"{}","token":"t","cwd":"/srv/acme/work","prompt":"p",
            "errorJson":"{\"message\":\"no /srv/acme/x.db for Bearer abcdefgh12345678\"}"}"#;
        let options = ExportOptions { now: Millis(0.0), redact: &["prompt"] };
        let first = export(&[File { name: None, bytes: row }], &options).unwrap();
        let text = String::from_utf8(first.bytes.clone()).unwrap();
        let counts = counts_of(&text);
        let numbers: Vec<u64> = counts.iter().map(|(_, count)| *count).collect();
        assert_eq!(numbers, [2, 1, 1, 2], "{text}");
        assert_eq!(numbers.iter().sum::<u64>(), first.redacted);
        let plain = ExportOptions { redact: &[], ..options };
        let again = export(&[File { name: None, bytes: &first.bytes }], &plain).unwrap();
        assert_eq!(counts_of(&String::from_utf8(again.bytes).unwrap()), counts);
    }

    #[test]
    fn a_rule_without_a_count_is_absent() {
        let document =
            |counts: &str| format!(r#"{{"runstateExport":1,"hash":"sha256:0","content":{{{counts}}}}}"#);
        assert_eq!(counts_of(&document("")), []);
        let [(rule, count)] =
            counts_of(&document(r#""redacted":0,"thinned":76,"unread":0"#)).try_into().unwrap();
        assert_eq!((rule.as_str(), count), ("Repeated heartbeats", 76));
    }
}
