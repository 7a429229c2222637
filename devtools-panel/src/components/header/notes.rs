//! Warnings beside the state, and unreadable parts of the document.

use leptos::prelude::*;

use super::super::Icon;
use super::header_memo;
use super::sentence::Sentence;
use crate::store::Store;
use crate::text::bounded;

/// The notes, then the problems.
#[component]
pub(super) fn Notes() -> impl IntoView {
    let store = expect_context::<Store>();
    let notes = header_memo(store, |header| header.answer.notes.clone());
    let problems = Memo::new(move |_| store.status(|status| status.problems.clone()));
    view! {
        {move || {
            let notes = notes.get().into_iter();
            notes
                .map(|parts| view! { <Note field="note" outline=icondata_lu::LuInfo.data><Sentence parts /></Note> })
                .collect_view()
        }}
        {move || {
            let problems = problems.get().into_iter();
            problems
                .map(|problem| {
                    view! { <Note field="problem" outline=icondata_lu::LuTriangleAlert.data>{bounded(&problem)}</Note> }
                })
                .collect_view()
        }}
    }
}

/// One line with an icon.
#[component]
fn Note(
    /// The name for tools.
    field: &'static str,
    /// The icon.
    outline: &'static str,
    /// The content of the line.
    children: Children,
) -> impl IntoView {
    view! {
        <p class="note" data-field=field>
            <Icon outline />
            <span>{children()}</span>
        </p>
    }
}
