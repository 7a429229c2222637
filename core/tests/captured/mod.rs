//! The captured lives of runs.

use serde_json::Value;

use crate::vectors::{lines, path};

/// The lives that begin with the launch of a run, each with its captured answers.
pub(crate) const LAUNCHED: [&str; 17] = [
    "approval-a",
    "approval-denied-a",
    "backoff-a",
    "can-a",
    "cancel-a",
    "degraded-a",
    "event-a",
    "fail-a",
    "human-a",
    "mixed-a",
    "oddids-a",
    "quick-a",
    "retry-a",
    "steps-a",
    "structure-a",
    "timer-a",
    "wide-a",
];

/// Every frame of a captured life, as it stands in its file.
pub(crate) fn frames(life: &str) -> Vec<Value> {
    let names = ["lives", "ws"].map(|folder| format!("{folder}/{life}.ndjson"));
    lines(names.iter().find(|name| path(name).is_file()).unwrap())
}
