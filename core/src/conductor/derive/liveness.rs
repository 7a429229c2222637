//! Whether a run is alive. The files contain no process id: only the age of the status is known.

use super::run::Note;
use crate::clock::MARGIN_MS;
use crate::conductor::wire::StatusDocument;
use crate::conductor::wire::{Lifecycle, Liveness, Opcode, Phase, UnknownReason};
use crate::time::Millis;
use crate::word::Word;

/// The ages of a status at which the state changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    /// The limit for steps with a heartbeat, in milliseconds: two and a half heartbeats of 30 s by default.
    pub stale_ms: f64,
    /// The limit for steps without a heartbeat, in milliseconds.
    pub unobserved_ms: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { stale_ms: 75_000.0, unobserved_ms: 600_000.0 }
    }
}

/// The conclusions from the age of a status.
pub(super) struct StatusAge {
    pub(super) liveness: Liveness,
    /// The age at which the state changes.
    pub(super) limit_ms: Option<f64>,
    /// Why the age leaves the state unknown.
    pub(super) unknown_reason: Option<UnknownReason>,
    pub(super) notes: Vec<Note>,
}

/// Evaluates the age of the status of a run that has not ended.
pub(super) fn evaluate_age(status: &StatusDocument, phase: Phase, now: Millis, limits: &Limits) -> StatusAge {
    let (age, notes) = age_of_status(status, now);
    let opcode = status.active_opcode.as_ref();
    let waiting = status.lifecycle_state.as_ref().and_then(Word::known) == Some(Lifecycle::Waiting);
    let has_heartbeat =
        phase != Phase::InStep || opcode.and_then(Word::known).is_some_and(Opcode::has_heartbeat);
    let mut result = StatusAge { liveness: Liveness::NotKnown, limit_ms: None, unknown_reason: None, notes };
    if waiting {
        // A gate never becomes stale: a person may take a week to decide.
        result.liveness = Liveness::Unobserved;
        result.notes.push(Note::NoHeartbeat);
    } else if !has_heartbeat {
        result.liveness = Liveness::Unobserved;
        // There is no limit for an unknown opcode.
        if opcode.and_then(Word::known).is_some() {
            result.limit_ms = Some(limits.unobserved_ms);
            result.unknown_reason =
                age.filter(|age| *age > limits.unobserved_ms).map(|_| UnknownReason::LivenessUnobserved);
        }
        result.notes.push(Note::NoHeartbeat);
    } else if let Some(age) = age {
        result.limit_ms = Some(limits.stale_ms);
        result.liveness = if age > limits.stale_ms { Liveness::Stale } else { Liveness::Fresh };
    }
    if !waiting && result.notes.iter().any(|note| matches!(note, Note::ClockAhead { .. })) {
        result.limit_ms = Some(MARGIN_MS);
        result.unknown_reason = Some(UnknownReason::ClockAhead);
    }
    result
}

/// The age of the status in milliseconds; `None` with an explanatory note if its date cannot be right. A date may be in
/// the future by [`MARGIN_MS`].
fn age_of_status(status: &StatusDocument, now: Millis) -> (Option<f64>, Vec<Note>) {
    let Some(updated) = &status.updated_at else { return (None, Vec::new()) };
    let Some(at) = updated.at else { return (None, vec![Note::NoZone]) };
    let started = status.started_at.as_ref().and_then(|stamp| stamp.at);
    if started.is_some_and(|started| at.0 < started.0) {
        return (None, vec![Note::ClockBack]);
    }
    let age = now.since(at);
    if age < -MARGIN_MS {
        return (None, vec![Note::ClockAhead { by_ms: -age }]);
    }
    (Some(age.max(0.0)), Vec::new())
}

#[cfg(test)]
mod tests {
    #[test]
    fn limits_decide_staleness() -> Result<(), Box<dyn std::error::Error>> {
        use crate::conductor::derive::Limits;
        use crate::conductor::read_run_with;
        use crate::conductor::wire::ConductorState;
        use crate::file::File;
        use crate::time::Millis;
        let status =
            br#"{"run_id":"20261121T204038Z","workflow_id":"fix","started_at":"2026-11-21T20:40:38Z",
            "updated_at":"2026-11-21T20:40:38Z","lifecycle_state":"running","current_step_id":"fix",
            "active_opcode":"RUN_AGENT"}"#;
        let files = [File { name: Some("status.json"), bytes: status }];
        let now = Millis::parse_iso("2026-11-21T20:41:38Z").unwrap();
        let state = |limits| read_run_with(&files, now, None, &limits).map(|run| run.state);
        assert_eq!(state(Limits::default())?, ConductorState::Running);
        assert_eq!(state(Limits { stale_ms: 30_000.0, ..Limits::default() })?, ConductorState::Stale);
        Ok(())
    }
}
