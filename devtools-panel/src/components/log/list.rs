//! The rows of the events. One tab stop: `aria-activedescendant` names the selected row, so the focus survives updates.

use leptos::attr::custom::custom_attribute;
use leptos::html;
use leptos::prelude::*;
use runstate::format;
use runstate::viewer::{EventChoice, LogAction, LogWindow, PaneAction};
use web_sys::KeyboardEvent;

use super::super::keyboard::ListKey;
use super::super::virtual_list::{ScrollArea, Scroller, VirtualList, VirtualRows};
use super::follow::{Follow, Rows};
use super::row::{LogItem, Placed, has_detail};
use crate::browser::clipboard;
use crate::store::{Copying, CurrentSession, Panel, ScreenState, SessionData, select};

/// The scrolling list of rows.
#[component]
pub(super) fn LogRows(
    /// The list itself.
    grid: NodeRef<html::Div>,
) -> impl IntoView {
    let data = expect_context::<SessionData>();
    let panel = expect_context::<Panel>();
    let session = expect_context::<CurrentSession>();
    let (copying, state) = (expect_context::<Copying>(), expect_context::<ScreenState>());
    let act = move |action| session.act(PaneAction::Log(action));
    let scroller = Scroller::new();
    let total = select(data.log, |log| log.total);
    let first = select(data.log, |log| log.first);
    let selected = select(data.log, |log| log.selected);
    let rows = select(data.log, placed);
    let list = VirtualList::new(scroller, total);
    let source = select(data.log, |log| Rows::from(log));
    let follow = Follow::new(list, scroller, total, source);
    follow.announce(expect_context());
    Effect::new(move |_| {
        let range = list.range.get();
        act(LogAction::Show { first: range.start, count: range.len() });
    });
    Effect::new(move |before: Option<(Option<usize>, usize, Rows)>| {
        let now = (selected.get(), total.get(), source.get());
        let (before_row, before_total, before_source) = before.unwrap_or_default();
        // Events that are added above the selected one move it, and nothing that a person looks at.
        let is_moved = before_row.is_some() && before_total != now.1 && before_source == now.2;
        let row = now.0.filter(|row| before_row != Some(*row) && !is_moved);
        if let Some(row) = row {
            follow.show_selected(row);
        }
        now
    });
    let active = move || {
        let row = selected.get()?;
        rows.with(|rows| rows.iter().any(|(place, _)| *place == row)).then(|| row_id(panel, row))
    };
    let selects_node = move || {
        let row = selected.get_untracked();
        rows.with_untracked(|rows| rows.iter().any(|placed| Some(placed.0) == row && has_detail(placed)))
    };
    let on_keydown = move |event: KeyboardEvent| {
        let key = ListKey::of(&event, list.page());
        if is_copy(&event) {
            event.prevent_default();
            copying.copy_events(EventChoice::Selected, session);
        } else if key == Some(ListKey::Open) && selects_node() {
            event.prevent_default();
            state.open_node(true);
        } else if let Some(action) = key.and_then(|key| action(key, selected.get_untracked())) {
            event.prevent_default();
            follow.on_key(&action);
            act(action);
        }
    };
    let item = move |row: Memo<Placed>| {
        let place = row.with_untracked(|(place, _)| *place);
        let is_selected = Signal::derive(move || selected.get() == Some(place));
        view! { <LogItem row is_selected element_id=row_id(panel, place) /> }
    };
    // `view!` does not know this attribute by name.
    let row_count = custom_attribute("aria-rowcount", move || (total.get() + 1).to_string());
    view! {
        <div
            class="log"
            role="grid"
            node_ref=grid
            aria-activedescendant=active
            hidden=move || total.get() == 0
            on:keydown=on_keydown
            aria-label="Events, oldest first"
            aria-readonly="true"
            tabindex="0"
            {..row_count}
        >
            <Columns />
            <ScrollArea scroller role="rowgroup">
                <VirtualRows list first rows key=|(place, _)| *place row=item />
            </ScrollArea>
        </div>
        <button
            type="button"
            class="btn btn-small log-newer"
            data-action="newer"
            hidden=move || follow.newer.get().unwrap_or_default() == 0
            on:click=move |_| {
                follow.resume();
                // The button goes. Focusing can only fail on an element that is no longer on the page.
                let _ = grid.get_untracked().map(|grid| grid.focus());
            }
        >
            {move || format!("{} newer", format::count(follow.newer.get().unwrap_or_default() as f64))}
        </button>
    }
}

/// The headings of the columns.
#[component]
fn Columns() -> impl IntoView {
    let column = |class: &'static str, text: &'static str| {
        view! { <span role="columnheader" class=class>{text}</span> }
    };
    view! {
        <div class="log-columns" role="row" {..custom_attribute("aria-rowindex", "1")}>
            {column("log-time", "UTC")}
            {column("log-number", "Seq")}
            {column("log-event", "Event")}
            {column("log-what", "Node and detail")}
        </div>
    }
}

fn placed(log: &LogWindow) -> Vec<Placed> {
    (log.first..).zip(log.rows.iter().cloned()).collect()
}

/// Whether the key copies, and no selected text is what it copies.
fn is_copy(event: &KeyboardEvent) -> bool {
    let is_key =
        event.key().eq_ignore_ascii_case("c") && (event.ctrl_key() || event.meta_key()) && !event.alt_key();
    is_key && !clipboard::has_selected_text()
}

/// The action of a key.
fn action(key: ListKey, selected: Option<usize>) -> Option<LogAction> {
    match key {
        ListKey::Move(by) => Some(LogAction::Move { by }),
        ListKey::First => Some(LogAction::First),
        ListKey::Last => Some(LogAction::Last),
        ListKey::Open => selected.map(|row| LogAction::Toggle { row }),
        ListKey::Expand => Some(LogAction::Open),
        ListKey::Collapse => Some(LogAction::Close),
        ListKey::ExpandSiblings | ListKey::Letter(_) => None,
    }
}

/// The element id of a row.
fn row_id(panel: Panel, place: usize) -> String {
    panel.element_id(&format!("event-{place}"))
}
