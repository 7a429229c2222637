//! The inputs of a verdict as text.

use serde::{Deserialize, Serialize};

use super::Name;
use crate::evidence::{Evidence, Value};
use crate::format;
use crate::time::Millis;
use crate::word::Vocabulary;

/// One input of the verdict, in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(tsify::Tsify), tsify(rename = "HeaderEvidence"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EvidenceLine {
    /// The input.
    #[cfg_attr(test, tsify(type = "string"))]
    pub name: Name,
    /// Its value.
    pub value: String,
    /// Whether the value is a word of a system, verbatim.
    pub code: bool,
    /// Its age when the verdict was made, as text; empty if it has none.
    pub age: String,
    /// The age beyond which the rule decides differently, as text; empty if there is none.
    pub limit: String,
    /// Whether the verdict depends on this input.
    pub decisive: bool,
    /// The document or method that it was read from.
    pub read_from: String,
    /// When it was read, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_at: Option<String>,
}

/// The inputs of a verdict as text. Ages count from when the verdict was made.
pub(crate) fn evidence_lines(evidence: &Evidence, now: Millis) -> Vec<EvidenceLine> {
    let then = evidence.read_at.unwrap_or(now);
    let read_at = evidence.read_at.map(|at| format::moment(at, then));
    evidence
        .inputs
        .iter()
        .map(|input| {
            let (value, code) = match &input.value {
                Value::Absent => ("none".to_owned(), false),
                Value::Word(word) => (word.clone(), true),
                Value::Time(at) => (at.to_iso().unwrap_or_else(|_| "not a time".into()), false),
                Value::Text(text) => (text.clone(), false),
            };
            EvidenceLine {
                name: input.name.as_str().into(),
                value,
                code,
                age: input.at.map(|at| format::age(then.since(at))).unwrap_or_default(),
                limit: input.limit_ms.map(format::age).unwrap_or_default(),
                decisive: input.decisive,
                read_from: input.read_from.as_ref().unwrap_or(&evidence.read_from).clone(),
                read_at: read_at.clone(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::evidence_lines;
    use crate::evidence::{Evidence, Input, Signal, Value};
    use crate::time::Millis;

    #[test]
    fn ages_count_from_the_verdict() {
        let at = Millis(1_763_474_518_000.0);
        let heartbeat = Input {
            name: Signal::EngineHeartbeat,
            value: Value::Time(at),
            at: Some(at),
            limit_ms: Some(30_000.0),
            decisive: true,
            read_from: None,
        };
        let read_at = Some(Millis(at.0 + 41_000.0));
        let evidence = Evidence { inputs: vec![heartbeat], read_from: "runs.get".into(), read_at };
        let line = &evidence_lines(&evidence, Millis(at.0 + 900_000.0))[0];
        // The age when the verdict was made, not the current one.
        assert_eq!((&*line.age, &*line.limit, line.decisive), ("41 s", "30 s", true));
    }
}
