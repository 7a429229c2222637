//! The part of the tree that is on screen.

use serde::{Deserialize, Serialize};

use super::{FilterCount, TreeRow};
use crate::tree::NodeId;

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
    /// The filters that were on or that some node has passed since the run is on screen.
    pub filters: Vec<FilterCount>,
    /// The number of nodes that pass a filter that is on; `None` if none is.
    pub matched: Option<usize>,
}
