//! One run of the list.

use std::ops::Range;

use leptos::prelude::*;
use runstate::pill::Taxonomy;
use runstate::viewer::ListedRun;

use super::super::{AnswerPillView, Isolated, PillSize};
use crate::text::{attribute, bounded_name, plain_name, plain_text};

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
                <span class="run-name" title=move || row.with(|row| plain_text(&row.reason))>{move || marked(name.get())}</span>
                <span class="run-age">{move || row.with(|row| row.age.clone())}</span>
            </span>
            <span class="run-state">
                {move || {
                    let (taxonomy, pill) = state.get();
                    let prefix = Some(prefix(taxonomy));
                    view! { <AnswerPillView taxonomy pill absent="no run state" size=PillSize::Dense prefix /> }
                }}
                <span class="run-id" title=id>{move || marked(id_text.get())}</span>
            </span>
            <span class="run-reason">{move || marked(reason.get())}</span>
        </div>
    }
}

/// Text with search matches marked; very long text is shortened first.
fn marked((text, hits): (String, Vec<Range<usize>>)) -> AnyView {
    let shown = bounded_name(&text);
    if hits.is_empty() || shown != text {
        return view! { <Isolated text=shown /> }.into_any();
    }
    let mut pieces = Vec::new();
    let mut end = 0;
    for hit in hits {
        pieces.push(view! { <Isolated text=text[end..hit.start].to_owned() /> }.into_any());
        pieces.push(view! { <mark><Isolated text=text[hit.clone()].to_owned() /></mark> }.into_any());
        end = hit.end;
    }
    pieces.push(view! { <Isolated text=text[end..].to_owned() /> }.into_any());
    pieces.into_any()
}

/// Visually hidden column label.
fn prefix(taxonomy: Taxonomy) -> &'static str {
    if taxonomy == Taxonomy::Run { "Run state: " } else { "Status: " }
}
