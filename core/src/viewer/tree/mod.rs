//! The tree pane: collapsed nodes, search and filters, the keyboard, and windows of rows.

mod action;
mod filter;
mod query;
mod removed;
mod row;
#[cfg(test)]
mod tests;
mod window;

use std::collections::HashSet;
use std::ops::Range;

pub use action::TreeAction;
pub use filter::{FilterCount, NodeFilter};
pub use query::TreeQuery;
pub use row::TreeRow;
pub(super) use row::{duration, kind};
pub use window::TreeWindow;

use super::FIRST_ROWS;
use super::focus::{Focus, Selection};
use super::pane::Pane;
use super::run_data::RunData;
use super::run_view::{RunView, second};
use crate::time::Millis;
use crate::tree::{NodeId, NodeIndex, Outline, Subset, Tree};
use query::Matches;
use removed::LastRow;

/// The tree of the run on screen: collapsed nodes and visible rows.
#[derive(Debug)]
pub(super) struct TreePane {
    visible: Range<usize>,
    /// The collapsed nodes while there is no query.
    collapsed: HashSet<NodeId>,
    query: TreeQuery,
    /// The collapsed nodes while there is a query.
    query_folds: Option<QueryFolds>,
    /// What the query finds in the tree, with the data that it was found in.
    matches: Option<(MatchVersion, Matches)>,
    /// The filters that were on or that some node has passed: they stay on screen, so that none moves away from the pointer or the focus.
    offered: Vec<NodeFilter>,
    /// The row of the selected node while the tree had the node.
    last_row: Option<LastRow>,
    /// The number of actions so far.
    actions: u64,
}

/// The version of the source, and the second up to which the nodes are known.
type MatchVersion = (u64, Option<f64>);

/// The collapsed nodes while there is a query: at first those under which it finds nothing.
#[derive(Debug)]
struct QueryFolds {
    collapsed: HashSet<NodeId>,
    /// The node that was selected when the query began.
    selected: Option<NodeId>,
}

impl Default for TreePane {
    fn default() -> Self {
        Self {
            visible: 0..FIRST_ROWS,
            collapsed: HashSet::new(),
            query: TreeQuery::default(),
            query_folds: None,
            matches: None,
            offered: Vec::new(),
            last_row: None,
            actions: 0,
        }
    }
}

impl Pane for TreePane {
    type Action = TreeAction;
    type Window = TreeWindow;
    /// The actions, the source, the focus, the second up to which the nodes are known, and their age.
    type Version = (u64, u64, Focus, Option<f64>, Option<String>);

    fn act(&mut self, action: TreeAction, view: &mut RunView<'_>) {
        self.actions += 1;
        let data = view.run();
        match (data.tree, action) {
            (Some(tree), action) => {
                self.find_matches(tree, view.source_version, data.known_until);
                self.act_on(tree, view.focus, action);
            }
            (None, TreeAction::Query { query }) => self.keep_query(query, view.focus),
            (None, _) => {}
        }
    }

    fn version(&self, view: &RunView<'_>) -> Self::Version {
        let RunData { known_until, age, .. } = view.run();
        (self.actions, view.source_version, view.focus.clone(), known_until.map(second), age)
    }

    fn window(&mut self, view: &mut RunView<'_>) -> Option<TreeWindow> {
        let data = view.run();
        let tree = data.tree?;
        self.find_matches(tree, view.source_version, data.known_until);
        self.select_key(tree, view.focus);
        self.keep_selected_row(tree, view.focus);
        Some(self.window_of(tree, view.focus.node(), &data))
    }

    fn reset(&mut self) {
        let Self { visible, actions, .. } = std::mem::take(self);
        (self.visible, self.actions) = (visible, actions);
    }
}

