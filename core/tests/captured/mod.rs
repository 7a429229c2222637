//! The captured lives of runs.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

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
    let vectors = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/smithers");
    let paths = ["lives", "ws"].map(|folder| vectors.join(folder).join(format!("{life}.ndjson")));
    let text = paths.iter().find_map(|path| fs::read_to_string(path).ok()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
