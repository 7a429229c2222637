//! One row of the tree pane.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::format;
use crate::pill::Taxonomy;
use crate::smithers::wire::{NodeState, NodeStatus, NodeType};
use crate::time::Millis;
use crate::tree::{Node, NodeId, Row, Tree};
use crate::viewer::run_data::RunData;
use crate::viewer::search_words::hits;
use crate::word::{Vocabulary, Word};

/// One visible row of the tree, as text and figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TreeRow {
    /// The node.
    pub id: NodeId,
    /// The node's display name.
    pub title: String,
    /// The label, if it adds to the title.
    pub label: Option<String>,
    /// The kind of node, if it adds to the title.
    pub kind: Option<String>,
    /// The iteration, from the second on.
    pub iteration: Option<u32>,
    /// The attempt, from the second on: `2/3`.
    pub attempt: Option<String>,
    /// The node's own state, as its system has it.
    pub state: Option<String>,
    /// The vocabulary of its own state.
    pub taxonomy: Taxonomy,
    /// For a node without a state of its own: the most urgent state of the nodes under it.
    pub descendant_state: Option<String>,
    /// The number of failed nodes below, if that is the most urgent state. It is a count instead of a state, because a
    /// run may succeed despite a tolerated failure, and no row may contradict the header.
    pub failed_descendants: Option<u32>,
    /// The depth below the root.
    pub depth: u32,
    /// The position among its siblings, from 1.
    pub position: u32,
    /// The number of siblings, itself included.
    pub set_size: u32,
    /// Whether it has children.
    pub expandable: bool,
    /// Whether its children are shown.
    pub expanded: bool,
    /// Ended and all tasks below, for rows that have some.
    pub progress: Option<(u32, u32)>,
    /// The number of failed nodes inside a collapsed row.
    pub hidden_failed: u32,
    /// The number of waiting nodes inside a collapsed row.
    pub hidden_waiting: u32,
    /// The node's working time so far; empty if unknown.
    pub duration: String,
    /// Whether the query on the tree does not find it.
    #[serde(default)]
    pub is_dimmed: bool,
    /// That the tree no longer has the node, in words. Only the selected node keeps its row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed: Option<String>,
    /// The parts of the title that match the search, as ranges of bytes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub title_hits: Vec<Range<usize>>,
    /// The parts of the label that match the search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub label_hits: Vec<Range<usize>>,
    /// The parts of the kind that match the search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kind_hits: Vec<Range<usize>>,
}

impl TreeRow {
    pub(super) fn new(tree: &Tree, row: &Row, data: &RunData<'_>) -> Self {
        let node = tree.node(row.index);
        let rollup = row.expandable.then(|| tree.rollup(row.index));
        let title = node.title().to_owned();
        let (taxonomy, state) = state(node, data);
        let below = rollup.as_ref().filter(|_| state.is_none()).and_then(|rollup| rollup.state.clone());
        let failed = below == Some(Word::Known(NodeState::Failed));
        let hidden = rollup.as_ref().filter(|_| !row.expanded);
        Self {
            id: node.id,
            label: node.label().filter(|label| *label != title).map(str::to_owned),
            kind: kind(node),
            title,
            iteration: node.iteration().filter(|iteration| *iteration > 0),
            attempt: attempt(node),
            state,
            taxonomy,
            failed_descendants: rollup.as_ref().filter(|_| failed).map(|rollup| rollup.failed),
            descendant_state: below.map(|word| word.as_str().to_owned()),
            depth: row.depth,
            position: row.position,
            set_size: row.set_size,
            expandable: row.expandable,
            expanded: row.expanded,
            progress: rollup
                .as_ref()
                .filter(|rollup| rollup.known > 0)
                .map(|rollup| (rollup.ended, rollup.tasks)),
            hidden_failed: hidden.map_or(0, |rollup| rollup.failed),
            hidden_waiting: hidden.map_or(0, |rollup| rollup.waiting),
            duration: node
                .status
                .as_ref()
                .map(|status| duration(status, data.known_until))
                .unwrap_or_default(),
            is_dimmed: false,
            removed: None,
            title_hits: Vec::new(),
            label_hits: Vec::new(),
            kind_hits: Vec::new(),
        }
    }

    /// The row with the matches of a search.
    pub(super) fn with_hits(self, words: &[String]) -> Self {
        let hits = |text: &str| hits(text, words);
        Self {
            title_hits: hits(&self.title),
            label_hits: self.label.as_deref().map(hits).unwrap_or_default(),
            kind_hits: self.kind.as_deref().map(hits).unwrap_or_default(),
            ..self
        }
    }
}

/// The node's own state with its vocabulary.
fn state(node: &Node, data: &RunData<'_>) -> (Taxonomy, Option<String>) {
    match data.states.and_then(|states| states.get(&node.id)) {
        Some((taxonomy, word)) => (*taxonomy, Some(word.clone())),
        None => (Taxonomy::Node, node.state().map(|word| word.as_str().to_owned())),
    }
}

/// The element's type as words: `Merge queue`, or the task's kind if it adds to "task"; `None` if the title says it. The
/// server sends the type `unknown` for elements that it does not list; their name is shown, because "Unknown" would read
/// as a state.
pub(in super::super) fn kind(node: &Node) -> Option<String> {
    let task_kind = node.task.as_ref().and_then(|task| task.kind.as_ref()).map(Word::as_str);
    let word = match node.node_type.known() {
        Some(NodeType::Unknown) => task_kind.unwrap_or(&node.name),
        Some(_) | None => task_kind.unwrap_or(node.node_type.as_str()),
    };
    if word.eq_ignore_ascii_case(NodeType::Unknown.as_str()) {
        return None;
    }
    let mut text = word.replace('-', " ");
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    Some(text).filter(|kind| !kind.eq_ignore_ascii_case(&node.title().replace('-', " ")))
}

/// The attempt, if there was more than one. A node that was retried by hand may have had more attempts than its limit, which
/// then says nothing.
fn attempt(node: &Node) -> Option<String> {
    let attempt = node.attempt().filter(|attempt| *attempt > 1)?;
    let max = node.max_attempts().filter(|max| attempt <= *max);
    Some(max.map_or_else(|| attempt.to_string(), |max| format!("{attempt}/{max}")))
}

/// The node's duration, or its duration so far, up to the time until which it is known; empty if it is unknown.
pub(in super::super) fn duration(status: &NodeStatus, known_until: Option<Millis>) -> String {
    let Some(started) = status.started_at else { return String::new() };
    let is_in_progress = status.state == Word::Known(NodeState::InProgress);
    let end = status.finished_at.or(known_until.filter(|_| is_in_progress));
    end.map(|end| format::duration(end.since(started))).unwrap_or_default()
}
