//! The search field and the order of the list.

use leptos::html;
use leptos::prelude::*;
use runstate::viewer::RunSort;
use runstate::word::Vocabulary;
use web_sys::KeyboardEvent;

use super::super::Icon;
use super::super::search_box::SearchBox;
use super::cursor::RunCursor;
use crate::store::RunListState;

/// The search field for names, ids and reasons. Arrow Down and Enter move the focus to the first row.
#[component]
pub(super) fn SearchField(
    /// The field.
    field: NodeRef<html::Input>,
    /// The rows that receive the focus.
    cursor: RunCursor,
) -> impl IntoView {
    let run_list = expect_context::<RunListState>();
    let on_key = move |event: KeyboardEvent| {
        if matches!(event.key().as_str(), "ArrowDown" | "Enter") {
            event.prevent_default();
            cursor.focus_first();
        }
    };
    view! {
        <div class="search-row">
            <SearchBox
                name="search"
                label="Search runs"
                placeholder="Name, id, node or reason"
                field
                value=Signal::derive(move || run_list.query.with(|query| query.search.clone()))
                on_search=move |search| run_list.find(|query| query.search = search)
                on_key
            />
        </div>
    }
}

/// The field for the order inside the groups.
#[component]
pub(super) fn SortField() -> impl IntoView {
    let run_list = expect_context::<RunListState>();
    let current = move || run_list.query.with(|query| query.sort);
    let option = |sort: RunSort| view! { <option value=sort.as_str()>{sort.label()}</option> };
    view! {
        <label class="select">
            <span class="visually-hidden">"Sort"</span>
            <Icon outline=icondata_lu::LuArrowDownUp.data />
            <select
                name="sort"
                prop:value=move || current().as_str()
                on:change=move |event| {
                    if let Some(sort) = RunSort::from_word(&event_target_value(&event)) {
                        run_list.find(|query| query.sort = sort);
                    }
                }
            >
                {RunSort::ALL.iter().map(|sort| option(*sort)).collect_view()}
            </select>
        </label>
    }
}
