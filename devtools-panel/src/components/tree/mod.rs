//! The tree of a run's nodes (WAI-ARIA tree pattern), of which only the rows near the visible part are rendered.

mod cells;
mod element;
mod filters;
mod list;
mod no_tree;
mod pane;
mod row;
mod search;

pub(super) use cells::{StateCell, StateIcon};
pub(crate) use element::TreeElement;
pub(crate) use no_tree::NoTreeNote;
pub(crate) use pane::TreePane;
pub use row::TreeItem;
