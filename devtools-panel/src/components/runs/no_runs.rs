//! Empty states of the run list.

use leptos::prelude::*;

use super::super::{Icon, Isolated};
use crate::store::{RunListState, ScreenState, SessionData, select};
use crate::text::bounded;

/// The note in an empty list, with a button that opens another source.
#[component]
pub(super) fn NoRuns() -> impl IntoView {
    let state = expect_context::<ScreenState>();
    view! {
        <div class="screen">
            <p class="lead">"A run appears here as soon as it starts."</p>
            <p class="actions">
                <button type="button" class="btn btn-small" on:click=move |_| state.choose_source()>
                    "Open something else"
                </button>
            </p>
        </div>
    }
}

/// The search and the filter that match no run, with buttons that clear them.
#[component]
pub(super) fn NoMatchingRun() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let run_list = expect_context::<RunListState>();
    let no_match = select(data.runs, |list| list.no_match.clone());
    let sentence = move || no_match.get().map(|found| view! { <Isolated text=bounded(&found.sentence) /> });
    let without_filters = Memo::new(move |_| no_match.get().and_then(|found| found.without_filters));
    let has_search = move || run_list.query.with(|query| !query.search.is_empty());
    let clear_filters = move |_| {
        run_list.find(|query| {
            query.states.clear();
            query.system = None;
        });
    };
    view! {
        <div class="screen" data-field="no-match">
            <h3>"No run matches"</h3>
            <p class="lead">{sentence}</p>
            <p class="actions">
                <Show when=move || without_filters.get().is_some()>
                    <button type="button" class="btn btn-primary" data-action="clear-filters" on:click=clear_filters>
                        {move || without_filters.get()}
                    </button>
                </Show>
                <Show when=has_search>
                    <button
                        type="button"
                        class="btn"
                        data-action="clear-search"
                        on:click=move |_| run_list.find(|query| query.search.clear())
                    >
                        <Icon outline=icondata_lu::LuX.data />
                        "Clear search"
                    </button>
                </Show>
            </p>
        </div>
    }
}
