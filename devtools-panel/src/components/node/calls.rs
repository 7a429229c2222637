//! The calls of an agent, each with how it ended, and its texts on demand.

use leptos::prelude::*;
use runstate::format;
use runstate::viewer::NodeCall;
use runstate::word::Vocabulary;

use super::super::Icon;
use super::super::outline::outline;
use super::attempts::{folded, time};
use super::lacking::Lacking;
use crate::store::{SessionData, select};
use crate::text::{attribute, bounded_name};

/// The calls.
#[component]
pub(super) fn Calls() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let calls = select(data.node, |node| node.body.calls.clone());
    view! {
        <div class="scroll node-body" tabindex="0" role="group" aria-label="Calls">
            <Lacking />
            <ol class="node-messages" aria-label="Calls, the oldest first" hidden=move || calls.with(Vec::is_empty)>
                {move || calls.get().into_iter().map(item).collect_view()}
            </ol>
        </div>
    }
}

fn item(call: NodeCall) -> impl IntoView {
    let NodeCall { name, attempt, started, took, outcome, icon, tone, arguments, result, missing, .. } = call;
    let attempt = attempt.map(|attempt| format!("attempt {}", format::count(f64::from(attempt))));
    let facts = [took, attempt].into_iter().flatten();
    view! {
        <li data-call=attribute(&name) data-tone=tone.as_str()>
            <p class="call-head">
                <span class="state-icon" data-tone=tone.as_str()>
                    <Icon outline=outline(icon) />
                </span>
                <span class="node-event-name">{bounded_name(&name)}</span>
                <span>{bounded_name(&outcome)}</span>
                {facts.map(|fact| view! { <span class="secondary-text">{fact}</span> }).collect_view()}
                {started.as_ref().map(|at| view! { <span class="secondary-text">{time(at)}</span> })}
                {missing.map(|missing| view! { <span class="secondary-text">{missing}</span> })}
            </p>
            {arguments.map(|text| folded("Arguments", "call-arguments", text))}
            {result.map(|text| folded("Result", "call-result", text))}
        </li>
    }
}
