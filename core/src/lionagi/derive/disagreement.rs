//! Where the server disagrees with itself: both answers are shown, and why they differ where that is known.

use super::looks_legacy;
use crate::lionagi::wire::SessionStatus;
use crate::lionagi::wire::{End, SessionHealth, SessionRow, StoredStatus};
use crate::word::Word;

/// Why an invocation calls itself orphaned over sessions that are not (protocol section 2).
pub(crate) const NOT_COUNTED: &str = "An invocation's health does not count messages.";

/// One question that was answered more than once, differently.
///
/// ```
/// use runstate::ingest::lionagi::{join, read};
/// use runstate::time::Millis;
///
/// let now = Millis(1_716_300_000_000.0);
/// let row = r#"{"session_id":"s1","status":"running","invocation_kind":"agent","effective_health":"idle"}"#;
/// let other = r#"{"session_id":"s1","status":"failed","invocation_kind":"agent","effective_health":"idle"}"#;
/// let joined = join(vec![read(row, "/api/runs/s1", now)?, read(other, "/api/sessions/s1", now)?], now).unwrap();
/// let differing = &joined.session.unwrap().disagreements[0];
/// assert_eq!(differing.question, "status");
/// let said: Vec<_> = differing.answers.iter().map(|witness| witness.said.as_str()).collect();
/// assert_eq!(said, ["running", "failed"]); // what is shown stands first
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// What was asked: `status`, `health`, `end`.
    pub question: &'static str,
    /// The answers, the one that is shown first.
    pub answers: Vec<ReportedStatus>,
    /// Why they differ, where it is known.
    pub why: Option<&'static str>,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedStatus {
    /// What was said, verbatim.
    pub said: String,
    /// Where it was read.
    pub read_from: String,
}

impl Disagreement {
    pub(crate) fn new(question: &'static str, answers: &[(&str, &str)], why: Option<&'static str>) -> Self {
        let answers = answers.iter().map(|(said, read_from)| ReportedStatus {
            said: (*said).to_owned(),
            read_from: (*read_from).to_owned(),
        });
        Self { question, answers: answers.collect(), why }
    }
}

/// Where a row contradicts itself.
pub(crate) fn within(row: &SessionRow) -> Vec<Disagreement> {
    let mut found = Vec::new();
    let status = row.status.shown().unwrap_or_default();
    let started =
        row.reason_code.as_deref().filter(|code| *code == "run.started.ok" && row.status.is_terminal());
    if looks_legacy(row) {
        found.push(Disagreement::new(
            "status",
            &[(status, "status"), ("null", "ended_at, status_reason_code")],
            Some("Most routes serve a status that was never stored as completed."),
        ));
    } else if let Some(code) = started {
        found.push(Disagreement::new(
            "status",
            &[(status, "status"), (code, "status_reason_code")],
            Some("Most routes serve an empty status as completed."),
        ));
    } else if row.status.is_terminal() && row.ended_at == End::Open {
        found.push(Disagreement::new("end", &[(status, "status"), ("null", "ended_at")], None));
    } else if is_running(&row.status) && matches!(row.ended_at, End::At(_)) {
        found.push(Disagreement::new("end", &[(status, "status"), ("set", "ended_at")], None));
    }
    found.extend(orphaned(row));
    found
}

/// `orphaned` is said of a session without a message alone.
fn orphaned(row: &SessionRow) -> Option<Disagreement> {
    let said = row.health.as_ref().filter(|health| health.known() == Some(SessionHealth::Orphaned));
    let count = row.message_count.filter(|count| *count > 0 && is_running(&row.status))?.to_string();
    let answers = [(said.map(Word::as_str)?, "health"), (&count, "message_count")];
    Some(Disagreement::new(
        "health",
        &answers,
        Some("A session with messages is not orphaned by the server's rules."),
    ))
}

pub(crate) fn is_running(status: &StoredStatus) -> bool {
    status.known() == Some(SessionStatus::Running)
}
