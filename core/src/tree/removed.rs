//! The last known state of removed nodes.

use std::collections::{HashMap, VecDeque};

use super::apply::{Change, Undo};
use super::{Node, NodeId, NodeIndex, Tree};
use crate::tree::{Delta, InvalidDelta};

/// A removed node.
#[derive(Clone, Debug)]
pub struct RemovedNode {
    /// The node before its removal, with the server's row. It has neither parent nor children.
    pub node: Node,
    /// Its former parent.
    pub parent: Option<NodeId>,
    /// Its former position among the siblings, from 0.
    pub position: u32,
    /// The sequence number of the delta that removed it.
    pub left_at: f64,
}

/// The removed nodes of a tree, up to a limit: the oldest are dropped first.
///
/// ```
/// use runstate::tree::{Delta, RemovedNodes, NodeId, Tree};
///
/// let mut tree = Tree::from_json(
///     r#"{"id":1,"type":"workflow","name":"w","children":[{"id":2,"type":"task","name":"a"},{"id":3,"type":"task","name":"b"}]}"#,
/// )?;
/// let mut removed_nodes = RemovedNodes::new(1);
/// assert!(removed_nodes.is_empty());
/// for (seq, id) in [(4, 2), (5, 3)] {
///     let ops = format!(r#"[{{"op":"removeNode","id":{id}}}]"#);
///     let delta = format!(r#"{{"version":1,"baseSeq":{},"seq":{seq},"ops":{ops}}}"#, seq - 1);
///     tree.apply_keeping(&Delta::from_json(&delta)?, &mut removed_nodes)?;
/// }
/// assert_eq!(removed_nodes.len(), 1);
/// assert!(removed_nodes.get(NodeId(2)).is_none());
/// assert_eq!(removed_nodes.iter().map(|removed| removed.left_at).collect::<Vec<_>>(), [5.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RemovedNodes {
    by_id: HashMap<NodeId, RemovedNode>,
    /// In the order of removal. The id of a dropped node stays until its turn.
    order: VecDeque<(NodeId, f64)>,
    limit: usize,
}

impl RemovedNodes {
    /// Keeps at most `limit` nodes.
    pub fn new(limit: usize) -> Self {
        Self { by_id: HashMap::new(), order: VecDeque::new(), limit }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// The removed node with this id; `None` where it was never removed, was added again, or has been dropped.
    pub fn get(&self, id: NodeId) -> Option<&RemovedNode> {
        self.by_id.get(&id)
    }

    /// All removed nodes, in the order of removal.
    pub fn iter(&self) -> impl Iterator<Item = &RemovedNode> {
        let removed =
            |(id, left_at): &(NodeId, f64)| self.by_id.get(id).filter(|removed| removed.left_at == *left_at);
        self.order.iter().filter_map(removed)
    }

    fn keep(&mut self, removed: RemovedNode) {
        self.order.push_back((removed.node.id, removed.left_at));
        self.by_id.insert(removed.node.id, removed);
        while self.by_id.len() > self.limit || self.order.len() > 2 * self.limit + 1 {
            let Some((id, left_at)) = self.order.pop_front() else { return };
            if self.by_id.get(&id).is_some_and(|removed| removed.left_at == left_at) {
                self.by_id.remove(&id);
            }
        }
    }
}

impl Tree {
    /// Applies a delta as [`apply`](Self::apply) does, and keeps the removed nodes.
    ///
    /// ```
    /// use runstate::tree::Delta;
    /// use runstate::tree::{RemovedNodes, NodeId, Tree};
    ///
    /// let mut tree = Tree::from_json(
    ///     r#"{"id":1,"type":"workflow","name":"w","children":[{"id":2,"type":"task","name":"t","props":{"id":"a"}}]}"#,
    /// )?;
    /// let mut removed_nodes = RemovedNodes::new(100);
    /// let delta = r#"{"version":1,"baseSeq":3,"seq":4,"ops":[{"op":"removeNode","id":2}]}"#;
    /// tree.apply_keeping(&Delta::from_json(delta)?, &mut removed_nodes)?;
    /// assert_eq!(removed_nodes.get(NodeId(2)).map(|removed| removed.node.title()), Some("a"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`apply`](Self::apply); `removed_nodes` is then unchanged.
    pub fn apply_keeping(
        &mut self,
        delta: &Delta,
        removed_nodes: &mut RemovedNodes,
    ) -> Result<(), InvalidDelta> {
        let change = self.change(&delta.ops)?;
        self.record_change(&change, delta.seq, removed_nodes);
        self.commit(&change);
        Ok(())
    }

    /// Records the nodes that a change removes or adds again, before it is committed.
    fn record_change(&self, change: &Change, seq: f64, removed_nodes: &mut RemovedNodes) {
        let mut came = Vec::new();
        for step in change {
            match step {
                Undo::Removed { index, position } => {
                    self.record_removed(*index, *position, seq, removed_nodes);
                }
                Undo::Root { index, .. } => {
                    self.record_removed(*index, 0, seq, removed_nodes);
                    came.push(self.root());
                }
                Undo::Added(index) => came.push(*index),
                Undo::Props { .. } | Undo::Task { .. } => {}
            }
        }
        for index in came {
            for id in self.preorder(index).map(|index| self.node(index).id) {
                if self.find(id).is_some() {
                    removed_nodes.by_id.remove(&id);
                }
            }
        }
    }

    /// Records every node of a detached subtree that is no longer in the tree.
    fn record_removed(
        &self,
        top: NodeIndex,
        position: usize,
        left_at: f64,
        removed_nodes: &mut RemovedNodes,
    ) {
        for index in self.preorder(top) {
            let node = self.node(index);
            if self.find(node.id).is_some() {
                continue;
            }
            let parent = node.parent.map(|parent| self.node(parent));
            let siblings = parent.filter(|_| index != top).map(|parent| &parent.children);
            let place = siblings.and_then(|siblings| siblings.iter().position(|sibling| *sibling == index));
            removed_nodes.keep(RemovedNode {
                node: node.clone_alone(),
                parent: parent.map(|parent| parent.id),
                position: u32::try_from(place.unwrap_or(position)).unwrap_or(u32::MAX),
                left_at,
            });
        }
    }
}
