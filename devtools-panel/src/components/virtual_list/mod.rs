//! Long lists, of which only the rows near the visible part are rendered.
//!
//! The element of a list is as high as all its rows, or as high as browsers can draw; then scrolling moves the rows faster.

mod geometry;
mod rows;
mod scroller;

use std::ops::Range;

use leptos::html;
use leptos::prelude::*;
use runstate::viewer::FIRST_ROWS;

use self::geometry::{Geometry, MAX_HEIGHT, Position, Sizes};
pub(crate) use self::rows::VirtualRows;
pub(crate) use self::scroller::{ScrollArea, Scroller};

/// A list of rows with the same height in a scrolling element.
#[derive(Clone, Copy)]
pub(crate) struct VirtualList {
    elements: Elements,
    total: Signal<usize>,
    /// The height of a row; `None` before a row is rendered.
    row: RwSignal<Option<f64>>,
    /// The position that the program scrolled to last.
    shown: RwSignal<Option<Position>>,
    geometry: Memo<Option<Geometry>>,
    /// The last geometry that was measured; it places the rows. A row that lies too far down for the browser has no height,
    /// and could never be measured again.
    placement: Memo<Option<Geometry>>,
    /// The row to show as soon as the list can show it.
    pending: RwSignal<Option<usize>>,
    /// The rows to request; they may reach beyond the end of the list.
    pub(crate) range: Memo<Range<usize>>,
    /// The visible rows: those whose middle is visible.
    pub(crate) visible_rows: Memo<Range<usize>>,
}

/// The elements of a list.
#[derive(Clone, Copy)]
struct Elements {
    scroller: Scroller,
    /// As high as all rows if possible.
    space: NodeRef<html::Div>,
    /// Contains the rendered rows.
    window: NodeRef<html::Div>,
}

impl VirtualList {
    /// A list of `total` rows inside a scrolling element. [`VirtualRows`] renders it.
    pub(crate) fn new(scroller: Scroller, total: impl Into<Signal<usize>>) -> Self {
        let total = total.into();
        let elements = Elements { scroller, space: NodeRef::new(), window: NodeRef::new() };
        let (row, shown) = (RwSignal::new(None), RwSignal::new(None));
        scroller.lists.update(|lists| *lists += 1);
        on_cleanup(move || {
            // Fails only after the scrolling element has been removed.
            let _ = scroller.lists.try_update(|lists| *lists -= 1);
        });
        let geometry = Memo::new(move |previous: Option<&Option<Geometry>>| {
            scroller.changed.track();
            let previous = previous.copied().flatten().map(|previous| previous.position);
            let (sizes, distance) = measure(elements, row.get()?, total.get())?;
            Some(Geometry::new(sizes, distance, [shown.get(), previous]))
        });
        // A list that is hidden or not measured keeps its rows.
        let rows = move |read: fn(Geometry) -> Range<usize>, first: Range<usize>| {
            Memo::new(move |previous: Option<&Range<usize>>| match geometry.get() {
                Some(geometry) => read(geometry),
                None => previous.unwrap_or(&first).clone(),
            })
        };
        let (range, visible_rows) =
            (rows(Geometry::range, 0..FIRST_ROWS), rows(Geometry::visible_rows, 0..0));
        let placement = Memo::new(move |previous: Option<&Option<Geometry>>| {
            geometry.get().or(previous.copied().flatten())
        });
        let pending = RwSignal::new(None);
        let list = Self { elements, total, row, shown, geometry, placement, pending, range, visible_rows };
        Effect::new(move |_| {
            // Also the change of a height that moves no row.
            scroller.changed.track();
            if geometry.with(Option::is_some)
                && let Some(row) = pending.get_untracked()
            {
                list.show(row);
            }
        });
        list
    }

    /// The number of rows that Page Up and Page Down move.
    pub(crate) fn page(self) -> usize {
        self.measure().map_or(1, |geometry| geometry.rows_in_view() as usize).saturating_sub(1).max(1)
    }

    /// Scrolls a row into view, no further than necessary. A list that is not measured, or whose element is not high enough
    /// yet, does so later, unless another row is to be shown until then.
    pub(crate) fn show(self, row: usize) {
        let Some(now) = self.measure().filter(|now| self.has_space(*now, row)) else {
            return self.pending.set(Some(row));
        };
        self.pending.set(None);
        if let Some(top) = now.top_to_show(row) {
            self.scroll_to(now, top);
        }
    }

