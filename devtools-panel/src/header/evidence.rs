//! Why the answer is what it is: one line, and the inputs behind it on demand.

use leptos::prelude::*;
use runstate::answer::Answer;
use runstate::evidence::{Evidence, Input, Value};
use runstate::format;
use runstate::time::Millis;

use super::band::parts;
use crate::pill::IconOf;
use crate::store::Store;

/// The evidence line, which opens into a table of inputs.
#[component]
pub(crate) fn EvidenceDisclosure(
    /// What the run says now.
    answer: Memo<Option<Answer>>,
) -> impl IntoView {
    let because = Memo::new(move |_| {
        answer.with(|answer| answer.as_ref().map(|answer| answer.because.clone()).unwrap_or_default())
    });
    view! {
        <details class="evidence" data-field="evidence">
            <summary>
                <span class="twist"><IconOf outline=icondata_lu::LuChevronRight/></span>
                <span class="ev-text">{move || parts(because.get())}</span>
            </summary>
            <EvidenceTable/>
        </details>
    }
}

/// One row of the table, as text.
#[derive(Clone, PartialEq)]
struct Line {
    name: &'static str,
    value: String,
    code: bool,
    age: String,
    limit: String,
    decisive: bool,
}

#[derive(Clone, Default, PartialEq)]
struct Table {
    lines: Vec<Line>,
    read_from: String,
    read_at: Option<String>,
}

fn table(evidence: &Evidence, now: Millis) -> Table {
    Table {
        lines: evidence.inputs.iter().map(|input| line(input, now)).collect(),
        read_from: evidence.read_from.clone(),
        read_at: evidence.read_at.map(|at| format::moment(at, now)),
    }
}

fn line(input: &Input, now: Millis) -> Line {
    let (value, code) = match &input.value {
        Value::Absent => ("none".to_owned(), false),
        Value::Word(word) => (word.clone(), true),
        Value::Time(at) => (at.to_iso().unwrap_or_else(|_| at.0.to_string()), false),
        Value::Text(text) => (text.clone(), false),
    };
    Line {
        name: input.name,
        value,
        code,
        age: input.at.map(|at| format::age(now.since(at))).unwrap_or_default(),
        limit: input.limit_ms.map(format::age).unwrap_or_default(),
        decisive: input.decisive,
    }
}

#[component]
fn EvidenceTable() -> impl IntoView {
    let store = Store::use_context();
    let rows = Memo::new(move |_| {
        store.header.track();
        store.tick.track();
        // Ages count from when the verdict was computed: they are what it was decided on.
        store
            .with_run(|run, _, now| {
                run.verdict.evidence().map(|evidence| table(evidence, evidence.read_at.unwrap_or(now)))
            })
            .flatten()
            .unwrap_or_default()
    });
    let source = move || {
        let Table { read_from, read_at, .. } = rows.get();
        view! { <code>{read_from}</code>" "{read_at} }
    };
    let body = move || {
        rows.get()
            .lines
            .into_iter()
            .map(|line| {
                let value = if line.code {
                    view! { <code>{line.value}</code> }.into_any()
                } else {
                    line.value.into_any()
                };
                view! {
                    <tr data-hit=line.decisive.then_some("")>
                        <th scope="row">{line.name}</th>
                        <td>{value}</td>
                        <td>{line.age}</td>
                        <td>{line.limit}</td>
                        <td>{source()}</td>
                    </tr>
                }
            })
            .collect_view()
    };
    let nothing = move || rows.with(|rows| rows.lines.is_empty());
    view! {
        <div class="ev-body">
            <Show when=move || !nothing() fallback=|| view! { <p class="sub">"No inputs: there is no verdict to explain."</p> }>
                <table class="ev-table">
                    <caption class="vh">"Inputs of this verdict"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Input"</th>
                            <th scope="col">"Value"</th>
                            <th scope="col">"Age"</th>
                            <th scope="col">"Limit"</th>
                            <th scope="col">"Read from"</th>
                        </tr>
                    </thead>
                    <tbody>{body}</tbody>
                </table>
            </Show>
        </div>
    }
}
