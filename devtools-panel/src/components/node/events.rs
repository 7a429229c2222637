//! The events of the node.

use leptos::prelude::*;
use runstate::format;
use runstate::viewer::{LogEntry, LogEntryKind};
use runstate::word::Vocabulary;

use super::super::outline::outline;
use super::super::{Icon, Isolated};
use super::lacking::Lacking;
use crate::store::{SessionData, select};
use crate::text::{attribute, bounded, bounded_name};

/// The events.
#[component]
pub(super) fn Events() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let events = select(data.node, |node| node.body.events.clone());
    view! {
        <div class="scroll node-body" tabindex="0" role="group" aria-label="Events of the node">
            <Lacking />
            {move || list(events.get())}
        </div>
    }
}

/// The events with their number; nothing without an event.
fn list(events: Vec<LogEntry>) -> Option<impl IntoView> {
    let count = format::count(events.len() as f64);
    (!events.is_empty()).then(|| {
        view! {
            <h3>"Events " <span class="secondary-text">{count}</span></h3>
            <ol class="node-events" data-field="node-events" aria-label="Events">{events.into_iter().map(row).collect_view()}</ol>
        }
    })
}

fn row(event: LogEntry) -> impl IntoView {
    let LogEntry { kind, at, moment, day, name, family, icon, tone, attempt, detail, .. } = event;
    let folded = match kind {
        LogEntryKind::Folded { count, until, .. } => {
            Some(format!("{} times until {}", format::count(f64::from(count)), clock(&until)))
        }
        LogEntryKind::Event | LogEntryKind::Gap => None,
    };
    let attempt = attempt.map(|attempt| format!("attempt {}", format::count(f64::from(attempt))));
    view! {
        <li data-family=family.as_str() data-event=attribute(&name)>
            <time datetime=moment.clone() title=moment>{clock(&at).to_owned()}</time>
            <span class="state-icon" data-tone=tone.as_str()>
                <Icon outline=outline(icon) />
            </span>
            <span>
                <span class="node-event-name">{bounded_name(&name)}</span> " "
                {day.map(|day| view! { <span class="log-day">{day}</span> " " })}
                {attempt.map(|attempt| view! { <span class="secondary-text">{attempt}</span> " " })}
                {folded.map(|folded| view! { <span class="secondary-text">{folded}</span> " " })}
                <Isolated text=bounded(&detail) />
            </span>
        </li>
    }
}

/// A time of day without its milliseconds.
fn clock(at: &str) -> &str {
    at.split_once('.').map_or(at, |(clock, _)| clock)
}
