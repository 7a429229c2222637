//! Notes next to the state.

use super::context::Context;
use super::witnesses::name_list;
use crate::lionagi::derive::Disagreement;
use crate::summary::Line;

/// The notes of a session.
pub(super) fn notes(context: &Context<'_>) -> Vec<Line> {
    let session = context.session;
    let mut notes: Vec<Line> = session.disagreements.iter().map(disagreement).collect();
    let gone: Vec<&str> = session.row.contract.gone.iter().map(String::as_str).collect();
    if !gone.is_empty() {
        notes.push(name_list("Gone since the artifacts were checked: ", &gone));
    }
    notes
}

/// The sentence about two answers that disagree.
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
