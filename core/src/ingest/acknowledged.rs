//! Answers to actions. They look like a run's row, and tell what became of a request, not what the run is doing.

use super::DocumentError;
use crate::error_code::ErrorCode;
use crate::json;
use crate::json::{ReadError, Slice, fields};
use crate::text::{concat, quoted};

/// What Smithers 0.32 answers to cancel, pause, resume, retry and hijack; its catalogue of methods and its engine spell some
/// of them differently.
const WORDS: [&str; 6] =
    ["already-terminal", "already_terminal", "cancelling", "pausing", "hijack-ready", "not-found"];

/// The methods that act, under both of their names.
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

/// The refusal of an answer to an action; `None` for everything else. `method` is what was asked, where that is known.
pub(super) fn refusal(slice: Slice<'_>, method: Option<&str>) -> Result<Option<DocumentError>, ReadError> {
    let [status, won, terminal, run_state] = fields(slice, ["status", "won", "terminalStatus", "runState"])?;
    let word = status.and_then(Slice::text);
    let by_content =
        won.and(terminal).is_some() || word.as_deref().is_some_and(is_word) && !has_columns(slice)?;
    if run_state.is_some() || !(by_content || method.is_some_and(is_action)) {
        return Ok(None);
    }
    let word = word.map(|word| concat(&[", ", &quoted(json::cut(&word))])).unwrap_or_default();
    let message =
        concat(&["This is the answer to an action", &word, ". It does not say what the run is doing."]);
    let error = DocumentError::at(ErrorCode::NotRecognised, message, slice.begin());
    Ok(Some(error.hint("Copy the answer of getRun.")))
}

fn is_word(word: &str) -> bool {
    WORDS.contains(&word) || word.ends_with("_requested")
}

/// A row has more than a status; there a word that is not known is one of tomorrow.
fn has_columns(slice: Slice<'_>) -> Result<bool, ReadError> {
    let names =
        ["createdAtMs", "created_at_ms", "workflowName", "workflow_name", "startedAtMs", "started_at_ms"];
    Ok(fields(slice, names)?.iter().any(Option::is_some))
}

fn is_action(method: &str) -> bool {
    let rest = || method.strip_prefix("POST /v1/api/runs/")?.split_once('/').map(|(_, verb)| verb);
    ACTIONS.contains(&method) || rest().is_some_and(|verb| VERBS.contains(&verb))
}
