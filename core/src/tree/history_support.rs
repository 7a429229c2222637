//! Copies of trees for the history.

use crate::json::Token;
use std::sync::Arc;

use super::{Node, NodeIndex, Subtree, Task, Tree};
use crate::json::{Slice, Writer};
use crate::text::slice;
use crate::tree::Op;

impl Tree {
    /// A copy without the server's rows.
    pub(crate) fn copy(&self) -> Self {
        Self::new(self.subtree(self.root()))
    }

    /// Turns this tree into another one and reuses nodes of the same shape.
    pub(crate) fn reset_to(mut self, other: &Subtree) -> Self {
        let order: Vec<NodeIndex> = self.preorder(self.root).collect();
        let same_shape = |(index, other): (&NodeIndex, &Node)| {
            let node = self.node(*index);
            node.id == other.id
                && node.children.len() == other.children.len()
                && node.depth == other.depth
                && node.node_type == other.node_type
                && node.name == other.name
        };
        if order.len() != other.len() || !order.iter().zip(other.nodes()).all(same_shape) {
            return Self::new(other.clone());
        }
        self.counts.take();
        for (index, other) in order.into_iter().zip(other.nodes()) {
            let node = self.node_mut(index);
            if !node.props.is(&other.props) {
                node.props = other.props.clone();
            }
            if node.task.as_ref().map(Arc::as_ptr) != other.task.as_ref().map(Arc::as_ptr) {
                node.task.clone_from(&other.task);
            }
            node.member_order = other.member_order.clone();
        }
        self
    }

    /// Whether the tree ever contained a duplicate id.
    pub(crate) fn has_duplicates(&self) -> bool {
        self.ids().duplicates
    }

    /// Applies operations that are known to fit this tree.
    pub(crate) fn apply_valid(&mut self, ops: &[Op]) {
        if let Ok(change) = self.apply_ops(ops) {
            self.commit(&change);
        }
    }

    /// Clears the states of all nodes and the other time-dependent task fields.
    pub(crate) fn clear_states(&mut self) {
        self.counts.take();
        for node in &mut self.nodes {
            node.status = None;
            node.task = node.task.as_ref().map(|task| Arc::new(task.without_state()));
        }
    }
}

impl Subtree {
    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes().len()
    }

    /// The ids of all nodes.
    pub(crate) fn ids(&self) -> impl Iterator<Item = super::NodeId> {
        self.nodes().iter().map(|node| node.id)
    }
}

/// The time-dependent fields of a task, which are not part of the workflow.
const STATE_FIELDS: [&str; 4] = ["state", "attempt", "agentRan", "agentSummary"];

impl Task {
    /// The task without its time-dependent fields.
    pub(crate) fn without_state(&self) -> Self {
        let mut out = Writer::default();
        out.object(|out| {
            for (key, value) in members(self.json()) {
                if !STATE_FIELDS.contains(&key.as_str()) {
                    out.key(&key).raw(&value);
                }
            }
        });
        self.with(None, None, &out.finish())
    }
}

/// The members of a JSON object in their order; empty for any other value.
pub(crate) fn members(json: &str) -> Vec<(String, String)> {
    let mut reader = Slice::new(json).reader();
    let mut found = Vec::new();
    while let Ok(Some(token)) = reader.next() {
        if let Token::Key(key) = token {
            let key = key.decode().into_owned();
            let Ok((begin, end)) = reader.skip_value() else { break };
            found.push((key, slice(json, begin..end).to_owned()));
        }
    }
    found
}
