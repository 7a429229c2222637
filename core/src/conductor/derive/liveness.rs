//! Whether a run is seen to be alive. No process is named in the files, so a dead one can never be proved.

use super::view::Note;
use crate::clock::MARGIN_MS;
use crate::conductor::wire::StatusDocument;
use crate::conductor::wire::{Lifecycle, Liveness, Opcode, Phase, Why};
use crate::time::Millis;
use crate::word::Word;

/// How far ahead of the reader's clock a status may be dated before that is said.
pub(crate) const AHEAD_MS: f64 = MARGIN_MS;

/// The ages beyond which a verdict changes.
///
/// ```
/// use runstate::conductor::wire::ConductorState;
/// use runstate::conductor::derive::Limits;
/// use runstate::conductor::read_run_with;
/// use runstate::file::File;
/// use runstate::time::Millis;
///
/// let status = br#"{"run_id":"20261121T204038Z","workflow_id":"fix","started_at":"2026-11-21T20:40:38Z",
///     "updated_at":"2026-11-21T20:40:38Z","lifecycle_state":"running","current_step_id":"fix",
///     "active_opcode":"RUN_AGENT"}"#;
/// let files = [File { name: Some("status.json"), bytes: status }];
/// let now = Millis::parse_iso("2026-11-21T20:41:38Z").unwrap();
/// let state = |limits| read_run_with(&files, now, None, &limits).map(|run| run.state);
/// assert_eq!(state(Limits::default())?, ConductorState::Running);
/// assert_eq!(state(Limits { stale_ms: 30_000.0, ..Limits::default() })?, ConductorState::Stale);
/// # Ok::<(), runstate::conductor::NotARun>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// A status that should have been written again, milliseconds: two and a half heartbeats of 30 s.
    pub stale_ms: f64,
    /// A step that writes no heartbeat, milliseconds.
    pub unobserved_ms: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { stale_ms: 75_000.0, unobserved_ms: 600_000.0 }
    }
}

/// What the age of the status tells.
pub(crate) struct StatusAge {
    pub(crate) liveness: Liveness,
    /// The age beyond which the rule decides otherwise; `None` where there is none.
    pub(crate) limit_ms: Option<f64>,
    /// Why the state is not known: nothing was seen for too long, or the age is none.
    pub(crate) why: Option<Why>,
    pub(crate) notes: Vec<Note>,
}

/// Reads the age of a status that says that the run goes on.
pub(crate) fn seen(status: &StatusDocument, phase: Phase, now: Millis, limits: &Limits) -> StatusAge {
    let (age, notes) = age(status, now);
    let opcode = status.active_opcode.as_ref();
    let waiting = status.lifecycle_state.as_ref().and_then(Word::known) == Some(Lifecycle::Waiting);
    let beats = phase != Phase::InStep || opcode.and_then(Word::known).is_some_and(Opcode::has_heartbeat);
    let mut seen = StatusAge { liveness: Liveness::NotKnown, limit_ms: None, why: None, notes };
    if waiting {
        // A gate never goes stale: a person may take a week.
        seen.liveness = Liveness::Unobserved;
        seen.notes.push(Note::NoHeartbeat);
    } else if !beats {
        seen.liveness = Liveness::Unobserved;
        // What an opcode does that is not known, nobody knows: the word of the status stands.
        if opcode.and_then(Word::known).is_some() {
            seen.limit_ms = Some(limits.unobserved_ms);
            seen.why = age.filter(|age| *age > limits.unobserved_ms).map(|_| Why::LivenessUnobserved);
        }
        seen.notes.push(Note::NoHeartbeat);
    } else if let Some(age) = age {
        seen.limit_ms = Some(limits.stale_ms);
        seen.liveness = if age > limits.stale_ms { Liveness::Stale } else { Liveness::Fresh };
    }
    if !waiting && seen.notes.iter().any(|note| matches!(note, Note::ClockAhead { .. })) {
        seen.limit_ms = Some(AHEAD_MS);
        seen.why = Some(Why::ClockAhead);
    }
    seen
}

/// The age of the status in milliseconds; `None` where its date cannot be trusted.
fn age(status: &StatusDocument, now: Millis) -> (Option<f64>, Vec<Note>) {
    let Some(updated) = &status.updated_at else { return (None, Vec::new()) };
    let Some(at) = updated.at else { return (None, vec![Note::NoZone]) };
    let started = status.started_at.as_ref().and_then(|stamp| stamp.at);
    if started.is_some_and(|started| at.0 < started.0) {
        return (None, vec![Note::ClockBack]);
    }
    let age = now.since(at);
    if age < -AHEAD_MS {
        return (None, vec![Note::ClockAhead { by_ms: -age }]);
    }
    (Some(age.max(0.0)), Vec::new())
}
