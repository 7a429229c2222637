//! The tree of a run's nodes (WAI-ARIA tree pattern), of which only the rows near the visible part exist.

mod cells;
mod keyboard;
mod list;
mod no_tree;
mod row;

use leptos::html;
use leptos::prelude::*;
use runstate::format;

use crate::store::Store;
pub(super) use cells::StateCell;
use list::TreeRows;
pub(crate) use no_tree::NoTreeNote;
pub use row::TreeItem;

/// The element of the tree, provided by the panel so that links can move the keyboard to it.
#[derive(Clone, Copy, Default)]
pub(crate) struct TreeElement(NodeRef<html::Div>);

impl TreeElement {
    /// Moves the keyboard to the tree.
    pub(crate) fn focus(self) {
        if let Some(tree) = self.0.get_untracked() {
            // Focusing can only fail on an element that is no longer on the page.
            let _ = tree.focus();
        }
    }
}

/// The pane with the tree of the run on screen; hidden while the run has none.
#[component]
pub(crate) fn TreePane() -> impl IntoView {
    let store = expect_context::<Store>();
    let (pane_id, heading_id) = (store.element_id("tree"), store.element_id("tree-name"));
    let nodes = Memo::new(move |_| store.tree.with(|tree| tree.as_ref().map(|tree| tree.nodes)));
    view! {
        <section
            role=store.section_role()
            class="pane tree-pane"
            part="tree"
            data-pane="tree"
            hidden=move || nodes.get().is_none()
            id=pane_id
            aria-labelledby=heading_id.clone()
        >
            <div class="pane-head">
                <h2 id=heading_id.clone()>"Tree"</h2>
                <span class="sub">{move || count(nodes.get().unwrap_or_default())}</span>
            </div>
            <div class="cols" aria-hidden="true">
                <span>"Node"</span>
                <span class="fill"></span>
                <span class="prog">"Done"</span>
                <span class="stw">"State"</span>
                <span class="dur">"Time"</span>
            </div>
            <TreeRows />
        </section>
    }
}

fn count(nodes: usize) -> String {
    if nodes == 1 { "1 node".to_owned() } else { format!("{} nodes", format::count(nodes as f64)) }
}
