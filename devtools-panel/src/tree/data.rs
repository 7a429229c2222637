//! What one row of the tree shows, read from the arena.

use runstate::format;
use runstate::smithers::NodeState;
use runstate::time::Millis;
use runstate::tree::{Node, NodeId, Row, Tree};
use runstate::word::{Vocabulary, Word};

use crate::store::Store;

/// One row as text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RowData {
    pub(crate) id: NodeId,
    /// Where the row stands among all visible rows, from 0.
    pub(crate) at: usize,
    pub(crate) title: String,
    pub(crate) label: Option<String>,
    pub(crate) kind: Option<String>,
    pub(crate) iteration: Option<u32>,
    pub(crate) attempt: Option<String>,
    /// The node's own state, as the server has it.
    pub(crate) state: Option<Word<NodeState>>,
    /// For a node without a state of its own: the most urgent state below it, which is our projection.
    pub(crate) below: Option<Word<NodeState>>,
    /// How many failed below, where that is the most urgent. A count and no state: a run may well succeed over a failure that
    /// it caught or tolerates, and no row may contradict the header.
    pub(crate) failed_below: Option<u32>,
    pub(crate) depth: u32,
    pub(crate) position: u32,
    pub(crate) set_size: u32,
    pub(crate) expandable: bool,
    pub(crate) expanded: bool,
    /// Ended and all tasks below, for rows that have some.
    pub(crate) done: Option<(u32, u32)>,
    pub(crate) failed: u32,
    pub(crate) waiting: u32,
    pub(crate) time: String,
}

/// Reads `rows`, of which the first stands at `start`.
pub(crate) fn read(store: Store, rows: &[Row], start: usize) -> Vec<RowData> {
    store
        .with_tree(|tree| {
            let now = store.now();
            rows.iter().enumerate().map(|(offset, row)| read_row(tree, row, start + offset, now)).collect()
        })
        .unwrap_or_default()
}

fn read_row(tree: &Tree, row: &Row, at: usize, now: Millis) -> RowData {
    let node = tree.node(row.index);
    let group = row.expandable;
    let rollup = group.then(|| tree.rollup(row.index));
    let title = node.title().to_owned();
    let below = rollup.as_ref().filter(|_| node.state().is_none()).and_then(|rollup| rollup.state.clone());
    RowData {
        id: node.id,
        at,
        label: node.label().filter(|label| *label != title).map(str::to_owned),
        kind: Some(kind(node)).filter(|kind| !kind.eq_ignore_ascii_case(&title)),
        title,
        iteration: node.iteration().filter(|iteration| *iteration > 0),
        attempt: attempt(node),
        state: node.state().cloned(),
        failed_below: rollup
            .as_ref()
            .filter(|_| below == Some(Word::Known(NodeState::Failed)))
            .map(|rollup| rollup.failed),
        below,
        depth: row.depth,
        position: row.position,
        set_size: row.set_size,
        expandable: row.expandable,
        expanded: row.expanded,
        done: rollup.as_ref().filter(|rollup| rollup.told > 0).map(|rollup| (rollup.ended, rollup.tasks)),
        failed: rollup.as_ref().filter(|_| !row.expanded).map_or(0, |rollup| rollup.failed),
        waiting: rollup.as_ref().filter(|_| !row.expanded).map_or(0, |rollup| rollup.waiting),
        time: time(node, now),
    }
}

/// The element's name as a word: `Merge queue`, or the task's kind where it says more than "task".
fn kind(node: &Node) -> String {
    let task_kind = node.task.as_ref().and_then(|task| task.kind.as_ref()).map(Word::as_str);
    let word = task_kind.unwrap_or(node.node_type.as_str());
    let mut text = word.replace('-', " ");
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// The attempt, once there was more than one.
fn attempt(node: &Node) -> Option<String> {
    let attempt = node.attempt().filter(|attempt| *attempt > 1)?;
    Some(node.max_attempts().map_or_else(|| attempt.to_string(), |max| format!("{attempt}/{max}")))
}

/// How long the node worked, or has worked so far.
fn time(node: &Node, now: Millis) -> String {
    let Some(status) = &node.status else { return String::new() };
    let Some(started) = status.started_at else { return String::new() };
    match (status.finished_at, &status.state) {
        (Some(finished), _) => format::duration(finished.since(started)),
        (None, Word::Known(NodeState::InProgress)) => format::duration(now.since(started)),
        (None, _) => String::new(),
    }
}

impl RowData {
    /// The state's word as the wire has it, for `data-state`.
    pub(crate) fn state_word(&self) -> Option<&str> {
        self.state.as_ref().map(|word| match word {
            Word::Known(state) => state.as_str(),
            Word::Foreign(text) => text,
        })
    }
}
