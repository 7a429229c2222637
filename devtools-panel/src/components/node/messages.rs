//! The messages of a conversation, an action with what its tool returned.

use leptos::prelude::*;
use runstate::header::FieldValue;
use runstate::viewer::NodeMessage;

use super::attempts::{folded, time};
use super::lacking::Lacking;
use super::styled_text::styled_text;
use crate::store::{SessionData, select};
use crate::text::{attribute, bounded, bounded_name};

/// The messages.
#[component]
pub(super) fn Messages() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let messages = select(data.node, |node| node.body.messages.clone());
    view! {
        <div class="scroll node-body" tabindex="0" role="group" aria-label="Messages">
            <Lacking />
            <ol class="node-messages" aria-label="Messages, the oldest first" hidden=move || messages.with(Vec::is_empty)>
                {move || messages.get().into_iter().map(item).collect_view()}
            </ol>
        </div>
    }
}

fn item(message: NodeMessage) -> impl IntoView {
    let NodeMessage { role, tool, at, text, responses, missing, .. } = message;
    let is_action = tool.is_some();
    let instant = at.as_ref().and_then(|at| match at {
        FieldValue::Time { iso, .. } => iso.clone(),
        FieldValue::Id(_) | FieldValue::Text(_) | FieldValue::Code(_) => None,
    });
    let text = text.map(|text| {
        view! {
            <p class="message-text" class:code=is_action>{styled_text(&text.spans)}</p>
            {text.rest.map(|rest| view! { <p class="secondary-text">{rest}</p> })}
        }
    });
    view! {
        <li data-role=attribute(&role) data-time=instant>
            <p class="message-head">
                <span class="node-event-name">{bounded_name(&role)}</span>
                {tool.map(|tool| view! { " " <span class="code">{bounded_name(&tool)}</span> })}
                {at.as_ref().map(|at| view! { " " <span class="secondary-text">{time(at)}</span> })}
            </p>
            {text}
            {responses.into_iter().map(|text| folded("Response", "message-response", text)).collect_view()}
            {missing.map(|missing| view! { <p class="secondary-text">{bounded(&missing)}</p> })}
        </li>
    }
}
