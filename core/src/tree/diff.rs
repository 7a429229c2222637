//! The operations from one tree to another, in upstream's order.

use std::collections::{HashMap, HashSet};
use std::fmt;

use super::json_eq::json_eq;
use super::{Delta, MAX_DEPTH, Node, NodeId, NodeIndex, Op, Snapshot, Tree};

/// Two snapshots of different runs have no delta between them.
///
/// ```
/// use runstate::tree::{DifferentRuns, Snapshot, diff_snapshots};
///
/// let snapshot = |run: &str| {
///     Snapshot::from_json(&format!(
///         r#"{{"version":1,"runId":"{run}","frameNo":1,"seq":1,"root":{{"id":1,"type":"workflow","name":"w"}}}}"#
///     ))
/// };
/// assert_eq!(diff_snapshots(&snapshot("a")?, &snapshot("b")?).unwrap_err(), DifferentRuns);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DifferentRuns;

impl fmt::Display for DifferentRuns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cannot diff snapshots from different runs.")
    }
}

impl std::error::Error for DifferentRuns {}

/// The delta from one snapshot to another, step for step upstream's `diffSnapshots`.
///
/// ```
/// use runstate::tree::{Snapshot, diff_snapshots};
///
/// let snapshot = |seq, state| {
///     Snapshot::from_json(&format!(
///         r#"{{"version":1,"runId":"r","frameNo":{seq},"seq":{seq},"root":{{"id":1,"type":"task","name":"task",
///             "props":{{}},"task":{{"nodeId":"a","kind":"agent","state":"{state}"}},"children":[],"depth":0}}}}"#
///     ))
/// };
/// let (mut a, b) = (snapshot(4, "pending")?, snapshot(5, "finished")?);
/// let delta = diff_snapshots(&a, &b)?;
/// assert_eq!(
///     delta.to_json(),
///     r#"{"version":1,"baseSeq":4,"seq":5,"ops":[{"op":"updateTask","id":1,"task":{"nodeId":"a","kind":"agent","state":"finished"}}]}"#
/// );
/// a.apply(&delta)?;
/// assert_eq!(a.tree.to_json(), b.tree.to_json());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`DifferentRuns`].
pub fn diff_snapshots(a: &Snapshot, b: &Snapshot) -> Result<Delta, DifferentRuns> {
    if a.run_id != b.run_id {
        return Err(DifferentRuns);
    }
    Ok(Delta { version: 1.0, base_seq: a.seq, seq: b.seq, ops: a.tree.diff(&b.tree) })
}

/// The position of a node in the tree.
struct Place {
    index: NodeIndex,
    parent: Option<NodeId>,
    position: usize,
}

/// The nodes of a tree by id, and the ids in reading order. As upstream: a duplicate id has its first node's position in
/// the order and its last node's in the map.
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
    fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let parent = |id: &NodeId| self.by_id.get(id).and_then(|place| place.parent);
        std::iter::successors(parent(&id), move |id| parent(id)).take(MAX_DEPTH as usize + 1)
    }
}

impl Tree {
    /// The operations that turn this tree into the other one.
    ///
    /// They are upstream's, in upstream's order: removed and moved nodes are removed (deepest first), new and moved nodes
    /// are added (shallowest and leftmost first), then properties and tasks are updated in reading order. A root with
    /// another id, type, name or depth replaces the whole tree. Each id must be unique: a duplicate id is treated as in
    /// upstream, and the operations may then produce another tree.
    pub(crate) fn diff(&self, to: &Self) -> Vec<Op> {
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
                push_updates(*id, old_node, new_node, &mut updates);
            }
        }
        let fresh = to_places.order.iter().filter(|id| !from_places.by_id.contains_key(id));
        added.extend(fresh.filter_map(|id| Some((*id, to_places.by_id.get(id)?))));
        removed.sort_by_key(|(_, place)| std::cmp::Reverse(self.node(place.index).depth));
        let leaving = removed.into_iter().map(|(id, _)| Op::RemoveNode { id });
        leaving.chain(to.add_ops(&to_places, added)).chain(updates).collect()
    }

    /// The updates if no node was added, removed or moved, which is the usual case and needs no lookup of ids. `None` in
    /// any other case, and for duplicate ids.
    fn diff_in_place(&self, to: &Self) -> Option<Vec<Op>> {
        let (mut ids, mut updates) = (Vec::with_capacity(self.nodes.len()), Vec::new());
        let mut others = to.preorder(to.root());
        for index in self.preorder(self.root()) {
            let (old, new) = (self.node(index), to.node(others.next()?));
            // The same ids in the same order, with the same number of children, have the same positions.
            if old.id != new.id || old.children.len() != new.children.len() || !same_shape(old, new) {
                return None;
            }
            ids.push(old.id);
            push_updates(old.id, old, new, &mut updates);
        }
        ids.sort_unstable();
        let unique = ids.windows(2).all(|pair| pair[0] != pair[1]);
        unique.then_some(updates)
    }

    /// The operations for added nodes whose ancestors are not added as well.
    fn add_ops(&self, places: &Places, mut added: Vec<(NodeId, &Place)>) -> Vec<Op> {
        let all: HashSet<NodeId> = added.iter().map(|(id, _)| *id).collect();
        added.retain(|(id, _)| !places.ancestors(*id).any(|above| all.contains(&above)));
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

fn push_updates(id: NodeId, old: &Node, new: &Node, updates: &mut Vec<Op>) {
    if !json_eq(old.props(), new.props()) {
        updates.push(Op::UpdateProps { id, props: new.props.clone() });
    }
    let same_task = match (&old.task, &new.task) {
        (Some(old), Some(new)) => json_eq(old.json(), new.json()),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    if !same_task {
        updates.push(Op::UpdateTask { id, task: new.task.clone() });
    }
}
