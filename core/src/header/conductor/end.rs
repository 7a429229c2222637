//! Sentences about a run that has ended.

use super::Context;
use super::active::{outcome, since};
use crate::conductor::derive::{Exit, Terminal};
use crate::conductor::wire::{Opcode, is_clean_outcome};
use crate::format;
use crate::summary::{Line, Sentences, first_line};
use crate::word::Word;

/// A failed run.
pub(super) fn failed(context: &Context<'_>) -> Sentences {
    let terminal = context.run.terminal.as_ref();
    let step = terminal.and_then(|end| end.exit.step_id.as_deref().or(end.last_step_id.as_deref()));
    let line = match step {
        Some(step) => Line::new("Failed at ").node(step),
        None => Line::new("Failed"),
    };
    let line = match context.run.failure.as_deref().and_then(first_line) {
        Some(text) => line.words(": ").words(&text),
        None => line.words("."),
    };
    (line, ended(context))
}

/// A run that reached STOP, which does not mean success.
pub(super) fn succeeded(context: &Context<'_>) -> Sentences {
    let exit = context.run.terminal.as_ref().map(|Terminal { exit, .. }| exit);
    let line = Line::new("Reached STOP").append(exit.map(after_step).unwrap_or_default());
    let needs_no_hint = exit.is_some_and(|exit| exit.clean == Some(true) || exit.step_id.is_none());
    let hint = if needs_no_hint { "" } else { "Completed means STOP was reached, not success." };
    (line, ended(context).add_sentence(Line::new(hint)))
}

/// The end of the sentence: the outcome of the last step.
fn after_step(exit: &Exit) -> Line {
    let Some(step) = &exit.step_id else {
        return Line::new(". How the last step ended is not in these files.");
    };
    let rollback = exit.opcode.as_ref().and_then(Word::known) == Some(Opcode::Rollback);
    let line = Line::new(if rollback { " after the rollback " } else { " after " }).node(step);
    match exit.outcome.as_deref() {
        None => line.words(". How that step ended is not in these files."),
        Some(word) if is_clean_outcome(word).is_none() => {
            outcome(line, Some(word)).words(", a word that Runstate does not know.")
        }
        Some(word) => outcome(line, Some(word)).words("."),
    }
}

/// The time of the end, and the duration. The status is written at the end, so its time is preferred.
fn ended(context: &Context<'_>) -> Line {
    let run = context.run;
    let by_status = run.updated_at.filter(|_| run.terminal.as_ref().is_some_and(|end| !end.by_metadata));
    let Some(at) = by_status.or(run.ended_at) else { return Line::default() };
    let line = Line::new("Ended ").append(since(context, at));
    match run.started_at.map(|started| at.since(started)) {
        Some(took) if took >= 0.0 => line.words(", after ").words(&format::duration(took)).words("."),
        Some(_) | None => line.words("."),
    }
}
