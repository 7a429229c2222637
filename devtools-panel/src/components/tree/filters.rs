//! The filters of the tree: one tab stop.

use leptos::prelude::*;
use runstate::format;
use runstate::viewer::{FilterCount, NodeFilter, TreeAction};
use runstate::word::Vocabulary;

use super::super::roving::roving;
use crate::store::{CurrentSession, SessionData, TreeQueryState, select};

/// The filters that some node has passed, each with its count. Several may be pressed; without a pressed one, all nodes are
/// shown.
#[component]
pub(super) fn TreeFilters() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let filters = select(data.tree, |tree| tree.filters.clone());
    let controls = roving();
    view! {
        <div
            class="tree-filters"
            role="toolbar"
            aria-label="Filter nodes"
            node_ref=controls
            hidden=move || filters.with(Vec::is_empty)
        >
            <For
                each=move || filters.get()
                key=|count| count.filter
                children=move |first| view! { <FilterChip filter=first.filter filters /> }
            />
        </div>
    }
}

/// One filter with its count.
#[component]
fn FilterChip(
    /// The filter.
    filter: NodeFilter,
    /// All filters.
    filters: Memo<Vec<FilterCount>>,
) -> impl IntoView {
    let session = expect_context::<CurrentSession>();
    let count = Memo::new(move |_| {
        filters.with(|filters| filters.iter().find(|count| count.filter == filter).cloned())
    });
    let is_on = move || count.with(|count| count.as_ref().is_some_and(|count| count.is_on));
    let on = expect_context::<TreeQueryState>().filters;
    let on_click = move |_| {
        on.update(|on| match on.iter().position(|known| *known == filter) {
            Some(at) => drop(on.remove(at)),
            None => on.push(filter),
        });
        session.act_on_tree(TreeAction::Filter { filters: on.get_untracked() });
    };
    view! {
        <button
            type="button"
            class="chip"
            data-node-state=filter.as_str()
            aria-pressed=move || is_on().to_string()
            on:click=on_click
        >
            {filter.label()}
            " "
            <b>{move || count.get().map(|count| format::count(f64::from(count.count)))}</b>
        </button>
    }
}

/// The note that no node passes the filters, in place of the rows.
#[component]
pub(super) fn NoNode() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let session = expect_context::<CurrentSession>();
    let on = expect_context::<TreeQueryState>().filters;
    let show_all = move |_| {
        on.set(Vec::new());
        session.act_on_tree(TreeAction::Filter { filters: Vec::new() });
    };
    let is_empty = select(data.tree, |tree| tree.matched == Some(0));
    let names = select(data.tree, |tree| {
        let on = tree.filters.iter().filter(|count| count.is_on);
        on.map(|count| count.filter.label()).collect::<Vec<_>>().join(", ")
    });
    view! {
        <Show when=move || is_empty.get()>
            <div class="screen" data-field="no-node">
                <p class="lead">"No node passes the filter now: " {names} "."</p>
                <p class="actions">
                    <button
                        type="button"
                        class="btn btn-small"
                        data-action="all-nodes"
                        on:click=show_all
                    >
                        "Show all nodes"
                    </button>
                </p>
            </div>
        </Show>
    }
}
