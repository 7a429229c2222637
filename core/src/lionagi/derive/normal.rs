//! A session on the three axes of ADR-0033. lionagi never wrote this object; the projection is ours and says so.

use super::{Axes, Health, Reaped, SeverityVerdict, Signals, derive_severity, health_of, reaped};
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::lionagi::wire::{
    ClaimStatus, Delivery, NormalizedHealth, Outcome, SessionHealth, SessionRow, SessionStatus, StoredStatus,
    delivery,
};
use crate::text::concat;
use crate::word::{Vocabulary, Word};

/// The version of ADR-0033's policy.
///
/// ```
/// assert_eq!(runstate::lionagi::derive::POLICY_VERSION, "v1");
/// ```
pub const POLICY_VERSION: &str = "v1";

/// ADR-0033's word for a state that a viewer computed: no server stands behind it.
///
/// ```
/// use runstate::lionagi::derive::{SOURCE, Signals, normalize_state};
/// use runstate::lionagi::wire::read_session;
///
/// let state = normalize_state(&read_session(r#"{"status":"failed"}"#)?, &Signals::default());
/// assert!(state.to_json().ends_with(&format!(r#""source":"{SOURCE}"}}"#)), "nobody takes it for lionagi's own");
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub const SOURCE: &str = "frontend_compat";

/// A session on three axes, and how much it wants to be looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct NormalizedState {
    /// The session's id.
    pub entity_id: Option<String>,
    /// The stored status verbatim, `legacy` for NULL; `None` where the document has none.
    pub lifecycle: Option<String>,
    /// Outcome, health and delivery.
    pub axes: Axes,
    /// What follows from them.
    pub verdict: SeverityVerdict,
    /// Why, one reason for each axis that says something.
    pub reasons: Vec<Reason>,
    /// When it was computed, seconds since 1970; `None` where no moment was given.
    pub evaluated_at: Option<f64>,
}

/// Why an axis says what it says.
///
/// ```
/// use runstate::lionagi::wire::{ClaimStatus, read_session};
/// use runstate::lionagi::derive::{Signals, normalize_state};
///
/// let row = read_session(r#"{"status":"failed","status_reason_code":"run.failed.exit_nonzero"}"#)?;
/// let reason = &normalize_state(&row, &Signals::default()).reasons[0];
/// assert_eq!(reason.code, "run.failed.exit_nonzero");
/// assert_eq!(reason.claim_status, ClaimStatus::Observed);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// The stored reason code, else a code of ADR-0033 (`run.health.stalled`), which no server registers.
    pub code: String,
    /// The same in words.
    pub message: String,
    /// Whether it was seen or concluded.
    pub claim_status: ClaimStatus,
    /// What it rests on.
    pub evidence: Evidence,
}

/// Projects a session onto ADR-0033's axes.
///
/// `healthy` is `running` or, after the end, `ok`; `unresponsive` is `stalled`; `stale` is `process_dead` where the process
/// is confirmed dead and else `stalled`, as a conclusion; `zombie` is `degraded`. What the server's housekeeping wrote
/// counts as an end that nobody knows, so that a daemon's start does not look like a series of failures.
///
/// ```
/// use runstate::lionagi::wire::{Seconds, Severity, read_session};
/// use runstate::lionagi::derive::{Signals, normalize_state};
///
/// let row = read_session(r#"{"status":"running","effective_health":"orphaned"}"#)?;
/// let state = normalize_state(&row, &Signals::default());
/// assert_eq!((state.lifecycle.as_deref(), state.verdict.severity), (Some("running"), Severity::Critical));
/// assert_eq!(state.axes.outcome, None);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn normalize_state(row: &SessionRow, signals: &Signals) -> NormalizedState {
    let health = health_of(row, signals);
    normalize(row, health.as_ref(), signals)
}

pub(crate) fn normalize(row: &SessionRow, health: Option<&Health>, signals: &Signals) -> NormalizedState {
    let reaped = reaped(row);
    let delivered = delivery(&row.status, &row.contract);
    let normalized = health.map(|health| normalized_health(row, health));
    let axes = Axes {
        outcome: outcome(&row.status, reaped).map(Word::Known),
        health: normalized.as_ref().map(|(word, _)| word.clone()),
        delivery: delivered.map(Word::Known),
    };
    let mut reasons = vec![status_reason(row, reaped)];
    if let (Some((word, claim_status)), Some(health)) = (normalized, health) {
        reasons.push(health_reason(&word, claim_status, health));
    }
    reasons.extend(delivered.map(|delivered| delivery_reason(row, delivered)));
    NormalizedState {
        entity_id: row.session_id.clone(),
        lifecycle: row.status.shown().map(str::to_owned),
        verdict: derive_severity(&axes),
        axes,
        reasons,
        evaluated_at: signals.now.map(|now| now.0),
    }
}

