//! The actions of a person in the tree.

use serde::{Deserialize, Serialize};

use super::{NodeFilter, TreeQuery};
use crate::tree::NodeId;

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
    /// Searches and filters, also before there is a tree.
    Query {
        /// The search and the filters.
        query: TreeQuery,
    },
    /// Searches for nodes that contain all these words.
    Search {
        /// The words; none ends the search.
        text: String,
    },
    /// Selects the next node that the search has found, or the first one after the last.
    NextHit,
    /// Selects the previous node that the search has found, or the last one before the first.
    PreviousHit,
    /// Shows only the nodes with at least one of these, and the nodes above them.
    Filter {
        /// The filters; none shows all nodes.
        filters: Vec<NodeFilter>,
    },
}
