//! Recognises responses to actions. They look like a run's row and have the result of a request, not the state of the run.

use super::Keys;
use crate::json::Slice;

/// The words with which Smithers 0.32 answers cancel, pause, resume, retry and hijack; its catalogue of methods and its
/// engine spell some of them differently.
const WORDS: [&str; 6] =
    ["already-terminal", "already_terminal", "cancelling", "pausing", "hijack-ready", "not-found"];

/// The methods of actions, under both of their names.
const ACTIONS: [&str; 20] = [
    "cancelRun",
    "runs.cancel",
    "pauseRun",
    "runs.pause",
    "resumeRun",
    "runs.resume",
    "rewindRun",
    "jumpToFrame",
    "retryTask",
    "hijackRun",
    "runs.hijack",
    "launchRun",
    "runs.create",
    "runs.rerun",
    "submitApproval",
    "approvals.decide",
    "submitSignal",
    "signals.send",
    "runs.retryTask",
    "runs.rewind",
];

/// The last segment of the REST interface's actions on a run.
const VERBS: [&str; 5] = ["cancel", "pause", "resume", "rewind", "hijack"];

/// Whether an object is the response to an action.
pub(crate) fn is_acknowledgement(keys: &Keys<'_>, method: Option<&str>) -> bool {
    let by_content = || {
        keys.all(["won", "terminalStatus"])
            || status(keys).is_some_and(|word| is_word(&word)) && !has_columns(keys)
    };
    !keys.has("runState") && (by_content() || method.is_some_and(is_action))
}

/// The word of a response to an action.
pub(crate) fn status(keys: &Keys<'_>) -> Option<String> {
    keys.get("status").and_then(Slice::text)
}

fn is_word(word: &str) -> bool {
    WORDS.contains(&word) || word.ends_with("_requested")
}

/// A row has more columns than a status; an unknown status there is a newer word.
fn has_columns(keys: &Keys<'_>) -> bool {
    keys.any([
        "createdAtMs",
        "created_at_ms",
        "workflowName",
        "workflow_name",
        "startedAtMs",
        "started_at_ms",
    ])
}

fn is_action(method: &str) -> bool {
    let rest = || method.strip_prefix("POST /v1/api/runs/")?.split_once('/').map(|(_, verb)| verb);
    ACTIONS.contains(&method) || rest().is_some_and(|verb| VERBS.contains(&verb))
}
