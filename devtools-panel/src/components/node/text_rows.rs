//! The rows of a long text that was opened from a value.

use leptos::prelude::*;
use runstate::viewer::{NodeAction, NodeBody, NodeCopy, PaneAction, TextLine};
use web_sys::KeyboardEvent;

use super::super::keyboard::{ListKey, has_modifier};
use super::super::virtual_list::{ScrollArea, Scroller, VirtualList, VirtualRows};
use super::copy_value::CopyValue;
use super::styled_text::styled_text;
use crate::store::{CurrentSession, SessionData, select};
use crate::text::bounded;

/// A row and its position in the list, from 0.
type PlacedLine = (usize, TextLine);

/// The text, with a button that goes back to the value.
#[component]
pub(super) fn TextRows() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let session = expect_context::<CurrentSession>();
    let act = move |action| session.act(PaneAction::Node(action));
    let scroller = Scroller::new();
    let total = select(data.node, |node| node.body.text.as_ref().map_or(0, |text| text.total));
    let first = select(data.node, |node| node.body.text.as_ref().map_or(0, |text| text.first));
    let rows = select(data.node, |node| placed_lines(&node.body));
    let about = select(data.node, |node| {
        node.body.text.as_ref().map(|text| (bounded(&text.path), text.size.clone())).unwrap_or_default()
    });
    let list = VirtualList::new(scroller, total);
    Effect::new(move |_| {
        let range = list.range.get();
        act(NodeAction::Show { first: range.start, count: range.len() });
    });
    let shown = list.visible_rows;
    let on_keydown = move |event: KeyboardEvent| {
        if event.key() == "Escape" && !has_modifier(&event) {
            event.prevent_default();
            event.stop_propagation();
            act(NodeAction::CloseText);
            return;
        }
        let visible = shown.get_untracked();
        let from = |key: ListKey| {
            if matches!(key, ListKey::Move(1..)) { visible.end.saturating_sub(1) } else { visible.start }
        };
        let key = ListKey::of(&event, list.page());
        if let Some(row) = key.and_then(|key| key.target(from(key), total.get_untracked())) {
            event.prevent_default();
            list.show(row);
        }
    };
    let item = |row: Memo<PlacedLine>| {
        view! {
            <div class="row text-row">
                <span class="text-number" aria-hidden="true">{move || row.with(|(_, line)| line.number.map(|number| number.to_string()))}</span>
                <span class="text-line">{move || row.with(|(_, line)| styled_text(&line.spans))}</span>
            </div>
        }
    };
    view! {
        <div class="value-tools">
            <button
                type="button"
                class="btn btn-small"
                data-action="close-text"
                on:click=move |_| {
                    act(NodeAction::CloseText);
                }
            >
                "Back to the value"
            </button>
            <CopyValue what=NodeCopy::Value name="value" label="Copy text" />
            <span class="secondary-text">
                <bdi class="code">{move || about.get().0}</bdi>
                " "
                {move || about.get().1}
            </span>
        </div>
        <ScrollArea scroller>
            <div class="text-rows" role="group" aria-label="Text" tabindex="0" on:keydown=on_keydown>
                <VirtualRows list first rows key=|(place, _)| *place row=item />
            </div>
        </ScrollArea>
    }
}

fn placed_lines(body: &NodeBody) -> Vec<PlacedLine> {
    let text = body.text.as_ref();
    text.map_or_else(Vec::new, |text| (text.first..).zip(text.rows.iter().cloned()).collect())
}
