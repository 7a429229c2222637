//! The events of a run, the oldest first, of which only the rows near the visible part are rendered.

mod element;
mod filters;
mod follow;
mod list;
mod pane;
mod row;
mod search;
mod switch;

pub(crate) use element::LogElement;
pub(crate) use pane::LogPane;
pub(crate) use switch::ViewSwitch;
