//! One measured round of a case.

use std::time::Instant;

use serde_json::{Value, json};

/// One measured round.
pub(crate) struct Round {
    pub(crate) milliseconds: f64,
    /// How often the case was done in that time.
    pub(crate) times: usize,
    /// The result, which both sides compare.
    pub(crate) answer: Value,
    /// Bytes of memory per event, if the case measures memory.
    pub(crate) bytes: Option<f64>,
}

impl Round {
    pub(crate) fn to_json(&self) -> Value {
        let Self { milliseconds, times, answer, bytes } = self;
        let mut round = json!({ "milliseconds": milliseconds, "times": times, "answer": answer });
        if let Some(bytes) = bytes {
            round["bytes"] = json!(bytes);
        }
        round
    }
}

/// The milliseconds since `start`.
pub(crate) fn since(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1000.0
}
