//! The part of a log that is on screen, and what the log lacks.

use std::collections::HashMap;
use std::ops::Range;

use super::filter::LogFilter;
use super::listed::{self, Listed};
use super::{Family, LogEntry};
use crate::format;
use crate::log::{EventLog, Filter, RowIndex};
use crate::text::join;
use crate::viewer::run_log::{NO_SIGNALS, RunLog};

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

impl RunLog<'_> {
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
    let rows = page.rows.iter().map(|row| LogEntry::from_log(row, json)).collect();
    let listed =
        Listed { events: counts.events, total: page.total as usize, rows, counts: counts.families.clone() };
    LogPart { listed, missing: counts.missing }
}
