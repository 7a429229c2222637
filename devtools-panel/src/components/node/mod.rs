//! The detail of the selected node.

mod attempts;
mod body;
mod calls;
mod copy_value;
mod events;
mod facts;
mod head;
mod lacking;
mod messages;
mod pane;
mod props;
mod styled_text;
mod summary;
mod tabs;
mod text_rows;
mod value_row;
mod value_rows;

pub(crate) use pane::NodePane;
