//! Warnings beside the state, and unreadable parts of the document.

use leptos::prelude::*;
use runstate::format;

use super::super::{Icon, Isolated};
use super::sentence::Sentence;
use crate::store::{SessionData, select};
use crate::text::bounded;

/// The notes, then the problems.
#[component]
pub(super) fn Notes() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let notes = select(data.header, |header| header.answer.notes.clone());
    view! {
        {move || {
            let notes = notes.get().into_iter();
            notes
                .map(|parts| view! { <Note field="note" outline=icondata_lu::LuInfo.data><Sentence parts /></Note> })
                .collect_view()
        }}
        <Problems />
    }
}

/// More problems than this are folded into one line.
const SHOWN_PROBLEMS: usize = 3;

/// The parts that could not be read; many of them on demand, so that they do not push the run off the screen.
#[component]
fn Problems() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let problems =
        Memo::new(move |_| data.status.with(|status| (status.problem_count, status.problems.clone())));
    move || {
        let (count, problems) = problems.get();
        if count <= SHOWN_PROBLEMS {
            let note = |problem: String| {
                view! { <Note field="problem" outline=icondata_lu::LuTriangleAlert.data><Isolated text=bounded(&problem) /></Note> }
            };
            return problems.into_iter().map(note).collect_view().into_any();
        }
        let lines = problems
            .into_iter()
            .map(|problem| view! { <li data-field="problem"><Isolated text=bounded(&problem) /></li> });
        view! {
            <div class="note" data-field="problems">
                <Icon outline=icondata_lu::LuTriangleAlert.data />
                <details>
                    <summary>{format!("{} parts were not read", format::count(count as f64))}</summary>
                    <ul>{lines.collect_view()}</ul>
                </details>
            </div>
        }
        .into_any()
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
