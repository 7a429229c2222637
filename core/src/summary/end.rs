//! Sentences about a run that has ended.

use std::collections::HashSet;

use super::Context;
use super::Sentences;
use super::line::Line;
use crate::format;
use crate::json::{Slice, fields};
use crate::run::nodes::{Place, count, in_state, is_known};
use crate::run::{Index, RunInspection};
use crate::smithers::wire::{NodeState, dependencies};
use crate::text::without_escape_sequences;
use crate::time::Millis;

/// Maximum length of a text of the run in a sentence, characters.
const MAX_CHARS: usize = 160;

/// Failed. The task that the error names is the cause; other failures may have been tolerated.
pub(super) fn failed(context: &Context) -> Sentences {
    let nodes = in_state(context.run, NodeState::Failed);
    let error = context.run.error.as_deref().unwrap_or_default();
    let (task, reason) = match failed_node(error) {
        (Some(task), _) if !nodes.is_empty() && !is_known(context.run, task) => (None, error),
        found => found,
    };
    let causes = match task {
        Some(task) => nodes.into_iter().filter(|node| node.id == task).collect(),
        None => without_tolerated(context.run, nodes),
    };
    let mut named = HashSet::new();
    let ids: Vec<&str> = causes.iter().map(|node| node.id).filter(|id| named.insert(*id)).collect();
    let line = match (&*causes, &*ids) {
        ([node], _) => {
            let line = Line::new("Failed at ").place(node);
            match node.attempts {
                Some(attempts) if attempts > 1 => line.words(&format!(" after {attempts} attempts")),
                Some(_) | None => line,
            }
        }
        ([], _) => match task {
            Some(node) => Line::new("Failed at ").node(node),
            None => Line::new("Failed"),
        },
        (_, ids) => Line::new("Failed at ").node_list(ids),
    };
    let line = match error_line(reason) {
        Some(error) => line.words(": ").words(&error),
        None => line.words("."),
    };
    (line, end_time(context, true))
}

/// The nodes without those whose failure the workflow tolerates, as far as the tree says so.
fn without_tolerated<'a>(run: &RunInspection, mut nodes: Vec<Place<'a>>) -> Vec<Place<'a>> {
    if run.tree.is_some() {
        let index = Index::new(run);
        let props = |node: &Place<'_>| Some(index.node(node.id, Some(node.iteration))?.props());
        nodes.retain(|node| props(node).is_none_or(|props| !dependencies(props).continue_on_fail));
    }
    nodes
}

/// Cancelled.
pub(super) fn cancelled(context: &Context) -> Sentences {
    let pending = match count(context.run, NodeState::Pending) {
        0 => Line::default(),
        1 => Line::new("1 node was pending when it ended."),
        many => Line::new(&format!("{} nodes were pending when it ended.", format::count(many as f64))),
    };
    (Line::new("Cancelled."), end_time(context, true).add_sentence(pending))
}

/// Succeeded. The sentence also names tolerated failures and a continuation.
pub(super) fn succeeded(context: &Context) -> Sentences {
    let run = context.run;
    let took = if run.continued { None } else { duration(context) };
    let line = match took {
        _ if run.continued => Line::new("Finished; the work goes on in another run."),
        Some(took) => Line::new(&format!("Finished in {took}.")),
        None => Line::new("Finished."),
    };
    let ids: Vec<&str> = run.failed_children.iter().map(|key| node_id_of_key(key)).collect();
    let tolerated = match run.tolerated_failures() {
        0 => Line::default(),
        1 => Line::new("1 failure was tolerated"),
        many => Line::new(&format!("{} failures were tolerated", format::count(many as f64))),
    };
    let line = match (run.tolerated_failures(), &*ids) {
        (0, _) => line,
        (_, []) => line.add_sentence(tolerated.words(".")),
        (many, ids) => line.add_sentence(tolerated.words(": ").node_list_of(ids, many as usize).words(".")),
    };
    (line, end_time(context, run.continued).add_sentence(node_counts(context)))
}

/// The first line of an error; for an error object, of its message.
fn error_line(error: &str) -> Option<String> {
    let message = Slice::from_text(error).and_then(|object| fields(object, ["message"])).ok();
    let message = message.and_then(|[message]| message?.text());
    first_line(message.as_deref().unwrap_or(error))
}

/// The node that the server names at the start of an error, `Task failed: NODE`, and the rest. A sentence that names the node
/// does not repeat it.
pub(crate) fn failed_node(error: &str) -> (Option<&str>, &str) {
    let Some(rest) = error.strip_prefix("Task failed: ") else { return (None, error) };
    let (node, reason) = rest.split_once(": ").unwrap_or((rest, ""));
    let is_id = !node.is_empty() && !node.contains(char::is_whitespace);
    if is_id { (Some(node), reason) } else { (None, error) }
}

/// The first line of an error, as the end of a sentence.
pub(crate) fn first_line(error: &str) -> Option<String> {
    let error = without_escape_sequences(error);
    let words = first_words(error.trim_start().trim_end_matches('.'))?;
    Some(if words.ends_with('…') { words } else { format!("{}.", words.trim_end_matches('.')) })
}

/// The first line that is not empty. A long one is cut between two words.
pub(super) fn first_words(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let Some((end, _)) = line.char_indices().nth(MAX_CHARS) else { return Some(line.to_owned()) };
    Some(match line[..end].rfind(char::is_whitespace) {
        Some(space) => format!("{} …", line[..space].trim_end()),
        // Text without spaces, as in Japanese, is cut anywhere.
        None => format!("{}…", &line[..end]),
    })
}

/// The node id in the key of a failed child, `node::iteration` (protocol section 5).
fn node_id_of_key(key: &str) -> &str {
    key.rsplit_once("::").map_or(key, |(node_id, _)| node_id)
}

fn duration(context: &Context) -> Option<String> {
    let (started, finished) = (context.run.started_at?, context.run.finished_at?);
    let took = finished.since(started);
    (took.is_finite() && took >= 0.0).then(|| format::duration(took))
}

/// The time of the end, and the duration unless the sentence has it.
fn end_time(context: &Context, with_duration: bool) -> Line {
    let Some(at) = context.run.finished_at.filter(|at: &Millis| at.0.is_finite()) else {
        return Line::default();
    };
    let line = Line::new("Ended ").append(context.tense.since(at));
    match duration(context).filter(|_| with_duration) {
        Some(took) => line.words(&format!(", after {took}.")),
        None => line.words("."),
    }
}

/// The number of tasks in each state.
fn node_counts(context: &Context) -> Line {
    let total = context.run.summary.iter().fold(0_u64, |sum, (_, number)| sum.saturating_add(*number));
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
    let noun = if total == 1 { "task" } else { "tasks" };
    Line::new(&format!("{} {noun}: {}.", format::count(total as f64), counts.join(", ")))
}
