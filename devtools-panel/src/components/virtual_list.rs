//! Which rows are in sight.

use std::ops::Range;

use leptos::prelude::*;

use crate::el::Ref;
use crate::host;
use crate::kept::Slot;

/// Rows kept ready above and below what is in sight.
const OVERSCAN: usize = 8;
/// Rows drawn before the pane was measured.
const FIRST_ROWS: usize = 40;

/// The part of a scrolling list that is in sight, in rows of one height.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    scroller: Ref,
    first: Slot<usize>,
    rows: Slot<usize>,
    row_height: Slot<f64>,
}

impl Window {
    /// A window onto `scroller`, measured once it is on the page and again when the page's size changes.
    pub(crate) fn new(scroller: Ref) -> Self {
        let window = Self {
            scroller,
            first: Slot::new(0),
            rows: Slot::new(FIRST_ROWS),
            row_height: Slot::new(host::row_height()),
        };
        host::on_resize(scroller, move || window.measure());
        window
    }

    /// Reads the scroll position and the sizes off the page.
    pub(crate) fn measure(self) {
        let Some(scroller) = self.scroller.get_untracked() else { return };
        let height = host::row_height();
        let set = |signal: Slot<usize>, value: usize| {
            if signal.get_untracked() != value {
                signal.set(value);
            }
        };
        if self.row_height.get_untracked() != height {
            self.row_height.set(height);
        }
        set(self.first, (f64::from(scroller.scroll_top()) / height) as usize);
        set(self.rows, (f64::from(scroller.client_height()) / height).ceil() as usize + 1);
    }

    /// The rows to draw of a list of `len`.
    pub(crate) fn range(self, len: usize) -> Range<usize> {
        let first = self.first.get().min(len);
        first.saturating_sub(OVERSCAN)..(first + self.rows.get() + OVERSCAN).min(len)
    }

    /// The height of a row, CSS pixels.
    pub(crate) fn row_height(self) -> f64 {
        self.row_height.get()
    }

    /// How many rows a page up or down moves.
    pub(crate) fn page(self) -> usize {
        self.rows.get_untracked().saturating_sub(2).max(1)
    }

    /// Scrolls row `at` into sight, no further than needed.
    pub(crate) fn show(self, at: usize) {
        let Some(scroller) = self.scroller.get_untracked() else { return };
        let height = self.row_height.get_untracked();
        let top = at as f64 * height;
        let (from, seen) = (f64::from(scroller.scroll_top()), f64::from(scroller.client_height()));
        if top < from {
            scroller.set_scroll_top(top as i32);
        } else if top + height > from + seen {
            scroller.set_scroll_top((top + height - seen).ceil() as i32);
        }
        self.measure();
    }
}
