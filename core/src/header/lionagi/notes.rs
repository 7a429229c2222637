//! What stands beside the state and must not be missed.

use super::tense::Spoken;
use super::witnesses::named;
use crate::lionagi::derive::Disagreement;
use crate::summary::Line;

pub(super) fn of(spoken: &Spoken<'_>) -> Vec<Line> {
    let session = spoken.session;
    let mut notes: Vec<Line> = session.disagreements.iter().map(disagreement).collect();
    let gone: Vec<&str> = session.row.contract.gone.iter().map(String::as_str).collect();
    if !gone.is_empty() {
        notes.push(named("Gone since the artifacts were checked: ", &gone));
    }
    notes
}

/// Both answers, and why they differ where that is known.
fn disagreement(found: &Disagreement) -> Line {
    let mut line = Line::new("The server has two answers about the ").words(found.question).words(": ");
    for (place, answer) in found.answers.iter().enumerate() {
        line = if place > 0 { line.words(", but ") } else { line };
        line = line.code(&answer.said).words(" by ").code(&answer.read_from);
    }
    let line = line.words(".");
    match found.why {
        Some(why) => line.next(Line::new(why)),
        None => line,
    }
}
