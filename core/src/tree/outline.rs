//! The visible rows of a tree by number.

use std::collections::HashSet;
use std::ops::Range;

use super::{NodeId, NodeIndex, Tree};

/// The visible rows of a tree with collapsed nodes.
///
/// Building an outline takes time proportional to the collapsed nodes. A window of rows takes time proportional to its
/// length and to the siblings on the path to it, and does not depend on the number of rows before it.
///
/// ```
/// use std::collections::HashSet;
/// use runstate::tree::{NodeId, Tree};
///
/// let tree = Tree::from_json(
///     r#"{"id":1,"type":"workflow","name":"w","children":[
///         {"id":2,"type":"sequence","name":"s","children":[{"id":3,"type":"task","name":"t"}]},
///         {"id":4,"type":"task","name":"t"}]}"#,
/// )?;
/// let collapsed = HashSet::from([NodeId(2)]);
/// let outline = tree.outline(&collapsed);
/// assert_eq!(outline.len(), 3);
/// assert_eq!(tree.node(outline.rows(2..3)[0].index).id, NodeId(4));
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Debug)]
pub struct Outline<'a> {
    tree: &'a Tree,
    collapsed: &'a HashSet<NodeId>,
    /// The only nodes that have rows.
    subset: Option<&'a Subset>,
    /// The number of hidden nodes under each slot; empty if nothing is collapsed.
    hidden: Vec<u32>,
}

/// Some nodes of a tree, and all nodes above them.
#[derive(Debug, Default)]
pub(crate) struct Subset {
    /// For each slot, the number of these nodes in its subtree.
    nodes: Vec<u32>,
}

impl Subset {
    /// The number of these nodes in the subtree of a node, itself included.
    pub(crate) fn weight(&self, index: NodeIndex) -> u32 {
        self.nodes.get(index.slot()).copied().unwrap_or(0)
    }
}

/// A visible row of a tree, with the values for ARIA's tree pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// The node.
    pub index: NodeIndex,
    /// The depth below the root in the structure.
    pub depth: u32,
    /// The position among its siblings, from 1.
    pub position: u32,
    /// The number of siblings, itself included.
    pub set_size: u32,
    /// Whether the node has children.
    pub expandable: bool,
    /// Whether the children are shown.
    pub expanded: bool,
}

impl Tree {
    /// The outline with these nodes collapsed; unknown ids are ignored.
    pub fn outline<'a>(&'a self, collapsed: &'a HashSet<NodeId>) -> Outline<'a> {
        self.outline_of(collapsed, None)
    }

    /// The outline of a subset of the nodes, if there is one, with these nodes collapsed.
    pub(crate) fn outline_of<'a>(
        &'a self,
        collapsed: &'a HashSet<NodeId>,
        subset: Option<&'a Subset>,
    ) -> Outline<'a> {
        let mut outline = Outline { tree: self, collapsed, subset, hidden: Vec::new() };
        if collapsed.is_empty() {
            return outline;
        }
        let mut hidden = vec![0; self.nodes.len()];
        let is_collapsed = |index: NodeIndex| collapsed.contains(&self.node(index).id);
        for index in self.find_ids(collapsed) {
            if self.ancestors(index).any(is_collapsed) {
                continue;
            }
            let below = outline.weight(index).saturating_sub(1);
            for index in std::iter::once(index).chain(self.ancestors(index)) {
                hidden[index.slot()] += below;
            }
        }
        outline.hidden = hidden;
        outline
    }

    /// The nodes that pass a test, and all nodes above them. Each node is tested once, from the last one to the first.
    pub(crate) fn subset(&self, mut is_member: impl FnMut(NodeIndex) -> bool) -> Subset {
        let mut nodes = vec![0; self.nodes.len()];
        let order: Vec<NodeIndex> = self.preorder(self.root).collect();
        for index in order.iter().rev() {
            let below: u32 = self.node(*index).children.iter().map(|child| nodes[child.slot()]).sum();
            let is_in = is_member(*index) || below > 0;
            nodes[index.slot()] = if is_in { below + 1 } else { 0 };
        }
        Subset { nodes }
    }

    /// Every node with one of these ids.
    fn find_ids(&self, ids: &HashSet<NodeId>) -> Vec<NodeIndex> {
        if self.ids().duplicates {
            return self.preorder(self.root).filter(|index| ids.contains(&self.node(*index).id)).collect();
        }
        ids.iter().filter_map(|id| self.find(*id)).collect()
    }

    /// The ancestors of a node, the nearest first.
    pub(crate) fn ancestors(&self, index: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        std::iter::successors(self.node(index).parent, |above| self.node(*above).parent)
    }
}

