//! Event logs: the states that they imply, and their rows.

mod pushed;
mod rows;
mod states;
mod support;
