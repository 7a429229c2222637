//! The attempts at the node, side by side, and what each of them failed with, was asked and answered.

use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;
use runstate::format;
use runstate::header::FieldValue;
use runstate::pill::Taxonomy;
use runstate::viewer::{AttemptText, NodeAttempt};

use super::super::{AnswerPillView, Icon};
use super::lacking::Lacking;
use super::styled_text::TextBlock;
use crate::store::{SessionData, select};
use crate::text::bounded;

/// The attempts.
#[component]
pub(super) fn Attempts() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let attempts = select(data.node, |node| node.body.attempts.clone());
    view! {
        <div class="scroll node-body" tabindex="0" role="group" aria-label="Attempts">
            {move || attempts.with(|attempts| (!attempts.is_empty()).then(|| table(attempts)))}
            <Lacking />
            {move || attempts.with(|attempts| attempts.iter().map(texts).collect_view())}
        </div>
    }
}

/// One column for each attempt.
fn table(attempts: &[NodeAttempt]) -> impl IntoView + use<> {
    let head = |attempt: &NodeAttempt| {
        view! {
            <th scope="col" data-attempt=attempt.number data-state=attempt.state.value().map(str::to_owned)>
                <span class="attempt-number">{number(attempt)}</span>
                <AnswerPillView taxonomy=Taxonomy::Node pill=attempt.state.clone() absent="not known" />
                {attempt.note.clone().map(|note| view! { <span class="secondary-text">{note}</span> })}
            </th>
        }
    };
    let row = |label: &'static str, read: fn(&NodeAttempt) -> Option<AnyView>| {
        let is_known = attempts.iter().any(|attempt| read(attempt).is_some());
        let cell =
            |attempt: &NodeAttempt| view! { <td>{read(attempt).unwrap_or_else(|| "–".into_any())}</td> };
        is_known.then(|| {
            view! { <tr><th scope="row">{label}</th>{attempts.iter().map(cell).collect_view()}</tr> }
        })
    };
    view! {
        <div class="attempts" tabindex="0" role="group" aria-label="Attempts side by side">
            <table>
                <thead><tr><td></td>{attempts.iter().map(head).collect_view()}</tr></thead>
                <tbody>
                    {row("Started", |attempt| attempt.started.as_ref().map(time))}
                    {row("Took", |attempt| shown(attempt.took.as_ref()))}
                    {row("Waited before", |attempt| shown(attempt.waited.as_ref()))}
                    {row("Agent", |attempt| shown(attempt.agent.as_ref()))}
                </tbody>
            </table>
        </div>
    }
}

fn shown(text: Option<&String>) -> Option<AnyView> {
    text.map(|text| bounded(text).into_any())
}

fn time(value: &FieldValue) -> AnyView {
    match value {
        FieldValue::Time { iso, text } => {
            view! { <time datetime=iso.clone() title=iso.clone()>{text.clone()}</time> }.into_any()
        }
        FieldValue::Id(text) | FieldValue::Text(text) | FieldValue::Code(text) => bounded(text).into_any(),
    }
}

fn number(attempt: &NodeAttempt) -> String {
    attempt.number.map_or_else(|| "?".to_owned(), |number| format::count(f64::from(number)))
}

/// The error, the prompt and the response of an attempt; nothing if it has none.
fn texts(attempt: &NodeAttempt) -> Option<impl IntoView + use<>> {
    let NodeAttempt { error, prompt, response, .. } = attempt;
    let heading = format!("Attempt {}", number(attempt));
    let has_text = error.is_some() || prompt.is_some() || response.is_some();
    has_text.then(|| {
        let level = custom_attribute("data-attempt", number(attempt));
        view! {
            <section class="attempt-texts" {..level}>
                <h3>{heading}</h3>
                {error.clone().map(|text| view! { <TextBlock label="Error" name="attempt-error" text /> })}
                {prompt.clone().map(|text| folded("Prompt", "prompt", text))}
                {response.clone().map(|text| folded("Response", "response", text))}
            </section>
        }
    })
}

fn folded(label: &'static str, name: &'static str, text: AttemptText) -> impl IntoView {
    view! {
        <details class="node-props">
            <summary>
                <span class="disclosure">
                    <Icon outline=icondata_lu::LuChevronRight.data />
                </span>
                {label}
            </summary>
            <TextBlock label name text />
        </details>
    }
}
