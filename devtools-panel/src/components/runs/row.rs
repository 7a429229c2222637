//! One run of the list.

use std::ops::Range;

use leptos::prelude::*;
use runstate::pill::Taxonomy;
use runstate::viewer::ListedRun;

use super::super::{AnswerPillView, PillSize};
use crate::session::protocol::RunKey;
use crate::store::Store;
use crate::text::bounded;

/// A row: name and age, then state and id, then the reason; the whole row is one button.
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
    /// Whether the tab key reaches this row.
    #[prop(into)]
    is_tab_stop: Signal<bool>,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let state = Memo::new(move |_| row.with(|row| (row.taxonomy, row.pill.clone())));
    let name = Memo::new(move |_| row.with(|row| (row.name.clone(), row.name_hits.clone())));
    let id_text = Memo::new(move |_| row.with(|row| (row.id.clone(), row.id_hits.clone())));
    let reason = Memo::new(move |_| row.with(|row| (row.reason.clone(), row.reason_hits.clone())));
    let id = move || row.with(|row| bounded(&row.id));
    let on_click = move |_| {
        store.choose(row.with_untracked(|row| RunKey { index: row.index, run_id: row.id.clone() }));
    };
    view! {
        <li aria-posinset=move || (position.get() + 1).to_string() aria-setsize=move || total.get().to_string()>
            <button
                type="button"
                class="run-row"
                data-run=id
                aria-current=move || row.with(|row| row.is_current).then_some("true")
                tabindex=move || if is_tab_stop.get() { "0" } else { "-1" }
                on:click=on_click
            >
                <span class="run-title">
                    <span class="run-name">{move || marked(name.get())}</span>
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
            </button>
        </li>
    }
}

/// Text with search matches marked; very long text is shortened first.
fn marked((text, hits): (String, Vec<Range<usize>>)) -> AnyView {
    let shown = bounded(&text);
    if hits.is_empty() || shown != text {
        return shown.into_any();
    }
    let mut pieces = Vec::new();
    let mut end = 0;
    for hit in hits {
        pieces.push(text[end..hit.start].to_owned().into_any());
        pieces.push(view! { <mark>{text[hit.clone()].to_owned()}</mark> }.into_any());
        end = hit.end;
    }
    pieces.push(text[end..].to_owned().into_any());
    pieces.into_any()
}

/// Visually hidden column label.
fn prefix(taxonomy: Taxonomy) -> &'static str {
    if taxonomy == Taxonomy::Run { "Run state: " } else { "Status: " }
}
