//! Which rows of a list are visible, and where they are drawn.

use std::ops::Range;

/// The maximum height of all lists in a scrolling element together, CSS pixels. Firefox draws nothing of an element above
/// 17.89 million; Chromium shortens it to 33.5 million device pixels, which are 8.39 million at a zoom of 400 %.
pub(super) const MAX_HEIGHT: f64 = 8_000_000.0;

/// Rows requested above and below the visible ones.
const OVERSCAN: usize = 8;

/// The sizes of a list, CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sizes {
    /// The height of the visible part of the scrolling element.
    pub(super) viewport: f64,
    /// The height of a row.
    pub(super) row: f64,
    /// The number of rows.
    pub(super) total: usize,
    /// The maximum height of the list's element.
    pub(super) max_height: f64,
}

impl Sizes {
    /// The height of the list's element.
    pub(super) fn height(self) -> f64 {
        self.full_height().min(self.max_height)
    }

    /// The height of all rows.
    fn full_height(self) -> f64 {
        self.total as f64 * self.row
    }

    /// Whether the element is lower than all rows together. A scrolled pixel then moves the rows by more than a pixel.
    pub(super) fn is_shortened(self) -> bool {
        self.full_height() > self.max_height
    }

    /// The positions of the list's start at the top of the visible part and of its end at the bottom, as a distance from
    /// the top of the element, and the same for an element as high as all rows.
    fn ends(self) -> (f64, f64) {
        ((self.height() - self.viewport).max(1.0), (self.full_height() - self.viewport).max(1.0))
    }

    /// The distance from the top of all rows to the top of the visible part, for a scroll position.
    fn top_at(self, scrolled: f64) -> f64 {
        if !self.is_shortened() {
            return scrolled;
        }
        let (end, full_end) = self.ends();
        let inside = scrolled.clamp(0.0, end);
        // The scroll position that a browser reaches may be a fraction of a pixel before the end.
        let share = if end - inside < 1.0 { 1.0 } else { inside / end };
        share * full_end + scrolled - inside
    }

    /// The scroll position for a distance from the top of all rows. It leaves a pixel to scroll at either end.
    fn scrolled_at(self, top: f64) -> f64 {
        if !self.is_shortened() {
            return top;
        }
        let (end, full_end) = self.ends();
        let inside = top.clamp(0.0, full_end);
        let scrolled = inside / full_end * end;
        let scrolled = if inside > 0.0 && inside < full_end {
            scrolled.clamp(1.0, (end - 2.0).max(1.0))
        } else {
            scrolled
        };
        scrolled + top - inside
    }
}

/// A scroll position, and the row at the top of the visible part there. In a shortened list, several rows have the same
/// scroll position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Position {
    /// The distance from the top of the list's element to the top of the visible part, CSS pixels; negative while the list
    /// begins further down.
    pub(super) scrolled: f64,
    /// The first visible row, with the part of it that is scrolled out of sight.
    pub(super) first: f64,
}

impl Position {
    fn is_at(self, scrolled: f64) -> bool {
        // Browsers measure a place millions of pixels away to half a pixel, and round a scroll position when they paint.
        (self.scrolled - scrolled).abs() < 1.0
    }
}

/// The sizes and the position of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Geometry {
    pub(super) sizes: Sizes,
    pub(super) position: Position,
}

impl Geometry {
    /// The geometry at a scroll position. The first row of a `known` position stays exact until the list is scrolled, also
    /// if rows are added or removed.
    pub(super) fn new(sizes: Sizes, scrolled: f64, known: [Option<Position>; 2]) -> Self {
        let (end, full_end) = sizes.ends();
        let is_inside = sizes.is_shortened() && (0.0..=end).contains(&scrolled);
        let known = known.into_iter().flatten().find(|known| is_inside && known.is_at(scrolled));
        let first = match known {
            Some(known) => known.first.clamp(0.0, full_end / sizes.row),
            None => sizes.top_at(scrolled) / sizes.row,
        };
        Self { sizes, position: Position { scrolled, first } }
    }

    /// The same list at another scroll position.
    pub(super) fn scrolled_to(self, scrolled: f64) -> Self {
        Self::new(self.sizes, scrolled, [Some(self.position), None])
    }

    /// The distance from the top of all rows to the top of the visible part.
    pub(super) fn top(self) -> f64 {
        self.position.first * self.sizes.row
    }

    /// The scroll position for a distance from the top of all rows.
    pub(super) fn scrolled_at(self, top: f64) -> f64 {
        self.sizes.scrolled_at(top)
    }

    /// The distance from the top of the list's element to a row.
    pub(super) fn row_top(self, row: usize) -> f64 {
        // Without the scroll position, if nothing is shortened: adding and subtracting it would round.
        let top = row as f64 * self.sizes.row;
        if self.sizes.is_shortened() { top - self.top() + self.position.scrolled } else { top }
    }

    /// The distance from the top of all rows that shows a row, no further than necessary; `None` if all of the row is
    /// visible.
    pub(super) fn top_to_show(self, row: usize) -> Option<f64> {
        let Sizes { viewport, row: height, .. } = self.sizes;
        let (top, bottom) = (row as f64 * height, (row + 1) as f64 * height);
        if top < self.top() {
            Some(top)
        } else if bottom > self.top() + viewport {
            Some(bottom - viewport)
        } else {
            None
        }
    }

