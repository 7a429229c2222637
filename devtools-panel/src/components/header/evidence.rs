//! The evidence of the answer: one line, and the inputs of the verdict on demand.

use leptos::either::Either;
use leptos::prelude::*;
use runstate::header::EvidenceLine;
use runstate::summary::text;

use super::super::{Icon, Isolated};
use super::sentence::Sentence;
use crate::store::{SessionData, select};
use crate::text::{bounded, bounded_name, plain_text};

/// The evidence line, which opens into a table.
#[component]
pub(super) fn Evidence() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let because = select(data.header, |header| header.answer.because.clone());
    let lines = select(data.header, |header| header.evidence.clone());
    let is_empty = Memo::new(move |_| lines.with(Vec::is_empty));
    view! {
        <details class="evidence" data-field="evidence">
            <summary>
                <span class="disclosure">
                    <Icon outline=icondata_lu::LuChevronRight.data />
                </span>
                <span class="evidence-short" aria-hidden="true">"Why"</span>
                <span class="evidence-text" title=move || plain_text(&text(&because.get()))>{move || view! { <Sentence parts=because.get() /> }}</span>
            </summary>
            <div class="evidence-body">
                <Show
                    when=move || !is_empty.get()
                    fallback=|| view! { <p class="secondary-text">"No evidence: the state was not derived."</p> }
                >
                    <EvidenceTable lines />
                </Show>
            </div>
        </details>
    }
}

/// The table of the verdict's inputs.
#[component]
pub(in super::super) fn EvidenceTable(
    /// The inputs, one per line.
    lines: Memo<Vec<EvidenceLine>>,
) -> impl IntoView {
    view! {
        <table class="evidence-table">
            <caption class="visually-hidden">"Inputs of this verdict"</caption>
            <thead>
                <tr>
                    <th scope="col">"Input"</th>
                    <th scope="col">"Value"</th>
                    <th scope="col">"Age"</th>
                    <th scope="col">"Limit"</th>
                    <th scope="col">"Read from"</th>
                </tr>
            </thead>
            <tbody>
                {move || lines.get().into_iter().map(|line| view! { <EvidenceRow line /> }).collect_view()}
            </tbody>
        </table>
    }
}

/// One input.
#[component]
fn EvidenceRow(
    /// The input.
    line: EvidenceLine,
) -> impl IntoView {
    let value = if line.code { bounded_name(&line.value) } else { bounded(&line.value) };
    let value = if line.code {
        Either::Left(view! { <code>{value}</code> })
    } else {
        Either::Right(view! { <Isolated text=value /> })
    };
    view! {
        <tr data-hit=line.decisive.then_some("")>
            <th scope="row">{line.name}</th>
            <td>{value}</td>
            <td>{line.age}</td>
            <td>{line.limit}</td>
            <td>
                <code>{bounded_name(&line.read_from)}</code>
                " "
                {line.read_at}
            </td>
        </tr>
    }
}
