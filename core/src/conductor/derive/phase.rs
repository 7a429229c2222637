//! The phase of a run, from `status.json` alone, and whether its fields go together (protocol section 2).

use crate::conductor::wire::StatusDocument;
use crate::conductor::wire::{Lifecycle, Opcode, Phase, Termination};
use crate::word::Word;

/// The phase, by the first test that holds. `lifecycle_state` takes no part in it.
///
/// ```
/// use runstate::conductor::wire::{Phase, StatusDocument};
/// use runstate::conductor::derive::phase;
///
/// let status = StatusDocument { last_route_target: Some("fix".into()), ..StatusDocument::default() };
/// assert_eq!(phase(&status), Phase::BetweenSteps);
/// ```
pub fn phase(status: &StatusDocument) -> Phase {
    if status.last_route_target.is_some() {
        Phase::BetweenSteps
    } else if status.active_opcode.is_some() {
        Phase::InStep
    } else if status.termination.is_some() {
        Phase::Terminal
    } else {
        Phase::Initial
    }
}

/// The fields that contradict the lifecycle state in this phase; none where they go together.
///
/// A foreign word is no contradiction, except that `waiting` is known to be written at a gate alone.
pub(crate) fn contradiction(
    status: &StatusDocument,
    phase: Phase,
    lifecycle: Lifecycle,
) -> Option<&'static [&'static str]> {
    let opcode = status.active_opcode.as_ref().and_then(Word::known);
    let termination = status.termination.as_ref().and_then(Word::known);
    let fine = match lifecycle {
        Lifecycle::Running => matches!(phase, Phase::Initial | Phase::InStep | Phase::BetweenSteps),
        Lifecycle::Waiting => phase == Phase::InStep && opcode == Some(Opcode::Gate),
        Lifecycle::Blocked => phase == Phase::BetweenSteps,
        Lifecycle::Failed => {
            phase == Phase::BetweenSteps
                || phase == Phase::Terminal && termination != Some(Termination::Completed)
        }
        Lifecycle::Completed => {
            phase == Phase::Terminal && termination.is_none_or(|word| word == Termination::Completed)
        }
    };
    if fine {
        None
    } else if phase == Phase::InStep {
        Some(&["lifecycle_state", "active_opcode"])
    } else if phase == Phase::BetweenSteps {
        Some(&["lifecycle_state", "last_route_target"])
    } else {
        Some(&["lifecycle_state", "termination"])
    }
}