    /// The visible rows, and the additional rows above and below them; they may reach beyond the end of the list.
    pub(super) fn range(self) -> Range<usize> {
        // The casts saturate: positions above the list become row 0.
        let (first, end) =
            (self.position.first as usize, (self.position.first + self.rows_in_view()).ceil() as usize);
        first.saturating_sub(OVERSCAN)..end.saturating_add(OVERSCAN)
    }

    /// The rows whose middle is visible.
    pub(super) fn visible_rows(self) -> Range<usize> {
        let row_at = |row: f64| (row.round() as usize).min(self.sizes.total);
        row_at(self.position.first)..row_at(self.position.first + self.rows_in_view())
    }

    /// The number of rows that fit into the visible part.
    pub(super) fn rows_in_view(self) -> f64 {
        self.sizes.viewport / self.sizes.row
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::{Geometry, MAX_HEIGHT, Position, Sizes};

    const VIEWPORT: f64 = 240.0;

    fn sizes(total: usize) -> Sizes {
        Sizes { viewport: VIEWPORT, row: 24.0, total, max_height: MAX_HEIGHT }
    }

    fn at(total: usize, scrolled: f64) -> Geometry {
        Geometry::new(sizes(total), scrolled, [None, None])
    }

    #[wasm_bindgen_test]
    fn visible_rows_and_a_few_more_are_requested() {
        let range = |scrolled| at(1_000, scrolled).range();
        assert_eq!(range(-100.0), 0..14, "the list begins 100 px further down");
        assert_eq!(range(0.0), 0..18);
        assert_eq!(range(24.0 * 500.0 + 1.0), 492..519);
        assert_eq!(range(-5_000.0), 0..8, "not visible");
    }

    #[wasm_bindgen_test]
    fn rows_are_visible_if_their_middle_is() {
        let rows = |scrolled| at(500, scrolled).visible_rows();
        assert_eq!(rows(-100.0), 0..6, "the list begins 100 px further down");
        assert_eq!(rows(24.0 * 20.0 - 89.0), 16..26);
        assert_eq!(rows(24.0 * 20.0 - 11.0), 20..30);
        assert_eq!(rows(24.0 * 496.0 - 0.5), 496..500);
        assert!(rows(24.0 * 600.0).is_empty(), "the list ends above");
    }

    #[wasm_bindgen_test]
    fn a_shortened_list_reaches_both_ends() {
        for total in [400_000, 1_000_000, 20_000_000] {
            let end = MAX_HEIGHT - VIEWPORT;
            assert_eq!(sizes(total).height(), MAX_HEIGHT);
            assert_eq!(at(total, 0.0).visible_rows(), 0..10);
            for scrolled in [end, end - 0.6] {
                let rows = at(total, scrolled);
                assert_eq!(rows.visible_rows(), total - 10..total, "{total} rows at {scrolled}");
                assert!((rows.row_top(total) - scrolled - VIEWPORT).abs() < 0.01, "{}", rows.row_top(total));
            }
        }
    }

    #[wasm_bindgen_test]
    fn rows_before_and_after_a_shortened_list_are_drawn_at_its_ends() {
        let total = 1_000_000;
        assert!((at(total, -100.0).row_top(3) - 72.0).abs() < 0.01, "other content is above it");
        let after = at(total, MAX_HEIGHT - 100.0);
        assert!((after.row_top(total) - MAX_HEIGHT).abs() < 0.01, "other content is below it");
        assert_eq!(after.visible_rows(), total - 4..total);
    }

    #[wasm_bindgen_test]
    fn a_row_is_shown_exactly_while_its_scroll_position_lasts() {
        for total in [1_000, 1_000_000, 20_000_000] {
            for row in [0, 1, 9, 10, 11, total / 3, total / 2 + 1, total - 11, total - 10, total - 1] {
                let top = at(total, 5_000.0).top_to_show(row).unwrap_or_else(|| at(total, 5_000.0).top());
                // A browser rounds the scroll position.
                let scrolled = sizes(total).scrolled_at(top).round();
                let shown = Geometry::new(
                    sizes(total),
                    scrolled,
                    [Some(Position { scrolled, first: top / 24.0 }), None],
                );
                assert_eq!(shown.top_to_show(row), None, "row {row} of {total}");
                let distance = shown.row_top(row) - scrolled;
                assert!(
                    (-0.01..=VIEWPORT - 24.0 + 0.01).contains(&distance),
                    "row {row} of {total} at {distance}"
                );
                let more = Geometry::new(sizes(total + 7), scrolled, [None, Some(shown.position)]);
                assert!(
                    (more.position.first - shown.position.first).abs() < 0.01,
                    "rows were added to {total}"
                );
            }
        }
    }

    #[wasm_bindgen_test]
    fn a_person_can_scroll_away_from_every_row_but_the_ends() {
        let sizes = sizes(20_000_000);
        let end = MAX_HEIGHT - VIEWPORT;
        assert_eq!(sizes.scrolled_at(0.0), 0.0);
        assert_eq!(sizes.scrolled_at(24.0), 1.0);
        assert_eq!(sizes.scrolled_at(24.0 * 20_000_000.0 - VIEWPORT - 24.0), end - 2.0);
        assert_eq!(sizes.scrolled_at(24.0 * 20_000_000.0 - VIEWPORT), end);
    }
}
