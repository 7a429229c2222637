//! Where the server disagrees with itself: both answers are shown, and why they differ where that is known.

use super::{End, SessionRow, StoredStatus, looks_legacy};

/// One question that was answered more than once, differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// What was asked: `status`, `health`, `end`.
    pub question: &'static str,
    /// The answers, the one that is shown first.
    pub answers: Vec<Witness>,
    /// Why they differ, where it is known.
    pub why: Option<&'static str>,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// What was said, verbatim.
    pub said: String,
    /// Where it was read.
    pub read_from: String,
}

impl Disagreement {
    pub(super) fn new(question: &'static str, answers: &[(&str, &str)], why: Option<&'static str>) -> Self {
        let answers = answers.iter().map(|(said, read_from)| Witness {
            said: (*said).to_owned(),
            read_from: (*read_from).to_owned(),
        });
        Self { question, answers: answers.collect(), why }
    }
}

/// Where a row contradicts itself.
pub(super) fn within(row: &SessionRow) -> Vec<Disagreement> {
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
    found
}

pub(super) fn is_running(status: &StoredStatus) -> bool {
    status.known() == Some(super::SessionStatus::Running)
}
