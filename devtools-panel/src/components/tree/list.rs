//! The rows of the tree. One tab stop: `aria-activedescendant` names the selected row, so the focus survives updates.

use leptos::prelude::*;
use runstate::tree::NodeId;
use runstate::viewer::{TreeAction, TreeRow};
use web_sys::KeyboardEvent;

use super::super::keyboard::ListKey;
use super::super::virtual_list::{ScrollArea, Scroller, VirtualList, VirtualRows};
use super::TreeElement;
use super::row::TreeItem;
use crate::store::{CurrentSession, Panel, ScreenState, SessionData, select};

/// The scrolling list of rows.
#[component]
pub(super) fn TreeRows() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let panel = expect_context::<Panel>();
    let (session, state) = (expect_context::<CurrentSession>(), expect_context::<ScreenState>());
    let TreeElement(tree) = use_context().unwrap_or_default();
    let scroller = Scroller::new();
    let total = select(data.tree, |tree| tree.total);
    let first = select(data.tree, |tree| tree.first);
    let selected = select(data.tree, |tree| tree.selected);
    let rows = select(data.tree, |tree| tree.rows.clone());
    let list = VirtualList::new(scroller, total);
    Effect::new(move |_| {
        let range = list.range.get();
        session.act_on_tree(TreeAction::Show { first: range.start, count: range.len() });
    });
    follow_selection(data, list);
    follow_search(data, list);
    let active = move || {
        let id = selected.get()?;
        rows.with(|rows| rows.iter().any(|row| row.id == id)).then(|| row_id(panel, id))
    };
    // A pointer selects a row when it is released, so the focus that it causes does not select one.
    let pointer_is_down = StoredValue::new(false);
    let on_focus = move |_| {
        if !pointer_is_down.get_value() {
            session.act_on_tree(TreeAction::Focus);
        }
    };
    let on_keydown = move |event: KeyboardEvent| {
        let key = ListKey::of(&event, list.page());
        if key == Some(ListKey::Open) {
            event.prevent_default();
            state.open_node(true);
        } else if event.key() == "Escape" && state.shows_node.get_untracked() {
            event.prevent_default();
            state.shows_node.set(false);
        } else if let Some(action) = key.and_then(action) {
            event.prevent_default();
            session.act_on_tree(action);
        }
    };
    let item = move |row: Memo<TreeRow>| {
        let id = row.with_untracked(|row| row.id);
        let is_selected = Signal::derive(move || selected.get() == Some(id));
        view! { <TreeItem row is_selected element_id=row_id(panel, id) /> }
    };
    view! {
        <ScrollArea scroller>
            <div
                class="tree"
                role="tree"
                aria-label="Nodes"
                tabindex="0"
                aria-activedescendant=active
                node_ref=tree
                on:keydown=on_keydown
                on:focus=on_focus
                on:pointerdown=move |_| pointer_is_down.set_value(true)
                on:pointerup=move |_| pointer_is_down.set_value(false)
                on:pointercancel=move |_| pointer_is_down.set_value(false)
                on:pointerleave=move |_| pointer_is_down.set_value(false)
            >
                <VirtualRows list first rows key=|row| row.id row=item />
            </div>
        </ScrollArea>
    }
}

/// The action of a key (WAI-ARIA tree pattern).
fn action(key: ListKey) -> Option<TreeAction> {
    Some(match key {
        ListKey::Move(by) => TreeAction::Move { by },
        ListKey::First => TreeAction::First,
        ListKey::Last => TreeAction::Last,
        ListKey::Expand => TreeAction::Expand,
        ListKey::Collapse => TreeAction::Collapse,
        ListKey::ExpandSiblings => TreeAction::ExpandSiblings,
        ListKey::Letter(letter) => TreeAction::Find { letter },
        ListKey::Open => return None,
    })
}

/// The element id of a row.
fn row_id(panel: Panel, id: NodeId) -> String {
    panel.element_id(&format!("node-{}", id.0))
}

/// Scrolls the selected row into view when another row is selected.
fn follow_selection(data: SessionData, list: VirtualList) {
    Effect::new(move |before: Option<Option<NodeId>>| {
        let (selected, row) = data
            .tree
            .with(|tree| tree.as_ref().map_or((None, None), |tree| (tree.selected, tree.selected_row)));
        if let Some(row) = row.filter(|_| before != Some(selected)) {
            list.show(row);
        }
        selected
    });
}

/// Scrolls to a hit when a person searches for another text.
fn follow_search(data: SessionData, list: VirtualList) {
    Effect::new(move |before: Option<String>| {
        let (text, row) = data.tree.with(|tree| {
            tree.as_ref().map_or_else(Default::default, |tree| (tree.search.clone(), tree.hit_row))
        });
        if let Some(row) = row.filter(|_| before.is_some_and(|before| before != text)) {
            list.show(row);
        }
        text
    });
}
