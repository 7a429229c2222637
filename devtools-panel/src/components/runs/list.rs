//! Rows of runs, of which only those near the visible part are rendered.

use std::collections::HashMap;
use std::ops::Range;

use leptos::html;
use leptos::prelude::*;
use runstate::viewer::{GroupId, ListedRun, RunWindow};
use web_sys::{FocusEvent, KeyboardEvent};

use super::super::row_memo::row_memo;
use super::super::virtual_list::VirtualList;
use super::focus::{RowFocus, Rows, focus_quietly, focus_row, row_position};
use super::row::RunItem;

/// A row of the window.
#[derive(Clone, PartialEq)]
struct Item {
    /// The run's id, and the number of rows above in the window with the same id: a row keeps its element, and thus the
    /// focus, while others come and go.
    key: (String, usize),
    /// The position in the list, from 0.
    position: usize,
    row: ListedRun,
}

/// Rows of runs without groups, which are a separate tab stop.
#[component]
pub(super) fn UngroupedRows(
    /// The rows that the session has sent.
    window: Memo<RunWindow>,
    /// The element that scrolls.
    scroller: NodeRef<html::Div>,
    /// The rows to request.
    range: RwSignal<Range<usize>>,
    /// The id of the element that names the list.
    name_id: String,
) -> impl IntoView {
    let focus = RowFocus::ungrouped(window);
    view! { <RunRows window scroller focus group=None range name_id /> }
}

/// Rows of runs.
#[component]
pub(super) fn RunRows(
    /// The rows that the session has sent.
    window: Memo<RunWindow>,
    /// The element that scrolls.
    scroller: NodeRef<html::Div>,
    /// The tab stop that the rows share with those of other groups.
    focus: RowFocus,
    /// The group; `None` for a list without groups.
    group: Option<GroupId>,
    /// The rows to request.
    range: RwSignal<Range<usize>>,
    /// The id of the element that names the list.
    name_id: String,
) -> impl IntoView {
    let list = NodeRef::<html::Ul>::new();
    let total = Memo::new(move |_| window.with(|window| window.total));
    let first = Memo::new(move |_| window.with(|window| window.first));
    let items = Memo::new(move |_| window.with(items));
    let rows = VirtualList::new(scroller, list, total);
    focus.add(group, Rows { list, window: rows });
    let tab_stop = Memo::new(move |_| focus.tab_stop(group));
    Effect::new(move |_| range.set(rows.range.get()));
    let had_focus = StoredValue::new(false);
    keep_focus(list, rows.range, items, had_focus, move || focus.active_in(group));
    // Evaluated right before the rows change.
    let each = move || {
        had_focus.set_value(matches(list, ":focus-within"));
        items.get()
    };
    let on_keydown = move |event: KeyboardEvent| focus.on_key(&event, group);
    let on_focusin = move |event: FocusEvent| {
        if let Some(position) = event.target().and_then(row_position) {
            focus.set_active(group, position);
        }
    };
    let item = move |item: Item| {
        let item = row_memo(items, item, |a, b| a.key == b.key);
        let row = Signal::derive(move || item.with(|item| item.row.clone()));
        let position = Signal::derive(move || item.with(|item| item.position));
        let is_tab_stop = Signal::derive(move || tab_stop.get() == Some(position.get()));
        view! { <RunItem row position total is_tab_stop /> }
    };
    view! {
        <ul
            class="run-list"
            aria-labelledby=name_id
            hidden=move || total.get() == 0
            tabindex="-1"
            node_ref=list
            style:height=move || format!("calc({} * var(--run-row))", total.get())
            style:padding-top=move || format!("calc({} * var(--run-row))", first.get())
            on:keydown=on_keydown
            on:focusin=on_focusin
        >
            <For each key=|item| item.key.clone() children=item />
        </ul>
    }
}

fn items(window: &RunWindow) -> Vec<Item> {
    let mut seen = HashMap::<&str, usize>::new();
    let rows = (window.first..).zip(&window.rows);
    rows.map(|(position, row)| {
        let above = seen.entry(&row.id).or_default();
        let key = (row.id.clone(), *above);
        *above += 1;
        Item { key, position, row: row.clone() }
    })
    .collect()
}

/// Keeps the focus inside the list. The list takes it while the focused row is not rendered, and returns it later;
/// likewise when the row moves in the document.
fn keep_focus(
    list: NodeRef<html::Ul>,
    range: Memo<Range<usize>>,
    items: Memo<Vec<Item>>,
    had_focus: StoredValue<bool>,
    active: impl Fn() -> Option<usize> + Copy + 'static,
) {
    Effect::new(move |_| {
        let range = range.get();
        if active().is_some_and(|row| !range.contains(&row)) && matches(list, ":focus-within") {
            focus_quietly(list.get_untracked().map(Into::into));
        }
    });
    Effect::new(move |_| {
        items.track();
        let is_lost = had_focus.get_value() && !matches(list, ":focus-within");
        if let Some(row) = active().filter(|_| is_lost || matches(list, ":focus")) {
            focus_row(list, row);
        }
    });
}

fn matches(list: NodeRef<html::Ul>, selector: &str) -> bool {
    list.get_untracked().is_some_and(|list| list.matches(selector).unwrap_or(false))
}
