//! The evidence of a run's state.

use super::end::End;
use super::run::Exit;
use crate::conductor::wire::StatusDocument;
use crate::conductor::wire::{ConductorState, Phase, UnknownReason};
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::word::{Vocabulary, Word};

fn input(name: Signal, value: Value, decisive: bool) -> Input {
    Input::new(name, value, decisive)
}

fn word(text: Option<&str>) -> Value {
    text.map_or(Value::Absent, |text| Value::Word(text.to_owned()))
}

fn known_or_not<V: Vocabulary>(value: Option<&Word<V>>) -> Value {
    word(value.map(Word::as_str))
}

/// Adds the fields of `status.json` that decide the state.
pub(super) fn add_status(evidence: &mut Evidence, status: &StatusDocument) {
    let at = status.updated_at.as_ref().and_then(|updated_at| updated_at.at);
    let written = match (&status.updated_at, at) {
        (_, Some(at)) => Value::Time(at),
        (Some(updated_at), None) => Value::Text(updated_at.text.clone()),
        (None, None) => Value::Absent,
    };
    evidence.inputs.extend([
        input(Signal::LifecycleState, known_or_not(status.lifecycle_state.as_ref()), true),
        input(Signal::LastRouteTarget, word(status.last_route_target.as_deref()), false),
        input(Signal::ActiveOpcode, known_or_not(status.active_opcode.as_ref()), false),
        input(Signal::Termination, known_or_not(status.termination.as_ref()), false),
        Input { at, ..input(Signal::StatusWritten, written, false) },
    ]);
}

/// Adds the fields of a malformed `status.json`. Those that are missing or invalid are decisive.
pub(super) fn add_malformed_status(evidence: &mut Evidence, status: &StatusDocument, faults: &[Signal]) {
    add_status(evidence, status);
    for input in &mut evidence.inputs {
        input.decisive = faults.contains(&input.name);
    }
    let known = |name| evidence.inputs.iter().any(|input| input.name == name);
    let others: Vec<Signal> = faults.iter().copied().filter(|name| !known(*name)).collect();
    evidence.inputs.extend(others.into_iter().map(|name| input(name, Value::Absent, true)));
}

/// Adds the problem with the file `status.json`.
pub(super) fn add_status_file(evidence: &mut Evidence, reason: UnknownReason) {
    let value = match reason {
        UnknownReason::StatusAbsent => Value::Absent,
        UnknownReason::StatusUnreadable => Value::Text("empty or cut off".into()),
        UnknownReason::StatusMalformed => Value::Text("not as the contract requires".into()),
        UnknownReason::RunIdMismatch => Value::Text("of another run than the directory".into()),
        UnknownReason::LifecycleUnrecognised
        | UnknownReason::StatusContradictory
        | UnknownReason::LivenessUnobserved
        | UnknownReason::ClockAhead => {
            return;
        }
    };
    evidence.inputs.push(input(Signal::StatusFile, value, true));
}

/// Marks the decisive inputs of a run that has not ended.
pub(super) fn mark_decisive(
    evidence: &mut Evidence,
    state: ConductorState,
    phase: Phase,
    limit_ms: Option<f64>,
) {
    for input in &mut evidence.inputs {
        let is_age = input.name == Signal::StatusWritten;
        if is_age {
            input.limit_ms = limit_ms;
        }
        input.decisive = match state {
            ConductorState::Stale | ConductorState::Unknown => is_age,
            ConductorState::WaitingApproval => {
                input.name == Signal::LifecycleState || input.name == Signal::ActiveOpcode
            }
            ConductorState::Running | ConductorState::Failed | ConductorState::Succeeded => match phase {
                Phase::BetweenSteps => input.name == Signal::LastRouteTarget,
                Phase::InStep
                | Phase::Initial
                | Phase::Terminal
                | Phase::Absent
                | Phase::Unreadable
                | Phase::Malformed
                | Phase::Unrecognised
                | Phase::Contradictory => input.name == Signal::LifecycleState || is_age,
            },
        };
    }
}

/// Adds how the last step ended: its id, which is in the events of the run, and what its manifest says. What is missing was read
/// from no file.
pub(super) fn add_exit(evidence: &mut Evidence, exit: &Exit, log_file: &str) {
    if let Some(file) = &exit.file {
        evidence.read_on(file);
    }
    let of_log = exit.step_id.as_ref().map(|_| log_file.to_owned());
    let (of_log, of_manifest) = (of_log.unwrap_or_default(), exit.file.clone().unwrap_or_default());
    let read = |file: &str, input| Input { read_from: Some(file.to_owned()), ..input };
    evidence.inputs.extend([
        read(&of_log, input(Signal::ExitStep, word(exit.step_id.as_deref()), false)),
        read(&of_manifest, input(Signal::ExitOpcode, known_or_not(exit.opcode.as_ref()), false)),
        read(&of_manifest, input(Signal::ExitOutcome, word(exit.outcome.as_deref()), exit.outcome.is_some())),
    ]);
}

/// Adds an end that a file other than `status.json` reports, as the only decisive input.
pub(super) fn set_end(evidence: &mut Evidence, end: &End) {
    for input in &mut evidence.inputs {
        input.decisive = false;
    }
    evidence.read_on(&end.file);
    let value = Value::Word(end.termination.as_str().to_owned());
    evidence.inputs.push(Input { at: end.at, ..input(Signal::RunEnd, value, true) });
}
