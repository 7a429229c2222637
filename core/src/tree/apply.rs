//! Applies a delta in place, completely or not at all.

use std::sync::{Arc, OnceLock};

use super::join::is_row_of;
use super::member_order::MemberOrder;
use super::node::Props;
use super::rollup::Counts;
use super::{Ids, MAX_DEPTH, NodeId, NodeIndex, Subtree, Task, Tree};
use crate::smithers::wire::NodeStatus;
use crate::tree::{Delta, InvalidDelta, Op};

/// How to undo one operation.
pub(super) enum Undo {
    Added(NodeIndex),
    Removed { index: NodeIndex, position: usize },
    Props { index: NodeIndex, old: Props },
    Task { index: NodeIndex, old: Box<(Option<Arc<Task>>, Option<NodeStatus>)> },
    Root { index: NodeIndex, ids: OnceLock<Ids> },
}

/// The operations applied so far, so that they can be undone.
pub(super) type Change = Vec<Undo>;

impl Tree {
    /// Applies a delta. The [`Snapshot`](crate::tree::Snapshot) checks the header's `baseSeq`.
    ///
    /// A node that the delta removes and adds again (the server's way to move nodes) keeps its joined row.
    ///
    /// ```
    /// use runstate::tree::{Delta, Tree};
    ///
    /// let mut tree = Tree::from_json(r#"{"id":1,"type":"workflow","name":"demo","children":[]}"#)?;
    /// let unknown = r#"{"version":1,"baseSeq":3,"seq":4,"ops":[
    ///     {"op":"updateProps","id":1,"props":{"name":"new"}}, {"op":"removeNode","id":7}]}"#;
    /// // The first operation is valid, the second names an unknown node: nothing is changed.
    /// assert_eq!(tree.apply(&Delta::from_json(unknown)?).unwrap_err().message, "Unknown node id: 7");
    /// assert_eq!(tree.node(tree.root()).props(), "{}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidDelta`] if an operation refers to an unknown node, removes the root, or makes the tree deeper than
    /// `MAX_DEPTH` (257). The tree is then unchanged.
    pub fn apply(&mut self, delta: &Delta) -> Result<(), InvalidDelta> {
        let change = self.apply_ops(&delta.ops)?;
        self.commit(&change);
        Ok(())
    }

    /// Applies all operations, or none.
    pub(super) fn apply_ops(&mut self, ops: &[Op]) -> Result<Change, InvalidDelta> {
        let mut change = Change::with_capacity(ops.len());
        for op in ops {
            if let Err(error) = self.apply_op(op, &mut change) {
                self.roll_back(change);
                return Err(error);
            }
        }
        Ok(change)
    }

    /// Undoes all operations of a change.
    pub(super) fn roll_back(&mut self, change: Change) {
        // Invalid deltas are rare, so the counts are computed again.
        self.counts.take();
        for step in change.into_iter().rev() {
            self.undo(step);
        }
    }

    /// Ends a change and frees the removed nodes.
    pub(super) fn commit(&mut self, change: &Change) {
        self.restore_rows(change);
        for step in change {
            match step {
                Undo::Removed { index, .. } | Undo::Root { index, .. } => self.free_slots(*index),
                Undo::Added(_) | Undo::Props { .. } | Undo::Task { .. } => {}
            }
        }
    }

    /// Applies one operation. A refused one does nothing; the caller rolls back those before it.
    pub(super) fn apply_op(&mut self, op: &Op, change: &mut Change) -> Result<(), InvalidDelta> {
        let step = match op {
            Op::AddNode { parent, index, node } => self.add_node(*parent, *index, node)?,
            Op::RemoveNode { id } => self.remove_node(*id)?,
            Op::UpdateProps { id, props } => {
                let index = self.index_of(*id)?;
                let old = std::mem::replace(&mut self.node_mut(index).props, props.clone());
                Undo::Props { index, old }
            }
            Op::UpdateTask { id, task } => {
                let index = self.index_of(*id)?;
                let before = Counts::from_node(self.node(index));
                let node = self.node_mut(index);
                if node.task.is_none() && task.is_some() {
                    // This is not undone: without a task its position has no effect.
                    node.member_order.add_task();
                }
                let old = (std::mem::replace(&mut node.task, task.clone()), node.status.clone());
                node.status = node.status.take().filter(|row| is_row_of(node, row));
                self.recount_node(index, before);
                Undo::Task { index, old: Box::new(old) }
            }
            Op::ReplaceRoot { node } => {
                // Built before any slot is freed, because it cannot be built later.
                self.ids();
                let ids = std::mem::replace(&mut self.ids, Ids::default().into());
                let index = std::mem::replace(&mut self.root, NodeIndex::new(0));
                self.root = self.insert(node);
                Undo::Root { index, ids }
            }
        };
        change.push(step);
        Ok(())
    }

    fn index_of(&self, id: NodeId) -> Result<NodeIndex, InvalidDelta> {
        self.find(id).ok_or_else(|| InvalidDelta::new(format!("Unknown node id: {}", id.0)))
    }

