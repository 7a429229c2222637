//! Warnings beside the state, and unreadable parts of the document.

use leptos::prelude::*;

use super::super::Icon;
use super::sentence::Sentence;
use crate::store::{SessionData, select};
use crate::text::bounded;

/// The notes, then the problems.
#[component]
pub(super) fn Notes() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let notes = select(data.header, |header| header.answer.notes.clone());
    let problems = Memo::new(move |_| data.status.with(|status| status.problems.clone()));
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
