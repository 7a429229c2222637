//! The reason for the state in one line: the decisive inputs, and the file that they were read from.

use super::Context;
use crate::conductor::derive::{Note, Terminal};
use crate::conductor::wire::{ConductorState, Lifecycle, Liveness, Phase};
use crate::evidence::{Input, Signal, Value};
use crate::format;
use crate::summary::{Line, SHOWN_VERBATIM};
use crate::word::{Vocabulary, Word};

/// `Why: INPUT (FILE, TIME)`.
pub(super) fn because(context: &Context<'_>, word: &str) -> Line {
    let run = context.run;
    let evidence = &run.evidence;
    if let Some(terminal) = &run.terminal {
        return declared(context, terminal).read_from(&evidence.read_from, None, context.tense.now);
    }
    let line = match run.state {
        ConductorState::Running if run.phase == Phase::BetweenSteps => between_steps(context),
        ConductorState::WaitingApproval => {
            Line::why().words("lifecycle_state is waiting and active_opcode is GATE")
        }
        ConductorState::Unknown if run.phase == Phase::Unrecognised => Line::why().words(SHOWN_VERBATIM),
        ConductorState::Running
        | ConductorState::Stale
        | ConductorState::Failed
        | ConductorState::Succeeded
        | ConductorState::Unknown => decisive_inputs(context, word),
    };
    let line = if run.notes.contains(&Note::NoEvents) && run.phase != Phase::Initial {
        line.words("; no events given")
    } else {
        line
    };
    line.read_from(&evidence.read_from, evidence.read_at, context.tense.now)
}

fn between_steps(context: &Context<'_>) -> Line {
    let line = Line::why().words("last_route_target is set");
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

/// Adds the decisive inputs. The age of the status is not one if there is no heartbeat.
fn decisive_inputs(context: &Context<'_>, word: &str) -> Line {
    let unobserved = context.run.liveness == Liveness::Unobserved && context.run.unknown_reason.is_none();
    let is_shown = |input: &&Input| input.decisive && !(unobserved && input.name == Signal::StatusWritten);
    let inputs = context.run.evidence.inputs.iter().filter(is_shown);
    let line = Line::why().because(inputs, word, " and ", |input, line| add_input(context, input, line));
    match &context.run.source.active_opcode {
        Some(opcode) if unobserved => line.words(" and active_opcode is ").words(opcode.as_str()),
        Some(_) | None => line,
    }
}

fn add_input(context: &Context<'_>, input: &Input, line: Line) -> Line {
    match (&input.value, input.at) {
        (_, Some(at)) => {
            let read = context.run.evidence.read_at.unwrap_or(context.tense.now);
            line.words("the status was written ").words(&format::ago(read.since(at))).limit(input)
        }
        (Value::Absent, None) => line.words("there is no readable ").words(input.name.as_str()),
        (Value::Word(text) | Value::Text(text), None) => {
            line.words(input.name.as_str()).words(" is ").words(text)
        }
        (Value::Time(at), None) => line.words(input.name.as_str()).words(" is ").time(*at, context.tense.now),
    }
}

/// `Why: declared completed; exit outcome error`.
fn declared(context: &Context<'_>, terminal: &Terminal) -> Line {
    let line = Line::why().words("declared ").words(terminal.declared.as_str());
    let line = if terminal.by_metadata { line.words(", which the status does not say yet") } else { line };
    let no_events = context.run.notes.contains(&Note::NoEvents);
    match (&terminal.exit.outcome, &terminal.exit.step_id) {
        (Some(outcome), _) => line.words("; exit outcome ").words(outcome),
        (None, Some(_)) => line.words("; no manifest of the last step given"),
        (None, None) if no_events => line.words("; no events given"),
        (None, None) => line.words("; the events given do not reach the end"),
    }
}
