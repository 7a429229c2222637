//! The inputs of a verdict, as the evidence names them.

use super::ended::End;
use super::view::Exit;
use crate::conductor::wire::StatusDocument;
use crate::conductor::wire::{ConductorState, Phase, Why};
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::word::{Vocabulary, Word};

fn input(name: Signal, value: Value, decisive: bool) -> Input {
    Input { name, value, at: None, limit_ms: None, decisive }
}

fn word(text: Option<&str>) -> Value {
    text.map_or(Value::Absent, |text| Value::Word(text.to_owned()))
}

fn of<V: Vocabulary>(value: Option<&Word<V>>) -> Value {
    word(value.map(Word::as_str))
}

/// The fields that every verdict is made of.
pub(crate) fn status(evidence: &mut Evidence, status: &StatusDocument) {
    let at = status.updated_at.as_ref().and_then(|stamp| stamp.at);
    let written = match (&status.updated_at, at) {
        (_, Some(at)) => Value::Time(at),
        (Some(stamp), None) => Value::Text(stamp.text.clone()),
        (None, None) => Value::Absent,
    };
    evidence.inputs.extend([
        input(Signal::LifecycleState, of(status.lifecycle_state.as_ref()), true),
        input(Signal::LastRouteTarget, word(status.last_route_target.as_deref()), false),
        input(Signal::ActiveOpcode, of(status.active_opcode.as_ref()), false),
        input(Signal::Termination, of(status.termination.as_ref()), false),
        Input { at, ..input(Signal::StatusWritten, written, false) },
    ]);
}

/// A status without what it needs: the fields that are missing or wrong.
pub(crate) fn faulty(evidence: &mut Evidence, read: &StatusDocument, faults: &[Signal]) {
    status(evidence, read);
    for input in &mut evidence.inputs {
        input.decisive = faults.contains(&input.name);
    }
    let known = |name| evidence.inputs.iter().any(|input| input.name == name);
    let others: Vec<Signal> = faults.iter().copied().filter(|name| !known(*name)).collect();
    evidence.inputs.extend(others.into_iter().map(|name| input(name, Value::Absent, true)));
}

/// No status at all.
pub(crate) fn missing(evidence: &mut Evidence, why: Why) {
    let value = match why {
        Why::StatusAbsent => Value::Absent,
        Why::StatusUnreadable => Value::Text("empty or cut off".into()),
        Why::StatusMalformed => Value::Text("not as the contract requires".into()),
        Why::RunIdMismatch => Value::Text("of another run than the directory".into()),
        Why::LifecycleUnrecognised | Why::StatusContradictory | Why::LivenessUnobserved | Why::ClockAhead => {
            return;
        }
    };
    evidence.inputs.push(input(Signal::StatusFile, value, true));
}

/// Marks what decided that the run goes on.
pub(crate) fn decided(evidence: &mut Evidence, state: ConductorState, phase: Phase, limit_ms: Option<f64>) {
    for input in &mut evidence.inputs {
        let aged = input.name == Signal::StatusWritten;
        if aged {
            input.limit_ms = limit_ms;
        }
        input.decisive = match state {
            ConductorState::Stale | ConductorState::Unknown => aged,
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
                | Phase::Contradictory => input.name == Signal::LifecycleState || aged,
            },
        };
    }
}

/// How the run got to its end.
pub(crate) fn exit(evidence: &mut Evidence, exit: &Exit) {
    evidence.inputs.extend([
        input(Signal::ExitStep, word(exit.step_id.as_deref()), false),
        input(Signal::ExitOpcode, of(exit.opcode.as_ref()), false),
        input(Signal::ExitOutcome, word(exit.outcome.as_deref()), exit.outcome.is_some()),
    ]);
}

/// The end that another file tells.
pub(crate) fn ended_by(evidence: &mut Evidence, end: &End) {
    for input in &mut evidence.inputs {
        input.decisive = false;
    }
    let value = Value::Word(end.termination.as_str().to_owned());
    evidence.inputs.push(Input { at: end.at, ..input(Signal::RunEnd, value, true) });
    evidence.read_from.clone_from(&end.file);
}
