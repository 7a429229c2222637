//! The rows of several lists as one tab stop, with arrow keys to move between them.

use std::ops::Range;

use leptos::html;
use leptos::prelude::*;
use runstate::viewer::{GroupId, RunGroup, RunWindow};
use wasm_bindgen::JsCast;
use web_sys::{Element, EventTarget, FocusOptions, HtmlElement, KeyboardEvent};

use super::super::keyboard::has_modifier;
use super::super::virtual_list::VirtualList;

/// The row in the tab order. Rows are counted from 0 over all groups.
#[derive(Clone, Copy)]
pub(super) struct RowFocus {
    active: RwSignal<usize>,
    places: Memo<Vec<RowPosition>>,
    lists: RwSignal<Vec<(Option<GroupId>, Rows)>, LocalStorage>,
}

/// The rows of a group, or of a list without groups, among all rows.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RowPosition {
    group: Option<GroupId>,
    /// The position of its first row.
    start: usize,
    total: usize,
    /// The first rendered row, counted from 0 in the group.
    first: usize,
    drawn: usize,
}

/// A rendered list.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    pub(super) list: NodeRef<html::Ul>,
    pub(super) window: VirtualList<html::Ul>,
}

impl RowFocus {
    pub(super) fn new(active: RwSignal<usize>, groups: Memo<Vec<RunGroup>>) -> Self {
        let places = Memo::new(move |_| groups.with(|groups| places(groups)));
        Self { active, places, lists: RwSignal::new_local(Vec::new()) }
    }

    /// The tab stop of one list without groups.
    pub(super) fn ungrouped(window: Memo<RunWindow>) -> Self {
        let places = Memo::new(move |_| window.with(|window| vec![place(None, 0, window)]));
        Self { active: RwSignal::new(0), places, lists: RwSignal::new_local(Vec::new()) }
    }

    /// Adds a rendered list; it is removed with its component.
    pub(super) fn add(self, group: Option<GroupId>, rows: Rows) {
        self.lists.update(|lists| lists.push((group, rows)));
        on_cleanup(move || {
            // Fails only after the list of runs has been removed.
            let _ = self.lists.try_update(|lists| lists.retain(|(known, _)| *known != group));
        });
    }

    /// The row of a group that the tab key reaches, counted from 0 in the group; reactive. Always a rendered row.
    pub(super) fn tab_stop(self, group: Option<GroupId>) -> Option<usize> {
        let active = self.active.get();
        self.places.with(|places| {
            let (place, row) = nearest(places, active)?;
            (place.group == group).then_some(row)
        })
    }

    /// The visible rows, from the first to the last; reactive.
    pub(super) fn visible_rows(self) -> Range<usize> {
        let (lists, places) = (self.lists.read(), self.places.read());
        let rows_of = |(group, rows): &(Option<GroupId>, Rows)| {
            let place = places.iter().find(|place| place.group == *group)?;
            let rows = rows.window.visible_rows.get();
            (!rows.is_empty()).then(|| place.start + rows.start..place.start + rows.end)
        };
        let rows = lists.iter().filter_map(rows_of);
        rows.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or_default()
    }

    /// The active row, counted from 0 in a group.
    pub(super) fn active_in(self, group: Option<GroupId>) -> Option<usize> {
        let active = self.active.get_untracked();
        let place = self.place(group)?;
        (place.start..place.start + place.total).contains(&active).then(|| active - place.start)
    }

    /// Makes a row active that has received the focus.
    pub(super) fn set_active(self, group: Option<GroupId>, row: usize) {
        if let Some(place) = self.place(group) {
            self.active.set(place.start + row);
        }
    }

    /// Moves the focus for a navigation key.
    pub(super) fn on_key(self, event: &KeyboardEvent, group: Option<GroupId>) {
        let Some(place) = self.place(group) else { return };
        let from = event.target().and_then(row_position).map(|row| place.start + row);
        let from = from.unwrap_or_else(|| self.active.get_untracked());
        let total = self.places.with_untracked(|places| places.iter().map(|place| place.total).sum());
        let page = self.rows(group).map_or(1, |rows| rows.window.page());
        let next = if has_modifier(event) { None } else { next_row(&event.key(), from, total, page) };
        if let Some(target) = next {
            event.prevent_default();
            self.move_to(target);
        }
    }

    /// Focuses a row.
    pub(super) fn move_to(self, target: usize) {
        self.active.set(target);
        if let Some((rows, row)) = self.find(target) {
            rows.window.show(row);
            focus_row(rows.list, row);
        }
    }

    /// Scrolls the active row into view.
    pub(super) fn reveal(self) {
        if let Some((rows, row)) = self.active.try_get_untracked().and_then(|active| self.find(active)) {
            rows.window.show(row);
        }
    }

