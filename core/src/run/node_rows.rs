//! The server's rows of a run's nodes, with an index by state.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

use crate::smithers::wire::{NodeState, NodeStatus};
use crate::word::Word;

/// The rows of a run's nodes, in the order of their source.
///
/// The rows in a state are indexed on first use and again after a change, because a header needs them for each of a dozen
/// states, of up to 500 000 nodes.
///
/// ```
/// use runstate::run::NodeRows;
/// use runstate::smithers::wire::read_node_states;
///
/// let rows = read_node_states(r#"[{"nodeId":"build","state":"finished"},{"nodeId":"gate","state":"waiting-approval"}]"#)?;
/// let rows = NodeRows::from(rows);
/// assert_eq!((rows.len(), rows[1].node_id.as_str()), (2, "gate"));
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct NodeRows {
    rows: Vec<NodeStatus>,
    by_state: OnceLock<HashMap<NodeState, Vec<usize>>>,
    /// If the rows are those of a log that lacks events after the last one of a node at work: the number of its lines that
    /// could not be read.
    pub(crate) unread_lines: Option<u64>,
}

impl NodeRows {
    /// Adds a row.
    pub fn push(&mut self, row: NodeStatus) {
        self.by_state.take();
        self.rows.push(row);
    }

    /// The rows in a state, in their order.
    pub(crate) fn in_state(&self, state: NodeState) -> impl Iterator<Item = &NodeStatus> {
        let by_state = self.by_state.get_or_init(|| {
            let mut by_state = HashMap::<_, Vec<usize>>::new();
            for (place, row) in self.rows.iter().enumerate() {
                if let Some(state) = Word::known(&row.state) {
                    by_state.entry(state).or_default().push(place);
                }
            }
            by_state
        });
        by_state.get(&state).into_iter().flatten().map(|place| &self.rows[*place])
    }
}

impl From<Vec<NodeStatus>> for NodeRows {
    fn from(rows: Vec<NodeStatus>) -> Self {
        Self { rows, ..Self::default() }
    }
}

impl FromIterator<NodeStatus> for NodeRows {
    fn from_iter<T: IntoIterator<Item = NodeStatus>>(rows: T) -> Self {
        Vec::from_iter(rows).into()
    }
}

impl Deref for NodeRows {
    type Target = [NodeStatus];

    fn deref(&self) -> &[NodeStatus] {
        &self.rows
    }
}

impl DerefMut for NodeRows {
    /// The rows, which the caller may change.
    fn deref_mut(&mut self) -> &mut [NodeStatus] {
        self.by_state.take();
        &mut self.rows
    }
}

impl IntoIterator for NodeRows {
    type Item = NodeStatus;
    type IntoIter = std::vec::IntoIter<NodeStatus>;

    fn into_iter(self) -> Self::IntoIter {
        self.rows.into_iter()
    }
}

impl<'a> IntoIterator for &'a NodeRows {
    type Item = &'a NodeStatus;
    type IntoIter = std::slice::Iter<'a, NodeStatus>;

    fn into_iter(self) -> Self::IntoIter {
        self.rows.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, state: NodeState) -> NodeStatus {
        NodeStatus::from_state(id.to_owned(), 0, Word::Known(state))
    }

    fn ids(rows: &NodeRows, state: NodeState) -> Vec<&str> {
        rows.in_state(state).map(|row| row.node_id.as_str()).collect()
    }

    #[test]
    fn the_rows_in_a_state_are_those_of_now() {
        let mut rows = NodeRows::from(vec![
            row("a", NodeState::Failed),
            row("b", NodeState::Pending),
            row("c", NodeState::Failed),
        ]);
        assert_eq!(ids(&rows, NodeState::Failed), ["a", "c"]);
        assert_eq!(ids(&rows, NodeState::Skipped), [""; 0]);
        rows[0].state = Word::Known(NodeState::Finished);
        assert_eq!(ids(&rows, NodeState::Failed), ["c"]);
        rows.push(row("d", NodeState::Failed));
        assert_eq!(ids(&rows, NodeState::Failed), ["c", "d"]);
        rows.iter_mut().for_each(|row| row.state = Word::new("molten"));
        assert_eq!(ids(&rows, NodeState::Failed), [""; 0], "an unknown word is no state");
        assert_eq!(ids(&rows.clone(), NodeState::Pending), [""; 0]);
    }
}
