//! One run of the list.

use leptos::prelude::*;
use runstate::pill::Taxonomy;
use runstate::viewer::ListedRun;

use super::super::AnswerPillView;
use super::super::text::bounded;
use crate::store::Store;

/// Name and age, then state and id; the whole row is one button.
#[component]
pub fn RunItem(
    /// The run.
    #[prop(into)]
    row: Signal<ListedRun>,
    /// The position in the list, from 0.
    #[prop(into)]
    position: Signal<usize>,
    /// How many rows the list has.
    #[prop(into)]
    total: Signal<usize>,
    /// Whether the tab key reaches this row.
    #[prop(into)]
    is_tab_stop: Signal<bool>,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let state = Memo::new(move |_| row.with(|row| (row.taxonomy, row.pill.clone())));
    let id = move || row.with(|row| bounded(&row.id));
    let on_click = move |_| {
        let (index, run_id) = row.with_untracked(|row| (row.index, row.id.clone()));
        store.choose(index, run_id);
    };
    view! {
        <li aria-posinset=move || (position.get() + 1).to_string() aria-setsize=move || total.get().to_string()>
            <button
                type="button"
                class="rrow"
                data-run=id
                tabindex=move || if is_tab_stop.get() { "0" } else { "-1" }
                on:click=on_click
            >
                <span class="r1">
                    <span class="r-name">{move || row.with(|row| bounded(&row.name))}</span>
                    <span class="r-age">{move || row.with(|row| row.age.clone())}</span>
                </span>
                <span class="r2">
                    {move || {
                        let (taxonomy, pill) = state.get();
                        let prefix = Some(prefix(taxonomy));
                        view! { <AnswerPillView taxonomy pill absent="no run state" dense=true prefix /> }
                    }}
                    <span class="r-id" title=id>
                        {id}
                    </span>
                </span>
            </button>
        </li>
    }
}

/// What stands in front of the state for readers who do not see a column head.
fn prefix(taxonomy: Taxonomy) -> &'static str {
    if taxonomy == Taxonomy::Run { "Run state: " } else { "Status: " }
}
