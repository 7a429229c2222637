//! The tree pane: collapsed nodes, the keyboard, and windows of rows.

mod row;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use row::TreeRow;
pub(super) use row::{duration, kind};

use super::FIRST_ROWS;
use super::focus::{Focus, Selection};
use super::pane::Pane;
use super::run_data::RunData;
use super::run_view::{RunView, second};
use crate::tree::{NodeId, NodeIndex, Outline, Tree};

/// A person's action in the tree (WAI-ARIA tree pattern), or a change of the visible rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum TreeAction {
    /// These rows are on screen.
    Show {
        /// The first row, from 0.
        first: usize,
        /// The number of rows.
        count: usize,
    },
    /// The keyboard enters the tree: selects the first row unless a visible row is selected.
    Focus,
    /// Selects a node.
    Select {
        /// The node.
        id: NodeId,
    },
    /// Selects a node and expands or collapses it.
    Toggle {
        /// The node.
        id: NodeId,
    },
    /// Moves the selection by this many rows, at most to the first or last one.
    Move {
        /// Positive numbers move down.
        by: i32,
    },
    /// Selects the first row.
    First,
    /// Selects the last row.
    Last,
    /// Collapses the selected node, or selects its parent.
    Collapse,
    /// Expands the selected node, or selects its first child.
    Expand,
    /// Expands the selected node and all its siblings.
    ExpandSiblings,
    /// Selects the next row whose title begins with a letter.
    Find {
        /// The letter, in either case.
        letter: char,
    },
    /// Selects the node with the author's id and expands everything above it.
    Reveal {
        /// The author's id.
        node_id: String,
    },
}

/// Some consecutive visible rows of a tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TreeWindow {
    /// The number of nodes in the tree.
    pub nodes: usize,
    /// The number of visible rows, given the collapsed nodes.
    pub total: usize,
    /// The position of the first row of the window, from 0.
    pub first: usize,
    /// The rows of the window.
    pub rows: Vec<TreeRow>,
    /// The selected node.
    pub selected: Option<NodeId>,
    /// The position of the selected row, unless it is collapsed away.
    pub selected_row: Option<usize>,
    /// The age of the nodes or of their states, if it is greater than the requests allow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub age: Option<String>,
}

/// The tree of the run on screen: collapsed nodes and visible rows.
#[derive(Debug)]
pub(super) struct TreePane {
    visible: Range<usize>,
    collapsed: HashSet<NodeId>,
    /// The number of actions so far.
    actions: u64,
}

impl Default for TreePane {
    fn default() -> Self {
        Self { visible: 0..FIRST_ROWS, collapsed: HashSet::new(), actions: 0 }
    }
}

impl Pane for TreePane {
    type Action = TreeAction;
    type Window = TreeWindow;
    /// The actions, the source, the focus, the second up to which the nodes are known, and their age.
    type Version = (u64, u64, Focus, Option<f64>, Option<String>);

    fn act(&mut self, action: TreeAction, view: &mut RunView<'_>) {
        self.actions += 1;
        if let Some(tree) = view.run().tree {
            self.act_on(tree, view.focus, &action);
        }
    }

    fn version(&self, view: &RunView<'_>) -> Self::Version {
        let RunData { known_until, age, .. } = view.run();
        (self.actions, view.source_version, view.focus.clone(), known_until.map(second), age)
    }

    fn window(&mut self, view: &mut RunView<'_>) -> Option<TreeWindow> {
        let data = view.run();
        let tree = data.tree?;
        self.select_key(tree, view.focus);
        Some(self.window_of(tree, view.focus.node(), &data))
    }

    fn reset(&mut self) {
        self.collapsed.clear();
    }
}

impl TreePane {
    fn act_on(&mut self, tree: &Tree, focus: &mut Focus, action: &TreeAction) {
        match action {
            TreeAction::Show { first, count } => self.visible = *first..first.saturating_add(*count),
            TreeAction::Focus => {
                if self.position(tree, focus).is_none() {
                    self.select_row(tree, focus, 0);
                }
            }
            TreeAction::Select { id } => select(tree, focus, *id),
            TreeAction::Toggle { id } => {
                select(tree, focus, *id);
                self.toggle(*id);
            }
            TreeAction::Move { by } => {
                let row = self.position(tree, focus).unwrap_or(0).saturating_add_signed(*by as isize);
                self.select_row(tree, focus, row);
            }
            TreeAction::First => self.select_row(tree, focus, 0),
            TreeAction::Last => self.select_row(tree, focus, usize::MAX),
            TreeAction::Collapse => self.collapse(tree, focus),
            TreeAction::Expand => self.expand(tree, focus),
            TreeAction::ExpandSiblings => self.expand_siblings(tree, focus),
            TreeAction::Find { letter } => self.find(tree, focus, *letter),
            TreeAction::Reveal { node_id } => {
                if let Some(index) = tree.find_node(node_id, None) {
                    self.reveal(tree, focus, index);
                }
            }
        }
    }

