//! The past of a run: frames by number, readable differences, milestones, and unknown states.

#[path = "../../../tests/captured/mod.rs"]
mod captured;
mod changes;
mod frames;
mod long;
mod states;
mod support;
#[path = "../../../tests/vectors/mod.rs"]
mod vectors;