/// How a session ended. NULL, housekeeping and words that are not known say nothing of it.
fn outcome(status: &StoredStatus, reaped: Option<Reaped>) -> Option<Outcome> {
    if *status == StoredStatus::Legacy || reaped.is_some() {
        return Some(Outcome::Unknown);
    }
    match status.known()? {
        SessionStatus::Running => None,
        SessionStatus::Completed | SessionStatus::CompletedEmpty => Some(Outcome::Completed),
        SessionStatus::Failed => Some(Outcome::Failed),
        SessionStatus::TimedOut => Some(Outcome::TimedOut),
        SessionStatus::Aborted => Some(Outcome::Aborted),
        SessionStatus::Cancelled => Some(Outcome::Cancelled),
    }
}

fn normalized_health(row: &SessionRow, health: &Health) -> (Word<NormalizedHealth>, ClaimStatus) {
    let known = match &health.word {
        Word::Known(known) => *known,
        Word::Foreign(word) => return (Word::new(word), ClaimStatus::Observed),
    };
    let word = match known {
        SessionHealth::Healthy if row.status.is_terminal() => NormalizedHealth::Ok,
        SessionHealth::Healthy => NormalizedHealth::Running,
        SessionHealth::Idle => NormalizedHealth::Idle,
        SessionHealth::Stale if health.process_alive == Some(false) => NormalizedHealth::ProcessDead,
        SessionHealth::Unresponsive | SessionHealth::Stale => NormalizedHealth::Stalled,
        SessionHealth::Orphaned => NormalizedHealth::Orphaned,
        SessionHealth::Zombie => NormalizedHealth::Degraded,
    };
    let guessed =
        known == SessionHealth::Stale && (health.process_alive.is_none() || row.process_alive.is_none());
    (Word::Known(word), if guessed || !health.said { ClaimStatus::Inferred } else { ClaimStatus::Observed })
}

fn status_reason(row: &SessionRow, reaped: Option<Reaped>) -> Reason {
    let shown = row.status.shown();
    let message = match (&row.reason_summary, reaped) {
        (_, Some(_)) => {
            "The server's housekeeping wrote this status; how the run ended is not known.".to_owned()
        }
        (Some(summary), None) => summary.clone(),
        (None, None) => shown.map_or_else(
            || "The document has no status.".to_owned(),
            |status| concat(&["The stored status is ", status, "."]),
        ),
    };
    Reason {
        code: row.reason_code.clone().unwrap_or_else(|| "not set".to_owned()),
        message,
        claim_status: if reaped.is_some() { ClaimStatus::Inferred } else { ClaimStatus::Observed },
        evidence: Evidence { inputs: vec![status_input(row)], read_from: String::new(), read_at: None },
    }
}

pub(crate) fn status_input(row: &SessionRow) -> Input {
    let value = match &row.status {
        StoredStatus::Absent => Value::Absent,
        StoredStatus::Legacy => Value::Text("null".to_owned()),
        StoredStatus::Word(word) => Value::Word(word.as_str().to_owned()),
    };
    Input { name: Signal::SessionStatus, value, at: None, limit_ms: None, decisive: true }
}

fn health_reason(word: &Word<NormalizedHealth>, claim_status: ClaimStatus, health: &Health) -> Reason {
    let by = if health.said { "The server says " } else { "Classified as " };
    Reason {
        code: concat(&["run.health.", word.as_str()]),
        message: concat(&[by, health.word.as_str(), "."]),
        claim_status,
        evidence: health.evidence.clone(),
    }
}

fn delivery_reason(row: &SessionRow, delivered: Delivery) -> Reason {
    let input = |name, value: String| Input {
        name,
        value: Value::Text(value),
        at: None,
        limit_ms: None,
        decisive: true,
    };
    let checked = row.contract.verification.as_ref().map_or("none", Word::as_str);
    Reason {
        code: concat(&["run.delivery.", delivered.as_str()]),
        message: concat(&["The artifact check says ", checked, "."]),
        claim_status: ClaimStatus::Inferred,
        evidence: Evidence {
            inputs: vec![input(Signal::ArtifactCheck, checked.to_owned())],
            read_from: String::new(),
            read_at: None,
        },
    }
}
