//! The milestones of a delta, found by comparing nodes before and after it.

use std::collections::HashMap;

use super::MilestoneKind;
use crate::smithers::wire::NodeState;
use crate::tree::Op;
use crate::tree::{Node, NodeId, Tree};
use crate::word::Word;

/// A node's iteration, state and attempt.
#[derive(Debug)]
struct NodeSnapshot {
    node_id: String,
    iteration: u32,
    state: Word<NodeState>,
    attempt: Option<u32>,
}

/// The nodes that a delta touches, as they were before it.
#[derive(Debug)]
pub(super) struct TouchedNodes {
    before: HashMap<NodeId, NodeSnapshot>,
    ids: Vec<NodeId>,
}

/// The milestones of the first tree.
pub(super) fn first_tree_milestones(tree: &Tree) -> Vec<MilestoneKind> {
    let ids = tree.preorder(tree.root()).map(|index| tree.node(index).id).collect();
    TouchedNodes { before: HashMap::new(), ids }.milestones(tree)
}

/// Records the nodes that a delta touches, before it is applied.
pub(super) fn touched_nodes(tree: &Tree, ops: &[Op]) -> TouchedNodes {
    let mut touched = TouchedNodes { before: HashMap::new(), ids: Vec::new() };
    for op in ops {
        match op {
            Op::AddNode { node, .. } => touched.ids.extend(node.ids()),
            Op::RemoveNode { id } => touched.record_subtree(tree, *id),
            Op::UpdateProps { .. } => {}
            Op::UpdateTask { id, .. } => {
                touched.record(tree, *id);
                touched.ids.push(*id);
            }
            Op::ReplaceRoot { node } => {
                touched.record_subtree(tree, tree.node(tree.root()).id);
                touched.ids.extend(node.ids());
            }
        }
    }
    touched
}

impl TouchedNodes {
    fn record(&mut self, tree: &Tree, id: NodeId) {
        if let Some(snapshot) = tree.find(id).and_then(|index| node_snapshot(tree.node(index))) {
            self.before.insert(id, snapshot);
        }
    }

    fn record_subtree(&mut self, tree: &Tree, id: NodeId) {
        let Some(top) = tree.find(id) else { return };
        let below = tree.preorder(top).map(|index| tree.node(index));
        self.before.extend(below.filter_map(|node| Some((node.id, node_snapshot(node)?))));
    }

    /// The milestones of the delta.
    pub(super) fn milestones(&self, tree: &Tree) -> Vec<MilestoneKind> {
        let now = |id: &NodeId| Some((*id, node_snapshot(tree.node(tree.find(*id)?))?));
        let nodes = self.ids.iter().filter_map(now);
        nodes.filter_map(|(id, snapshot)| self.milestone(id, &snapshot)).collect()
    }

    fn milestone(&self, id: NodeId, now: &NodeSnapshot) -> Option<MilestoneKind> {
        let same =
            |before: &&NodeSnapshot| before.node_id == now.node_id && before.iteration == now.iteration;
        let before = self.before.get(&id).filter(same).map(|before| (&before.state, before.attempt));
        MilestoneKind::between(&now.node_id, now.iteration, before, (&now.state, now.attempt))
    }
}

fn node_snapshot(node: &Node) -> Option<NodeSnapshot> {
    let task = node.task.as_ref()?;
    Some(NodeSnapshot {
        node_id: task.node_id.clone(),
        iteration: task.iteration.unwrap_or(0),
        state: task.state.clone()?,
        attempt: task.attempt,
    })
}
