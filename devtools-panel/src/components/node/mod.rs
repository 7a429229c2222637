//! The detail of the selected node.

mod facts;
mod head;
mod pane;
mod props;

pub(crate) use pane::NodePane;
