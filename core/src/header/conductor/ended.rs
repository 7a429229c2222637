//! Sentences about a run that has ended.

use super::going_on::{outcome, since};
use super::{Context, Sentences};
use crate::conductor::derive::{Exit, Terminal};
use crate::conductor::wire::{Opcode, is_clean_outcome};
use crate::format;
use crate::summary::Line;
use crate::word::Word;

/// How much of a failure's text a sentence carries.
const FAILURE_CHARS: usize = 160;

/// The kernel gave up.
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

/// STOP was reached, which alone is not success.
pub(super) fn succeeded(context: &Context<'_>) -> Sentences {
    let exit = context.run.terminal.as_ref().map(|Terminal { exit, .. }| exit);
    let line = Line::new("Reached STOP").then(exit.map(after).unwrap_or_default());
    let plain = exit.is_some_and(|exit| exit.clean == Some(true) || exit.step_id.is_none());
    let means = if plain { "" } else { "Completed means STOP was reached, not success." };
    (line, ended(context).next(Line::new(means)))
}

/// How the run got there.
fn after(exit: &Exit) -> Line {
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

/// When it ended, and after how long. The status is written at the end, so its time will do.
fn ended(context: &Context<'_>) -> Line {
    let run = context.run;
    let by_status = run.updated_at.filter(|_| run.terminal.as_ref().is_some_and(|end| !end.by_metadata));
    let Some(at) = by_status.or(run.ended_at) else { return Line::default() };
    let line = Line::new("Ended ").then(since(context, at));
    match run.started_at.map(|started| at.since(started)) {
        Some(took) if took >= 0.0 => line.words(", after ").words(&format::duration(took)).words("."),
        Some(_) | None => line.words("."),
    }
}

/// The first line of a failure's text as the end of a sentence.
fn first_line(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?.trim_end_matches('.');
    let mut cut: String = line.chars().take(FAILURE_CHARS).collect();
    cut.push(if cut.len() < line.len() { '…' } else { '.' });
    Some(cut)
}
