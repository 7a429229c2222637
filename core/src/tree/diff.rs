//! The operations from one tree to another, in upstream's order.

use std::collections::{HashMap, HashSet};

use super::same::same_json;
use super::{MAX_DEPTH, Node, NodeId, NodeIndex, Tree};
use crate::tree::Op;

/// The place of a node in the tree.
struct Place {
    index: NodeIndex,
    parent: Option<NodeId>,
    position: usize,
}

/// The nodes of a tree by id, and the ids in reading order. As upstream: a duplicate id has its first node's place in the
/// order and its last node's in the map.
struct Places {
    order: Vec<NodeId>,
    by_id: HashMap<NodeId, Place>,
}

impl Places {
    fn new(tree: &Tree) -> Self {
        let mut places = Self { order: Vec::new(), by_id: HashMap::with_capacity(tree.len()) };
        let mut open = vec![Place { index: tree.root(), parent: None, position: 0 }];
        while let Some(place) = open.pop() {
            let node = tree.node(place.index);
            let below = node.children.iter().enumerate().rev();
            open.extend(below.map(|(position, child)| Place {
                index: *child,
                parent: Some(node.id),
                position,
            }));
            if places.by_id.insert(node.id, place).is_none() {
                places.order.push(node.id);
            }
        }
        places
    }

    /// The ids of a node's ancestors. Duplicate ids can form a cycle, so the depth of a tree bounds the path.
    fn above(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let parent = |id: &NodeId| self.by_id.get(id).and_then(|place| place.parent);
        std::iter::successors(parent(&id), move |id| parent(id)).take(MAX_DEPTH as usize + 1)
    }
}

impl Tree {
    /// The operations that turn this tree into the other one.
    ///
    /// They are upstream's, in upstream's order: what left or moved is removed (deepest first), what came or moved is
    /// added (shallowest and leftmost first), then properties and tasks are updated in reading order. A root with
    /// another id, type, name or depth replaces everything. Each id must be there once: an id that is there twice is
    /// treated as upstream treats it, and the steps may then lead elsewhere.
    ///
    /// ```
    /// use runstate::tree::{Op, Tree};
    ///
    /// let before = Tree::from_json(r#"{"id":1,"type":"workflow","name":"demo","children":[]}"#)?;
    /// let after = Tree::from_json(
    ///     r#"{"id":1,"type":"workflow","name":"demo","children":[{"id":2,"type":"task","name":"t","depth":1}]}"#,
    /// )?;
    /// assert!(matches!(&before.diff(&after)[..], [Op::AddNode { index: 0.0, .. }]));
    /// assert!(after.diff(&after).is_empty());
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn diff(&self, to: &Self) -> Vec<Op> {
        let (old_root, new_root) = (self.node(self.root()), to.node(to.root()));
        if old_root.id != new_root.id || !same_shape(old_root, new_root) {
            return vec![Op::ReplaceRoot { node: to.subtree(to.root()) }];
        }
        if let Some(updates) = self.diff_in_place(to) {
            return updates;
        }
        let (from_places, to_places) = (Places::new(self), Places::new(to));
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        let mut updates = Vec::new();
        for id in &from_places.order {
            let Some(old) = from_places.by_id.get(id) else { continue };
            let Some(new) = to_places.by_id.get(id) else {
                removed.push((*id, old));
                continue;
            };
            let (old_node, new_node) = (self.node(old.index), to.node(new.index));
            if (old.parent, old.position) != (new.parent, new.position) || !same_shape(old_node, new_node) {
                removed.push((*id, old));
                added.push((*id, new));
            } else {
                update(*id, old_node, new_node, &mut updates);
            }
        }
        let fresh = to_places.order.iter().filter(|id| !from_places.by_id.contains_key(id));
        added.extend(fresh.filter_map(|id| Some((*id, to_places.by_id.get(id)?))));
        removed.sort_by_key(|(_, place)| std::cmp::Reverse(self.node(place.index).depth));
        let leaving = removed.into_iter().map(|(id, _)| Op::RemoveNode { id });
        leaving.chain(to.adds(&to_places, added)).chain(updates).collect()
    }

    /// The updates where no node was added, removed or moved, the usual case: found without looking up ids. `None` in any other
    /// case, and where an id is duplicate.
    fn diff_in_place(&self, to: &Self) -> Option<Vec<Op>> {
        let (mut ids, mut updates) = (Vec::with_capacity(self.nodes.len()), Vec::new());
        let mut others = to.preorder(to.root());
        for index in self.preorder(self.root()) {
            let (old, new) = (self.node(index), to.node(others.next()?));
            // The same ids in the same order with as many children each stand in the same places.
            if old.id != new.id || old.children.len() != new.children.len() || !same_shape(old, new) {
                return None;
            }
            ids.push(old.id);
            update(old.id, old, new, &mut updates);
        }
        ids.sort_unstable();
        let unique = ids.windows(2).all(|pair| pair[0] != pair[1]);
        unique.then_some(updates)
    }

    /// The operations for added nodes whose ancestors are not added as well.
    fn adds(&self, places: &Places, mut added: Vec<(NodeId, &Place)>) -> Vec<Op> {
        let all: HashSet<NodeId> = added.iter().map(|(id, _)| *id).collect();
        added.retain(|(id, _)| !places.above(*id).any(|above| all.contains(&above)));
        added.sort_by_key(|(_, place)| (self.node(place.index).depth, place.position));
        let op = |(_, place): (NodeId, &Place)| {
            let node = self.subtree(place.index);
            Some(Op::AddNode { parent: place.parent?, index: place.position as f64, node })
        };
        added.into_iter().filter_map(op).collect()
    }
}

fn same_shape(a: &Node, b: &Node) -> bool {
    a.node_type == b.node_type && a.name == b.name && a.depth == b.depth
}

fn update(id: NodeId, old: &Node, new: &Node, updates: &mut Vec<Op>) {
    if !same_json(old.props(), new.props()) {
        updates.push(Op::UpdateProps { id, props: new.props.clone() });
    }
    let same_task = match (&old.task, &new.task) {
        (Some(old), Some(new)) => same_json(old.json(), new.json()),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    if !same_task {
        updates.push(Op::UpdateTask { id, task: new.task.clone() });
    }
}
