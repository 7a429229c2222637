//! Rows of runs, of which only those near the visible part exist. One tab stop: arrow keys move between the rows.

use std::collections::HashMap;
use std::ops::Range;

use leptos::html;
use leptos::prelude::*;
use runstate::viewer::{ListedRun, RunWindow};
use wasm_bindgen::JsCast;
use web_sys::{Element, EventTarget, FocusEvent, FocusOptions, HtmlElement, KeyboardEvent};

use super::super::virtual_list::VirtualList;
use super::row::RunItem;

/// A row of the window.
#[derive(Clone, PartialEq)]
struct Item {
    /// The run's id, and how many rows above in the window have the same one: a row stays one element while others come
    /// and go, so that it keeps the focus.
    key: (String, usize),
    /// The position in the list, from 0.
    position: usize,
    row: ListedRun,
}

/// Rows of runs.
#[component]
pub(super) fn RunRows(
    /// The rows that the session has sent.
    window: Memo<RunWindow>,
    /// The element that scrolls.
    scroller: NodeRef<html::Div>,
    /// The rows to request.
    range: RwSignal<Range<usize>>,
) -> impl IntoView {
    let list = NodeRef::<html::Ul>::new();
    let total = Memo::new(move |_| window.with(|window| window.total));
    let first = Memo::new(move |_| window.with(|window| window.first));
    let items = Memo::new(move |_| window.with(items));
    let rows = VirtualList::new(scroller, list, total);
    let active = RwSignal::new(0);
    let tab_stop = Memo::new(move |_| {
        let end = (first.get() + items.with(Vec::len)).saturating_sub(1);
        active.get().clamp(first.get().min(end), end)
    });
    Effect::new(move |_| range.set(rows.range.get()));
    keep_focus(list, rows.range, items, active);
    let on_keydown = move |event: KeyboardEvent| {
        let from = event.target().and_then(position_of).unwrap_or_else(|| active.get_untracked());
        let Some(target) = target_of(&event, from, total.get_untracked(), rows.page()) else { return };
        event.prevent_default();
        active.set(target);
        rows.show(target);
        focus_row(list, target);
    };
    let on_focusin = move |event: FocusEvent| {
        if let Some(position) = event.target().and_then(position_of) {
            active.set(position);
        }
    };
    let item = move |item: Item| {
        let item = Memo::new(move |previous: Option<&Item>| {
            let found = items.with(|items| items.iter().find(|other| other.key == item.key).cloned());
            found.or_else(|| previous.cloned()).unwrap_or_else(|| item.clone())
        });
        let row = Signal::derive(move || item.with(|item| item.row.clone()));
        let position = Signal::derive(move || item.with(|item| item.position));
        let is_tab_stop = Signal::derive(move || tab_stop.get() == position.get());
        view! { <RunItem row position total is_tab_stop /> }
    };
    view! {
        <ul
            class="rlist"
            hidden=move || total.get() == 0
            tabindex="-1"
            node_ref=list
            style:height=move || format!("calc({} * var(--run-row))", total.get())
            style:padding-top=move || format!("calc({} * var(--run-row))", first.get())
            on:keydown=on_keydown
            on:focusin=on_focusin
        >
            <For each=move || items.get() key=|item| item.key.clone() children=item />
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

/// Keeps the focus inside the list while its row is scrolled out of the window: the list takes it, and gives it back.
fn keep_focus(
    list: NodeRef<html::Ul>,
    range: Memo<Range<usize>>,
    items: Memo<Vec<Item>>,
    active: RwSignal<usize>,
) {
    let is = move |selector: &str| {
        list.get_untracked().is_some_and(|list| list.matches(selector).unwrap_or(false))
    };
    Effect::new(move |_| {
        if !range.get().contains(&active.get_untracked()) && is(":focus-within") {
            focus_quietly(list.get_untracked().map(Into::into));
        }
    });
    Effect::new(move |_| {
        items.track();
        if is(":focus") {
            focus_row(list, active.get_untracked());
        }
    });
}

/// Focuses a row, or the list until the row is drawn.
fn focus_row(list: NodeRef<html::Ul>, position: usize) {
    let Some(list) = list.get_untracked() else { return };
    let selector = format!("[aria-posinset=\"{}\"] button", position + 1);
    let button = list.query_selector(&selector).ok().flatten().and_then(|button| button.dyn_into().ok());
    focus_quietly(button.or_else(|| Some(list.into())));
}

fn focus_quietly(element: Option<HtmlElement>) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    if let Some(element) = element {
        // Focusing can only fail on an element that is no longer on the page.
        let _ = element.focus_with_options(&options);
    }
}

/// The position of the row around an element.
fn position_of(target: EventTarget) -> Option<usize> {
    let row = target.dyn_into::<Element>().ok()?.closest("li").ok()??;
    row.get_attribute("aria-posinset")?.parse::<usize>().ok()?.checked_sub(1)
}

/// The row that a key moves to; `None` for keys that mean nothing here.
fn target_of(event: &KeyboardEvent, from: usize, total: usize, page: usize) -> Option<usize> {
    let last = total.checked_sub(1)?;
    let has_modifier = event.ctrl_key() || event.meta_key() || event.alt_key();
    let target = match event.key().as_str() {
        _ if has_modifier => return None,
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
