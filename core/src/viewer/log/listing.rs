//! The rows of a log that is a list in memory: one walk filters, folds and counts them.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::filter::{EventFacts, LogFilter};
use super::row::{received_family, received_severity, signal_facts, signal_node_name};
use super::text_matches::TextMatches;
use super::{Family, LogEntry};
use crate::conductor::wire::{ConductorEventType, Event, LastEvents};
use crate::format;
use crate::lionagi::wire::{Seconds, Stream, StreamSignal};
use crate::log::{EventFeed, FeedEvent, FeedRow, RowId, Search};
use crate::smithers::wire::{EventSeverity, EventType};
use crate::time::Millis;
use crate::viewer::run_log::RunLog;
use crate::word::Word;

/// An event of a list, or events that are missing in it.
pub(super) enum Item<'a> {
    Received(&'a FeedEvent),
    Signal(&'a StreamSignal, &'a Stream),
    /// An event of tnh-conductor in this visit of its step, from 0.
    Conductor(&'a Event, u32),
    /// A sentence, and the time of the next event.
    Missing(String, Option<Millis>),
}

/// What the rows of a list are for a filter.
pub(super) struct Listing {
    /// The number of events, whatever the filter.
    pub(super) events: u64,
    pub(super) total: usize,
    /// The rows of the window, each with its id.
    pub(super) rows: Vec<(RowId, LogEntry)>,
    /// The events of each family, whatever the families of the filter.
    pub(super) counts: HashMap<Family, u64>,
    /// The position of the selected row; `None` if the filter hides it, or it was not found yet.
    pub(super) selected: Option<usize>,
    /// The searched part in percent, while a search is running.
    pub(super) searched: Option<u32>,
}

/// What is asked of a log.
#[derive(Clone, Copy)]
pub(super) struct Query<'a> {
    pub(super) filter: &'a LogFilter,
    pub(super) window: &'a Range<usize>,
    /// The first events of the folded rows that are open.
    pub(super) open: &'a BTreeSet<RowId>,
    pub(super) selected: Option<RowId>,
}

/// The events of a run that a server pushed, and the losses, which concern every run.
fn received<'a>(events: &'a EventFeed, run_id: &'a str) -> impl Iterator<Item = (RowId, Item<'a>)> + use<'a> {
    let of_run = move |(_, row): &(u64, &FeedRow)| match row {
        FeedRow::Event(event) => &*event.run_id == run_id,
        FeedRow::Lost { .. } => true,
    };
    let mut rows = (events.first()..).zip(events.rows()).filter(of_run).peekable();
    std::iter::from_fn(move || {
        let (id, row) = rows.next()?;
        let item = match row {
            FeedRow::Event(event) => Item::Received(event),
            FeedRow::Lost { at, count: Some(count) } => {
                let count = format::count(*count as f64);
                let text =
                    format!("Not received: {count} events of this server, by the numbers of its messages.");
                Item::Missing(text, Some(*at))
            }
            FeedRow::Lost { at, count: None } => {
                let mut times = 1;
                while rows.next_if(|(_, row)| matches!(row, FeedRow::Lost { count: None, .. })).is_some() {
                    times += 1;
                }
                Item::Missing(reconnected(times), Some(*at))
            }
        };
        Some((RowId::Event(id), item))
    })
}

/// That a connection was made again so many times without an event of the run in between.
fn reconnected(times: usize) -> String {
    match times {
        1 => {
            "The connection was made again: events between the two connections were not received.".to_owned()
        }
        _ => {
            format!("The connection was made again {times} times: events between them were not received.")
        }
    }
}

/// The signals of a session, with the gaps between their numbers.
fn signals(stream: &Stream) -> impl Iterator<Item = (RowId, Item<'_>)> {
    let mut last: Option<u64> = None;
    (stream.dropped_signals..).zip(&stream.last_signals).flat_map(move |(id, signal)| {
        let before = last.replace(signal.seq);
        let gap = before.filter(|before| signal.seq > before + 1).map(|before| {
            let [from, to] = [before + 1, signal.seq - 1].map(|seq| format::count(seq as f64));
            let text = if from == to {
                format!("Signal {from} is missing.")
            } else {
                format!("Signals {from} to {to} are missing.")
            };
            (RowId::Gap(id), Item::Missing(text, signal.at.map(Seconds::to_millis)))
        });
        gap.into_iter().chain([(RowId::Event(id), Item::Signal(signal, stream))])
    })
}

