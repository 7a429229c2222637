//! The id-indexed tree of a run's nodes.
//!
//! One arena that deltas change in place: no clone of the tree, no search from the root. Reading and walking never
//! recurse, so a deep tree cannot exhaust the small stack of a WebAssembly module. A node has two ids. [`NodeId`] is the
//! wire's: a hash of the node's path; deltas refer to it. The author's id ([`Node::node_id`]) is shown to people and used
//! to join the rows of `listNodeStates` ([`Tree::join`]), since the states inside the tree lag. A [`NodeIndex`] is a
//! node's position in one tree until its next change.
//!
//! A screen uses [`Tree::outline`] (visible rows by number) and [`Tree::rollup`] (the counts of a collapsed row).

mod apply;
mod delta;
mod diff;
mod history_support;
mod join;
mod json;
mod json_eq;
mod member_order;
mod node;
mod node_json;
mod outline;
mod rollup;
mod snapshot;

use std::collections::HashMap;
use std::sync::OnceLock;

pub(crate) use delta::read_delta;
pub use delta::{Delta, InvalidDelta, Op};
pub use diff::{DifferentRuns, diff_snapshots};
pub(crate) use history_support::members;
pub(crate) use join::split_iteration;
pub use json::Subtree;
pub(crate) use json::{read_id, read_subtree};
pub(crate) use json_eq::json_eq;
pub use node::{Node, Props, Task};
pub(crate) use node::{read_props, read_task};
pub(crate) use outline::Subset;
pub use outline::{Outline, Row};
pub use rollup::Rollup;
pub use snapshot::Snapshot;
pub(crate) use snapshot::read_snapshot;

use crate::json::{ReadError, Slice};
use rollup::Counts;

/// Maximum depth of a node below the root. The server stops at 256 and adds a `[MaxDepth]` marker one level below.
pub(crate) const MAX_DEPTH: u32 = 257;

/// Maximum number of nodes of a tree, which bounds the memory of a pasted document.
///
/// A run of 50 000 nodes is far below it.
pub(crate) const MAX_NODES: usize = 500_000;

/// A node's id on the wire: a hash of its path from the root (protocol section 3.4).
///
/// ```
/// use runstate::tree::{NodeId, Tree};
///
/// let tree = Tree::from_json(r#"{"id":1829311041,"type":"workflow","name":"demo","children":[]}"#)?;
/// assert_eq!(tree.find(NodeId(1_829_311_041)), Some(tree.root()));
/// assert_eq!(tree.find(NodeId(7)), None);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct NodeId(pub i64);

/// A node's position in one [`Tree`]. It is valid until the next change of that tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeIndex(u32);

impl NodeIndex {
    pub(crate) fn new(slot: usize) -> Self {
        // A tree has at most `MAX_NODES` and the nodes of deltas; memory ends before a u32 does.
        debug_assert!(u32::try_from(slot).is_ok(), "a tree of more than {} nodes", u32::MAX);
        Self(u32::try_from(slot).unwrap_or(u32::MAX))
    }

    pub(crate) fn slot(self) -> usize {
        self.0 as usize
    }
}

/// The nodes of a run.
///
/// ```
/// use runstate::tree::{NodeId, Tree};
///
/// let tree = Tree::from_json(
///     r#"{"id":1,"type":"workflow","name":"demo","props":{},"depth":0,"children":[
///         {"id":2,"type":"timer","name":"timer","props":{"id":"nap"},"children":[],"depth":1}]}"#,
/// )?;
/// assert_eq!(tree.len(), 2);
/// assert_eq!(tree.node(tree.find(NodeId(2)).unwrap()).name, "timer");
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Unused slots of `nodes`.
    free: Vec<NodeIndex>,
    root: NodeIndex,
    /// Built on first use: reading the nodes in order does not need it.
    ids: OnceLock<Ids>,
    counts: OnceLock<Vec<Counts>>,
}

/// The index of the ids.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ids {
    first: HashMap<NodeId, NodeIndex>,
    /// Whether some id occurred twice: then the first in reading order counts and the map is not used. This is not reset,
    /// even if the delta with the second was invalid.
    duplicates: bool,
}

impl Ids {
    fn add(&mut self, id: NodeId, index: NodeIndex) {
        let holder = *self.first.entry(id).or_insert(index);
        self.duplicates |= holder != index;
    }
}

