//! One row of the tree.

use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;
use runstate::viewer::{TreeAction, TreeRow};

use super::cells::Cells;
use crate::store::{CurrentSession, ScreenState};
use crate::text::attribute;

/// A row; its element stays the same while its node stays in the window.
#[component]
pub fn TreeItem(
    /// The row.
    #[prop(into)]
    row: Signal<TreeRow>,
    /// Whether the row is selected.
    #[prop(into)]
    is_selected: Signal<bool>,
    /// The id of the element, for `aria-activedescendant`.
    element_id: String,
) -> impl IntoView {
    let session = expect_context::<CurrentSession>();
    let state = expect_context::<ScreenState>();
    let id = row.with_untracked(|row| row.id);
    let on_click = move |_| {
        session.act_on_tree(TreeAction::Select { id });
        state.open_node(false);
    };
    let text = move |read: fn(&TreeRow) -> u32| move || row.with(read).to_string();
    // `view!` does not know this attribute by name.
    let level = custom_attribute("aria-level", text(|row| row.depth + 1));
    view! {
        <div
            class="row tree-row"
            role="treeitem"
            id=element_id
            data-node=move || row.with(|row| attribute(&row.title))
            data-state=move || row.with(|row| row.state.clone())
            data-below=move || row.with(|row| row.descendant_state.clone())
            data-removed=move || row.with(|row| row.removed.as_ref().map(|_| ""))
            data-dimmed=move || row.with(|row| row.is_dimmed.then_some(""))
            aria-posinset=text(|row| row.position)
            aria-setsize=text(|row| row.set_size)
            aria-expanded=move || row.with(|row| row.expandable.then(|| row.expanded.to_string()))
            aria-selected=move || is_selected.get().to_string()
            on:click=on_click
            on:dblclick=move |_| session.act_on_tree(TreeAction::Toggle { id })
            {..level}
        >
            {move || view! { <Cells row=row.get() /> }}
        </div>
    }
}