    fn add_node(&mut self, parent: NodeId, index: f64, subtree: &Subtree) -> Result<Undo, InvalidDelta> {
        let Some(parent) = self.find(parent) else {
            return Err(InvalidDelta::new(format!("Unknown parent id: {}", parent.0)));
        };
        if self.depth_of(parent) + 1 + subtree.height() > MAX_DEPTH {
            return Err(InvalidDelta::new(format!("The tree would be deeper than {MAX_DEPTH} levels.")));
        }
        let added = self.insert(subtree);
        self.node_mut(added).parent = Some(parent);
        let siblings = &mut self.node_mut(parent).children;
        // As upstream: the index is truncated and clamped to the list.
        let place = (index.max(0.0) as usize).min(siblings.len());
        siblings.insert(place, added);
        self.recount(Some(parent), &self.counts_or_zero(added));
        Ok(Undo::Added(added))
    }

    fn remove_node(&mut self, id: NodeId) -> Result<Undo, InvalidDelta> {
        let index = self.index_of(id)?;
        let Some(parent) = self.node(index).parent else {
            return Err(InvalidDelta::new("Cannot remove the root node."));
        };
        let siblings = &mut self.node_mut(parent).children;
        let position = siblings.iter().position(|sibling| *sibling == index).unwrap_or(siblings.len());
        if position < siblings.len() {
            siblings.remove(position);
        }
        self.unregister(index);
        self.recount(Some(parent), &Counts::default().minus(&self.counts_or_zero(index)));
        Ok(Undo::Removed { index, position })
    }

    /// The depth of a node below the root, by the structure.
    fn depth_of(&self, index: NodeIndex) -> u32 {
        u32::try_from(self.ancestors(index).count()).unwrap_or(u32::MAX)
    }

    /// Copies a subtree into the arena, without a parent yet.
    pub(super) fn insert(&mut self, subtree: &Subtree) -> NodeIndex {
        let count = subtree.nodes().len();
        let mut slots: Vec<NodeIndex> = self.free.split_off(self.free.len().saturating_sub(count));
        let fresh = self.nodes.len()..self.nodes.len() + count - slots.len();
        slots.extend(fresh.map(NodeIndex::new));
        for (node, slot) in subtree.nodes().iter().zip(&slots) {
            let mut node = node.clone();
            node.parent = node.parent.map(|parent| slots[parent.slot()]);
            node.children.iter_mut().for_each(|child| *child = slots[child.slot()]);
            self.register(node.id, *slot);
            match self.nodes.get_mut(slot.slot()) {
                Some(place) => *place = node,
                None => self.nodes.push(node),
            }
        }
        self.count_inserted(&slots);
        // A subtree has at least its own root.
        slots.first().copied().unwrap_or(self.root)
    }

    fn register(&mut self, id: NodeId, index: NodeIndex) {
        if let Some(ids) = self.ids.get_mut() {
            ids.add(id, index);
        }
    }

    /// Removes the ids of a detached subtree from the index.
    fn unregister(&mut self, index: NodeIndex) {
        let below: Vec<NodeIndex> = self.preorder(index).collect();
        let Some(ids) = self.ids.get_mut() else { return };
        for index in below {
            let Some(node) = self.nodes.get(index.slot()) else { continue };
            if ids.first.get(&node.id) == Some(&index) {
                ids.first.remove(&node.id);
            }
        }
    }

    /// Frees the slots of a detached subtree.
    fn free_slots(&mut self, index: NodeIndex) {
        let below: Vec<NodeIndex> = self.preorder(index).collect();
        for index in below {
            let node = self.node_mut(index);
            (node.task, node.status, node.props) = (None, None, Props::default());
            (node.name, node.children, node.member_order) =
                (String::new(), Vec::new(), MemberOrder::default());
            self.free.push(index);
        }
    }

    fn undo(&mut self, step: Undo) {
        match step {
            Undo::Added(index) => {
                if let Some(parent) = self.node(index).parent {
                    self.node_mut(parent).children.retain(|child| *child != index);
                }
                self.unregister(index);
                self.free_slots(index);
            }
            Undo::Removed { index, position } => {
                if let Some(parent) = self.node(index).parent {
                    self.node_mut(parent).children.insert(position, index);
                }
                let below: Vec<NodeIndex> = self.preorder(index).collect();
                for index in below {
                    self.register(self.node(index).id, index);
                }
            }
            Undo::Props { index, old } => self.node_mut(index).props = old,
            Undo::Task { index, old } => {
                let node = self.node_mut(index);
                (node.task, node.status) = *old;
            }
            Undo::Root { index, ids } => {
                self.free_slots(self.root);
                self.root = index;
                self.ids = ids;
            }
        }
    }

    /// Gives the rows of removed nodes to the nodes that were added with the same id.
    fn restore_rows(&mut self, steps: &[Undo]) {
        let mut rows: Vec<(NodeId, NodeStatus)> = Vec::new();
        for step in steps {
            if let Undo::Removed { index, .. } | Undo::Root { index, .. } = step {
                let gone = self.preorder(*index).map(|index| self.node(index));
                rows.extend(gone.filter_map(|node| Some((node.id, node.status.clone()?))));
            }
        }
        for (id, row) in rows {
            let Some(index) = self.find(id) else { continue };
            let before = Counts::from_node(self.node(index));
            let node = self.node_mut(index);
            if node.status.is_none() && is_row_of(node, &row) {
                node.status = Some(row);
                self.recount_node(index, before);
            }
        }
    }
}
