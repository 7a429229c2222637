//! The reasons of the recorded rows of `derive` and `compute`, and the rows for which the released package answers
//! differently.

use std::collections::BTreeMap;

use serde::Deserialize;

/// `tests/vectors/smithers/derive/classes.json` or `tests/vectors/smithers/compute/classes.json`.
pub type Classes = BTreeMap<String, Class>;

/// Rows that are answered, or refused, for one reason.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Class {
    /// The rule in words.
    pub reason: String,
    /// The origin of the rule and of the rows.
    pub source: String,
    /// Whether the released package may differ; each row contains its answer.
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
