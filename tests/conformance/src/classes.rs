//! Why the recorded rows of `derive` and `compute` are what they are, and which of them the released package answers otherwise.

use std::collections::BTreeMap;

use serde::Deserialize;

/// `tests/vectors/smithers/derive/classes.json`, and the same of `compute`.
pub type Classes = BTreeMap<String, Class>;

/// Rows that are answered, or refused, for one reason.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Class {
    /// The rule in words.
    pub reason: String,
    /// Whose rule it is, and where the rows are from.
    pub source: String,
    /// Whether the released package may do otherwise; each row says what it does.
    #[serde(default)]
    pub diverges: bool,
    /// Whether the rows agree once the released package's own settings are given.
    #[serde(default)]
    pub gone_with_released_settings: bool,
}

pub fn read(folder: &str) -> Classes {
    let path = format!("{}/../vectors/smithers/{folder}/classes.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}
