//! The rows that a person sees.

use std::collections::HashSet;

use super::{NodeId, NodeIndex, Tree};

/// One visible row of a tree, with what ARIA's tree pattern asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The node.
    pub index: NodeIndex,
    /// How far below the root, by the structure.
    pub depth: u32,
    /// Which of its siblings, from 1.
    pub position: u32,
    /// How many siblings there are, itself included.
    pub set_size: u32,
    /// Whether there is anything below.
    pub expandable: bool,
    /// Whether what is below is shown.
    pub expanded: bool,
}

impl Tree {
    /// The rows that are visible when these nodes are collapsed, in reading order. Empty for an empty tree.
    ///
    /// ```
    /// use std::collections::HashSet;
    /// use runstate::tree::{NodeId, Tree};
    ///
    /// let tree = Tree::from_json(
    ///     r#"{"id":1,"type":"workflow","name":"w","children":[
    ///         {"id":2,"type":"sequence","name":"s","children":[{"id":3,"type":"task","name":"t"}]}]}"#,
    /// )?;
    /// let rows = tree.visible(&HashSet::from([NodeId(2)]));
    /// assert_eq!(rows.len(), 2); // the task is hidden
    /// assert_eq!((rows[1].depth, rows[1].position, rows[1].set_size), (1, 1, 1)); // "level 2, 1 of 1"
    /// assert!(rows[1].expandable && !rows[1].expanded);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn visible(&self, collapsed: &HashSet<NodeId>) -> Vec<Row> {
        let mut rows = Vec::new();
        if self.is_empty() {
            return rows;
        }
        let mut open = vec![(self.root, 0, 1, 1)];
        while let Some((index, depth, position, set_size)) = open.pop() {
            let node = self.node(index);
            let expandable = !node.children.is_empty();
            let expanded = expandable && !collapsed.contains(&node.id);
            rows.push(Row { index, depth, position, set_size, expandable, expanded });
            if expanded {
                let size = count(node.children.len());
                let below = node.children.iter().enumerate().rev();
                open.extend(below.map(|(place, child)| (*child, depth + 1, count(place + 1), size)));
            }
        }
        rows
    }
}

pub(super) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
