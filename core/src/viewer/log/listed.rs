//! The rows of a log that is a list in memory: one walk filters, folds and counts them.

use std::collections::HashMap;
use std::ops::Range;

use super::filter::LogFilter;
use super::row::{received_family, signal_facts};
use super::{Family, LogEntry};
use crate::conductor::wire::{ConductorEventType, Event};
use crate::format;
use crate::lionagi::wire::{Seconds, Stream, StreamSignal};
use crate::log::{ReceivedEvent, ReceivedEvents, ReceivedRow};
use crate::smithers::wire::EventType;
use crate::time::Millis;

/// An event of a list, or events that are missing in it.
pub(super) enum Item<'a> {
    Received(&'a ReceivedEvent),
    Signal(&'a StreamSignal, &'a Stream),
    /// An event of tnh-conductor in this visit of its step, from 0.
    Conductor(&'a Event, u32),
    /// A sentence, and the time of the next event.
    Missing(String, Option<Millis>),
}

/// What the rows of a list are for a filter.
pub(super) struct Listed {
    /// The number of events, whatever the filter.
    pub(super) events: u64,
    pub(super) total: usize,
    pub(super) rows: Vec<LogEntry>,
    /// The events of each family, whatever the families of the filter.
    pub(super) counts: HashMap<Family, u64>,
}

/// The events of a run that a server pushed, and the losses, which concern every run.
pub(super) fn received<'a>(
    events: &'a ReceivedEvents,
    run_id: &'a str,
) -> impl Iterator<Item = Item<'a>> + use<'a> {
    events.rows().iter().filter_map(move |row| match row {
        ReceivedRow::Event(event) => (&*event.run_id == run_id).then_some(Item::Received(event)),
        ReceivedRow::Lost { at, count: Some(count) } => {
            let count = format::count(*count as f64);
            let text =
                format!("Not received: {count} events of this server, by the numbers of its messages.");
            Some(Item::Missing(text, Some(*at)))
        }
        ReceivedRow::Lost { at, count: None } => {
            let text = "The connection was made again: events between the two connections were not received.";
            Some(Item::Missing(text.to_owned(), Some(*at)))
        }
    })
}

/// The signals of a session, with the gaps between their numbers.
pub(super) fn signals(stream: &Stream) -> impl Iterator<Item = Item<'_>> {
    let mut last: Option<u64> = None;
    stream.last_signals.iter().flat_map(move |signal| {
        let before = last.replace(signal.seq);
        let gap = before.filter(|before| signal.seq > before + 1).map(|before| {
            let [from, to] = [before + 1, signal.seq - 1].map(|seq| format::count(seq as f64));
            let text = if from == to {
                format!("Signal {from} is missing.")
            } else {
                format!("Signals {from} to {to} are missing.")
            };
            Item::Missing(text, signal.at.map(Seconds::to_millis))
        });
        gap.into_iter().chain([Item::Signal(signal, stream)])
    })
}

/// The events of a run of tnh-conductor. They have no numbers, so it is not known whether some are missing.
pub(super) fn conductor(events: &[Event]) -> impl Iterator<Item = Item<'_>> {
    let mut starts: HashMap<&str, u32> = HashMap::new();
    events.iter().map(move |event| {
        let Some(step_id) = event.step_id.as_deref() else { return Item::Conductor(event, 0) };
        let started = starts.entry(step_id).or_default();
        *started += u32::from(event.is(ConductorEventType::StepStarted));
        Item::Conductor(event, started.saturating_sub(1))
    })
}

impl<'a> Item<'a> {
    /// The family and the node's id; `None` for missing events.
    fn facts(&self) -> Option<(Family, Option<&'a str>)> {
        match self {
            Self::Received(event) => Some((received_family(event), event.node_id.as_deref())),
            Self::Signal(signal, _) => {
                let node_id = Some(&*signal.node_id).filter(|node_id| !node_id.is_empty());
                Some((signal_facts(signal).1, node_id))
            }
            Self::Conductor(event, _) => {
                Some((Family::of_conductor(event.event_type.known()), event.step_id.as_deref()))
            }
            Self::Missing(..) => None,
        }
    }

    /// Whether it only says again what the event before it said: a heartbeat, or a status that was written again.
    fn repeats(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::Received(event), Self::Received(before)) => {
                event.event_type == Some(EventType::TaskHeartbeat)
                    && event.event_type == before.event_type
                    && (&event.node_id, event.attempt) == (&before.node_id, before.attempt)
            }
            (Self::Conductor(event, _), Self::Conductor(before, _)) => {
                event.is(ConductorEventType::StatusUpdated)
                    && before.is(ConductorEventType::StatusUpdated)
                    && (&event.step_id, &event.lifecycle_state) == (&before.step_id, &before.lifecycle_state)
            }
            (Self::Received(_) | Self::Signal(..) | Self::Conductor(..) | Self::Missing(..), _) => false,
        }
    }

    fn row(&self) -> LogEntry {
        match self {
            Self::Received(event) => LogEntry::from_received(event),
            Self::Signal(signal, stream) => LogEntry::from_signal(signal, stream),
            Self::Conductor(event, visit) => LogEntry::from_conductor(event, *visit),
            Self::Missing(text, before) => LogEntry::gap(text.clone(), *before),
        }
    }
}

/// The rows of a window of those that match the filter.
pub(super) fn list<'a>(
    items: impl Iterator<Item = Item<'a>>,
    filter: &LogFilter,
    window: &Range<usize>,
) -> Listed {
    let mut listed = Listed { events: 0, total: 0, rows: Vec::new(), counts: HashMap::new() };
    let mut before: Option<Item<'a>> = None;
    for item in items {
        if let Some((family, node_id)) = item.facts() {
            listed.events += 1;
            if !filter.has_node(node_id) {
                continue;
            }
            *listed.counts.entry(family).or_default() += 1;
            if !filter.has_family(family) {
                continue;
            }
        }
        if before.as_ref().is_some_and(|before| item.repeats(before)) {
            // A row of the window that ends it may still be folded.
            if window.contains(&(listed.total - 1))
                && let Some(row) = listed.rows.last_mut()
            {
                row.fold(item.row().at);
            }
        } else {
            if window.contains(&listed.total) {
                listed.rows.push(item.row());
            }
            listed.total += 1;
        }
        before = Some(item);
    }
    listed
}
