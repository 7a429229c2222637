//! Sentences about a run that has ended.

use super::context::Context;
use super::line::Line;
use super::waiting::Sentences;
use crate::format;
use crate::json::{Slice, fields};
use crate::run::nodes::{count, in_state};
use crate::smithers::wire::NodeState;
use crate::time::Millis;

/// How much of an error's text a sentence carries.
const ERROR_CHARS: usize = 160;

/// Ended with an error.
pub(super) fn failed(context: &Context) -> Sentences {
    let nodes = in_state(context.run, NodeState::Failed);
    let ids: Vec<&str> = nodes.iter().map(|node| node.id).collect();
    let line = match &*nodes {
        [] => Line::new("Failed"),
        [node] => {
            let line = Line::new("Failed at ").at(node);
            match node.attempts {
                Some(attempts) if attempts > 1 => line.words(&format!(" after {attempts} attempts")),
                Some(_) | None => line,
            }
        }
        _ => Line::new("Failed at ").list(&ids),
    };
    let line = match context.run.error.as_deref().and_then(error_line) {
        Some(error) => line.words(": ").words(&error),
        None => line.words("."),
    };
    (line, ended(context, true))
}

/// Ended by request.
pub(super) fn cancelled(context: &Context) -> Sentences {
    let pending = match count(context.run, NodeState::Pending) {
        0 => Line::default(),
        1 => Line::new("1 node was pending when it ended."),
        many => Line::new(&format!("{} nodes were pending when it ended.", format::count(many as f64))),
    };
    (Line::new("Cancelled."), ended(context, true).next(pending))
}

/// Ended, its work done; what it tolerated or handed on is part of the sentence.
pub(super) fn succeeded(context: &Context) -> Sentences {
    let run = context.run;
    let took = if run.continued { None } else { took(context) };
    let line = match took {
        _ if run.continued => Line::new("Finished; the work goes on in another run."),
        Some(took) => Line::new(&format!("Finished in {took}.")),
        None => Line::new("Finished."),
    };
    let ids: Vec<&str> = run.failed_children.iter().map(|key| node_of(key)).collect();
    let tolerated = match run.tolerated_failures() {
        0 => Line::default(),
        1 => Line::new("1 failure was tolerated"),
        many => Line::new(&format!("{} failures were tolerated", format::count(many as f64))),
    };
    let line = match (run.tolerated_failures(), &*ids) {
        (0, _) => line,
        (_, []) => line.next(tolerated.words(".")),
        (many, ids) => line.next(tolerated.words(": ").list_of(ids, many as usize).words(".")),
    };
    (line, ended(context, run.continued).next(tally(context)))
}

/// The first line of an error as the end of a sentence. Of an error object only the message is one.
fn error_line(error: &str) -> Option<String> {
    let message = Slice::of_text(error).and_then(|object| fields(object, ["message"])).ok();
    let message = message.and_then(|[message]| message?.text());
    let text = message.as_deref().unwrap_or(error);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?.trim_end_matches('.');
    let mut cut: String = line.chars().take(ERROR_CHARS).collect();
    cut.push(if cut.len() < line.len() { '…' } else { '.' });
    Some(cut)
}

/// The node of a failed child's key, `node::iteration` (protocol section 5).
fn node_of(key: &str) -> &str {
    key.rsplit_once("::").map_or(key, |(node_id, _)| node_id)
}

fn took(context: &Context) -> Option<String> {
    let (started, finished) = (context.run.started_at?, context.run.finished_at?);
    let took = finished.since(started);
    (took.is_finite() && took >= 0.0).then(|| format::duration(took))
}

/// When it ended, and after how long where the sentence has not said so.
fn ended(context: &Context, with_duration: bool) -> Line {
    let Some(at) = context.run.finished_at.filter(|at: &Millis| at.0.is_finite()) else {
        return Line::default();
    };
    let line = Line::new("Ended ").then(context.since(at));
    match took(context).filter(|_| with_duration) {
        Some(took) => line.words(&format!(", after {took}.")),
        None => line.words("."),
    }
}

/// How many nodes ended how.
fn tally(context: &Context) -> Line {
    let total: u64 = context.run.summary.iter().map(|(_, number)| number).sum();
    if total == 0 {
        return Line::default();
    }
    let counts: Vec<String> = context
        .run
        .summary
        .iter()
        .filter(|(_, number)| *number > 0)
        .map(|(word, number)| {
            let number = format::count(*number as f64);
            if word.known() == Some(NodeState::Failed) {
                format!("{number} failed and allowed to")
            } else {
                format!("{number} {}", word.as_str().replace('-', " "))
            }
        })
        .collect();
    let noun = if total == 1 { "node" } else { "nodes" };
    Line::new(&format!("{} {noun}: {}.", format::count(total as f64), counts.join(", ")))
}