    /// Keeps a row at its place on screen while the rows above it change, in this list and in others. `row` is the key of
    /// the row and its position; `None` while there is no row to keep.
    pub(crate) fn hold<K>(self, row: impl Into<Signal<Option<(K, usize)>>>)
    where
        K: Clone + PartialEq + Send + Sync + 'static,
    {
        let row = row.into();
        Effect::new(move |before: Option<Option<(K, usize, Geometry, f64)>>| {
            self.geometry.track();
            let (key, position) = row.get()?;
            let now = self.measure()?;
            if let Some((_, old_position, old, old_offset)) = before.flatten().filter(|(old, ..)| *old == key)
            {
                let moved = self.offset(now)? - old_offset;
                // What the list showed before the change, at the present scroll position.
                let old = old.scrolled_to(now.position.scrolled + moved);
                let is_visible = old.visible_rows().contains(&old_position);
                // A list scrolled to the top stays there, so that the first rows are visible.
                let is_at_top = self.elements.scroller.element.get_untracked()?.scroll_top() == 0;
                if is_visible && !is_at_top && (position != old_position || moved.abs() >= 1.0) {
                    let rows = position as f64 - old_position as f64;
                    self.scroll_to(now, old.top() + rows * old.sizes.row);
                }
            }
            let now = self.measure()?;
            Some((key, position, now, self.offset(now)?))
        });
    }

    /// Scrolls to a distance from the top of all rows.
    fn scroll_to(self, now: Geometry, top: f64) {
        let Some(element) = self.elements.scroller.element.get_untracked() else { return };
        let by = now.scrolled_at(top) - now.position.scrolled;
        // Browsers may round the scroll position: a row is rather shown with a part of its neighbour than cut off.
        element.scroll_by_with_x_and_y(0.0, if by < 0.0 { by.floor() } else { by.ceil() });
        if let Some(now) = self.measure() {
            let position = Position { first: top / now.sizes.row, ..now.position };
            self.shown.set(Some(position));
            // All lists move at once: the scroll event follows later.
            self.elements.scroller.changed.notify();
        }
    }

    /// The distance from the top of the scrolling element's content to the list.
    fn offset(self, now: Geometry) -> Option<f64> {
        let element = self.elements.scroller.element.get_untracked()?;
        Some(f64::from(element.scroll_top()) - now.position.scrolled)
    }

    /// The geometry of this moment: signals follow the page with a delay.
    fn measure(self) -> Option<Geometry> {
        untrack(|| {
            let previous = self.geometry.get().map(|previous| previous.position);
            let (sizes, scrolled) = measure(self.elements, self.row.get()?, self.total.get())?;
            Some(Geometry::new(sizes, scrolled, [self.shown.get(), previous]))
        })
    }

    /// Whether the list's element is high enough to show a row: it gets its height a moment after the number of rows changes.
    fn has_space(self, now: Geometry, row: usize) -> bool {
        let height = self.elements.space.get_untracked().map_or(0, |space| space.offset_height());
        let needed = now.sizes.height().min((row + 1) as f64 * now.sizes.row);
        // Browsers round the height.
        f64::from(height) + 1.0 >= needed
    }

    /// The height of the list's element, as a CSS value; reactive.
    fn height(self) -> String {
        let (total, max) = (self.total.get(), max_height(self.elements.scroller));
        match self.row.get() {
            Some(row) => format!("{}px", Sizes { viewport: 0.0, row, total, max_height: max }.height()),
            None => format!("min({total} * var(--row), {max}px)"),
        }
    }

    /// The distance from the top of the list's element to a row, as a CSS value; reactive.
    fn row_top(self, row: usize) -> String {
        match self.placement.get() {
            Some(geometry) => format!("{}px", geometry.row_top(row)),
            None => format!("calc({row} * var(--row))"),
        }
    }
}

/// The sizes of a list and the distance that it is scrolled; `None` while it is not on the page or not visible, and while
/// its rows have another height than the measured one.
fn measure(elements: Elements, row: f64, total: usize) -> Option<(Sizes, f64)> {
    let max_height = max_height(elements.scroller);
    let (area, space, window) =
        (elements.scroller.element.get()?, elements.space.get()?, elements.window.get()?);
    let rendered = f64::from(window.child_element_count()) * row;
    let [on_page, space] = [area.get_bounding_client_rect(), space.get_bounding_client_rect()];
    // A host page may scale the panel with a transform, which changes the rectangles on the page alone. The element's own
    // height is rounded to whole pixels.
    let height = f64::from(area.offset_height());
    let is_scaled = (height - on_page.height()).abs() >= 1.0 && on_page.height() > 0.0;
    let scale = if is_scaled { height / on_page.height() } else { 1.0 };
    let is_measured = (window.get_bounding_client_rect().height() * scale - rendered).abs() < 2.0;
    let viewport = f64::from(area.client_height());
    let scrolled = (on_page.top() - space.top()) * scale + f64::from(area.client_top());
    (is_measured && viewport > 0.0).then_some((Sizes { viewport, row, total, max_height }, scrolled))
}

/// The maximum height of each list of a scrolling element, CSS pixels; reactive.
fn max_height(scroller: Scroller) -> f64 {
    MAX_HEIGHT / scroller.lists.get().max(1) as f64
}
