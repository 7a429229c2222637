//! The past of a run: frames by number, differences that a person can read, milestones, and what is not known.

#[path = "../../../tests/captured/mod.rs"]
mod captured;
mod changes;
mod frames;
mod long;
mod states;
mod support;
#[path = "../../../tests/vectors/mod.rs"]
mod vectors;
