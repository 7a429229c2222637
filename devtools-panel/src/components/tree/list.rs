//! The rows of the tree. One tab stop: `aria-activedescendant` names the selected row, so the focus survives updates.

use leptos::html;
use leptos::prelude::*;
use runstate::tree::NodeId;
use runstate::viewer::{TreeAction, TreeRow};
use web_sys::KeyboardEvent;

use super::super::row_memo::row_memo;
use super::super::virtual_list::VirtualList;
use super::TreeElement;
use super::keyboard::key_action;
use super::row::TreeItem;
use crate::store::Store;

/// The scrolling list of rows.
#[component]
pub(super) fn TreeRows() -> impl IntoView {
    let store = expect_context::<Store>();
    let TreeElement(tree) = use_context().unwrap_or_default();
    let scroller = NodeRef::<html::Div>::new();
    let total = Memo::new(move |_| store.tree(|tree| tree.map_or(0, |tree| tree.total)));
    let first = Memo::new(move |_| store.tree(|tree| tree.map_or(0, |tree| tree.first)));
    let selected = Memo::new(move |_| store.tree(|tree| tree.and_then(|tree| tree.selected)));
    let rows = Memo::new(move |_| store.tree(|tree| tree.map(|tree| tree.rows.clone()).unwrap_or_default()));
    let list = VirtualList::new(scroller, tree, total);
    Effect::new(move |_| {
        let range = list.range.get();
        store.act_on_tree(TreeAction::Show { first: range.start, count: range.len() });
    });
    follow_selection(store, list);
    let active = move || {
        let id = selected.get()?;
        rows.with(|rows| rows.iter().any(|row| row.id == id)).then(|| row_id(store, id))
    };
    // A pointer selects a row when it is released, so the focus that it causes does not select one.
    let pointer_is_down = StoredValue::new(false);
    let on_focus = move |_| {
        if !pointer_is_down.get_value() {
            store.act_on_tree(TreeAction::Focus);
        }
    };
    let on_keydown = move |event: KeyboardEvent| {
        if let Some(action) = key_action(&event, list.page()) {
            event.prevent_default();
            store.act_on_tree(action);
        }
    };
    let item = move |row: TreeRow| {
        let id = row.id;
        let row = row_memo(rows, row, |a, b| a.id == b.id);
        let is_selected = Signal::derive(move || selected.get() == Some(id));
        view! { <TreeItem row is_selected element_id=row_id(store, id) /> }
    };
    view! {
        // tabindex=-1: Firefox otherwise makes the scroll container a tab stop.
        <div class="scroll" tabindex="-1" node_ref=scroller>
            <div
                class="tree"
                role="tree"
                aria-label="Nodes"
                tabindex="0"
                aria-activedescendant=active
                node_ref=tree
                style:height=move || format!("calc({} * var(--row))", total.get())
                on:keydown=on_keydown
                on:focus=on_focus
                on:pointerdown=move |_| pointer_is_down.set_value(true)
                on:pointerup=move |_| pointer_is_down.set_value(false)
                on:pointercancel=move |_| pointer_is_down.set_value(false)
                on:pointerleave=move |_| pointer_is_down.set_value(false)
            >
                <div
                    class="tree-window"
                    role="presentation"
                    style:transform=move || format!("translateY(calc({} * var(--row)))", first.get())
                >
                    <For each=move || rows.get() key=|row| row.id children=item />
                </div>
            </div>
        </div>
    }
}

/// The element id of a row.
fn row_id(store: Store, id: NodeId) -> String {
    store.element_id(&format!("node-{}", id.0))
}

/// Scrolls the selected row into view when another row is selected.
fn follow_selection(store: Store, list: VirtualList<html::Div>) {
    Effect::new(move |before: Option<Option<NodeId>>| {
        let (selected, row) =
            store.tree(|tree| tree.map_or((None, None), |tree| (tree.selected, tree.selected_row)));
        if let Some(row) = row.filter(|_| before != Some(selected)) {
            list.show(row);
        }
        selected
    });
}
