//! The row of the selected node after the node has left the tree.

use super::{TreePane, TreeRow};
use crate::tree::{NodeId, Outline, Row, Tree};
use crate::viewer::focus::Focus;
use crate::viewer::run_data::RunData;

/// What the row says in place of a state.
const REMOVED: &str = "no longer in the tree";

/// The row that the selected node had in the last tree with the node.
#[derive(Debug)]
pub(super) struct LastRow {
    row: TreeRow,
    /// The nodes above it, the nearest first.
    above: Vec<NodeId>,
}

impl LastRow {
    /// The row of a node, without what a later tree may change; `None` if the tree lacks the node.
    pub(super) fn new(tree: &Tree, id: NodeId) -> Option<Self> {
        let index = tree.find(id)?;
        let row = Row { index, depth: 0, position: 1, set_size: 1, expandable: false, expanded: false };
        let row = TreeRow {
            state: None,
            attempt: None,
            duration: String::new(),
            is_dimmed: true,
            removed: Some(REMOVED.to_owned()),
            ..TreeRow::new(tree, &row, &RunData::default())
        };
        Some(Self { row, above: tree.ancestors(index).map(|above| tree.node(above).id).collect() })
    }

    /// The node.
    pub(super) fn id(&self) -> NodeId {
        self.row.id
    }

    /// The number of the row, from 0, and the row: the last one under the nearest node above that the tree still has. `None` if
    /// that one is collapsed or has no row.
    pub(super) fn place(&self, tree: &Tree, outline: &Outline<'_>) -> Option<(usize, TreeRow)> {
        let Some(parent) = self.above.iter().find_map(|id| tree.find(*id)) else {
            return Some((outline.len(), self.row.clone()));
        };
        let number = outline.end_of_open(parent)?;
        let count = u32::try_from(outline.children(parent).count() + 1).unwrap_or(u32::MAX);
        let depth = u32::try_from(tree.ancestors(parent).count() + 1).unwrap_or(u32::MAX);
        Some((number, TreeRow { depth, position: count, set_size: count, ..self.row.clone() }))
    }
}

impl TreePane {
    /// Keeps the row of the selected node, which may leave the tree.
    pub(super) fn keep_selected_row(&mut self, tree: &Tree, focus: &Focus) {
        let selected = focus.node();
        let row = selected.and_then(|id| LastRow::new(tree, id));
        self.last_row = row.or_else(|| self.last_row.take().filter(|last| Some(last.id()) == selected));
    }

    /// The number and the row of the selected node, if it has left the tree.
    pub(super) fn removed(
        &self,
        tree: &Tree,
        outline: &Outline<'_>,
        selected: Option<NodeId>,
    ) -> Option<(usize, TreeRow)> {
        let last = self.last_row.as_ref().filter(|last| Some(last.id()) == selected)?;
        let is_shown = tree.find(last.id()).is_none() && self.query.filters.is_empty();
        if is_shown { last.place(tree, outline) } else { None }
    }
}
