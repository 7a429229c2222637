//! Long lists, of which only the rows near the visible part are rendered.

use std::ops::Range;

use leptos::html::{self, ElementType};
use leptos::prelude::*;
use leptos_use::{UseElementSizeReturn, UseScrollReturn, use_element_size, use_scroll};
use runstate::viewer::FIRST_ROWS;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// Rows requested above and below the visible ones.
const OVERSCAN: usize = 8;

/// A list of rows with the same height, of which only those near the visible part are rendered. The list is as high as
/// all its rows together.
#[derive(Clone, Copy)]
pub(crate) struct VirtualList<E>
where
    E: ElementType + 'static,
    E::Output: 'static,
{
    scroller: NodeRef<html::Div>,
    list: NodeRef<E>,
    total: Signal<usize>,
    /// The rows to request; they may reach beyond the end of the list.
    pub(crate) range: Memo<Range<usize>>,
    /// The visible rows: those whose middle is visible.
    pub(crate) visible_rows: Memo<Range<usize>>,
}

impl<E> VirtualList<E>
where
    E: ElementType + Copy + 'static,
    E::Output: JsCast + Clone + AsRef<HtmlElement> + 'static,
    Element: From<E::Output>,
{
    /// A list of `total` rows inside a scrolling element, which must be the list's offset parent.
    pub(crate) fn new(
        scroller: NodeRef<html::Div>,
        list: NodeRef<E>,
        total: impl Into<Signal<usize>>,
    ) -> Self {
        let total = total.into();
        let UseScrollReturn { y, .. } = use_scroll(scroller);
        let UseElementSizeReturn { height: scroller_height, .. } = use_element_size(scroller);
        let UseElementSizeReturn { height: list_height, .. } = use_element_size(list);
        let geometry = Memo::new(move |_| {
            // The sizes are read from the page, because these signals follow it with a delay.
            y.track();
            scroller_height.track();
            list_height.track();
            measure(scroller, list, total.get())
        });
        let range = Memo::new(move |_| geometry.get().map_or(0..FIRST_ROWS, Geometry::range));
        let visible_rows =
            Memo::new(move |_| geometry.get().map_or(0..0, |now| now.visible_rows(total.get())));
        Self { scroller, list, total, range, visible_rows }
    }

    /// The number of rows that Page Up and Page Down move.
    pub(crate) fn page(self) -> usize {
        self.measure()
            .map_or(1, |geometry| (geometry.viewport_height / geometry.row) as usize)
            .saturating_sub(1)
            .max(1)
    }

    /// Scrolls a row into view, no further than necessary.
    pub(crate) fn show(self, row: usize) {
        let (Some(scroller), Some(geometry)) = (self.scroller.get_untracked(), self.measure()) else {
            return;
        };
        let top = geometry.offset + row as f64 * geometry.row;
        if top < geometry.scroll_top {
            scroller.set_scroll_top(top as i32);
        } else if top + geometry.row > geometry.scroll_top + geometry.viewport_height {
            scroller.set_scroll_top((top + geometry.row - geometry.viewport_height).ceil() as i32);
        }
    }

    fn measure(self) -> Option<Geometry> {
        untrack(|| measure(self.scroller, self.list, self.total.get()))
    }
}

/// The position and the sizes of a list in its scrolling element, CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Geometry {
    /// The distance from the top of the content to the list.
    offset: f64,
    /// The distance from the top of the content to the visible part.
    scroll_top: f64,
    /// The height of the visible part.
    viewport_height: f64,
    /// The height of a row.
    row: f64,
}

/// Measures a list; `None` while it is not on the page, not visible, or empty.
fn measure<E>(scroller: NodeRef<html::Div>, list: NodeRef<E>, total: usize) -> Option<Geometry>
where
    E: ElementType + 'static,
    E::Output: JsCast + Clone + AsRef<HtmlElement> + 'static,
{
    let (scroller, list) = (scroller.get()?, list.get()?);
    let list: &HtmlElement = list.as_ref();
    let row = list.get_bounding_client_rect().height() / total as f64;
    (row.is_finite() && row > 0.0).then(|| Geometry {
        offset: f64::from(list.offset_top()),
        scroll_top: f64::from(scroller.scroll_top()),
        viewport_height: f64::from(scroller.client_height()),
        row,
    })
}

impl Geometry {
    /// The visible rows, and the additional rows above and below them.
    fn range(self) -> Range<usize> {
        let top = self.scroll_top - self.offset;
        // The cast saturates: positions above the list become row 0.
        let (first, end) =
            ((top / self.row) as usize, ((top + self.viewport_height) / self.row).ceil() as usize);
        first.saturating_sub(OVERSCAN)..end.saturating_add(OVERSCAN)
    }

    /// The rows whose middle is visible.
    fn visible_rows(self, total: usize) -> Range<usize> {
        let top = self.scroll_top - self.offset;
        let row_at = |y: f64| ((y / self.row).round() as usize).min(total);
        row_at(top)..row_at(top + self.viewport_height)
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::Geometry;

    #[wasm_bindgen_test]
    fn visible_rows_and_a_few_more_are_requested() {
        let at = |scrolled| {
            Geometry { offset: 100.0, scroll_top: scrolled, viewport_height: 240.0, row: 24.0 }.range()
        };
        assert_eq!(at(0.0), 0..14, "the list begins 100 px further down");
        assert_eq!(at(100.0), 0..18);
        assert_eq!(at(100.0 + 24.0 * 500.0 + 1.0), 492..519);
        assert_eq!(
            Geometry { offset: 5_000.0, scroll_top: 0.0, viewport_height: 240.0, row: 24.0 }.range(),
            0..8,
            "not visible"
        );
    }

    #[wasm_bindgen_test]
    fn rows_are_visible_if_their_middle_is() {
        let at = |scrolled| {
            Geometry { offset: 100.0, scroll_top: scrolled, viewport_height: 240.0, row: 24.0 }
                .visible_rows(500)
        };
        assert_eq!(at(0.0), 0..6, "the list begins 100 px further down");
        assert_eq!(at(100.0 + 24.0 * 20.0 + 11.0), 20..30);
        assert_eq!(at(100.0 + 24.0 * 20.0 + 13.0), 21..31);
        assert_eq!(at(24.0 * 500.0), 496..500);
        assert!(at(24.0 * 600.0).is_empty(), "the list ends above");
    }
}
