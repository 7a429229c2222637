//! What a delta says of nodes, compared with what was known before it.

use std::collections::HashMap;

use super::MilestoneKind;
use crate::smithers::wire::NodeState;
use crate::tree::Op;
use crate::tree::{Node, NodeId, Tree};
use crate::word::Word;

/// A node's round, state and attempt.
#[derive(Debug)]
struct NodeSnapshot {
    node_id: String,
    iteration: u32,
    state: Word<NodeState>,
    attempt: Option<u32>,
}

/// The nodes that a delta touches, as they were before it.
#[derive(Debug)]
pub(super) struct Touched {
    before: HashMap<NodeId, NodeSnapshot>,
    touched: Vec<NodeId>,
}

/// What is worth pointing at in the first tree that was seen.
pub(super) fn first(tree: &Tree) -> Vec<MilestoneKind> {
    let touched = tree.preorder(tree.root()).map(|index| tree.node(index).id).collect();
    Touched { before: HashMap::new(), touched }.after(tree)
}

/// Looks at what a delta is about to touch.
pub(super) fn before(tree: &Tree, ops: &[Op]) -> Touched {
    let mut seen = Touched { before: HashMap::new(), touched: Vec::new() };
    for op in ops {
        match op {
            Op::AddNode { node, .. } => seen.touched.extend(node.ids()),
            Op::RemoveNode { id } => seen.keep_below(tree, *id),
            Op::UpdateProps { .. } => {}
            Op::UpdateTask { id, .. } => {
                seen.keep(tree, *id);
                seen.touched.push(*id);
            }
            Op::ReplaceRoot { node } => {
                seen.keep_below(tree, tree.node(tree.root()).id);
                seen.touched.extend(node.ids());
            }
        }
    }
    seen
}

impl Touched {
    fn keep(&mut self, tree: &Tree, id: NodeId) {
        if let Some(told) = tree.find(id).and_then(|index| told(tree.node(index))) {
            self.before.insert(id, told);
        }
    }

    fn keep_below(&mut self, tree: &Tree, id: NodeId) {
        let Some(top) = tree.find(id) else { return };
        let below = tree.preorder(top).map(|index| tree.node(index));
        self.before.extend(below.filter_map(|node| Some((node.id, told(node)?))));
    }

    /// What is worth pointing at after the delta.
    pub(super) fn after(&self, tree: &Tree) -> Vec<MilestoneKind> {
        let now = |id: &NodeId| Some((*id, told(tree.node(tree.find(*id)?))?));
        let nodes = self.touched.iter().filter_map(now);
        nodes.filter_map(|(id, told)| self.milestone(id, &told)).collect()
    }

    fn milestone(&self, id: NodeId, now: &NodeSnapshot) -> Option<MilestoneKind> {
        let same =
            |before: &&NodeSnapshot| before.node_id == now.node_id && before.iteration == now.iteration;
        let before = self.before.get(&id).filter(same).map(|before| (&before.state, before.attempt));
        MilestoneKind::between(&now.node_id, now.iteration, before, (&now.state, now.attempt))
    }
}

fn told(node: &Node) -> Option<NodeSnapshot> {
    let task = node.task.as_ref()?;
    Some(NodeSnapshot {
        node_id: task.node_id.clone(),
        iteration: task.iteration.unwrap_or(0),
        state: task.state.clone()?,
        attempt: task.attempt,
    })
}
