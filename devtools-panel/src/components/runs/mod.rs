//! The list of runs: as a screen, and beside the run if there is space.

mod cursor;
mod filters;
mod foot;
mod group;
mod legacy;
mod list;
mod no_runs;
mod pane;
mod row;
mod search;
mod servers;

pub(crate) use pane::RunsPane;
pub use row::RunItem;