/// The events of a run of tnh-conductor. They have no numbers, so it is not known whether some are missing.
fn conductor(events: &LastEvents) -> impl Iterator<Item = (RowId, Item<'_>)> {
    let mut starts: HashMap<&str, u32> = HashMap::new();
    (events.dropped as u64..).zip(&events.events).map(move |(id, event)| {
        let mut visit = 0;
        if let Some(step_id) = event.step_id.as_deref() {
            let started = starts.entry(step_id).or_default();
            *started += u32::from(event.is(ConductorEventType::StepStarted));
            visit = started.saturating_sub(1);
        }
        (RowId::Event(id), Item::Conductor(event, visit))
    })
}

/// The events of a log that is a list in memory, and those that are missing; a stored log has none.
pub(super) fn items<'a>(log: &'a RunLog<'_>) -> Box<dyn Iterator<Item = (RowId, Item<'a>)> + 'a> {
    match log {
        RunLog::Received { events, run_id, .. } => Box::new(received(events, run_id)),
        RunLog::Signals(stream) => Box::new(signals(stream)),
        RunLog::Conductor(events) => Box::new(conductor(events)),
        RunLog::Stored { .. } | RunLog::Absent(_) => Box::new(std::iter::empty()),
    }
}

/// What events of one folded row have in common.
#[derive(PartialEq, Eq, Hash)]
enum FoldKey<'a> {
    /// Heartbeats of an attempt of a node.
    Heartbeat(Option<&'a str>, Option<u32>),
    /// The same status of a step, written again.
    Status(Option<&'a str>, Option<&'a str>),
}

