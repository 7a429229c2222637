//! The rows of a value. One tab stop: `aria-activedescendant` names the selected row, so the focus survives updates.

use leptos::prelude::*;
use runstate::viewer::{NodeAction, NodeBody, NodeCopy, PaneAction};
use web_sys::KeyboardEvent;

use super::super::keyboard::ListKey;
use super::super::roving::roving;
use super::super::virtual_list::{ScrollArea, Scroller, VirtualList, VirtualRows};
use super::copy_value::CopyValue;
use super::value_row::{PlacedValue, ValueItem, open};
use crate::store::{CurrentSession, Panel, SessionData, select};

/// A value as a tree, below what is known about it.
#[component]
pub(super) fn ValueRows(
    /// What is known about the value.
    children: Children,
) -> impl IntoView {
    let data = expect_context::<SessionData>();
    let (panel, session) = (expect_context::<Panel>(), expect_context::<CurrentSession>());
    let act = move |action| session.act(PaneAction::Node(action));
    let scroller = Scroller::new();
    let total = select(data.node, |node| node.body.value.as_ref().map_or(0, |value| value.total));
    let first = select(data.node, |node| node.body.value.as_ref().map_or(0, |value| value.first));
    let selected = select(data.node, |node| node.body.value.as_ref()?.selected);
    let rows = select(data.node, |node| placed_values(&node.body));
    let list = VirtualList::new(scroller, total);
    Effect::new(move |_| {
        let range = list.range.get();
        act(NodeAction::Show { first: range.start, count: range.len() });
    });
    Effect::new(move |_| {
        if let Some(row) = selected.get() {
            list.show(row);
        }
    });
    let row = move |place: usize| {
        rows.with_untracked(|rows| rows.iter().find(|(found, _)| *found == place).map(|(_, row)| row.clone()))
    };
    let on_keydown = move |event: KeyboardEvent| {
        let key = ListKey::of(&event, list.page());
        let chosen = selected.get_untracked().and_then(|place| Some((place, row(place)?)));
        let action = match (key, chosen) {
            (Some(ListKey::Open), Some((row, chosen))) => open(row, &chosen),
            (Some(key), _) => action(key),
            (None, _) => None,
        };
        if let Some(action) = action {
            event.prevent_default();
            act(action);
        }
    };
    let on_focus = move |_| {
        if selected.get_untracked().is_none() {
            act(NodeAction::First);
        }
    };
    let item = move |row: Memo<PlacedValue>| {
        let place = row.with_untracked(|(place, _)| *place);
        let is_selected = Signal::derive(move || selected.get() == Some(place));
        view! { <ValueItem row is_selected element_id=row_id(panel, place) /> }
    };
    let active = move || {
        let place = selected.get()?;
        rows.with(|rows| rows.iter().any(|(found, _)| *found == place)).then(|| row_id(panel, place))
    };
    view! {
        <ValueTools />
        <ScrollArea scroller>
            <div class="node-about">{children()}</div>
            <div
                class="value"
                role="tree"
                aria-label="Value"
                tabindex="0"
                aria-activedescendant=active
                on:keydown=on_keydown
                on:focus=on_focus
            >
                <VirtualRows list first rows key=|(place, _)| *place row=item />
            </div>
        </ScrollArea>
    }
}

/// The buttons for the selected row and for the whole value.
#[component]
fn ValueTools() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let session = expect_context::<CurrentSession>();
    let controls = roving();
    let selected = select(data.node, |node| node.body.value.as_ref()?.selected);
    let long_text = select(data.node, |node| {
        let place = node.body.value.as_ref()?.selected?;
        placed_values(&node.body)
            .into_iter()
            .find(|(found, row)| *found == place && row.is_long_text)
            .map(|_| place)
    });
    let has_none = Signal::derive(move || selected.get().is_none());
    view! {
        <div class="value-tools" role="toolbar" aria-label="Value" node_ref=controls>
            <CopyValue what=NodeCopy::Path name="path" label="Copy path" is_disabled=has_none />
            <CopyValue what=NodeCopy::Value name="value" label="Copy value" is_disabled=has_none />
            <CopyValue what=NodeCopy::Whole name="whole" label="Copy all" />
            <button
                type="button"
                class="btn btn-small"
                data-action="open-text"
                hidden=move || long_text.get().is_none()
                on:click=move |_| {
                    if let Some(row) = long_text.get_untracked() {
                        session.act(PaneAction::Node(NodeAction::OpenText { row }));
                    }
                }
            >
                "Open as text"
            </button>
        </div>
    }
}

fn placed_values(body: &NodeBody) -> Vec<PlacedValue> {
    let value = body.value.as_ref();
    value.map_or_else(Vec::new, |value| (value.first..).zip(value.rows.iter().cloned()).collect())
}

/// The action of a key (WAI-ARIA tree pattern).
fn action(key: ListKey) -> Option<NodeAction> {
    match key {
        ListKey::Move(by) => Some(NodeAction::Move { by }),
        ListKey::First => Some(NodeAction::First),
        ListKey::Last => Some(NodeAction::Last),
        ListKey::Expand => Some(NodeAction::Expand),
        ListKey::Collapse => Some(NodeAction::Collapse),
        ListKey::Open | ListKey::ExpandSiblings | ListKey::Letter(_) => None,
    }
}

/// The element id of a row.
fn row_id(panel: Panel, place: usize) -> String {
    panel.element_id(&format!("value-{place}"))
}
