//! Finds nodes by the author's ids, and joins the server's rows to them.

use std::sync::OnceLock;

use super::{Node, NodeIndex, Task, Tree};
use crate::smithers::wire::NodeStatus;
use crate::sorted_index::SortedIndex;

impl Tree {
    /// Finds a node by the author's id, as in `blocked.nodeId` and `listNodeStates`.
    ///
    /// Tasks come first, by `nodeId` and iteration; then timers, events, subflows and approvals by their property `id`;
    /// then any node with that property. Without an iteration the first in reading order is taken. The server reads
    /// `part::3` as node `part` in iteration 3 (protocol section 5, item 5); both spellings are found.
    pub(crate) fn find_node(&self, node_id: &str, iteration: Option<u32>) -> Option<NodeIndex> {
        self.find_among(self.preorder(self.root), node_id, iteration)
    }

    /// Like [`find_node`](Self::find_node), among some nodes; of equal matches the first.
    pub(crate) fn find_among(
        &self,
        among: impl Iterator<Item = NodeIndex>,
        node_id: &str,
        iteration: Option<u32>,
    ) -> Option<NodeIndex> {
        let split = split_iteration(node_id);
        let rank = |node: &Node| {
            let task = node.task.as_deref();
            let fits = |wanted: Option<u32>| {
                wanted.is_none_or(|wanted| task.and_then(|task| task.iteration).unwrap_or(wanted) == wanted)
            };
            if task.is_some_and(|task| task.node_id == node_id) && fits(iteration) {
                Some(0)
            } else if let Some((name, round)) = split
                && task.is_some_and(|task| task.node_id == name && task.iteration == Some(round))
            {
                Some(1)
            } else if node.props_id() == Some(node_id) {
                Some(if node.is_work() { 2 } else { 3 })
            } else {
                None
            }
        };
        let ranked = among.filter_map(|index| Some((rank(self.node(index))?, index)));
        ranked.min_by_key(|(rank, _)| *rank).map(|(_, index)| index)
    }

    /// Joins the rows of `listNodeStates` onto the nodes, by node id and iteration; a node without a row loses its old
    /// one. Timers, events and subflows are found by their property `id`.
    ///
    /// Returns the number of rows whose node is not in the tree in any iteration: an untaken branch, or an id that the
    /// server changed on its way into the tree.
    ///
    /// The tree of a cancelled run still has `in-progress`; the server's list is correct.
    ///
    /// ```
    /// use runstate::smithers::wire::read_node_states;
    /// use runstate::tree::Tree;
    ///
    /// let mut tree = Tree::from_json(
    ///     r#"{"id":1,"type":"task","name":"t","task":{"nodeId":"build","state":"in-progress"}}"#,
    /// )?;
    /// let rows = read_node_states(r#"[{"nodeId":"build","iteration":0,"state":"cancelled"},
    ///     {"nodeId":"not-taken","iteration":0,"state":"pending"}]"#)?;
    /// assert_eq!(tree.join(&rows), 1); // one row has no node
    /// assert_eq!(tree.node(tree.root()).state().unwrap().as_str(), "cancelled");
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn join(&mut self, statuses: &[NodeStatus]) -> usize {
        let names =
            SortedIndex::new(statuses.iter().zip(0..).map(|(status, place)| (&*status.node_id, place)));
        let mut found = vec![false; statuses.len()];
        let mut rows = Vec::new();
        for node in &mut self.nodes {
            let task = node.task.as_ref().map(|task| task.node_id.as_str());
            rows.clear();
            for name in [task, node.props.id()].into_iter().flatten() {
                if rows.is_empty() {
                    for place in names.get(name) {
                        found[place] = true;
                        rows.push(&statuses[place]);
                    }
                }
            }
            node.status = select_row(node, &rows).cloned();
        }
        self.counts = OnceLock::new();
        found.iter().filter(|found| !**found).count()
    }
}

/// Selects a node's row among those with its id: the same iteration, or the last if the node has none.
fn select_row<'a>(node: &Node, rows: &[&'a NodeStatus]) -> Option<&'a NodeStatus> {
    match node.task.as_deref() {
        Some(Task { node_id, iteration: Some(iteration), .. })
            if rows.iter().all(|row| row.node_id == *node_id) =>
        {
            rows.iter().find(|row| row.iteration == *iteration).copied()
        }
        Some(_) | None => last_row(rows),
    }
}

fn last_row<'a>(rows: &[&'a NodeStatus]) -> Option<&'a NodeStatus> {
    rows.iter().max_by_key(|row| row.iteration).copied()
}

/// Whether a row belongs to this node.
pub(super) fn is_row_of(node: &Node, row: &NodeStatus) -> bool {
    match &node.task {
        Some(task) if task.node_id == row.node_id => {
            task.iteration.is_none_or(|iteration| iteration == row.iteration)
        }
        Some(_) | None => node.props_id() == Some(&row.node_id),
    }
}

/// `part::3` as the server reads it: node `part`, iteration 3.
pub(crate) fn split_iteration(node_id: &str) -> Option<(&str, u32)> {
    let (name, round) = node_id.rsplit_once("::")?;
    Some((name, round.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use crate::tree::Tree;

    #[test]
    fn a_node_is_found_by_id_and_iteration() {
        let tree = Tree::from_json(
            r#"{"id":1,"type":"loop","name":"loop","children":[
                {"id":2,"type":"task","name":"t","task":{"nodeId":"review","iteration":0}},
                {"id":3,"type":"task","name":"t","task":{"nodeId":"review","iteration":1}}]}"#,
        )
        .unwrap();
        let second = tree.find_node("review", Some(1)).unwrap();
        assert_eq!(tree.node(second).id.0, 3);
        assert_eq!(tree.find_node("deploy", None), None);
    }
}
