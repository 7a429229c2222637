//! The phase of a run according to `status.json`, and contradictions between its fields (protocol section 2).

use crate::conductor::wire::StatusDocument;
use crate::conductor::wire::{Lifecycle, Opcode, Phase, Termination};
use crate::word::Word;

/// The phase of a run. `lifecycle_state` has no effect on it.
pub(crate) fn phase(status: &StatusDocument) -> Phase {
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

/// The names of the fields that contradict each other; `None` without a contradiction.
///
/// An unknown word is not a contradiction, with one exception: `waiting` requires the opcode `GATE`.
pub(super) fn contradiction(
    status: &StatusDocument,
    phase: Phase,
    lifecycle: Lifecycle,
) -> Option<&'static [&'static str]> {
    let opcode = status.active_opcode.as_ref().and_then(Word::known);
    let termination = status.termination.as_ref().and_then(Word::known);
    let consistent = match lifecycle {
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
    if consistent {
        None
    } else if phase == Phase::InStep {
        Some(&["lifecycle_state", "active_opcode"])
    } else if phase == Phase::BetweenSteps {
        Some(&["lifecycle_state", "last_route_target"])
    } else {
        Some(&["lifecycle_state", "termination"])
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn phase_of_a_status() {
        use super::phase;
        use crate::conductor::wire::{Phase, StatusDocument};
        let status = StatusDocument { last_route_target: Some("fix".into()), ..StatusDocument::default() };
        assert_eq!(phase(&status), Phase::BetweenSteps);
    }
}
