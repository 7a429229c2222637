//! How much there is in a log.

use super::{EventLog, LineProblem, Ordering};
use crate::json::{Slice, fields};
use crate::smithers::wire::EventType;
use crate::text::concat;
use crate::time::Millis;
use crate::word::Word;

/// How much there is of everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogCounts {
    /// Lines that were read, empty ones too.
    pub lines: u64,
    /// Events, each once.
    pub events: u64,
    /// Lines that could not be read.
    pub unread: u64,
    /// Events that were there before.
    pub repeated: u64,
    /// Ranges of missing numbers.
    pub gaps: u64,
    /// Missing numbers in them.
    pub lost: u64,
}

impl EventLog {
    /// How many events there are of each type, in the order of their first occurrence. Types that are not known are counted too.
    ///
    /// ```
    /// use runstate::log::EventLog;
    ///
    /// let mut log = EventLog::new();
    /// log.push_value(r#"{"type":"RunStarted","runId":"r","timestampMs":1}"#);
    /// log.push_value(r#"{"type":"RunDreamed","runId":"r","timestampMs":2}"#);
    /// let types: Vec<_> = log.types().into_iter().map(|(word, count)| (word.to_string(), count)).collect();
    /// assert_eq!(types, [("RunStarted".to_owned(), 1), ("RunDreamed".to_owned(), 1)]);
    /// ```
    pub fn types(&self) -> Vec<(Word<EventType>, u64)> {
        self.store.kinds.iter().map(|kind| (kind.word.clone(), kind.count)).collect()
    }

    /// The lines that could not be read; the first thousand of them.
    pub fn problems(&self) -> &[LineProblem] {
        &self.problems
    }

    /// The numbers of the lines that hold JSON and no event, beyond those that [`problems`](Self::problems) describes.
    pub(crate) fn other_lines(&self) -> impl Iterator<Item = u64> {
        self.other_lines.iter().copied().map(u64::from)
    }

    /// How many lines could not be read and are not described.
    pub(crate) fn undescribed(&self) -> usize {
        (self.unread as usize).saturating_sub(self.problems.len())
    }

    /// The lines of the text as they came, in the order of their numbers, those too that could not be read.
    pub(crate) fn lines_as_they_came(&self) -> impl Iterator<Item = &[u8]> {
        self.store.raw.lines()
    }

    /// How much there is of everything.
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
        self.tally()
    }

    /// The same of a log that is arranged.
    pub(super) fn tally(&self) -> LogCounts {
        LogCounts {
            lines: self.lines,
            events: self.store.kinds.iter().map(|kind| kind.count).sum(),
            unread: self.unread,
            repeated: self.store.repeated,
            gaps: self.lost().count() as u64,
            lost: self.lost().map(|gap| u64::from(gap.to - gap.from) + 1).sum(),
        }
    }

    /// By what the events are ordered.
    ///
    /// ```
    /// use runstate::log::{EventLog, Ordering};
    ///
    /// let mut log = EventLog::new();
    /// log.push_value(r#"{"type":"RunStarted","runId":"r","timestampMs":1}"#);
    /// assert_eq!(log.ordering(), Ordering::Time);
    /// ```
    pub fn ordering(&mut self) -> Ordering {
        self.arrange();
        self.order.by()
    }

    /// Bytes that are held beside the text of the log.
    ///
    /// ```
    /// use runstate::log::EventLog;
    ///
    /// let mut log = EventLog::new();
    /// log.push_value(r#"{"type":"RunStarted","runId":"r","timestampMs":1}"#);
    /// assert!(log.memory() > 0 && log.text_memory() > 0);
    /// ```
    pub fn memory(&self) -> usize {
        let settled = self.settled.as_ref().map_or(0, |settled| settled.memory());
        self.store.memory() + self.order.memory() + self.fold.memory() + settled + self.shown.memory()
    }

    /// Bytes that are held for the text of the log.
    pub fn text_memory(&self) -> usize {
        self.store.raw.memory()
    }
}

/// Who a log is about, as far as it was read.
#[derive(Debug)]
pub(crate) struct SoFar {
    /// How many events there are.
    pub(crate) events: u32,
    /// How many runs.
    pub(crate) runs: u32,
    /// The run; `None` where there are several.
    pub(crate) run_id: Option<String>,
    /// The name of its workflow.
    pub(crate) workflow: Option<String>,
    /// When it started, where the log begins with that.
    pub(crate) started_at: Option<Millis>,
    /// When the last event was written.
    pub(crate) last: Millis,
}

impl SoFar {
    /// What a heading calls it.
    pub(crate) fn name(&self) -> String {
        let several = || concat(&[&self.runs.to_string(), " runs"]);
        self.workflow.clone().or_else(|| self.run_id.clone()).unwrap_or_else(several)
    }
}

impl EventLog {
    /// What can be told by now; `None` before the first event. It costs nothing, however long the log is.
    pub(crate) fn so_far(&self) -> Option<SoFar> {
        let (events, runs) = (self.store.len(), self.store.runs.len());
        let last = events.checked_sub(1)?;
        let alone = runs == 1;
        let starts = self.store.kind(0).is_some_and(|kind| kind.word.known() == Some(EventType::RunStarted));
        Some(SoFar {
            events,
            runs,
            run_id: alone.then(|| self.store.runs.name(0).to_owned()),
            workflow: if alone { self.workflow(last) } else { None },
            started_at: (alone && starts).then(|| Millis(self.store.time(0))),
            last: Millis(self.store.time(last)),
        })
    }

    /// The name of the workflow that an event has.
    pub(super) fn workflow(&self, row: u32) -> Option<String> {
        let json = self.json(row)?;
        let [correlation] = fields(Slice::new(&json), ["correlation"]).ok()?;
        let [workflow] = fields(correlation?, ["workflowName"]).ok()?;
        workflow?.text()
    }
}
