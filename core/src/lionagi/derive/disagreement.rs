//! Contradictions in the server's answers.
//!
//! ```
//! use runstate::ingest::lionagi::{join, read};
//! use runstate::lionagi::derive::Question;
//! use runstate::time::Millis;
//!
//! let now = Millis(1_716_300_000_000.0);
//! let row = r#"{"session_id":"s1","status":"running","invocation_kind":"agent","effective_health":"idle"}"#;
//! let other = r#"{"session_id":"s1","status":"failed","invocation_kind":"agent","effective_health":"idle"}"#;
//! let joined = join(vec![read(row, "/api/runs/s1", now)?, read(other, "/api/sessions/s1", now)?], now).unwrap();
//! let differing = &joined.session.unwrap().disagreements[0];
//! assert_eq!(differing.question, Question::Status);
//! let values: Vec<_> = differing.answers.iter().map(|answer| answer.value.as_str()).collect();
//! assert_eq!(values, ["running", "failed"]); // the first is shown
//! # Ok::<(), runstate::ingest::DocumentError>(())
//! ```

use serde::Serialize;

use super::status::looks_legacy;
use crate::lionagi::wire::{End, ReasonCode, SessionHealth, SessionRow, SessionStatus, StoredStatus};
use crate::word::Word;

/// Why an invocation is `orphaned` although its sessions are not.
pub(crate) const UNCOUNTED_MESSAGES: &str = "An invocation's health does not count messages.";

crate::vocabulary! {
    /// What two answers can differ about.
    pub enum Question ("question") {
        /// What the status is.
        Status = "status",
        /// What the health is.
        Health = "health",
        /// Whether the session has ended.
        End = "end",
        /// How the session ended.
        Outcome = "outcome",
    }
}

/// A contradiction between answers of the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(tsify::Tsify))]
#[non_exhaustive]
pub struct Disagreement {
    /// What the answers differ about.
    #[cfg_attr(test, tsify(type = "string"))]
    pub question: Question,
    /// The answers. The first is shown.
    #[cfg_attr(test, tsify(type = "DisagreementAnswer[]"))]
    pub answers: Vec<ReportedValue>,
    /// Why they differ, if that is known.
    #[serde(rename = "why", skip_serializing_if = "Option::is_none")]
    pub explanation: Option<&'static str>,
}

/// One of the contradicting answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(tsify::Tsify), tsify(rename = "DisagreementAnswer"))]
#[non_exhaustive]
pub struct ReportedValue {
    /// The answer verbatim.
    #[serde(rename = "said")]
    pub value: String,
    /// The field or document that it was read from.
    pub read_from: String,
}

impl Disagreement {
    pub(crate) fn new(
        question: Question,
        answers: &[(&str, &str)],
        explanation: Option<&'static str>,
    ) -> Self {
        let answers = answers.iter().map(|(value, read_from)| ReportedValue {
            value: (*value).to_owned(),
            read_from: (*read_from).to_owned(),
        });
        Self { question, answers: answers.collect(), explanation }
    }
}

/// The contradictions within one row.
pub(crate) fn row_disagreements(row: &SessionRow) -> Vec<Disagreement> {
    let mut found = Vec::new();
    let status = row.status.label().unwrap_or_default();
    let has_started = row.known_reason() == Some(ReasonCode::Started) && row.status.is_terminal();
    let started = row.reason_code.as_deref().filter(|_| has_started);
    if looks_legacy(row) {
        found.push(Disagreement::new(
            Question::Status,
            &[(status, "status"), ("null", "ended_at, status_reason_code")],
            Some("Most routes serve a status that was never stored as completed."),
        ));
    } else if let Some(code) = started {
        found.push(Disagreement::new(
            Question::Status,
            &[(status, "status"), (code, "status_reason_code")],
            Some("Most routes serve an empty status as completed."),
        ));
    } else if row.status.is_terminal() && row.ended_at == End::Open {
        found.push(Disagreement::new(Question::End, &[(status, "status"), ("null", "ended_at")], None));
    } else if is_running(&row.status) && matches!(row.ended_at, End::At(_)) {
        found.push(Disagreement::new(Question::End, &[(status, "status"), ("set", "ended_at")], None));
    }
    found.extend(orphaned_with_messages(row));
    found
}

/// A session that is `orphaned` although it has messages.
fn orphaned_with_messages(row: &SessionRow) -> Option<Disagreement> {
    let health = row.health.as_ref().filter(|health| health.known() == Some(SessionHealth::Orphaned));
    let count = row.message_count.filter(|count| *count > 0 && is_running(&row.status))?.to_string();
    let answers = [(health.map(Word::as_str)?, "health"), (&count, "message_count")];
    Some(Disagreement::new(
        Question::Health,
        &answers,
        Some("A session with messages is not orphaned by the server's rules."),
    ))
}

pub(crate) fn is_running(status: &StoredStatus) -> bool {
    status.known() == Some(SessionStatus::Running)
}
