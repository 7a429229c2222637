//! The events of the run on screen, as its source has them.

use std::collections::HashMap;
use std::ops::Range;

use super::filter::LogFilter;
use super::listed::{self, Listed};
use super::{Family, LogRow};
use crate::conductor::wire::LastEvents;
use crate::format;
use crate::ingest::Document;
use crate::lionagi::wire::Stream;
use crate::log::{EventLog, Filter, ReceivedEvents, RowIndex};
use crate::text::join;

/// Why a document of lionagi has no signals.
const NO_SIGNALS: &str = "This document contains no signals of the session. Open what GET /api/sessions/{id}/signals/stream of \
                          Studio sends together with it.";

/// Why a document of Smithers has no events.
const NO_LOG: &str = "This document contains no events of the run, only what they led to. Open the run’s stream.ndjson or the \
                      output of smithers events --json together with it.";

/// The events of the run on screen.
pub(in crate::viewer) enum RunLog<'a> {
    /// The log of a document; `run_id` is the run if the log has several.
    Stored { log: &'a EventLog, run_id: Option<String> },
    /// What a server has pushed; `note` says what that does not contain.
    Received { events: &'a ReceivedEvents, run_id: String, note: &'static str },
    /// The signals of a session of lionagi.
    Signals(&'a Stream),
    /// The events of a run of tnh-conductor.
    Conductor(&'a LastEvents),
    /// None: the reason, and what to do, as sentences.
    Absent(&'static str),
}

/// The counts of a stored log, which are kept while it and the filter by node are the same.
#[derive(Debug, Default)]
pub(super) struct StoredCounts {
    /// The number of events in the log, and the filter.
    of: Option<(usize, Filter)>,
    events: u64,
    missing: u64,
    families: HashMap<Family, u64>,
}

/// The part of a log that is on screen, with its counts.
pub(super) struct LogPart {
    pub(super) listed: Listed,
    pub(super) missing: u64,
}

impl<'a> RunLog<'a> {
    /// The events of a run of a document: its only one, or that in a row of its list.
    pub(in crate::viewer) fn of_document(document: &'a Document, row: Option<usize>, run_id: &str) -> Self {
        if let Some(found) = document.lionagi() {
            let session = row.map_or(found.session.as_ref(), |row| found.sessions.get(row));
            let stream = session.and_then(|session| session.stream.as_ref());
            return stream.map_or(Self::Absent(NO_SIGNALS), Self::Signals);
        }
        if let Some(run) = document.conductor_runs().get(row.unwrap_or(0)) {
            return Self::Conductor(&run.last_events);
        }
        let log = document.event_logs().iter().find(|log| log.run_ids().any(|id| id == run_id));
        log.map_or(Self::Absent(NO_LOG), |log| {
            let has_several = log.run_ids().nth(1).is_some();
            Self::Stored { log, run_id: has_several.then(|| run_id.to_owned()) }
        })
    }

    /// The rows of a window of those that match the filter, and the counts.
    pub(super) fn part(
        &self,
        filter: &LogFilter,
        window: &Range<usize>,
        index: &mut RowIndex,
        counts: &mut StoredCounts,
    ) -> LogPart {
        let listed = match self {
            Self::Stored { log, run_id } => {
                return stored(log, &filter.of_stored(run_id.as_deref()), window, index, counts);
            }
            Self::Received { events, run_id, .. } => {
                listed::list(listed::received(events, run_id), filter, window)
            }
            Self::Signals(stream) => listed::list(listed::signals(stream), filter, window),
            Self::Conductor(events) => listed::list(listed::conductor(&events.events), filter, window),
            Self::Absent(_) => listed::list(std::iter::empty(), filter, window),
        };
        LogPart { listed, missing: 0 }
    }

    /// Whether events are added while the source is open.
    pub(super) fn is_live(&self) -> bool {
        match self {
            Self::Received { .. } => true,
            Self::Stored { .. } | Self::Signals(_) | Self::Conductor(_) | Self::Absent(_) => false,
        }
    }

    /// What the log does not contain, and why.
    pub(super) fn note(&self) -> Option<String> {
        match self {
            Self::Received { events, note, .. } => {
                let since = events
                    .since()
                    .map(|since| format!("Events are received since {}.", format::date_clock(since)));
                let dropped = (events.dropped() > 0).then(|| {
                    let dropped = format::count(events.dropped() as f64);
                    format!("{dropped} older events of this server were dropped to save memory.")
                });
                let sentences = [since, Some((*note).to_owned()), dropped];
                let sentences: Vec<&str> = sentences.iter().flatten().map(String::as_str).collect();
                Some(join(&sentences, " "))
            }
            Self::Signals(stream) if stream.dropped_signals > 0 => {
                let dropped = format::count(stream.dropped_signals as f64);
                Some(format!("{dropped} earlier signals are not kept, to save memory."))
            }
            Self::Conductor(events) if events.dropped > 0 => {
                let dropped = format::count(events.dropped as f64);
                Some(format!("{dropped} earlier events are not kept, to save memory."))
            }
            Self::Stored { .. } | Self::Signals(_) | Self::Conductor(_) | Self::Absent(_) => None,
        }
    }

    /// Why there is no event, and what to do.
    pub(super) fn empty(&self) -> &'static str {
        match self {
            Self::Absent(why) => why,
            Self::Received { .. } => "No event of this run has been received yet. New ones appear here.",
            Self::Stored { .. } => "This log contains no events of this run.",
            Self::Signals(_) => NO_SIGNALS,
            Self::Conductor(_) => {
                "The files of this run contain no events. Open events.ndjson of the run directory together with them."
            }
        }
    }
}

fn stored(
    log: &EventLog,
    filter: &Filter,
    window: &Range<usize>,
    index: &mut RowIndex,
    counts: &mut StoredCounts,
) -> LogPart {
    let of = (log.len(), Filter { categories: Vec::new(), ..filter.clone() });
    if counts.of.as_ref() != Some(&of) {
        let by_family = |filter: &Filter| {
            let mut families: HashMap<Family, u64> = HashMap::new();
            for (category, count) in log.count_categories(filter) {
                *families.entry(Family::of_category(category)).or_default() += count;
            }
            families
        };
        let families = by_family(&of.1);
        let all = Filter { node_id: None, ..of.1.clone() };
        let events = if of.1.node_id.is_some() { by_family(&all) } else { families.clone() };
        let missing = log.missing(of.1.run_id.as_deref());
        *counts = StoredCounts { events: events.values().sum(), missing, families, of: Some(of) };
    }
    let bound = |row: usize| u32::try_from(row).unwrap_or(u32::MAX);
    let page = log.rows_with(index, bound(window.start)..bound(window.end), filter);
    let json = |row: u32| log.json(row).unwrap_or_default().into_owned();
    let rows = page.rows.iter().map(|row| LogRow::from_log(row, json)).collect();
    let listed =
        Listed { events: counts.events, total: page.total as usize, rows, counts: counts.families.clone() };
    LogPart { listed, missing: counts.missing }
}