impl Tree {
    /// Reads the root node of a snapshot with all nodes below it.
    ///
    /// A node needs `id`, `type` and `name`; an unknown type is kept verbatim.
    ///
    /// ```
    /// use runstate::tree::Tree;
    ///
    /// let tree = Tree::from_json(r#"{"id":1,"type":"quantum-loop","name":"demo","children":[]}"#)?;
    /// assert_eq!(tree.node(tree.root()).node_type.as_str(), "quantum-loop");
    /// assert!(Tree::from_json(r#"{"id":1,"type":"workflow"}"#).is_err());
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the JSON is broken, a node lacks `id`, `type` or `name`, or the tree is deeper than
    /// `MAX_DEPTH` (257).
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        read_subtree(Slice::new(json)).map(Self::new)
    }

    /// Makes a tree from a subtree.
    pub(crate) fn new(subtree: Subtree) -> Self {
        Self {
            nodes: subtree.into_nodes(),
            free: Vec::new(),
            root: NodeIndex(0),
            ids: OnceLock::new(),
            counts: OnceLock::new(),
        }
    }

    /// The number of nodes; 0 for the placeholder of a run without a frame.
    pub fn len(&self) -> usize {
        if self.is_empty() { 0 } else { self.nodes.len() - self.free.len() }
    }

    /// Whether the tree contains only the zero frame's placeholder `{id: 0, name: "(empty)"}`.
    ///
    /// ```
    /// use runstate::tree::Tree;
    ///
    /// let tree = Tree::from_json(r#"{"id":0,"type":"workflow","name":"(empty)","children":[]}"#)?;
    /// assert!(tree.is_empty());
    /// assert_eq!(tree.len(), 0);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        let root = self.node(self.root);
        root.id == NodeId(0) && root.name == "(empty)" && root.children.is_empty()
    }

    /// The root.
    pub fn root(&self) -> NodeIndex {
        self.root
    }

    /// The node at an index of this tree, valid until its next change.
    ///
    /// ```
    /// use runstate::tree::Tree;
    ///
    /// let tree = Tree::from_json(r#"{"id":1,"type":"timer","name":"timer","props":{"id":"nap"},"children":[]}"#)?;
    /// assert_eq!(tree.node(tree.root()).title(), "nap");
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    ///
    /// # Panics
    /// If the index belongs to another tree and is outside this one.
    pub fn node(&self, index: NodeIndex) -> &Node {
        &self.nodes[index.slot()]
    }

    /// The node with this id on the wire; for a duplicate id the first in reading order.
    ///
    /// ```
    /// use runstate::tree::{NodeId, Tree};
    ///
    /// let tree = Tree::from_json(
    ///     r#"{"id":1,"type":"workflow","name":"w","children":[{"id":7,"type":"timer","name":"timer","props":{"id":"nap"}}]}"#,
    /// )?;
    /// let nap = tree.find(NodeId(7)).unwrap();
    /// assert_eq!(tree.node(nap).title(), "nap");
    /// assert_eq!(tree.find(NodeId(8)), None);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn find(&self, id: NodeId) -> Option<NodeIndex> {
        let ids = self.ids();
        if ids.duplicates {
            return self.preorder(self.root).find(|index| self.node(*index).id == id);
        }
        ids.first.get(&id).copied()
    }

    /// A node and its descendants, in reading order.
    ///
    /// ```
    /// use runstate::tree::Tree;
    ///
    /// let tree = Tree::from_json(
    ///     r#"{"id":1,"type":"workflow","name":"w","children":[
    ///         {"id":2,"type":"sequence","name":"s","children":[{"id":3,"type":"task","name":"t"}]},
    ///         {"id":4,"type":"task","name":"t"}]}"#,
    /// )?;
    /// let ids: Vec<_> = tree.preorder(tree.root()).map(|index| tree.node(index).id.0).collect();
    /// assert_eq!(ids, [1, 2, 3, 4]);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn preorder(&self, from: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let mut open = vec![from];
        std::iter::from_fn(move || {
            let index = open.pop()?;
            open.extend(self.node(index).children.iter().rev());
            Some(index)
        })
    }

    /// The index of the ids. Changes update it, so it is built before the first one.
    fn ids(&self) -> &Ids {
        self.ids.get_or_init(|| {
            let mut ids = Ids { first: HashMap::with_capacity(self.nodes.len()), duplicates: false };
            // Before the first change every slot contains a node.
            for (slot, node) in self.nodes.iter().enumerate() {
                ids.add(node.id, NodeIndex::new(slot));
            }
            ids
        })
    }

    /// Shows nodes by these names in place of their ids.
    pub(crate) fn set_titles(&mut self, titles: impl IntoIterator<Item = (NodeId, String)>) {
        for (id, title) in titles {
            if let Some(index) = self.find(id) {
                self.node_mut(index).own_title = Some(title.into());
            }
        }
    }

    fn node_mut(&mut self, index: NodeIndex) -> &mut Node {
        &mut self.nodes[index.slot()]
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::{MAX_DEPTH, Tree};

    #[test]
    fn a_tree_that_is_too_deep_is_refused() {
        let open = r#"{"id":1,"type":"sequence","name":"s","children":["#;
        let levels = MAX_DEPTH as usize + 2;
        assert!(Tree::from_json(&(open.repeat(levels) + &"]}".repeat(levels))).is_err());
    }
}