    /// Selects and reveals the node of a key that was selected before there was a tree.
    fn select_key(&mut self, tree: &Tree, focus: &mut Focus) {
        let Some(key) = focus.unresolved().cloned() else { return };
        // A tree contains only the current iteration of a loop; the selection keeps its own.
        let found =
            tree.find_node(&key.node_id, Some(key.iteration)).or_else(|| tree.find_node(&key.node_id, None));
        if let Some(index) = found {
            self.reveal(tree, focus, index);
            focus.selection = Some(Selection { node: Some(tree.node(index).id), key: Some(key) });
        }
    }

    /// The rows that are on screen.
    fn window_of(&self, tree: &Tree, selected: Option<NodeId>, data: &RunData<'_>) -> TreeWindow {
        let outline = self.outline(tree);
        let total = outline.len();
        let first = self.visible.start.min(total);
        let rows = outline.rows(first..self.visible.end.clamp(first, total));
        TreeWindow {
            nodes: tree.len(),
            total,
            first,
            rows: rows.iter().map(|row| TreeRow::new(tree, row, data)).collect(),
            selected,
            selected_row: selected.and_then(|id| outline.row_number(id)),
            age: data.age.clone(),
        }
    }

    fn outline<'a>(&'a self, tree: &'a Tree) -> Outline<'a> {
        tree.outline(&self.collapsed)
    }

    fn position(&self, tree: &Tree, focus: &Focus) -> Option<usize> {
        self.outline(tree).row_number(focus.node()?)
    }

    fn select_row(&self, tree: &Tree, focus: &mut Focus, row: usize) {
        let outline = self.outline(tree);
        let row = row.min(outline.len().saturating_sub(1));
        match outline.rows(row..row + 1).first() {
            Some(row) => focus.select(tree.node(row.index)),
            None => focus.selection = None,
        }
    }

    fn toggle(&mut self, id: NodeId) {
        if !self.collapsed.remove(&id) {
            self.collapsed.insert(id);
        }
    }

    /// The selected node, unless it is collapsed away.
    fn selected_node(&self, tree: &Tree, focus: &Focus) -> Option<NodeIndex> {
        self.position(tree, focus)?;
        tree.find(focus.node()?)
    }

    fn collapse(&mut self, tree: &Tree, focus: &mut Focus) {
        let Some(index) = self.selected_node(tree, focus) else { return };
        let node = tree.node(index);
        if !node.children.is_empty() && !self.collapsed.contains(&node.id) {
            self.collapsed.insert(node.id);
        } else if let Some(parent) = node.parent {
            focus.select(tree.node(parent));
        }
    }

    fn expand(&mut self, tree: &Tree, focus: &mut Focus) {
        let Some(index) = self.selected_node(tree, focus) else { return };
        let node = tree.node(index);
        if !self.collapsed.remove(&node.id)
            && let Some(child) = node.children.first()
        {
            focus.select(tree.node(*child));
        }
    }

    fn expand_siblings(&mut self, tree: &Tree, focus: &Focus) {
        let Some(index) = self.selected_node(tree, focus) else { return };
        match tree.node(index).parent {
            Some(parent) => {
                for sibling in &tree.node(parent).children {
                    self.collapsed.remove(&tree.node(*sibling).id);
                }
            }
            None => {
                self.collapsed.remove(&tree.node(index).id);
            }
        }
    }

    /// Searches the rows after the selected one, then those before it.
    fn find(&self, tree: &Tree, focus: &mut Focus, letter: char) {
        let outline = self.outline(tree);
        let begins = |id: NodeIndex| {
            let first = tree.node(id).title().chars().next();
            first.is_some_and(|first| first.to_lowercase().eq(letter.to_lowercase()))
        };
        let rows = outline.rows(0..outline.len());
        let after = self.position(tree, focus).map_or(0, |row| row + 1).min(rows.len());
        let (before, after) = rows.split_at(after);
        let found = after.iter().chain(before).find(|row| begins(row.index));
        if let Some(row) = found {
            focus.select(tree.node(row.index));
        }
    }

    /// Selects a node and expands everything above it.
    fn reveal(&mut self, tree: &Tree, focus: &mut Focus, index: NodeIndex) {
        for above in tree.ancestors(index) {
            self.collapsed.remove(&tree.node(above).id);
        }
        focus.select(tree.node(index));
    }
}

/// Selects a node by its id, which the tree need not contain any more.
fn select(tree: &Tree, focus: &mut Focus, id: NodeId) {
    match tree.find(id) {
        Some(index) => focus.select(tree.node(index)),
        None => focus.selection = Some(Selection { node: Some(id), key: None }),
    }
}

/// All rows, expanded.
pub(super) fn all_rows(tree: &Tree, data: &RunData<'_>) -> Vec<TreeRow> {
    let nothing = HashSet::new();
    let outline = tree.outline(&nothing);
    outline.rows(0..outline.len()).iter().map(|row| TreeRow::new(tree, row, data)).collect()
}