impl TreePane {
    fn act_on(&mut self, tree: &Tree, focus: &mut Focus, action: TreeAction) {
        match action {
            TreeAction::Show { first, count } => self.visible = first..first.saturating_add(count),
            TreeAction::Focus => {
                if self.position(tree, focus).is_none() {
                    self.select_row(tree, focus, 0);
                }
            }
            TreeAction::Select { id } => select(tree, focus, id),
            TreeAction::Toggle { id } => {
                select(tree, focus, id);
                self.toggle(id);
            }
            TreeAction::Move { by } => {
                let row = self.position(tree, focus).unwrap_or(0).saturating_add_signed(by as isize);
                self.select_row(tree, focus, row);
            }
            TreeAction::First => self.select_row(tree, focus, 0),
            TreeAction::Last => self.select_row(tree, focus, usize::MAX),
            TreeAction::Collapse => self.collapse(tree, focus),
            TreeAction::Expand => self.expand(tree, focus),
            TreeAction::ExpandSiblings => self.expand_siblings(tree, focus),
            TreeAction::Find { letter } => self.find(tree, focus, letter),
            TreeAction::Reveal { node_id } => {
                if let Some(index) = tree.find_node(&node_id, None) {
                    self.show_all_if_hidden(tree, focus, index);
                    self.reveal(tree, focus, index);
                }
            }
            TreeAction::Query { query } => self.set_query(tree, focus, query),
            TreeAction::Search { text } => {
                let query = TreeQuery { search: text, ..self.query.clone() };
                self.set_query(tree, focus, query);
            }
            TreeAction::Filter { filters } => {
                let query = TreeQuery { filters, ..self.query.clone() };
                self.set_query(tree, focus, query);
            }
            TreeAction::NextHit => self.step(tree, focus, false),
            TreeAction::PreviousHit => self.step(tree, focus, true),
        }
    }

    /// Keeps the query for the next tree.
    fn keep_query(&mut self, query: TreeQuery, focus: &Focus) {
        self.query_folds = (!query.is_empty())
            .then(|| QueryFolds { collapsed: self.collapsed.clone(), selected: focus.node() });
        (self.query, self.matches) = (query, None);
    }

    /// Changes the query. Nodes under which it finds nothing stay collapsed. Without a query, those that were collapsed before
    /// are collapsed again, except around a node that was selected meanwhile.
    fn set_query(&mut self, tree: &Tree, focus: &mut Focus, query: TreeQuery) {
        let before = self.query_folds.take().map(|before| before.selected);
        self.keep_query(query, focus);
        match (&mut self.query_folds, before) {
            (Some(folds), Some(before)) => folds.selected = before,
            (None, Some(before)) if before != focus.node() => {
                if let Some(index) = focus.node().and_then(|id| tree.find(id)) {
                    self.reveal(tree, focus, index);
                }
            }
            (Some(_) | None, _) => {}
        }
    }

    /// Ends the filters if they leave out a node.
    fn show_all_if_hidden(&mut self, tree: &Tree, focus: &mut Focus, index: NodeIndex) {
        if self.filtered().is_some_and(|rows| rows.weight(index) == 0) {
            let query = TreeQuery { filters: Vec::new(), ..self.query.clone() };
            self.set_query(tree, focus, query);
        }
    }

    /// Searches and filters the tree, unless that was done in this version of the source. Nodes under which the first match
    /// appears are expanded.
    fn find_matches(&mut self, tree: &Tree, source_version: u64, known_until: Option<Millis>) {
        let version = (source_version, known_until.map(second));
        if self.matches.as_ref().is_some_and(|(known, _)| *known == version) {
            return;
        }
        let found = Matches::new(tree, &self.query, known_until);
        if let Some(folds) = &mut self.query_folds {
            let before = self.matches.as_ref().map(|(_, before)| before);
            let is_new =
                |index| found.is_above(index) && !before.is_some_and(|before| before.is_above(index));
            folds.collapsed.retain(|id| !tree.find(*id).is_some_and(is_new));
        }
        self.offered = found.offered(&self.query, &self.offered);
        self.matches = Some((version, found));
    }

    /// The collapsed nodes.
    fn folds(&self) -> &HashSet<NodeId> {
        self.query_folds.as_ref().map_or(&self.collapsed, |folds| &folds.collapsed)
    }

    fn folds_mut(&mut self) -> &mut HashSet<NodeId> {
        match &mut self.query_folds {
            Some(folds) => &mut folds.collapsed,
            None => &mut self.collapsed,
        }
    }

