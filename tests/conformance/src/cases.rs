//! The format of the vectors of records and events: a text that is read, or refused with its position.

use std::collections::BTreeSet;

use runstate::json::ReadError;
use runstate::word::Vocabulary;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A case; `E` is the expected value of a valid text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case<E> {
    #[serde(rename = "case")]
    pub name: String,
    /// The record that the text is read as; events have none.
    #[serde(rename = "type", default)]
    pub record: String,
    reason: String,
    source: String,
    pub text: String,
    pub expected: Option<E>,
    pub error: Option<Refused>,
}

/// The expected refusal.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    pub code: String,
    /// In characters, from 1.
    pub column: usize,
    message: String,
}

/// The cases of a folder of Smithers vectors, of this kind.
pub fn read<E: DeserializeOwned>(folder: &str, kind: &str) -> Vec<Case<E>> {
    let path = format!("{}/../vectors/smithers/{folder}/{kind}/cases.ndjson", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let case = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    let cases: Vec<Case<E>> = text.lines().map(case).collect();
    assert!(cases.iter().all(|case| case.record.is_empty() == (folder == "events")), "{path}");
    cases
}

/// Numbers compare as numbers: `1` and `1.0` are one in JSON.
pub fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), plain(value))).collect(),
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}

impl<E> Case<E> {
    /// Asserts the code for invalid JSON, or for valid JSON of another type.
    pub fn assert_code(&self, is_json: bool) {
        let expected = self.error.as_ref().unwrap_or_else(|| panic!("{} is no refusal", self.name));
        assert_eq!(is_json, expected.code != "NOT_JSON", "{}", self.name);
    }

    /// Compares code, position and message.
    pub fn assert_refused(&self, error: &ReadError) {
        let expected = self.error.as_ref().unwrap_or_else(|| panic!("{} is no refusal", self.name));
        let column = self.text[..error.offset].chars().count() + 1;
        let found = (error.kind.code().as_str(), column);
        assert_eq!(found, (expected.code.as_str(), expected.column), "{}: {error}", self.name);
        assert!(error.message.contains(&expected.message), "{}: {error}", self.name);
    }
}

/// Each of these words is in a text that is read and in one that is refused.
pub fn assert_words<E>(words: &[&[&str]], valid: &[Case<E>], invalid: &[Case<E>]) {
    for word in words.concat() {
        let quoted = format!("\"{word}\"");
        for (kind, cases) in [("valid", valid), ("invalid", invalid)] {
            assert!(cases.iter().any(|case| case.text.contains(&quoted)), "{word} is in no {kind} case");
        }
    }
}

/// Every case has a name of its own, a reason and a source, and is read or refused; refusals are at least half.
pub fn assert_form<E>(valid: &[Case<E>], invalid: &[Case<E>]) {
    assert!(invalid.len() >= valid.len(), "{} refusals, {} acceptances", invalid.len(), valid.len());
    let mut names = BTreeSet::new();
    for case in valid.iter().chain(invalid) {
        assert!(case.reason.len() > 10 && case.source.len() >= 4, "{}", case.name);
        assert!(case.expected.is_some() != case.error.is_some() && names.insert(&case.name), "{}", case.name);
    }
}
