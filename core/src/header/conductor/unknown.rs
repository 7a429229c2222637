//! Sentences about a run with an unknown state.

use super::Context;
use crate::conductor::wire::UnknownReason;
use crate::evidence::Signal;
use crate::format;
use crate::summary::{Line, Sentences};
use crate::word::{Vocabulary, Word};

pub(super) fn unknown(context: &Context<'_>) -> Sentences {
    let Some(reason) = context.run.unknown_reason else {
        return (Line::new("Not enough is known to name a state."), Line::default());
    };
    match reason {
        UnknownReason::StatusAbsent => {
            let line = Line::new("There is no ").code("status.json").words(", so no state can be named.");
            (line, last_step(context))
        }
        UnknownReason::StatusUnreadable => (
            Line::default().code("status.json").words(" is empty or cut off: it was being written."),
            Line::new("Read it again."),
        ),
        UnknownReason::StatusMalformed => (malformed(context), step(context)),
        UnknownReason::RunIdMismatch => (
            Line::new("The files are of another run than their directory."),
            Line::new("They are shown as neither."),
        ),
        UnknownReason::LifecycleUnrecognised => {
            let word = context.run.source.lifecycle_state.as_ref().map_or("", Word::as_str);
            (
                Line::unknown_word("The run wrote the word ", word),
                Line::new("It is shown exactly as it came."),
            )
        }
        UnknownReason::StatusContradictory => (contradictory(context), step(context)),
        UnknownReason::LivenessUnobserved => (unobserved(context), step(context)),
        UnknownReason::ClockAhead => {
            (Line::new("The age of the status cannot be trusted, so no state is named."), step(context))
        }
    }
}

fn malformed(context: &Context<'_>) -> Line {
    let inputs = &context.run.evidence.inputs;
    let invalid = inputs.iter().filter(|input| input.decisive && input.name != Signal::StatusFile);

    let names: Vec<&str> = invalid.map(|input| input.name.as_str()).collect();
    let line = Line::default().code("status.json");
    if names.is_empty() {
        return line.words(" is not the object that it should be.");
    }
    names
        .iter()
        .enumerate()
        .fold(line.words(" does not say what it must: "), |line, (index, name)| {
            if index > 0 { line.words(", ") } else { line }.code(name)
        })
        .words(".")
}

fn contradictory(context: &Context<'_>) -> Line {
    let source = &context.run.source;
    let lifecycle = source.lifecycle_state.as_ref().map_or("none", Word::as_str);
    let (name, word) = match (&source.last_route_target, &source.active_opcode, &source.termination) {
        (Some(route), _, _) => ("last_route_target", route.as_str()),
        (None, Some(opcode), _) => ("active_opcode", opcode.as_str()),
        (None, None, Some(termination)) => ("termination", termination.as_str()),
        (None, None, None) => ("termination", "none"),
    };
    let line = Line::default().code("status.json").words(" contradicts itself: ").code("lifecycle_state");
    line.words(" is ").code(lifecycle).words(", ").code(name).words(" is ").code(word).words(".")
}

fn unobserved(context: &Context<'_>) -> Line {
    let run = context.run;
    let age = run.updated_at.zip(run.evidence.read_at).map(|(at, read)| format::age(read.since(at)));
    let line = Line::new(context.tense.pick("Nothing has been written", "Nothing had been written"));
    let line = match age {
        Some(age) => line.words(" for ").words(&age),
        None => line,
    };
    line.words(", and such a step writes no heartbeat.")
}

/// The step in the status.
fn step(context: &Context<'_>) -> Line {
    match &context.run.source.current_step_id {
        Some(step) => Line::new("It names the step ").node(step).words("."),
        None => Line::default(),
    }
}

/// The last step in the events.
fn last_step(context: &Context<'_>) -> Line {
    match context.run.visits.last() {
        Some(visit) => Line::new("By the events the last step is ").node(&visit.step_id).words("."),
        None => Line::default(),
    }
}
