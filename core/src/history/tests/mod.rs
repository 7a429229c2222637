//! The past of a run: frames by number, readable differences, milestones, and unknown states.

use crate::tests::captured;
use crate::tests::vectors;

mod changes;
mod frames;
mod long;
mod states;
mod support;
