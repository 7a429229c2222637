//! The pane with the tree.

use leptos::prelude::*;
use runstate::format;
use runstate::header::Header;

use super::filters::{NoNode, TreeFilters};
use super::list::TreeRows;
use super::search::TreeSearch;
use crate::store::{Panel, PanelView, ScreenState, SessionData, select};

/// The pane with the tree of the run on screen; hidden while the run has none, and while its events are shown.
#[component]
pub(crate) fn TreePane() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let panel = expect_context::<Panel>();
    let state = expect_context::<ScreenState>();
    let (pane_id, heading_id) = (panel.element_id("tree"), panel.element_id("tree-name"));
    let nodes = select(data.tree, |tree| Some(tree.nodes));
    let matched = select(data.tree, |tree| tree.matched);
    let is_out_of_date = select(data.header, Header::is_out_of_date);
    let age = select(data.tree, |tree| tree.age.clone());
    let is_old = Memo::new(move |_| is_out_of_date.get() || age.with(Option::is_some));
    view! {
        <section
            role=panel.section_role()
            class="pane tree-pane"
            part="tree"
            data-pane="tree"
            data-as-of=move || is_old.get().then_some("")
            hidden=move || nodes.get().is_none() || (state.shows_events.get() && panel.view.get() == PanelView::Full)
            id=pane_id
            aria-labelledby=heading_id.clone()
        >
            <div class="pane-head tree-head">
                <h2 id=heading_id.clone()>"Tree"</h2>
                <span class="secondary-text" data-field="tree-count">
                    {move || count(nodes.get().unwrap_or_default(), matched.get())}
                </span>
                <span class="secondary-text" data-field="tree-age" hidden=move || age.with(Option::is_none)>
                    {move || age.get()}
                </span>
                <div class="tree-tools">
                    <TreeSearch />
                    <TreeFilters />
                </div>
            </div>
            <div class="tree-columns" aria-hidden="true">
                <span>"Node"</span>
                <span class="spacer"></span>
                <span class="progress">"Done"</span>
                <span class="state-cell">"State"</span>
                <span class="duration">"Time"</span>
            </div>
            <NoNode />
            <TreeRows />
        </section>
    }
}

/// The number of nodes, and how many of them pass the filters.
fn count(nodes: usize, matched: Option<usize>) -> String {
    let all = if nodes == 1 { "1 node".to_owned() } else { format!("{} nodes", format::count(nodes as f64)) };
    matched.map_or_else(|| all.clone(), |matched| format!("{} of {all}", format::count(matched as f64)))
}
