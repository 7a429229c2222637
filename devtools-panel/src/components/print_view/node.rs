//! The selected node in the printout: its detail and its events.

use leptos::prelude::*;
use runstate::redact::StreamRedactor;
use runstate::viewer::{LogEntry, NodeWindow};

use super::super::{AnswerPillView, Isolated};
use super::field_text::field_text;
use super::secrets::without_secrets;
use crate::store::SessionData;
use crate::text::{attribute, bounded, bounded_name, long_text};

/// The selected node; nothing if none is selected. A node that was selected after the printout was requested has no events.
#[component]
pub(super) fn SelectedNode() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let selection = data.focus.with_untracked(|focus| focus.selection.clone());
    let is_selected =
        |node: &NodeWindow| selection.as_ref().is_some_and(|selection| selection.key == node.key);
    let requested = data.printout.with_untracked(|printout| printout.node.clone());
    let node = requested.map(|node| *node).filter(is_selected);
    let node = node.or_else(|| data.node.get_untracked().filter(is_selected));
    view! { {node.map(detail)} }
}

fn detail(node: NodeWindow) -> impl IntoView {
    let NodeWindow { title, kind, taxonomy, state, fields, error, missing, body, .. } = node;
    let title = without_secrets(title);
    let fields = fields.into_iter().map(|field| {
        let (text, is_code) = field_text(field.value);
        view! { <div><dt>{field.label}</dt><dd class:code=is_code><Isolated text /></dd></div> }
    });
    let events = body.events;
    view! {
        <section class="printout-node" data-node=attribute(&title)>
            <h2>"Selected node: " <Isolated text=bounded_name(&title) /></h2>
            <p class="printout-pills">
                {kind.map(|kind| view! { <span>{bounded(&kind)}</span> })}
                {state.map(|pill| view! { <AnswerPillView taxonomy pill absent="not known" /> })}
            </p>
            <dl class="printout-fields">{fields.collect_view()}</dl>
            {error.map(|error| view! { <p class="code"><Isolated text=long_text(&without_secrets(error)) /></p> })}
            <ul>{missing.into_iter().map(|sentence| view! { <li>{bounded(&without_secrets(sentence))}</li> }).collect_view()}</ul>
            {(!events.is_empty())
                .then(|| {
                    view! {
                        <table class="printout-events">
                            <thead>
                                <tr><th scope="col">"Time"</th><th scope="col">"Event"</th><th scope="col">"Detail"</th></tr>
                            </thead>
                            <tbody>{lines(events)}</tbody>
                        </table>
                    }
                })}
        </section>
    }
}

/// The events, of which one can be the answer to the prompt of another.
fn lines(events: Vec<LogEntry>) -> impl IntoView {
    let mut stream = StreamRedactor::default();
    let mut lines = Vec::new();
    for mut event in events {
        if let Some(clean) = stream.redact(&event.detail) {
            event.detail = clean;
        }
        lines.push(line(event));
    }
    lines
}

fn line(event: LogEntry) -> impl IntoView {
    let LogEntry { at, moment, name, detail, .. } = event;
    let texts = [moment.unwrap_or(at), bounded_name(&name), bounded(&detail)];
    let cells = texts.into_iter().map(|text| view! { <td><Isolated text /></td> });
    view! { <tr data-event=attribute(&name)>{cells.collect_view()}</tr> }
}
