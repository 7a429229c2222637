//! Event logs: the states that they imply, and their rows.

mod nodes;
mod recorded_events;
mod rows;
mod states;
mod support;