impl Outline<'_> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        if self.tree.is_empty() { 0 } else { self.visible(self.tree.root()) as usize }
    }

    /// Whether it has no rows, as before the first frame.
    ///
    /// ```
    /// use std::collections::HashSet;
    /// use runstate::tree::Tree;
    ///
    /// let tree = Tree::from_json(r#"{"id":0,"type":"workflow","name":"(empty)","children":[]}"#)?;
    /// assert!(tree.outline(&HashSet::new()).is_empty());
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.tree.is_empty()
    }

    /// The rows with these numbers, from 0, as far as they exist.
    pub fn rows(&self, range: Range<usize>) -> Vec<Row> {
        let end = range.end.min(self.len());
        let (mut skip, wanted) = (range.start, end.saturating_sub(range.start));
        let mut rows = Vec::with_capacity(wanted);
        let mut open = vec![(self.tree.root(), 0, 1, 1)];
        while rows.len() < wanted
            && let Some((index, depth, position, set_size)) = open.pop()
        {
            let visible = self.visible(index) as usize;
            if skip >= visible {
                skip -= visible;
                continue;
            }
            let children: Vec<NodeIndex> = self.children(index).collect();
            let expandable = !children.is_empty();
            let expanded = expandable && !self.collapsed.contains(&self.tree.node(index).id);
            if skip == 0 {
                rows.push(Row { index, depth, position, set_size, expandable, expanded });
            } else {
                skip -= 1;
            }
            if expanded {
                let size = count(children.len());
                let below = children.iter().enumerate().rev();
                open.extend(below.map(|(place, child)| (*child, depth + 1, count(place + 1), size)));
            }
        }
        rows
    }

    /// The children of a node that have rows while it is expanded.
    pub(crate) fn children(&self, index: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        self.tree.node(index).children.iter().copied().filter(|child| self.weight(*child) > 0)
    }

    /// The number of a node's row, from 0; `None` if the node is not in the outline or hidden.
    pub(crate) fn row_number(&self, id: NodeId) -> Option<usize> {
        let mut below = self.tree.find(id).filter(|index| self.weight(*index) > 0)?;
        let mut place = 0;
        for above in self.tree.ancestors(below) {
            let node = self.tree.node(above);
            if self.collapsed.contains(&node.id) {
                return None;
            }
            let before = node.children.iter().take_while(|child| **child != below);
            place += 1 + before.map(|child| self.visible(*child) as usize).sum::<usize>();
            below = above;
        }
        (!self.tree.is_empty()).then_some(place)
    }

    /// The number of the first row after a subtree; `None` if its root is collapsed or has no row.
    pub(crate) fn end_of_open(&self, index: NodeIndex) -> Option<usize> {
        let id = self.tree.node(index).id;
        let begin = self.row_number(id).filter(|_| !self.collapsed.contains(&id))?;
        Some(begin + self.visible(index) as usize)
    }

    /// The number of visible rows of a subtree.
    fn visible(&self, index: NodeIndex) -> u32 {
        self.weight(index) - self.hidden.get(index.slot()).copied().unwrap_or(0)
    }

    /// The number of rows of a subtree if nothing is collapsed.
    fn weight(&self, index: NodeIndex) -> u32 {
        self.subset.map_or_else(|| self.tree.weight(index), |subset| subset.weight(index))
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use crate::tree::{NodeId, Tree};

    #[test]
    fn the_nearest_ancestor_comes_first() {
        let tree = Tree::from_json(
            r#"{"id":1,"type":"workflow","name":"w","children":[
                {"id":2,"type":"sequence","name":"s","children":[{"id":3,"type":"task","name":"t"}]}]}"#,
        )
        .unwrap();
        let task = tree.find(NodeId(3)).unwrap();
        let path: Vec<_> = tree.ancestors(task).map(|index| tree.node(index).name.as_str()).collect();
        assert_eq!(path, ["s", "w"]);
    }
}
