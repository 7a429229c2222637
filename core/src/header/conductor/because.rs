//! Why we say so, in one line: the words and ages that decided, and the file that they were read from.

use super::Context;
use crate::conductor::derive::{Note, Terminal};
use crate::conductor::wire::{ConductorState, Lifecycle, Liveness, Phase};
use crate::evidence::{Input, Signal, Value};
use crate::format;
use crate::summary::Line;
use crate::word::{Vocabulary, Word};

/// `STATE because INPUT, read from FILE at TIME`.
pub(super) fn because(context: &Context<'_>, word: &str) -> Line {
    let run = context.run;
    if let Some(terminal) = &run.terminal {
        return source(context, declared(context, terminal), false);
    }
    let line = match run.state {
        ConductorState::Running if run.phase == Phase::BetweenSteps => between(context),
        ConductorState::WaitingApproval => {
            Line::new("waiting because lifecycle_state is waiting and active_opcode is GATE")
        }
        ConductorState::Unknown if run.phase == Phase::Unrecognised => Line::new("shown verbatim"),
        ConductorState::Running
        | ConductorState::Stale
        | ConductorState::Failed
        | ConductorState::Succeeded
        | ConductorState::Unknown => facts(context, Line::new(word)),
    };
    let line = if run.notes.contains(&Note::NoEvents) && run.phase != Phase::Initial {
        line.words("; no events given")
    } else {
        line
    };
    source(context, line, true)
}

fn between(context: &Context<'_>) -> Line {
    let line = Line::new("running because last_route_target is set");
    match context.run.source.lifecycle_state.as_ref() {
        Some(Word::Known(word @ (Lifecycle::Failed | Lifecycle::Blocked))) => {
            line.words(", so ").words(word.as_str()).words(" describes the step")
        }
        Some(
            Word::Known(Lifecycle::Running | Lifecycle::Waiting | Lifecycle::Completed) | Word::Foreign(_),
        )
        | None => line,
    }
}

/// The inputs that decided.
fn facts(context: &Context<'_>, mut line: Line) -> Line {
    let decisive = |input: &&Input| input.decisive;
    let unobserved = context.run.liveness == Liveness::Unobserved && context.run.why.is_none();
    let aged = |input: &Input| input.name == Signal::StatusWritten;
    let shown =
        context.run.evidence.inputs.iter().filter(decisive).filter(|input| !(unobserved && aged(input)));
    for (index, input) in shown.enumerate() {
        line = fact(context, input, line.words(if index == 0 { " because " } else { " and " }));
    }
    match &context.run.source.active_opcode {
        Some(opcode) if unobserved => line.words(" and active_opcode is ").words(opcode.as_str()),
        Some(_) | None => line,
    }
}

fn fact(context: &Context<'_>, input: &Input, line: Line) -> Line {
    match (&input.value, input.at, input.limit_ms) {
        (_, Some(at), limit) => {
            let read = context.run.evidence.read_at.unwrap_or(context.now);
            let line = line.words("the status was written ").words(&format::ago(read.since(at)));
            match limit {
                Some(limit) => line.words(", limit ").words(&format::age(limit)),
                None => line,
            }
        }
        (Value::Absent, None, _) => line.words("there is no readable ").words(input.name.as_str()),
        (Value::Word(text) | Value::Text(text), None, _) => {
            line.words(input.name.as_str()).words(" is ").words(text)
        }
        (Value::Time(at), None, _) => line.words(input.name.as_str()).words(" is ").time(*at, context.now),
    }
}

/// `declared completed; exit outcome error`.
fn declared(context: &Context<'_>, terminal: &Terminal) -> Line {
    let line = Line::new("declared ").words(terminal.declared.as_str());
    let line = if terminal.by_metadata { line.words(", which the status does not say yet") } else { line };
    let no_events = context.run.notes.contains(&Note::NoEvents);
    match (&terminal.exit.outcome, &terminal.exit.step_id) {
        (Some(outcome), _) => line.words("; exit outcome ").words(outcome),
        (None, Some(_)) => line.words("; no manifest of the last step given"),
        (None, None) if no_events => line.words("; no events given"),
        (None, None) => line.words("; the events given do not reach the end"),
    }
}

fn source(context: &Context<'_>, line: Line, with_time: bool) -> Line {
    let evidence = &context.run.evidence;
    if evidence.read_from.is_empty() {
        return line;
    }
    let line = line.words(", read from ").code(&evidence.read_from);
    match evidence.read_at {
        Some(at) if with_time => line.words(" at ").time(at, context.now),
        Some(_) | None => line,
    }
}
