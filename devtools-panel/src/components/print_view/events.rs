//! The last events in the printout, the newest first.

use leptos::prelude::*;
use runstate::ingest::{RunEvent, last_events_note};

use super::super::Isolated;
use super::secrets::without_secrets;
use crate::store::SessionData;
use crate::text::{attribute, bounded};

/// The table of events; nothing for a run without events.
#[component]
pub(super) fn LastEvents() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let (events, missing) =
        data.printout.with_untracked(|printout| (printout.events.clone(), printout.missing.clone()));
    let has_numbers = events.iter().any(|event| !event.number.is_empty());
    let headings = ["Time", "Seq", "Event", "Node", "Detail"];
    let headings = headings.into_iter().filter(move |heading| has_numbers || *heading != "Seq");
    let headings = headings.map(|heading| view! { <th scope="col">{heading}</th> }).collect_view();
    let has_events = !events.is_empty();
    let table = has_events.then(|| {
        view! {
            <table class="printout-events">
                <thead>
                    <tr>{headings}</tr>
                </thead>
                <tbody>{events.into_iter().map(|event| line(event, has_numbers)).collect_view()}</tbody>
            </table>
        }
    });
    (has_events || missing.is_some()).then(|| {
        view! {
            <h2>"Last events, newest first"</h2>
            <p class="printout-note">{last_events_note()} {missing.map(|missing| format!(" {missing}"))}</p>
            {table}
        }
    })
}

fn line(event: RunEvent, has_numbers: bool) -> impl IntoView {
    let RunEvent { at, number, name, node, detail, .. } = event;
    let texts = [
        Some(at),
        has_numbers.then_some(number),
        Some(name.clone()),
        Some(node),
        Some(without_secrets(detail)),
    ];
    let cells = texts
        .into_iter()
        .flatten()
        .map(|text| view! { <td><Isolated text=bounded(&text) /></td> })
        .collect_view();
    view! { <tr data-event=attribute(&name)>{cells}</tr> }
}
