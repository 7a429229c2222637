//! The evidence of a verdict.

use runstate::evidence as core;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use tsify::Tsify;

use crate::output::millis;

/// The evidence of a verdict. The inputs are in the order in which the rule reads them; `readFrom` is the file, route or
/// message that contained them, `readAtMs` the time when it was read, in milliseconds since 1970.
#[skip_serializing_none]
#[derive(Serialize, Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    inputs: Vec<EvidenceInput>,
    read_from: String,
    read_at_ms: Option<f64>,
}

/// One input of a verdict.
#[skip_serializing_none]
#[derive(Serialize, Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceInput {
    name: String,
    /// The kind of `value`: a word of a vocabulary, a time or any other text. An absent input has no value.
    #[tsify(type = "\"absent\" | \"word\" | \"time\" | \"text\"")]
    kind: String,
    value: Option<EvidenceValue>,
    /// The time from which the age of the input is counted, in milliseconds since 1970.
    at_ms: Option<f64>,
    /// The age in milliseconds beyond which the rule decides differently.
    limit_ms: Option<f64>,
    /// Whether the verdict depends on this input.
    decisive: bool,
}

/// A word or text, verbatim, or a time in milliseconds since 1970.
#[derive(Serialize, Deserialize, Tsify)]
#[serde(untagged)]
pub enum EvidenceValue {
    Time(f64),
    Text(String),
}

impl From<&core::Evidence> for Evidence {
    fn from(evidence: &core::Evidence) -> Self {
        Self {
            inputs: evidence.inputs.iter().map(EvidenceInput::from).collect(),
            read_from: evidence.read_from.clone(),
            read_at_ms: millis(evidence.read_at),
        }
    }
}

impl From<&core::Input> for EvidenceInput {
    fn from(input: &core::Input) -> Self {
        let (kind, value) = match &input.value {
            core::Value::Absent => ("absent", None),
            core::Value::Word(word) => ("word", Some(EvidenceValue::Text(word.clone()))),
            core::Value::Time(at) => ("time", Some(EvidenceValue::Time(at.0))),
            core::Value::Text(text) => ("text", Some(EvidenceValue::Text(text.clone()))),
        };
        Self {
            name: input.name.to_string(),
            kind: kind.to_owned(),
            value,
            at_ms: millis(input.at),
            limit_ms: input.limit_ms,
            decisive: input.decisive,
        }
    }
}
