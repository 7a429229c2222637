//! The list of the rows where we answer otherwise than the released package, and why.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::vectors::{Mode, Outcome};

/// `tests/vectors/smithers/divergences.json`.
#[derive(Deserialize)]
pub(crate) struct Divergences {
    /// How many rows each file has.
    pub(crate) counts: BTreeMap<String, usize>,
    /// The classes.
    pub(crate) classes: Vec<Class>,
}

/// Rows that differ for one reason.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Class {
    pub(crate) id: String,
    pub(crate) reason: String,
    /// What we answer instead.
    pub(crate) ours: Ours,
    /// Whether the rows agree once the released package's own settings are given.
    pub(crate) gone_with_released_settings: bool,
    pub(crate) rows: BTreeMap<String, Vec<u64>>,
}

/// What we answer instead.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
pub(crate) enum Ours {
    /// A refusal with this code.
    #[serde(rename = "INVALID_INPUT")]
    InvalidInput,
    /// The same answer without its `unhealthy` field.
    #[serde(rename = "without unhealthy")]
    WithoutUnhealthy,
    /// The same answer with a key where the released one is empty.
    #[serde(rename = "with correlationKey")]
    WithCorrelationKey,
}

impl Divergences {
    pub(crate) fn read() -> Self {
        let path = format!("{}/../tests/vectors/smithers/divergences.json", env!("CARGO_MANIFEST_DIR"));
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    /// The class that a row of a file belongs to in this mode.
    pub(crate) fn class(&self, file: &str, row: u64, mode: Mode) -> Option<&Class> {
        self.classes.iter().find(|class| {
            !(class.gone_with_released_settings && mode == Mode::Released)
                && class.rows.get(file).is_some_and(|rows| rows.binary_search(&row).is_ok())
        })
    }
}

impl Ours {
    /// Whether our outcome differs from the expected one in this way and in no other.
    pub(crate) fn explains(self, expected: &Outcome, ours: &Outcome) -> bool {
        match (self, expected, ours) {
            (Self::InvalidInput, _, Outcome::Refused(_)) => true,
            (Self::WithoutUnhealthy, Outcome::Json(expected), Outcome::Json(ours)) => {
                let mut expected: Value = serde_json::from_str(expected).unwrap();
                let dropped = expected.as_object_mut().unwrap().remove("unhealthy");
                dropped.is_some_and(|reason| reason["kind"] == "timer-overdue") && same(&expected, ours)
            }
            (Self::WithCorrelationKey, Outcome::Json(expected), Outcome::Json(ours)) => {
                let mut expected: Value = serde_json::from_str(expected).unwrap();
                let key = serde_json::from_str::<Value>(ours).unwrap()["blocked"]["correlationKey"].clone();
                let empty = expected["blocked"]["correlationKey"] == "";
                expected["blocked"]["correlationKey"] = key;
                empty && same(&expected, ours)
            }
            (Self::InvalidInput | Self::WithoutUnhealthy | Self::WithCorrelationKey, _, _) => false,
        }
    }
}

fn same(expected: &Value, ours: &str) -> bool {
    *expected == serde_json::from_str::<Value>(ours).unwrap()
}
