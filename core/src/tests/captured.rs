//! The captured lives of runs, and the server's answers about them.

use std::fs;

use runstate::time::Millis;
use serde_json::{Value, json};

use super::vectors::{lines, path, payload};

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

/// All frames of a captured life, as in its file.
pub(crate) fn frames(life: &str) -> Vec<Value> {
    let names = ["lives", "ws"].map(|folder| format!("{folder}/{life}.ndjson"));
    lines(names.iter().find(|name| path(name).is_file()).unwrap())
}

/// The server's clock less the life's.
pub(crate) fn offset(frames: &[Value]) -> f64 {
    let challenge = frames.iter().find(|frame| frame["data"]["event"] == "connect.challenge").unwrap();
    challenge["data"]["payload"]["ts"].as_f64().unwrap() - challenge["t"].as_f64().unwrap()
}

/// An answer of `runs.get`, with the node states of the same time.
#[derive(Clone, Debug)]
pub(crate) struct CapturedAnswer {
    /// The capture's name.
    pub(crate) name: String,
    /// When it was computed, by the life's clock.
    pub(crate) at: f64,
    pub(crate) run: Value,
    pub(crate) nodes: Value,
}

impl CapturedAnswer {
    pub(crate) fn state(&self) -> &str {
        self.run["runState"]["state"].as_str().unwrap()
    }

    pub(crate) fn ended(&self) -> bool {
        matches!(self.state(), "succeeded" | "failed" | "cancelled")
    }
}

/// The captured answers about a run in a folder, the earliest first; `offset` is the server's clock less the life's.
pub(crate) fn said(folder: &str, run_id: &str, offset: f64) -> Vec<CapturedAnswer> {
    let mut found = Vec::new();
    for entry in fs::read_dir(path("captures").join(folder)).unwrap() {
        let file = entry.unwrap().path();
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        if !name.starts_with("rpc-runs.get") {
            continue;
        }
        let Some(run) = payload(&file).filter(|run| run["runId"] == run_id) else { continue };
        let nodes =
            payload(file.with_file_name(format!("{}.json", name.replace("runs.get", "listNodeStates"))));
        let at = Millis::parse_iso(run["runState"]["computedAt"].as_str().unwrap()).unwrap().0 - offset;
        found.push(CapturedAnswer { name, at, run, nodes: nodes.unwrap_or_else(|| json!([])) });
    }
    found.sort_by(|a, b| a.at.total_cmp(&b.at));
    assert!(!found.is_empty(), "{run_id}");
    found
}
