//! The part of the tree that is on screen.

use serde::{Deserialize, Serialize};

use super::query::{self, Matches};
use super::{FilterCount, TreePane, TreeRow};
use crate::tree::{NodeId, NodeIndex, Row, Tree};
use crate::viewer::run_data::RunData;

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
    /// The text that is searched for; empty without a search.
    pub search: String,
    /// The number of nodes that the search has found.
    pub hits: usize,
    /// The position of the selected node among them, from 1.
    pub hit: Option<usize>,
    /// The position of the row of a hit, unless it is collapsed away: of the selected one, else of the one that Enter goes to.
    pub hit_row: Option<usize>,
    /// The filters that were on or that some node has passed since the run is on screen.
    pub filters: Vec<FilterCount>,
    /// The number of nodes that pass a filter that is on; `None` if none is.
    pub matched: Option<usize>,
}

impl TreePane {
    /// The rows that are on screen.
    pub(super) fn window_of(&self, tree: &Tree, selected: Option<NodeId>, data: &RunData<'_>) -> TreeWindow {
        let outline = self.outline(tree);
        let removed = self.removed(tree, &outline, selected);
        let total = outline.len() + usize::from(removed.is_some());
        let first = self.visible.start.min(total);
        let end = self.visible.end.clamp(first, total);
        // The removed row moves those after it.
        let at = removed.as_ref().map_or(usize::MAX, |(number, _)| *number);
        let moved = |row: usize| row - usize::from(row > at);
        let mut rows = self.rows(tree, &outline.rows(moved(first)..moved(end)), data);
        let selected_row = selected.and_then(|id| outline.row_number(id));
        if let Some((_, row)) = removed.filter(|_| (first..end).contains(&at)) {
            rows.insert(at - first, row);
        }
        let found = self.matches.as_ref().map(|(_, found)| found);
        let hit = found.and_then(|found| found.nearest(tree, selected));
        let hit_row = hit.and_then(|hit| outline.row_number(tree.node(hit).id));
        TreeWindow {
            nodes: tree.len(),
            total,
            first,
            rows,
            selected,
            selected_row: selected_row.or((at < total).then_some(at)),
            age: data.age.clone(),
            search: self.query.search.trim().to_owned(),
            hits: found.map_or(0, |found| found.hits.len()),
            hit_row: hit_row.map(|row| row + usize::from(row >= at)),
            hit: found.zip(selected).and_then(|(found, id)| found.hit_number(tree, id)),
            filters: found.map(|found| found.filters(&self.query, &self.offered)).unwrap_or_default(),
            matched: found.and_then(Matches::matched),
        }
    }

    /// Rows with the matches of the query.
    fn rows(&self, tree: &Tree, rows: &[Row], data: &RunData<'_>) -> Vec<TreeRow> {
        let words = self.query.words();
        let has_hits = self.matches.as_ref().is_some_and(|(_, found)| !found.hits.is_empty());
        let is_dimmed = |index: NodeIndex| {
            let node = tree.node(index);
            match (words.is_empty(), self.query.filters.is_empty()) {
                (false, _) => has_hits && !query::contains(node, &words),
                (true, false) => !self.query.passes(node, data.known_until),
                (true, true) => false,
            }
        };
        let row = |row: &Row| TreeRow {
            is_dimmed: is_dimmed(row.index),
            ..TreeRow::new(tree, row, data).with_hits(&words)
        };
        rows.iter().map(row).collect()
    }
}
