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
    let next = select(data.node, |node| node.body.next_attempt.clone());
    view! {
        <div class="scroll node-body" tabindex="0" role="group" aria-label="Attempts">
            {move || attempts.with(|attempts| (!attempts.is_empty()).then(|| cards(attempts)))}
            {move || {
                next.get().map(|at| view! { <p data-field="next-attempt">"Next attempt, at the earliest: " {time(&at)}</p> })
            }}
            <Lacking />
            {move || attempts.with(|attempts| attempts.iter().map(texts).collect_view())}
        </div>
    }
}

/// A card for each attempt: side by side where there is room, else one below the other. All have the same rows.
fn cards(attempts: &[NodeAttempt]) -> impl IntoView + use<> {
    type Row = (&'static str, fn(&NodeAttempt) -> Option<AnyView>);
    let rows: [Row; 4] = [
        ("Started", |attempt| attempt.started.as_ref().map(time)),
        ("Took", |attempt| shown(attempt.took.as_ref())),
        ("Waited before", |attempt| shown(attempt.waited.as_ref())),
        ("Agent", |attempt| shown(attempt.agent.as_ref())),
    ];
    let known = rows.into_iter().filter(|(_, read)| attempts.iter().any(|attempt| read(attempt).is_some()));
    let known: Vec<Row> = known.collect();
    let card = |attempt: &NodeAttempt| {
        let fact = |(label, read): &Row| {
            view! { <div><dt>{*label}</dt><dd>{read(attempt).unwrap_or_else(|| "–".into_any())}</dd></div> }
        };
        view! {
            <li data-attempt=attempt.number data-state=attempt.state.value().map(str::to_owned)>
                <p class="attempt-head">
                    <span class="attempt-number">"Attempt " {number(attempt)}</span>
                    <AnswerPillView taxonomy=Taxonomy::Node pill=attempt.state.clone() absent="not known" />
                    {attempt.note.clone().map(|note| view! { <span class="secondary-text">{note}</span> })}
                </p>
                <dl>{known.iter().map(fact).collect_view()}</dl>
            </li>
        }
    };
    view! { <ol class="attempts" aria-label="Attempts side by side">{attempts.iter().map(card).collect_view()}</ol> }
}

fn shown(text: Option<&String>) -> Option<AnyView> {
    text.map(|text| bounded(text).into_any())
}

pub(super) fn time(value: &FieldValue) -> AnyView {
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

pub(super) fn folded(label: &'static str, name: &'static str, text: AttemptText) -> impl IntoView {
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
