//! The tree pane: selection, collapsed nodes, and windows of rows.

use std::collections::HashSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::tree_row::TreeRow;
use crate::time::Millis;
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
}

/// The state of the tree pane of one run.
#[derive(Debug, Default)]
pub(super) struct TreeView {
    visible: Range<usize>,
    collapsed: HashSet<NodeId>,
    selected: Option<NodeId>,
}

impl TreeView {
    /// Clears selection and collapsed nodes for another run.
    pub(super) fn reset(&mut self) {
        self.collapsed.clear();
        self.selected = None;
    }

    /// Sets the rows that are on screen.
    pub(super) fn show(&mut self, rows: Range<usize>) {
        self.visible = rows;
    }

    /// Carries out an action.
    pub(super) fn act(&mut self, tree: &Tree, action: &TreeAction) {
        match action {
            TreeAction::Show { first, count } => self.show(*first..first.saturating_add(*count)),
            TreeAction::Focus => {
                if self.position(tree).is_none() {
                    self.select_row(tree, 0);
                }
            }
            TreeAction::Select { id } => self.selected = Some(*id),
            TreeAction::Toggle { id } => {
                self.selected = Some(*id);
                self.toggle(*id);
            }
            TreeAction::Move { by } => {
                let row = self.position(tree).unwrap_or(0).saturating_add_signed(*by as isize);
                self.select_row(tree, row);
            }
            TreeAction::First => self.select_row(tree, 0),
            TreeAction::Last => self.select_row(tree, usize::MAX),
            TreeAction::Collapse => self.collapse(tree),
            TreeAction::Expand => self.expand(tree),
            TreeAction::ExpandSiblings => self.expand_siblings(tree),
            TreeAction::Find { letter } => self.find(tree, *letter),
            TreeAction::Reveal { node_id } => self.reveal(tree, node_id),
        }
    }

    /// The rows that are on screen.
    pub(super) fn window(&self, tree: &Tree, known_until: Option<Millis>) -> TreeWindow {
        let outline = self.outline(tree);
        let total = outline.len();
        let first = self.visible.start.min(total);
        let rows = outline.rows(first..self.visible.end.clamp(first, total));
        TreeWindow {
            nodes: tree.len(),
            total,
            first,
            rows: rows.iter().map(|row| TreeRow::new(tree, row, known_until)).collect(),
            selected: self.selected,
            selected_row: self.selected.and_then(|id| outline.row_number(id)),
        }
    }

    fn outline<'a>(&'a self, tree: &'a Tree) -> Outline<'a> {
        tree.outline(&self.collapsed)
    }

    fn position(&self, tree: &Tree) -> Option<usize> {
        self.outline(tree).row_number(self.selected?)
    }

    fn select_row(&mut self, tree: &Tree, row: usize) {
        let outline = self.outline(tree);
        let row = row.min(outline.len().saturating_sub(1));
        let selected = outline.rows(row..row + 1).first().map(|row| tree.node(row.index).id);
        self.selected = selected;
    }

    fn toggle(&mut self, id: NodeId) {
        if !self.collapsed.remove(&id) {
            self.collapsed.insert(id);
        }
    }

    /// The selected node, unless it is collapsed away.
    fn selected_node(&self, tree: &Tree) -> Option<NodeIndex> {
        self.position(tree)?;
        tree.find(self.selected?)
    }

    fn collapse(&mut self, tree: &Tree) {
        let Some(index) = self.selected_node(tree) else { return };
        let node = tree.node(index);
        if !node.children.is_empty() && !self.collapsed.contains(&node.id) {
            self.collapsed.insert(node.id);
        } else if let Some(parent) = node.parent {
            self.selected = Some(tree.node(parent).id);
        }
    }

    fn expand(&mut self, tree: &Tree) {
        let Some(index) = self.selected_node(tree) else { return };
        let node = tree.node(index);
        if !self.collapsed.remove(&node.id)
            && let Some(child) = node.children.first()
        {
            self.selected = Some(tree.node(*child).id);
        }
    }