impl<'a> Item<'a> {
    /// What a filter asks; `None` for missing events.
    fn facts(&self) -> Option<EventFacts<'a>> {
        match self {
            Self::Received(event) => Some(EventFacts {
                family: received_family(event),
                node_id: event.node_id.as_deref(),
                iteration: event.iteration,
                attempt: event.attempt,
                severity: received_severity(event),
            }),
            Self::Signal(signal, _) => {
                let (family, is_failure) = signal_facts(signal);
                let severity = if is_failure { EventSeverity::Error } else { EventSeverity::Info };
                let node_id = Some(&*signal.node_id).filter(|node_id| !node_id.is_empty());
                Some(EventFacts { family, node_id, iteration: None, attempt: None, severity })
            }
            Self::Conductor(event, visit) => Some(EventFacts {
                family: Family::of_conductor(event.event_type.known()),
                node_id: event.step_id.as_deref(),
                iteration: Some(*visit),
                attempt: None,
                severity: conductor_severity(event.event_type.known()),
            }),
            Self::Missing(..) => None,
        }
    }

    /// Whether the filter shows it.
    pub(super) fn is_shown(&self, filter: &LogFilter) -> bool {
        self.facts().is_none_or(|facts| {
            let has_text = || Search::new(&filter.query.search).is_in(&self.texts());
            filter.has(&facts) && filter.has_family(facts.family) && has_text()
        })
    }

    /// The texts that are searched.
    pub(super) fn texts(&self) -> Vec<&str> {
        match self {
            Self::Received(event) => vec![&event.name, &event.payload],
            Self::Signal(signal, stream) => {
                let name = signal_node_name(signal, stream);
                let texts = [Some(&*signal.kind), Some(&*signal.node_id), name, signal.error.as_deref()];
                texts.into_iter().flatten().collect()
            }
            Self::Conductor(event, _) => {
                let state = event.lifecycle_state.as_ref().map(Word::as_str);
                let texts = [
                    Some(event.event_type.as_str()),
                    event.step_id.as_deref(),
                    state,
                    event.next_step_id.as_deref(),
                    event.timestamp.as_ref().map(|timestamp| &*timestamp.text),
                ];
                texts.into_iter().flatten().collect()
            }
            Self::Missing(text, _) => vec![text],
        }
    }

    /// What events that only say again what an earlier one said have in common with it.
    fn fold_key(&self) -> Option<FoldKey<'a>> {
        match self {
            Self::Received(event) => (event.event_type == Some(EventType::TaskHeartbeat))
                .then_some(FoldKey::Heartbeat(event.node_id.as_deref(), event.attempt)),
            Self::Conductor(event, _) => event.is(ConductorEventType::StatusUpdated).then(|| {
                let state = event.lifecycle_state.as_ref().map(Word::as_str);
                FoldKey::Status(event.step_id.as_deref(), state)
            }),
            Self::Signal(..) | Self::Missing(..) => None,
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

fn conductor_severity(event: Option<ConductorEventType>) -> EventSeverity {
    match event {
        Some(ConductorEventType::StepFailed) => EventSeverity::Error,
        Some(ConductorEventType::StepBlocked | ConductorEventType::RollbackCompleted) => {
            EventSeverity::Warning
        }
        Some(
            ConductorEventType::StepStarted
            | ConductorEventType::StepWaiting
            | ConductorEventType::StepCompleted
            | ConductorEventType::StatusUpdated
            | ConductorEventType::RunnerStarted
            | ConductorEventType::RunnerCompleted
            | ConductorEventType::RouteSelected
            | ConductorEventType::GateRequested
            | ConductorEventType::GateResolved
            | ConductorEventType::ArtifactRecorded,
        )
        | None => EventSeverity::Info,
    }
}

/// The rows of a window of those that match the filter.
pub(super) fn list<'a>(
    items: impl Iterator<Item = (RowId, Item<'a>)>,
    query: Query<'_>,
    matches: &mut TextMatches,
) -> Listing {
    let Query { filter, window, open, selected } = query;
    let mut listing = Listing {
        events: 0,
        total: 0,
        rows: Vec::new(),
        counts: HashMap::new(),
        selected: None,
        searched: None,
    };
    matches.begin(&filter.query.search);
    // The last rows whose events can be followed by others that say the same, and whether they are open.
    let mut folds: HashMap<FoldKey<'a>, (usize, bool)> = HashMap::new();
    for (id, item) in items {
        if let Some(facts) = item.facts() {
            listing.events += 1;
            // Every event is searched in its order, whatever the other filters are now.
            let has_text = matches.has(id, &item.texts());
            if !has_text || !filter.has(&facts) {
                continue;
            }
            *listing.counts.entry(facts.family).or_default() += 1;
            if !filter.has_family(facts.family) {
                continue;
            }
        }
        let key = item.fold_key();
        // A status between two equal ones is no repetition; heartbeats of several attempts alternate.
        let is_other =
            key.as_ref().is_none_or(|key| matches!(key, FoldKey::Status(..)) && !folds.contains_key(key));
        if is_other {
            folds.clear();
        }
        let fold = key.as_ref().and_then(|key| folds.get(key).copied());
        if let Some((row, is_open)) = fold {
            if window.contains(&row)
                && let Some((_, row)) = listing.rows.get_mut(row - window.start)
            {
                row.fold(item.row().at, is_open);
            }
            if !is_open {
                listing.selected = listing.selected.or((selected == Some(id)).then_some(row));
                continue;
            }
        } else if let Some(key) = key {
            folds.insert(key, (listing.total, open.contains(&id)));
        }
        if selected == Some(id) {
            listing.selected = Some(listing.total);
        }
        if window.contains(&listing.total) {
            listing.rows.push((id, item.row()));
        }
        listing.total += 1;
    }
    listing.searched = matches.searched();
    listing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Slice;

    #[test]
    fn connections_without_an_event_of_the_run_in_between_are_one_row() {
        let mut events = EventFeed::default();
        let push =
            |events: &mut EventFeed, run: &str| events.push(run, "n", None, Slice::new("{}"), Millis(1.0));
        let connect = |events: &mut EventFeed| events.begin(Millis(1.0));
        connect(&mut events);
        push(&mut events, "r");
        connect(&mut events);
        push(&mut events, "r");
        connect(&mut events);
        push(&mut events, "other");
        connect(&mut events);
        connect(&mut events);
        let text = |(id, item)| match (id, item) {
            (RowId::Event(id), Item::Missing(text, _)) => format!("{id} {text}"),
            (RowId::Event(id), Item::Received(event)) => format!("{id} {}", event.run_id),
            other => unreachable!("{:?}", other.0),
        };
        let rows: Vec<_> = received(&events, "r").map(text).collect();
        assert_eq!(
            rows,
            [
                "0 r",
                "1 The connection was made again: events between the two connections were not received.",
                "2 r",
                "3 The connection was made again 3 times: events between them were not received.",
            ]
        );
    }
}
