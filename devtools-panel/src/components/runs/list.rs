//! Rows of runs, of which only those near the visible part are rendered.

use leptos::html;
use leptos::prelude::*;
use runstate::viewer::{GroupId, ListedRun, RunWindow};
use web_sys::KeyboardEvent;

use super::super::keyboard::ListKey;
use super::super::virtual_list::{VirtualList, VirtualRows};
use super::cursor::{RowKey, RunCursor, row_keys};
use super::row::RunItem;

/// A row of the window.
#[derive(Clone, PartialEq)]
struct Item {
    key: RowKey,
    /// The position in the list, from 0.
    position: usize,
    row: ListedRun,
}

/// Lists of runs that are one tab stop. This element keeps the focus; `aria-activedescendant` names the active row.
#[component]
pub(super) fn RunLists(
    /// The active row.
    cursor: RunCursor,
    /// The name for assistive technology.
    label: &'static str,
    /// The search field, where a letter goes that is typed on a row.
    search: NodeRef<html::Input>,
    /// The lists.
    children: Children,
) -> impl IntoView {
    let element = cursor.element;
    let on_keydown = move |event: KeyboardEvent| {
        // The headings inside have keys of their own.
        let is_here = element.get_untracked().is_some_and(|element| event.target() == Some(element.into()));
        let Some(key) = ListKey::of(&event, cursor.page()).filter(|_| is_here) else { return };
        match key {
            ListKey::Move(_) | ListKey::First | ListKey::Last => cursor.move_by(key),
            ListKey::Open => cursor.open_active(),
            // The letter is typed into the field.
            ListKey::Letter(_) | ListKey::ExpandSiblings => return focus(search),
            ListKey::Expand | ListKey::Collapse => return,
        }
        event.prevent_default();
    };
    view! {
        <div
            class="run-lists"
            role="group"
            aria-label=label
            tabindex=move || if cursor.has_rows() { "0" } else { "-1" }
            aria-activedescendant=move || cursor.active_element_id()
            // With the focus, the active row stays in its place; the browser must not move it as well.
            style:overflow-anchor=move || cursor.has_focus.get().then_some("none")
            node_ref=element
            on:keydown=on_keydown
            on:focus=move |_| cursor.on_focus()
            on:blur=move |_| cursor.has_focus.set(false)
        >
            {children()}
        </div>
    }
}

/// The rows of a group, or of a list without groups.
#[component]
pub(super) fn RunRows(
    /// The rows that the session has sent.
    window: Memo<RunWindow>,
    /// The active row, which the list shares with others.
    cursor: RunCursor,
    /// The group; `None` for a list without groups.
    group: Option<GroupId>,
    /// The id of the element that names the list.
    name_id: String,
) -> impl IntoView {
    let total = Memo::new(move |_| window.with(|window| window.total));
    let first = Memo::new(move |_| window.with(|window| window.first));
    let items = Memo::new(move |_| window.with(items));
    let list = VirtualList::new(cursor.scroller, total);
    cursor.add(group, list);
    let active = Memo::new(move |_| cursor.active_in(group));
    list.hold(Signal::derive(move || {
        cursor.track();
        let position = active.get().filter(|_| cursor.has_focus.get())?;
        items.with(|items| {
            let item = items.iter().find(|item| item.position == position)?;
            Some((item.key.clone(), position))
        })
    }));
    let row = move |item: Memo<Item>| {
        let element_id = item.with_untracked(|item| cursor.element_id(group, &item.key));
        let row = Signal::derive(move || item.with(|item| item.row.clone()));
        let position = Signal::derive(move || item.with(|item| item.position));
        let is_active = Signal::derive(move || active.get() == Some(position.get()));
        let on_open = move || cursor.open(group, position.get_untracked());
        view! { <RunItem row position total is_active element_id on_open /> }
    };
    view! {
        <div class="run-list" role="listbox" aria-labelledby=name_id hidden=move || total.get() == 0>
            <VirtualRows list first rows=items key=|item| item.key.clone() row />
        </div>
    }
}

fn items(window: &RunWindow) -> Vec<Item> {
    let rows = (window.first..).zip(&window.rows).zip(row_keys(window));
    rows.map(|((position, row), key)| Item { key, position, row: row.clone() }).collect()
}

fn focus(field: NodeRef<html::Input>) {
    // Focusing can only fail on an element that is no longer on the page.
    let _ = field.get_untracked().map(|field| field.focus());
}