    fn expand_siblings(&mut self, tree: &Tree) {
        let Some(index) = self.selected_node(tree) else { return };
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
    fn find(&mut self, tree: &Tree, letter: char) {
        let outline = self.outline(tree);
        let begins = |id: NodeIndex| {
            let first = tree.node(id).title().chars().next();
            first.is_some_and(|first| first.to_lowercase().eq(letter.to_lowercase()))
        };
        let rows = outline.rows(0..outline.len());
        let after = self.position(tree).map_or(0, |row| row + 1).min(rows.len());
        let (before, after) = rows.split_at(after);
        let found = after.iter().chain(before).find(|row| begins(row.index));
        if let Some(row) = found {
            self.selected = Some(tree.node(row.index).id);
        }
    }

    fn reveal(&mut self, tree: &Tree, node_id: &str) {
        let Some(index) = tree.find_node(node_id, None) else { return };
        for above in tree.ancestors(index) {
            self.collapsed.remove(&tree.node(above).id);
        }
        self.selected = Some(tree.node(index).id);
    }
}

/// All rows, expanded.
pub(super) fn all_rows(tree: &Tree, known_until: Option<Millis>) -> Vec<TreeRow> {
    let nothing = HashSet::new();
    let outline = tree.outline(&nothing);
    outline.rows(0..outline.len()).iter().map(|row| TreeRow::new(tree, row, known_until)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A workflow with two groups: `alpha` with `one` and `two`, `beta` with `three`.
    fn tree() -> Tree {
        let task = |id: u32, name: &str| {
            format!(r#"{{"id":{id},"type":"task","name":"task","task":{{"nodeId":"{name}"}},"children":[]}}"#)
        };
        let group = |id: u32, name: &str, below: &[String]| {
            let below = below.join(",");
            format!(r#"{{"id":{id},"type":"sequence","name":"{name}","children":[{below}]}}"#)
        };
        let groups =
            [group(2, "alpha", &[task(3, "one"), task(4, "two")]), group(5, "beta", &[task(6, "three")])];
        Tree::from_json(&group(1, "root", &groups)).unwrap()
    }

    /// Actions, the id of the node that they select, and how many rows are visible afterwards.
    type Case<'a> = (&'a [TreeAction], (Option<i64>, usize));

    fn after(actions: &[TreeAction]) -> (Option<i64>, usize) {
        let tree = tree();
        let mut view = TreeView::default();
        for action in actions {
            view.act(&tree, action);
        }
        (view.selected.map(|id| id.0), view.window(&tree, None).total)
    }

    #[test]
    fn each_action_selects_and_folds_as_the_aria_pattern_says() {
        use TreeAction::{
            Collapse, Expand, ExpandSiblings, Find, First, Focus, Last, Move, Reveal, Select, Toggle,
        };
        let select = |id: i64| Select { id: NodeId(id) };
        let toggle = |id: i64| Toggle { id: NodeId(id) };
        let reveal = |node_id: &str| Reveal { node_id: node_id.into() };
        let find = |letter: char| Find { letter };
        let cases: &[Case<'_>] = &[
            (&[], (None, 6)),
            (&[Focus], (Some(1), 6)),
            (&[select(4), Focus], (Some(4), 6)),
            (&[Focus, Move { by: 1 }], (Some(2), 6)),
            (&[Focus, Move { by: -1 }], (Some(1), 6)),
            (&[Focus, Move { by: 100 }], (Some(6), 6)),
            (&[Last], (Some(6), 6)),
            (&[Last, First], (Some(1), 6)),
            (&[select(3), Collapse], (Some(2), 6)),
            (&[select(2), Collapse], (Some(2), 4)),
            (&[select(2), Collapse, Collapse], (Some(1), 4)),
            (&[select(2), Collapse, Expand], (Some(2), 6)),
            (&[select(2), Expand], (Some(3), 6)),
            (&[select(3), Expand], (Some(3), 6)),
            (&[toggle(2)], (Some(2), 4)),
            (&[toggle(2), toggle(2)], (Some(2), 6)),
            (&[toggle(2), toggle(5), ExpandSiblings], (Some(5), 6)),
            (&[toggle(1), ExpandSiblings], (Some(1), 6)),
            (&[select(3), find('t')], (Some(4), 6)),
            (&[select(4), find('T')], (Some(6), 6)),
            (&[select(6), find('t')], (Some(4), 6)),
            (&[select(6), find('z')], (Some(6), 6)),
            (&[toggle(2), toggle(1), reveal("two")], (Some(4), 6)),
            (&[reveal("nowhere")], (None, 6)),
            (&[select(4), toggle(1), Collapse], (Some(1), 1)),
        ];
        for (actions, expected) in cases {
            assert_eq!(after(actions), *expected, "{actions:?}");
        }
    }

    #[test]
    fn a_node_that_is_collapsed_away_is_left_before_anything_else() {
        let tree = tree();
        let mut view =
            TreeView { collapsed: HashSet::from([NodeId(2)]), selected: Some(NodeId(3)), visible: 0..50 };
        let window = view.window(&tree, None);
        assert_eq!((window.selected, window.selected_row), (Some(NodeId(3)), None));
        view.act(&tree, &TreeAction::Collapse);
        assert_eq!(view.selected, Some(NodeId(3)), "nothing that is visible is selected");
        view.act(&tree, &TreeAction::Focus);
        assert_eq!(view.selected, Some(NodeId(1)));
    }

    #[test]
    fn a_window_contains_only_the_requested_rows() {
        let tree = tree();
        let mut view = TreeView::default();
        view.act(&tree, &TreeAction::Show { first: 4, count: 10 });
        let window = view.window(&tree, None);
        assert_eq!((window.nodes, window.total, window.first, window.rows.len()), (6, 6, 4, 2));
        view.act(&tree, &TreeAction::Show { first: usize::MAX, count: usize::MAX });
        assert!(view.window(&tree, None).rows.is_empty());
    }
}
