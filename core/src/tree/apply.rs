//! A delta in place: all of it, or nothing.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::join::belongs;
use super::node::Props;
use super::{Ids, MAX_DEPTH, Node, NodeId, NodeIndex, Subtree, Task, Tree};
use crate::inspection::NodeStatus;
use crate::smithers::{Delta, InvalidDelta, Op};

/// How to take one step back.
enum Undo {
    Added(NodeIndex),
    Removed { index: NodeIndex, position: usize },
    Props { index: NodeIndex, old: Props },
    Task { index: NodeIndex, old: Box<(Option<Task>, Option<NodeStatus>)> },
    Root { index: NodeIndex, ids: OnceLock<Ids> },
}

impl Tree {
    /// Applies a delta. The header's `baseSeq` is the [`Snapshot`](crate::smithers::Snapshot)'s to check.
    ///
    /// A node that the delta removes and adds again (that is how the server moves one) keeps the row that was joined onto
    /// it.
    ///
    /// # Errors
    /// [`InvalidDelta`] where an operation names a node that is not there, removes the root, or makes the tree deeper than
    /// [`MAX_DEPTH`]. The tree is then as it was.
    pub fn apply(&mut self, delta: &Delta) -> Result<(), InvalidDelta> {
        let (mut undo, duplicates) = (Vec::with_capacity(delta.ops.len()), self.ids().duplicates);
        self.counts = OnceLock::new();
        for op in &delta.ops {
            if let Err(error) = self.apply_op(op, &mut undo) {
                for step in undo.into_iter().rev() {
                    self.undo(step);
                }
                if let Some(ids) = self.ids.get_mut() {
                    ids.duplicates = duplicates;
                }
                return Err(error);
            }
        }
        self.carry_rows(&undo);
        for step in &undo {
            self.commit(step);
        }
        Ok(())
    }

    fn apply_op(&mut self, op: &Op, undo: &mut Vec<Undo>) -> Result<(), InvalidDelta> {
        match op {
            Op::AddNode { parent, index, node } => undo.push(self.add(*parent, *index, node)?),
            Op::RemoveNode { id } => undo.push(self.remove(*id)?),
            Op::UpdateProps { id, props } => {
                let index = self.known(*id)?;
                let old = std::mem::replace(&mut self.node_mut(index).props, props.clone());
                undo.push(Undo::Props { index, old });
            }
            Op::UpdateTask { id, task } => {
                let index = self.known(*id)?;
                let node = self.node_mut(index);
                let old = Box::new((std::mem::replace(&mut node.task, task.clone()), node.status.clone()));
                node.status = node.status.take().filter(|row| belongs(node, row));
                undo.push(Undo::Task { index, old });
            }
            Op::ReplaceRoot { node } => {
                let ids = std::mem::replace(&mut self.ids, Ids::default().into());
                let index = std::mem::replace(&mut self.root, NodeIndex::new(0));
                self.root = self.insert(node);
                undo.push(Undo::Root { index, ids });
            }
        }
        Ok(())
    }

    fn known(&self, id: NodeId) -> Result<NodeIndex, InvalidDelta> {
        self.find(id).ok_or_else(|| InvalidDelta::new(format!("Unknown node id: {}", id.0)))
    }

    fn add(&mut self, parent: NodeId, index: f64, subtree: &Subtree) -> Result<Undo, InvalidDelta> {
        let Some(parent) = self.find(parent) else {
            return Err(InvalidDelta::new(format!("Unknown parent id: {}", parent.0)));
        };
        if self.level(parent) + 1 + subtree.height() > MAX_DEPTH {
            return Err(InvalidDelta::new(format!("The tree would be deeper than {MAX_DEPTH} levels.")));
        }
        let added = self.insert(subtree);
        self.node_mut(added).parent = Some(parent);
        let siblings = &mut self.node_mut(parent).children;
        // As upstream: the place is clamped into the list, a fraction is cut.
        let place = (index.max(0.0) as usize).min(siblings.len());
        siblings.insert(place, added);
        Ok(Undo::Added(added))
    }

    fn remove(&mut self, id: NodeId) -> Result<Undo, InvalidDelta> {
        let index = self.known(id)?;
        let Some(parent) = self.node(index).parent else {
            return Err(InvalidDelta::new("Cannot remove the root node."));
        };
        let siblings = &mut self.node_mut(parent).children;
        let position = siblings.iter().position(|sibling| *sibling == index).unwrap_or(siblings.len());
        if position < siblings.len() {
            siblings.remove(position);
        }
        self.forget(index);
        Ok(Undo::Removed { index, position })
    }

    /// How far below the root a node stands, by the structure.
    fn level(&self, index: NodeIndex) -> u32 {
        let above = std::iter::successors(self.node(index).parent, |above| self.node(*above).parent);
        u32::try_from(above.count()).unwrap_or(u32::MAX)
    }

    /// Copies a subtree into the arena, without a parent yet.
    fn insert(&mut self, subtree: &Subtree) -> NodeIndex {
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
        // A subtree has at least its own root.
        slots.first().copied().unwrap_or(self.root)
    }

    fn register(&mut self, id: NodeId, index: NodeIndex) {
        if let Some(ids) = self.ids.get_mut() {
            ids.add(id, index);
        }
    }

    /// Takes the ids of a detached subtree out of the index.
    fn forget(&mut self, index: NodeIndex) {
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
    fn release(&mut self, index: NodeIndex) {
        let below: Vec<NodeIndex> = self.preorder(index).collect();
        for index in below {
            let node = self.node_mut(index);
            (node.task, node.status, node.props) = (None, None, Props::default());
            (node.name, node.children) = (String::new(), Vec::new());
            self.free.push(index);
        }
    }

    fn undo(&mut self, step: Undo) {
        match step {
            Undo::Added(index) => {
                if let Some(parent) = self.node(index).parent {
                    self.node_mut(parent).children.retain(|child| *child != index);
                }
                self.forget(index);
                self.release(index);
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
                self.release(self.root);
                self.root = index;
                self.ids = ids;
            }
        }
    }

    fn commit(&mut self, step: &Undo) {
        match step {
            Undo::Removed { index, .. } | Undo::Root { index, .. } => self.release(*index),
            Undo::Added(_) | Undo::Props { .. } | Undo::Task { .. } => {}
        }
    }

    /// Gives the rows of removed nodes to the nodes that were added with the same id.
    fn carry_rows(&mut self, steps: &[Undo]) {
        let mut rows: HashMap<NodeId, NodeStatus> = HashMap::new();
        for step in steps {
            if let Undo::Removed { index, .. } | Undo::Root { index, .. } = step {
                let gone = self.preorder(*index).map(|index| self.node(index));
                rows.extend(gone.filter_map(|node| Some((node.id, node.status.clone()?))));
            }
        }
        for (id, row) in rows {
            let Some(index) = self.find(id) else { continue };
            let node: &mut Node = self.node_mut(index);
            if node.status.is_none() && belongs(node, &row) {
                node.status = Some(row);
            }
        }
    }
}