    fn find(self, position: usize) -> Option<(Rows, usize)> {
        let places = self.places.try_get_untracked()?;
        let place =
            places.iter().find(|place| (place.start..place.start + place.total).contains(&position))?;
        Some((self.rows(place.group)?, position - place.start))
    }

    fn place(self, group: Option<GroupId>) -> Option<RowPosition> {
        self.places.with_untracked(|places| places.iter().find(|place| place.group == group).copied())
    }

    fn rows(self, group: Option<GroupId>) -> Option<Rows> {
        self.lists
            .with_untracked(|lists| lists.iter().find(|(known, _)| *known == group).map(|(_, rows)| *rows))
    }
}

fn places(groups: &[RunGroup]) -> Vec<RowPosition> {
    let mut start = 0;
    let place = |group: &RunGroup| {
        let place = place(Some(group.id), start, &group.runs);
        start += place.total;
        place
    };
    groups.iter().map(place).collect()
}

fn place(group: Option<GroupId>, start: usize, window: &RunWindow) -> RowPosition {
    RowPosition { group, start, total: window.total, first: window.first, drawn: window.rows.len() }
}

/// The rendered row nearest to a position.
fn nearest(places: &[RowPosition], position: usize) -> Option<(RowPosition, usize)> {
    let drawn = places.iter().filter(|place| place.drawn > 0);
    let row_in = |place: &RowPosition| {
        let (first, end) = (place.start + place.first, place.start + place.first + place.drawn - 1);
        position.clamp(first, end)
    };
    let place = drawn.min_by_key(|place| row_in(place).abs_diff(position))?;
    Some((*place, row_in(place) - place.start))
}

/// Focuses a row, or the list until the row is rendered.
pub(super) fn focus_row(list: NodeRef<html::Ul>, row: usize) {
    let Some(list) = list.get_untracked() else { return };
    let selector = format!("[aria-posinset=\"{}\"] button", row + 1);
    let button = list.query_selector(&selector).ok().flatten().and_then(|button| button.dyn_into().ok());
    focus_quietly(button.or_else(|| Some(list.into())));
}

pub(super) fn focus_quietly(element: Option<HtmlElement>) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    if let Some(element) = element {
        // Focusing can only fail on an element that is no longer on the page.
        let _ = element.focus_with_options(&options);
    }
}

/// The list position of the row that contains an element.
pub(super) fn row_position(target: EventTarget) -> Option<usize> {
    let row = target.dyn_into::<Element>().ok()?.closest("li").ok()??;
    row.get_attribute("aria-posinset")?.parse::<usize>().ok()?.checked_sub(1)
}

/// The row that a key moves to; `None` for other keys.
fn next_row(key: &str, from: usize, total: usize, page: usize) -> Option<usize> {
    let last = total.checked_sub(1)?;
    let target = match key {
        "ArrowDown" => from + 1,
        "ArrowUp" => from.saturating_sub(1),
        "PageDown" => from + page,
        "PageUp" => from.saturating_sub(page),
        "Home" => 0,
        "End" => last,
        _ => return None,
    };
    Some(target.min(last))
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::{RowPosition, nearest, next_row};
    use runstate::viewer::{Attention, GroupId};

    #[wasm_bindgen_test]
    fn keys_stay_within_the_rows() {
        let cases = [
            ("ArrowDown", 8, Some(9)),
            ("ArrowDown", 9, Some(9)),
            ("ArrowUp", 0, Some(0)),
            ("PageDown", 5, Some(9)),
            ("PageUp", 3, Some(0)),
            ("End", 2, Some(9)),
            ("Home", 7, Some(0)),
            ("Enter", 3, None),
        ];
        for (key, from, expected) in cases {
            assert_eq!(next_row(key, from, 10, 6), expected, "{key} from {from}");
        }
        assert_eq!(next_row("Home", 0, 0, 6), None, "there is no row");
    }

    #[wasm_bindgen_test]
    fn the_tab_stop_is_a_rendered_row() {
        let place = |group, start, total, first, drawn| RowPosition { group, start, total, first, drawn };
        let group = |server, attention| {
            let mut group = GroupId::from(attention);
            group.server = Some(server);
            Some(group)
        };
        let (asks, active) = (group(1, Attention::NeedsYou), group(1, Attention::Active));
        let other = group(0, Attention::Active);
        let places = [place(asks, 0, 5, 5, 0), place(active, 5, 3, 0, 3), place(other, 8, 10_000, 20, 40)];
        let stop = |position| nearest(&places, position).map(|(place, row)| (place.group, row));
        assert_eq!(stop(0), Some((active, 0)), "its group is scrolled out of sight");
        assert_eq!(stop(6), Some((active, 1)));
        assert_eq!(stop(30), Some((other, 22)));
        assert_eq!(stop(9_999), Some((other, 59)));
        assert_eq!(nearest(&places[..1], 0).map(|(_, row)| row), None);
    }
}
