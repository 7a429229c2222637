//! The part of a log that is on screen, and what the log lacks.

use std::collections::HashMap;

use super::listing::{self, Listing, Query};
use super::text_matches::{SLICE_BYTES, TextMatches};
use super::{Family, LogEntry};
use crate::format;
use crate::log::{EventLog, RowId, RowIndex};
use crate::text::join;
use crate::viewer::run_log::{NO_SIGNALS, RunLog};

/// What is kept of a log between two windows.
#[derive(Debug, Default)]
pub(super) struct LogCache {
    pub(super) index: RowIndex,
    matches: TextMatches,
    /// The numbers of events and of missing ones in a stored log, with its number of rows and the run.
    counts: Option<(StoredLog, u64, u64)>,
}

/// The number of rows of a stored log, and the run whose events are counted.
type StoredLog = (usize, Option<String>);

/// The part of a log that is on screen, with its counts.
pub(super) struct LogPart {
    pub(super) listing: Listing,
    pub(super) missing: u64,
}

impl RunLog<'_> {
    /// The rows of a window of those that match the filter, and the counts.
    pub(super) fn part(&self, query: Query<'_>, cache: &mut LogCache) -> LogPart {
        let listing = match self {
            Self::Stored { log, run_id, .. } => return stored(log, run_id.as_deref(), query, cache),
            Self::Received { .. } | Self::Signals(_) | Self::Conductor(_) | Self::Absent(_) => {
                listing::list(listing::items(self), query, &mut cache.matches)
            }
        };
        LogPart { listing, missing: 0 }
    }

    /// The number of runs in the log, if a document has it.
    pub(super) fn runs(&self) -> usize {
        match self {
            Self::Stored { log, .. } => log.run_ids().count(),
            Self::Received { .. } | Self::Signals(_) | Self::Conductor(_) | Self::Absent(_) => 1,
        }
    }

    /// Whether events are added while the source is open.
    pub(super) fn is_live(&self) -> bool {
        match self {
            Self::Received { .. } => true,
            Self::Stored { live, .. } => live.is_some(),
            Self::Signals(_) | Self::Conductor(_) | Self::Absent(_) => false,
        }
    }

    /// What the log does not contain, and why.
    pub(in super::super) fn note(&self) -> Option<String> {
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
            Self::Stored { live, .. } => live.clone().filter(|note| !note.is_empty()),
            Self::Signals(_) | Self::Conductor(_) | Self::Absent(_) => None,
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

fn stored(log: &EventLog, run_id: Option<&str>, query: Query<'_>, cache: &mut LogCache) -> LogPart {
    let Query { filter: log_filter, window, selected, .. } = query;
    let filter = log_filter.of_stored(run_id);
    let of = (log.len(), filter.run_id.clone());
    if cache.counts.as_ref().is_none_or(|(counted, ..)| *counted != of) {
        let run_id = filter.run_id.as_deref();
        cache.counts = Some((of, log.count_events(run_id), log.missing(run_id)));
    }
    let (events, missing) = cache.counts.as_ref().map_or((0, 0), |(_, events, missing)| (*events, *missing));
    let index = &mut cache.index;
    let bound = |row: usize| u32::try_from(row).unwrap_or(u32::MAX);
    let rows = log.rows_with(index, bound(window.start)..bound(window.end), &filter, selected, SLICE_BYTES);
    let json = |row: u32| log.json(row).unwrap_or_default().into_owned();
    let shows_runs = log_filter.query.all_runs && log.run_ids().nth(1).is_some();
    let entry = |row| {
        let entry = LogEntry::from_log(row, json);
        let is_of_other_run = shows_runs && entry.run.as_deref() != run_id;
        LogEntry { run: entry.run.filter(|_| shows_runs), is_of_other_run, ..entry }
    };
    let mut counts = HashMap::new();
    for (category, count) in index.matches(log) {
        *counts.entry(Family::of_category(category)).or_default() += count;
    }
    let listing = Listing {
        events,
        total: index.total() as usize,
        rows: rows.iter().map(|(id, row)| (*id, entry(row))).collect::<Vec<(RowId, LogEntry)>>(),
        counts,
        selected: index.position().map(|row| row as usize),
        searched: index.searched(log).map(|part| (100.0 * part) as u32),
    };
    LogPart { listing, missing }
}
