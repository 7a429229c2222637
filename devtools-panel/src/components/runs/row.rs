//! One run of the list.

use leptos::prelude::*;
use runstate::pill::Taxonomy;
use runstate::viewer::ListedRun;

use super::super::marked::marked;
use super::super::{AnswerPillView, PillSize};
use crate::text::{attribute, plain_name, plain_text};

/// A row: name and age, then state and id, then the reason. A click anywhere in it opens the run.
#[component]
pub fn RunItem(
    /// The run.
    #[prop(into)]
    row: Signal<ListedRun>,
    /// The position in the list, from 0.
    #[prop(into)]
    position: Signal<usize>,
    /// The number of rows in the list.
    #[prop(into)]
    total: Signal<usize>,
    /// Whether the keyboard acts on this row.
    #[prop(into)]
    is_active: Signal<bool>,
    /// The id of the element, for `aria-activedescendant`.
    element_id: String,
    /// Shows the run.
    on_open: impl Fn() + 'static,
) -> impl IntoView {
    let state = Memo::new(move |_| row.with(|row| (row.taxonomy, row.pill.clone())));
    let name = Memo::new(move |_| row.with(|row| (row.name.clone(), row.name_hits.clone())));
    let id_text = Memo::new(move |_| row.with(|row| (row.id.clone(), row.id_hits.clone())));
    let reason = Memo::new(move |_| row.with(|row| (row.reason.clone(), row.reason_hits.clone())));
    let id = move || row.with(|row| plain_name(&row.id));
    view! {
        <div
            class="run-row"
            role="option"
            id=element_id
            data-run=move || row.with(|row| attribute(&row.id))
            aria-posinset=move || (position.get() + 1).to_string()
            aria-setsize=move || total.get().to_string()
            aria-selected=move || is_active.get().to_string()
            aria-current=move || row.with(|row| row.is_current).then_some("true")
            on:click=move |_| on_open()
        >
            <span class="run-title">
                <span class="run-name" title=move || row.with(|row| plain_text(&row.reason))>{move || name.with(|(text, hits)| marked(text, hits))}</span>
                <span class="run-age">{move || row.with(|row| row.age.clone())}</span>
            </span>
            <span class="run-state">
                {move || {
                    let (taxonomy, pill) = state.get();
                    let prefix = Some(prefix(taxonomy));
                    view! { <AnswerPillView taxonomy pill absent="no run state" size=PillSize::Dense prefix /> }
                }}
                <span class="run-id" title=id>{move || id_text.with(|(text, hits)| marked(text, hits))}</span>
            </span>
            <span class="run-reason">{move || reason.with(|(text, hits)| marked(text, hits))}</span>
        </div>
    }
}

/// Visually hidden column label.
fn prefix(taxonomy: Taxonomy) -> &'static str {
    if taxonomy == Taxonomy::Run { "Run state: " } else { "Status: " }
}
