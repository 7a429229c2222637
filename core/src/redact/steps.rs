//! Counts how often a byte of a text is looked at, for tests of the work that a text needs.

use std::cell::Cell;

thread_local! {
    static STEPS: Cell<usize> = const { Cell::new(0) };
}

pub(super) fn count() {
    STEPS.with(|steps| steps.set(steps.get() + 1));
}

/// The number of steps since the last call.
pub(super) fn take() -> usize {
    STEPS.with(Cell::take)
}