    /// The only nodes that have rows, if a filter is on.
    fn filtered(&self) -> Option<&Subset> {
        self.matches.as_ref()?.1.filtered.as_ref()
    }

    /// Selects the next node that the search has found, or the previous one.
    fn step(&mut self, tree: &Tree, focus: &mut Focus, is_back: bool) {
        let from = focus.node().and_then(|id| tree.find(id));
        let next = self.matches.as_ref().and_then(|(_, found)| found.step(tree, from, is_back));
        if let Some(index) = next {
            self.reveal(tree, focus, index);
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

    fn outline<'a>(&'a self, tree: &'a Tree) -> Outline<'a> {
        tree.outline_of(self.folds(), self.filtered())
    }

    fn position(&self, tree: &Tree, focus: &Focus) -> Option<usize> {
        let outline = self.outline(tree);
        let removed = || self.removed(tree, &outline, focus.node()).map(|(number, _)| number);
        outline.row_number(focus.node()?).or_else(removed)
    }

    fn select_row(&self, tree: &Tree, focus: &mut Focus, row: usize) {
        let outline = self.outline(tree);
        let row = match self.removed(tree, &outline, focus.node()) {
            Some((removed, _)) if removed == row => return,
            Some((removed, _)) if removed < row => row - 1,
            Some(_) | None => row,
        };
        let row = row.min(outline.len().saturating_sub(1));
        match outline.rows(row..row + 1).first() {
            Some(row) => focus.select(tree.node(row.index)),
            None => focus.selection = None,
        }
    }

    fn toggle(&mut self, id: NodeId) {
        let folds = self.folds_mut();
        if !folds.remove(&id) {
            folds.insert(id);
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
        let has_rows_below = self.outline(tree).children(index).next().is_some();
        if has_rows_below && !self.folds().contains(&node.id) {
            self.folds_mut().insert(node.id);
        } else if let Some(parent) = node.parent {
            focus.select(tree.node(parent));
        }
    }

    fn expand(&mut self, tree: &Tree, focus: &mut Focus) {
        let Some(index) = self.selected_node(tree, focus) else { return };
        if !self.folds_mut().remove(&tree.node(index).id)
            && let Some(child) = self.outline(tree).children(index).next()
        {
            focus.select(tree.node(child));
        }
    }

    fn expand_siblings(&mut self, tree: &Tree, focus: &Focus) {
        let Some(index) = self.selected_node(tree, focus) else { return };
        match tree.node(index).parent {
            Some(parent) => {
                for sibling in &tree.node(parent).children {
                    self.folds_mut().remove(&tree.node(*sibling).id);
                }
            }
            None => {
                self.folds_mut().remove(&tree.node(index).id);
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
        // A removed node has no row of the outline: the next one is at its place.
        let selected = focus.node().and_then(|id| outline.row_number(id)).map(|row| row + 1);
        let after = selected.or_else(|| self.position(tree, focus)).unwrap_or(0).min(rows.len());
        let (before, after) = rows.split_at(after);
        let found = after.iter().chain(before).find(|row| begins(row.index));
        if let Some(row) = found {
            focus.select(tree.node(row.index));
        }
    }

    /// Selects a node and expands everything above it.
    fn reveal(&mut self, tree: &Tree, focus: &mut Focus, index: NodeIndex) {
        for above in tree.ancestors(index) {
            self.folds_mut().remove(&tree.node(above).id);
        }
        focus.select(tree.node(index));
    }
}

/// Selects a node by its id, which the tree need not contain any more.
fn select(tree: &Tree, focus: &mut Focus, id: NodeId) {
    match tree.find(id) {
        Some(index) => focus.select(tree.node(index)),
        None if focus.node() == Some(id) => {}
        None => focus.selection = Some(Selection { node: Some(id), key: None }),
    }
}

/// All rows, expanded.
pub(super) fn all_rows(tree: &Tree, data: &RunData<'_>) -> Vec<TreeRow> {
    let nothing = HashSet::new();
    let outline = tree.outline(&nothing);
    outline.rows(0..outline.len()).iter().map(|row| TreeRow::new(tree, row, data)).collect()
}
