//! Counts of a log, and its known properties while it loads.

use serde::Serialize;

#[cfg(test)]
use super::Ordering;
use super::fold::GapFold;
use super::{EventLog, LineProblem};
use crate::json::{Slice, fields};
use crate::smithers::wire::EventType;
use crate::text::concat;
use crate::time::Millis;
use crate::word::Word;

/// The numbers of lines and events of a log, of unreadable lines, repeated events, gaps and lost events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(tsify::Tsify), tsify(rename = "EventCounts"))]
#[non_exhaustive]
pub struct LogCounts {
    /// Lines, including empty ones.
    pub lines: u64,
    /// Events, without repeats.
    pub events: u64,
    /// Lines that could not be read.
    pub unread: u64,
    /// Repeated events.
    pub repeated: u64,
    /// Ranges of missing numbers.
    pub gaps: u64,
    /// Missing numbers in these ranges.
    pub lost: u64,
}

impl EventLog {
    /// The number of events of each type, in the order of their first occurrence. Unknown types are included.
    ///
    /// ```
    /// use runstate::log::EventLog;
    ///
    /// let mut log = EventLog::new();
    /// log.push(concat!(r#"{"type":"RunStarted","runId":"r","timestampMs":1}"#, "\n").as_bytes());
    /// log.push(concat!(r#"{"type":"RunDreamed","runId":"r","timestampMs":2}"#, "\n").as_bytes());
    /// let types: Vec<_> = log.types().into_iter().map(|(word, count)| (word.to_string(), count)).collect();
    /// assert_eq!(types, [("RunStarted".to_owned(), 1), ("RunDreamed".to_owned(), 1)]);
    /// ```
    pub fn types(&self) -> Vec<(Word<EventType>, u64)> {
        self.store.kinds.iter().map(|kind| (kind.word.clone(), kind.count)).collect()
    }

    /// The number of events of a run, or of all runs, without repeats.
    pub(crate) fn count_events(&self, run_id: Option<&str>) -> u64 {
        let Some(run_id) = run_id else { return self.store.kinds.iter().map(|kind| kind.count).sum() };
        let run = self.store.runs.find(0, run_id.as_bytes());
        let is_of_run =
            |row: &u32| !self.store.is_repeat(*row) && Some(self.store.run_of(self.store.unit(*row))) == run;
        (0..self.store.len()).filter(is_of_run).count() as u64
    }

    /// The number of events, with repeats.
    pub(crate) fn len(&self) -> usize {
        self.store.len() as usize
    }

    /// The missing numbers of a run, or of all runs.
    pub(crate) fn missing(&self, run_id: Option<&str>) -> u64 {
        let is_of_run = |gap: &&GapFold| run_id.is_none_or(|run| self.store.runs.name(gap.run) == run);
        self.lost_gaps().filter(is_of_run).map(|gap| u64::from(gap.to - gap.from) + 1).sum()
    }

    /// The lines that could not be read: the first 1000 of them.
    pub fn problems(&self) -> &[LineProblem] {
        &self.problems
    }

    /// The number of unreadable lines that [`problems`](Self::problems) does not describe.
    pub(crate) fn undescribed_problems(&self) -> usize {
        (self.unread as usize).saturating_sub(self.problems.len())
    }

    /// The text that was pushed, including the lines that could not be read.
    pub(crate) fn text(&self) -> Vec<u8> {
        self.store.raw.text()
    }

    /// The counts of the log.
    ///
    /// ```
    /// use runstate::log::EventLog;
    ///
    /// let mut log = EventLog::new();
    /// let line = "{\"type\":\"RunStarted\",\"runId\":\"r\",\"timestampMs\":1}\n";
    /// log.push(line.as_bytes());
    /// log.push(line.as_bytes()); // a broadcast that came twice
    /// log.push(b"oops\n");
    /// let counts = log.counts();
    /// assert_eq!((counts.lines, counts.events, counts.repeated, counts.unread), (3, 1, 1, 1));
    /// ```
    pub fn counts(&mut self) -> LogCounts {
        self.arrange();
        self.counts_in_order()
    }

    /// The counts of a log whose events are in order.
    pub(super) fn counts_in_order(&self) -> LogCounts {
        LogCounts {
            lines: self.lines,
            events: self.store.kinds.iter().map(|kind| kind.count).sum(),
            unread: self.unread,
            repeated: self.store.repeated,
            gaps: self.lost_gaps().count() as u64,
            lost: self.missing(None),
        }
    }

    /// The sort key of the events.
    #[cfg(test)]
    pub(crate) fn ordering(&mut self) -> Ordering {
        self.arrange();
        self.order.ordering()
    }

    /// Memory that the log takes in addition to its text, bytes.
    pub fn memory(&self) -> usize {
        let settled_fold = self.settled_fold.as_ref().map_or(0, |fold| fold.memory());
        self.store.memory()
            + self.order.memory()
            + self.fold.memory()
            + settled_fold
            + self.row_index.memory()
    }

    /// Memory that the text of the log takes, bytes.
    pub fn text_memory(&self) -> usize {
        self.store.raw.memory()
    }
}

/// The known properties of a log that is still being read, without sorting its events.
#[derive(Debug)]
pub(crate) struct LogProgress {
    /// Number of events.
    pub(crate) events: u32,
    /// Number of runs.
    pub(crate) runs: u32,
    /// The run's id; `None` if there are several.
    pub(crate) run_id: Option<String>,
    /// The workflow's name; `None` if there are several runs.
    pub(crate) workflow: Option<String>,
    /// When the run started, if the log begins with that event.
    pub(crate) started_at: Option<Millis>,
    /// When the last event was written.
    pub(crate) last_event_at: Millis,
}

impl LogProgress {
    /// The heading of the log.
    pub(crate) fn name(&self) -> String {
        let several = || concat(&[&self.runs.to_string(), " runs"]);
        self.workflow.clone().or_else(|| self.run_id.clone()).unwrap_or_else(several)
    }
}

impl EventLog {
    /// The progress so far; `None` before the first event. Takes constant time.
    pub(crate) fn progress(&self) -> Option<LogProgress> {
        let (events, runs) = (self.store.len(), self.store.runs.len());
        let last = events.checked_sub(1)?;
        let is_single = runs == 1;
        let starts = self.store.kind(0).is_some_and(|kind| kind.word.known() == Some(EventType::RunStarted));
        Some(LogProgress {
            events,
            runs,
            run_id: is_single.then(|| self.store.runs.name(0).to_owned()),
            workflow: if is_single { self.workflow(last) } else { None },
            started_at: (is_single && starts).then(|| self.store.moment(0)),
            last_event_at: self.store.moment(last),
        })
    }

    /// The workflow's name in an event.
    pub(super) fn workflow(&self, row: u32) -> Option<String> {
        let json = self.json(row)?;
        let [correlation] = fields(Slice::new(&json), ["correlation"]).ok()?;
        let [workflow] = fields(correlation?, ["workflowName"]).ok()?;
        workflow?.text()
    }
}
