//! The inputs of a verdict, as the evidence names them.

use super::ended::End;
use super::view::Exit;
use crate::conductor::wire::StatusDocument;
use crate::conductor::wire::{ConductorState, Phase, Why};
use crate::evidence::{Evidence, Input, Value};
use crate::word::{Vocabulary, Word};

const LIFECYCLE: &str = "lifecycle_state";
const ROUTE: &str = "last_route_target";
const OPCODE: &str = "active_opcode";
const TERMINATION: &str = "termination";
const WRITTEN: &str = "status written";

fn input(name: &'static str, value: Value, decisive: bool) -> Input {
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
        input(LIFECYCLE, of(status.lifecycle_state.as_ref()), true),
        input(ROUTE, word(status.last_route_target.as_deref()), false),
        input(OPCODE, of(status.active_opcode.as_ref()), false),
        input(TERMINATION, of(status.termination.as_ref()), false),
        Input { at, ..input(WRITTEN, written, false) },
    ]);
}

/// A status without what it needs: the fields that are missing or wrong.
pub(crate) fn faulty(evidence: &mut Evidence, read: &StatusDocument, faults: &[&'static str]) {
    status(evidence, read);
    for input in &mut evidence.inputs {
        input.decisive = faults.contains(&input.name);
    }
    let known = |name: &str| evidence.inputs.iter().any(|input| input.name == name);
    let others: Vec<_> = faults.iter().filter(|name| !known(name)).collect();
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
    evidence.inputs.push(input("status.json", value, true));
}

/// Marks what decided that the run goes on.
pub(crate) fn decided(evidence: &mut Evidence, state: ConductorState, phase: Phase, limit_ms: Option<f64>) {
    for input in &mut evidence.inputs {
        let aged = input.name == WRITTEN;
        if aged {
            input.limit_ms = limit_ms;
        }
        input.decisive = match state {
            ConductorState::Stale | ConductorState::Unknown => aged,
            ConductorState::WaitingApproval => input.name == LIFECYCLE || input.name == OPCODE,
            ConductorState::Running | ConductorState::Failed | ConductorState::Succeeded => match phase {
                Phase::BetweenSteps => input.name == ROUTE,
                Phase::InStep
                | Phase::Initial
                | Phase::Terminal
                | Phase::Absent
                | Phase::Unreadable
                | Phase::Malformed
                | Phase::Unrecognised
                | Phase::Contradictory => input.name == LIFECYCLE || aged,
            },
        };
    }
}

/// How the run got to its end.
pub(crate) fn exit(evidence: &mut Evidence, exit: &Exit) {
    evidence.inputs.extend([
        input("exit step", word(exit.step_id.as_deref()), false),
        input("exit opcode", of(exit.opcode.as_ref()), false),
        input("exit outcome", word(exit.outcome.as_deref()), exit.outcome.is_some()),
    ]);
}

/// The end that another file tells.
pub(crate) fn ended_by(evidence: &mut Evidence, end: &End) {
    for input in &mut evidence.inputs {
        input.decisive = false;
    }
    let value = Value::Word(end.termination.as_str().to_owned());
    evidence.inputs.push(Input { at: end.at, ..input("end of the run", value, true) });
    evidence.read_from.clone_from(&end.file);
}
