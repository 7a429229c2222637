//! A session as the object of ADR-0033. lionagi never implemented it: this projection is Runstate's, as its field `source`
//! states.

use serde::Serialize;

use super::{Axes, Health, Reaper, SeverityVerdict, Signals, derive_severity, detect_reaper};
use crate::evidence::{Input, Signal, Value};
use crate::lionagi::wire::{
    ClaimStatus, Delivery, NormalizedHealth, Outcome, SessionHealth, SessionRow, SessionStatus, StoredStatus,
    delivery,
};
use crate::text::concat;
use crate::word::{Vocabulary, Word};

/// The version of ADR-0033's rules.
const POLICY_VERSION: &str = "v1";

/// ADR-0033's word for a state that a viewer computed, not the server.
pub(crate) const VIEWER_SOURCE: &str = "frontend_compat";

/// A session on three axes, with the severity that follows from them: the object of ADR-0033, which `core/wasm/src/lionagi.d.ts`
/// declares to TypeScript.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct NormalizedState {
    /// The stored status verbatim, `legacy` for NULL; `None` if the document has none.
    pub lifecycle: Option<String>,
    /// Outcome, health and delivery.
    #[serde(flatten)]
    pub axes: Axes,
    /// The severity and tone that follow from them.
    #[serde(flatten)]
    pub verdict: SeverityVerdict,
    /// One reason for the status, and one for each axis with a value.
    pub reasons: Vec<Reason>,
    /// When it was computed, in seconds since 1970; `None` if the caller gave no time.
    pub evaluated_at: Option<f64>,
    pub(crate) policy_version: &'static str,
    pub(crate) source: &'static str,
}

/// The reason for the value of an axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Reason {
    /// The stored reason code, or a code in the style of ADR-0033 (`run.health.stalled`).
    pub code: String,
    /// The reason as a sentence.
    pub message: String,
    /// Whether it was observed or inferred.
    pub claim_status: ClaimStatus,
    pub(crate) entity_type: &'static str,
    /// The session's id.
    pub entity_id: Option<String>,
    /// Its inputs.
    pub evidence: Vec<Input>,
}

impl Reason {
    fn new(
        row: &SessionRow,
        code: String,
        message: String,
        claim_status: ClaimStatus,
        evidence: Vec<Input>,
    ) -> Self {
        let entity_id = row.session_id.clone();
        Self { code, message, claim_status, entity_type: "session", entity_id, evidence }
    }
}

/// Projects a session onto ADR-0033's axes.
///
/// - `healthy` becomes `running`, or `ok` after the end.
/// - `unresponsive` becomes `stalled`.
/// - `stale` becomes `process_dead` if the process is confirmed dead, otherwise `stalled`, which is inferred.
/// - `zombie` becomes `degraded`.
/// - A status that the server's housekeeping wrote has the outcome `unknown`. Otherwise a restart of the daemon would look
///   like a series of failures.
pub(crate) fn normalize(row: &SessionRow, health: Option<&Health>, signals: &Signals) -> NormalizedState {
    let reaper = detect_reaper(row);
    let delivered = delivery(&row.status, &row.contract);
    let normalized = health.map(|health| normalized_health(row, health));
    let axes = Axes {
        outcome: outcome(&row.status, reaper).map(Word::Known),
        health: normalized.as_ref().map(|(word, _)| word.clone()),
        delivery: delivered.map(Word::Known),
    };
    let mut reasons = vec![status_reason(row, reaper)];
    if let (Some((word, claim_status)), Some(health)) = (normalized, health) {
        reasons.push(health_reason(row, &word, claim_status, health));
    }
    reasons.extend(delivered.map(|delivered| delivery_reason(row, delivered)));
    NormalizedState {
        lifecycle: row.status.label().map(str::to_owned),
        verdict: derive_severity(&axes),
        axes,
        reasons,
        evaluated_at: signals.now.map(|now| now.0),
        policy_version: POLICY_VERSION,
        source: VIEWER_SOURCE,
    }
}

/// How a session ended; `unknown` for NULL and for a status that housekeeping wrote.
fn outcome(status: &StoredStatus, reaper: Option<Reaper>) -> Option<Outcome> {
    if *status == StoredStatus::Legacy || reaper.is_some() {
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
    let inferred =
        known == SessionHealth::Stale && (health.process_alive.is_none() || row.process_alive.is_none());
    let claim = if inferred || !health.reported { ClaimStatus::Inferred } else { ClaimStatus::Observed };
    (Word::Known(word), claim)
}

fn status_reason(row: &SessionRow, reaper: Option<Reaper>) -> Reason {
    let message = match (&row.reason_summary, reaper) {
        (_, Some(_)) => {
            "The server's housekeeping wrote this status; how the run ended is not known.".to_owned()
        }
        (Some(summary), None) => summary.clone(),
        (None, None) => row.status.label().map_or_else(
            || "The document has no status.".to_owned(),
            |status| concat(&["The stored status is ", status, "."]),
        ),
    };
    let code = row.reason_code.clone().unwrap_or_else(|| "not set".to_owned());
    let claim_status = if reaper.is_some() { ClaimStatus::Inferred } else { ClaimStatus::Observed };
    Reason::new(row, code, message, claim_status, vec![status_input(row)])
}

pub(crate) fn status_input(row: &SessionRow) -> Input {
    let value = match &row.status {
        StoredStatus::Absent => Value::Absent,
        StoredStatus::Legacy => Value::Text("null".to_owned()),
        StoredStatus::Word(word) => Value::Word(word.as_str().to_owned()),
    };
    Input::new(Signal::SessionStatus, value, true)
}

fn health_reason(
    row: &SessionRow,
    word: &Word<NormalizedHealth>,
    claim_status: ClaimStatus,
    health: &Health,
) -> Reason {
    let by = if health.reported { "The server says " } else { "Classified as " };
    let code = concat(&["run.health.", word.as_str()]);
    let message = concat(&[by, health.word.as_str(), "."]);
    Reason::new(row, code, message, claim_status, health.evidence.inputs.clone())
}

fn delivery_reason(row: &SessionRow, delivered: Delivery) -> Reason {
    let verification = row.contract.verification.as_ref().map_or("none", Word::as_str);
    let input = Input::new(Signal::ArtifactCheck, Value::Text(verification.to_owned()), true);
    let code = concat(&["run.delivery.", delivered.as_str()]);
    let message = concat(&["The artifact check says ", verification, "."]);
    Reason::new(row, code, message, ClaimStatus::Inferred, vec![input])
}
