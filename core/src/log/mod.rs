//! The event log of a Smithers run: NDJSON in, states and rows out.
//!
//! The text is stored unchanged; an event is a position in it and a few numbers in columns, less than 48 bytes. Lines may
//! arrive more than once: a repeated event changes nothing. Events are folded in the order of their sequence numbers, or
//! of the lines if they have none. Times merge several files, and turn a file that is newest first throughout. An
//! unreadable line is reported with its position and skipped.
//!
//! A log only shows the state at its last event: some events never reach the file (protocol section 5, quirk 13).
//! Missing numbers of a sequence are reported as a [`Gap`], and a state that was reached before a gap is
//! marked.
//!
//! ```
//! use runstate::error_code::ErrorCode;
//! use runstate::log::{EventLog, Filter, LogRow};
//! use runstate::smithers::wire::NodeState;
//! use runstate::time::Millis;
//!
//! let text = concat!(
//!     r#"{"type":"RunStarted","runId":"r","timestampMs":1000}"#, "\n",
//!     r#"{"type":"NodeStarted","runId":"r","nodeId":"build","iteration":0,"attempt":1,"timestampMs":1010}"#, "\n",
//!     r#"{"type":"RunFin"#,
//! );
//! let mut log = EventLog::new();
//! for chunk in text.as_bytes().chunks(7) {
//!     log.push(chunk);
//! }
//! log.finish();
//!
//! let view = log.view(Millis(61_010.0));
//! assert_eq!(view.state.as_str(), "running");
//! assert_eq!((view.as_of, view.age_ms), (Some(Millis(1010.0)), Some(60_000.0)));
//! assert_eq!(view.nodes, [(NodeState::InProgress, 1)]);
//! assert_eq!((log.problems()[0].code, log.problems()[0].line, log.problems()[0].column), (ErrorCode::Truncated, 3, 16));
//!
//! let page = log.rows(0, 10, &Filter::default());
//! assert_eq!(page.total, 2);
//! assert!(matches!(&page.rows[1], LogRow::Event(event) if event.node_id.as_deref() == Some("build")));
//! ```

mod approvals;
mod attempts;
mod calls;
mod caveat;
mod column;
mod counts;
mod dedup;
pub(crate) mod effect;
mod event_form;
mod feed;
mod filter;
mod fold;
mod gateway_frames;
mod hash_index;
mod ingest;
mod interner;
mod last;
mod lines;
mod merge;
mod node_events;
mod nodes;
mod order;
mod pushed;
mod raw;
mod read;

mod row_id;
mod row_index;
mod rows;
mod scan;
mod settled;
mod store;
#[cfg(test)]
mod tests;
mod times;
mod union;
mod unread;
mod view;

use std::borrow::Cow;
use std::ops::Range;

pub(crate) use approvals::LoggedApproval;
pub(crate) use attempts::LoggedAttempts;
pub(crate) use calls::{AgentCall, AgentCalls};
pub use caveat::Caveat;
pub use counts::LogCounts;
pub(crate) use counts::LogProgress;
pub(crate) use effect::{ApprovalOutcome, Effect, effect};
pub(crate) use feed::{EventFeed, FeedEvent, FeedRow};
pub use filter::Filter;
pub(crate) use filter::Search;
pub use fold::Tokens;
pub use ingest::LineProblem;
pub(crate) use last::LastEvent;
pub(crate) use node_events::NodeEvent;
pub(crate) use nodes::RunIndex;
pub use nodes::{LogNode, ToolCalls};
#[cfg(test)]
pub(crate) use order::Ordering;
pub(crate) use pushed::{PushedEvent, state_of_status};
pub(crate) use row_id::RowId;
pub(crate) use row_index::RowIndex;
pub use rows::{EventRow, Gap, Heartbeats, LogRow, Page};
pub(crate) use settled::{Settled, WaitOutcome};
pub(crate) use union::{LogUnion, Repeats};
pub use view::{LogView, OtherRun};

use crate::smithers::wire::{Category, EventType};
use crate::text::after_byte_order_mark;
use crate::time::Millis;

/// The number of events at the end of a log that later lines may still precede.
const UNSETTLED_EVENTS: u32 = 2048;

/// The event log of one or more runs. See the [module](self).
#[derive(Debug, Default)]
pub struct EventLog {
    store: store::Store,
    order: order::Order,
    fold: fold::Fold,
    /// The fold of all but the last events, kept while a log with lines out of order loads.
    settled_fold: Option<Box<fold::Fold>>,
    row_index: RowIndex,
    lines: u64,
    unread: u64,
    unread_places: unread::UnreadPlaces,
    /// The number of unreadable lines after the last event.
    unread_at_end: u64,
    times: times::OddTimes,
    problems: Vec<LineProblem>,
    /// The number of events in rows of `smithers events --json`.
    printed: u32,
    partial_line: Option<ingest::PartialLine>,
}

impl EventLog {
    /// Makes an empty log.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The state of the first run in the log. Takes one pass over the events added since the last call.
    pub fn view(&mut self, now: Millis) -> LogView {
        self.arrange();
        view::view(self, 0, now)
    }

    /// The state of a run; `None` if the log has no event of it.
    ///
    /// ```
    /// use runstate::log::EventLog;
    /// use runstate::time::Millis;
    ///
    /// let mut log = EventLog::new();
    /// log.push(concat!(r#"{"type":"RunStarted","runId":"parent","timestampMs":1000}"#, "\n").as_bytes());
    /// log.push(concat!(r#"{"type":"RunFinished","runId":"child","timestampMs":2000}"#, "\n").as_bytes());
    /// assert_eq!(log.run_view("child", Millis(3000.0)).unwrap().state.as_str(), "succeeded");
    /// assert_eq!(log.run_view("nobody", Millis(3000.0)), None);
    /// // The view of the first run names the others.
    /// assert_eq!(log.view(Millis(3000.0)).other_runs[0].run_id, "child");
    /// ```
    pub fn run_view(&mut self, run_id: &str, now: Millis) -> Option<LogView> {
        self.arrange();
        let run = self.store.runs.find(0, run_id.as_bytes())?;
        Some(view::view(self, run, now))
    }

    /// The index for [`view_in`](Self::view_in), of the events that were added so far.
    pub(crate) fn run_index(&mut self) -> RunIndex {
        self.arrange();
        RunIndex::new(self)
    }

    /// The state and the nodes of the run with this number. The view does not list the other runs.
    pub(crate) fn view_in(&self, index: &RunIndex, run: u32, now: Millis) -> (LogView, Vec<LogNode>) {
        let items = index.of(run);
        let nodes = items.units.iter().filter_map(|unit| nodes::node(self, *unit)).collect();
        (view::run_view(self, run, items, now), nodes)
    }

    /// The nodes of a run, each iteration separately, in the order of their first events.
    ///
    /// ```
    /// use runstate::log::EventLog;
    ///
    /// let mut log = EventLog::new();
    /// for line in [
    ///     r#"{"type":"NodeStarted","runId":"r","nodeId":"build","iteration":0,"attempt":1,"timestampMs":1000}"#,
    ///     r#"{"type":"NodeFailed","runId":"r","nodeId":"build","iteration":0,"attempt":1,"error":"x","timestampMs":2000}"#,
    ///     r#"{"type":"NodeRetrying","runId":"r","nodeId":"build","iteration":0,"attempt":2,"timestampMs":2001}"#,
    /// ] {
    ///     log.push(line.as_bytes());
    ///     log.push(b"\n");
    /// }
    /// let node = &log.nodes("r")[0];
    /// assert!(node.retrying, "what the server calls `failed` here is not the end");
    /// assert_eq!((node.attempt, node.starts), (Some(2), 1));
    /// ```
    pub fn nodes(&mut self, run_id: &str) -> Vec<LogNode> {
        self.arrange();
        nodes::nodes(self, run_id)
    }

    /// The rows `start..end` of those that match the filter. Consecutive heartbeats of one attempt are one row, even if
    /// heartbeats of other attempts lie between them; a gap is a row of its own.
    ///
    /// ```
    /// use runstate::log::{EventLog, Filter, LogRow};
    ///
    /// let mut log = EventLog::new();
    /// for number in 0..1000 {
    ///     let line = format!(
    ///         r#"{{"type":"NodeStarted","runId":"r","nodeId":"n{number}","iteration":0,"attempt":1,"timestampMs":{number}}}"#
    ///     );
    ///     log.push((line + "\n").as_bytes());
    /// }
    /// // The cost of a window does not depend on the length of the log.
    /// let page = log.rows(500, 502, &Filter::default());
    /// assert_eq!((page.total, page.rows.len()), (1000, 2));
    /// assert!(matches!(&page.rows[0], LogRow::Event(event) if event.node_id.as_deref() == Some("n500")));
    /// ```
    pub fn rows(&mut self, start: u32, end: u32, filter: &Filter) -> Page {
        self.arrange();
        let mut index = std::mem::take(&mut self.row_index);
        index.update(self, filter, usize::MAX);
        let rows = rows::window(self, &index, start..end, filter);
        let page = Page { total: index.total(), rows: rows.into_iter().map(|(_, row)| row).collect() };
        self.row_index = index;
        page
    }

    /// The rows of a window that match the filter, like [`rows`](Self::rows), of a log that was viewed after its last event
    /// was added, and their ids. The caller keeps the index for the next window. At most about this many bytes are searched
    /// for the filter's text; [`RowIndex::searched`] says whether the next call finds more rows. The index has the position of
    /// the row that is sought.
    pub(crate) fn rows_with(
        &self,
        index: &mut RowIndex,
        window: Range<u32>,
        filter: &Filter,
        sought: Option<RowId>,
        max_bytes: usize,
    ) -> Vec<(RowId, LogRow)> {
        debug_assert_eq!(self.order.len(), self.store.len(), "the events are in order");
        index.seek(sought);
        index.update(self, filter, max_bytes);
        rows::window(self, index, window, filter)
    }

    /// The ids of all events and gaps that match the filter, in order, of a log that was viewed after its last event was added.
    pub(crate) fn matching(&self, filter: &Filter) -> Vec<RowId> {
        let mut index = RowIndex::default();
        index.update(self, filter, usize::MAX);
        index.ids(self, filter)
    }

    /// A gap by its number.
    pub(crate) fn gap(&self, number: u64) -> Option<Gap> {
        self.fold.gaps.get(usize::try_from(number).ok()?).map(|gap| rows::gap(self, gap))
    }

    /// The gaps of the log, in order.
    ///
    /// ```
    /// use runstate::log::EventLog;
    /// use runstate::time::Millis;
    ///
    /// let mut log = EventLog::new();
    /// for (seq, kind) in [(0, "RunStarted"), (4, "RunFinished")] {
    ///     let line = format!(
    ///         r#"{{"runId":"r","seq":{seq},"payload":{{"type":"{kind}","runId":"r","timestampMs":{seq}}}}}"#
    ///     );
    ///     log.push((line + "\n").as_bytes());
    /// }
    /// let gap = &log.gaps()[0];
    /// assert_eq!((gap.from, gap.to), (1, 3));
    /// ```
    pub fn gaps(&mut self) -> Vec<Gap> {
        self.arrange();
        self.lost_gaps().map(|gap| rows::gap(self, gap)).collect()
    }

    /// Whether the log is the output of `smithers events --json`, which omits frames and snapshots.
    fn omits_frames(&self) -> bool {
        let is_frame = |kind: &store::Kind| {
            matches!(kind.word.known(), Some(EventType::FrameCommitted | EventType::SnapshotCaptured))
        };
        self.printed > 0 && self.printed == self.store.len() && !self.store.kinds.iter().any(is_frame)
    }

    /// Whether the missing numbers may belong to omitted frames. A run never begins with a frame.
    fn is_frame_gap(&self, gap: &fold::GapFold) -> bool {
        gap.from > 0 && self.omits_frames()
    }

    /// Whether events between the one at `place` and the last one of its run are missing.
    fn is_across_gap(&self, run: u32, place: u32) -> bool {
        let gap = self.fold.run(run).and_then(|run| run.last_gap).filter(|gap| *gap > place);
        let lost = gap.is_some() && !self.omits_frames();
        let unread = self.unread_places.last_after().is_some_and(|after| after > self.order.row(place));
        lost || unread
    }

    /// The gaps that are not explained by omitted frames.
    fn lost_gaps(&self) -> impl Iterator<Item = &fold::GapFold> {
        let omits_frames = self.omits_frames();
        self.fold.gaps.iter().filter(move |gap| gap.from == 0 || !omits_frames)
    }

    /// The original JSON text of an event, which can be read as an [`Event`](crate::smithers::wire::Event); `None` for an
    /// unknown row.
    ///
    /// ```
    /// use runstate::log::EventLog;
    /// use runstate::smithers::wire::Event;
    ///
    /// let mut log = EventLog::new();
    /// log.push(concat!(r#"{"type":"RunFailed","runId":"r","timestampMs":5,"error":{"message":"disk is full"}}"#, "\n").as_bytes());
    /// let event: Event = serde_json::from_str(&log.json(0).unwrap())?;
    /// assert_eq!(event.run_id, "r");
    /// assert_eq!(log.json(1), None);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn json(&self, row: u32) -> Option<Cow<'_, str>> {
        if row >= self.store.len() {
            return None;
        }
        match self.store.event(row) {
            Cow::Borrowed(bytes) => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
            Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
        }
    }

    /// The last events of a run, the newest first; `is_listed` selects the categories.
    pub(crate) fn last_events(
        &self,
        run_id: &str,
        max: usize,
        is_listed: fn(Category) -> bool,
    ) -> Vec<LastEvent> {
        last::last_events(self, run_id, max, is_listed)
    }

    /// Sorts and folds the events that were added since the last call. Lines of parallel tasks overtake each other by a few
    /// places, so a fold of all but the last events is kept: views of a loading log need not start again.
    pub(crate) fn arrange(&mut self) {
        let from = self.order.update(&self.store);
        let end = self.order.len();
        let back = from < self.fold.folded();
        if back {
            // Dropped before the next one is made, so that at most two exist at once.
            self.fold = fold::Fold::default();
        }
        if back && self.settled_fold.as_ref().is_none_or(|settled| settled.folded() > from) {
            self.settled_fold = Some(Box::default());
        }
        if let Some(settled) = &mut self.settled_fold
            && (back || settled.folded() + 2 * UNSETTLED_EVENTS < end)
        {
            settled.advance(&mut self.store, &self.order, end.saturating_sub(UNSETTLED_EVENTS));
            if back {
                self.fold = (**settled).clone();
            }
        }
        self.fold.advance(&mut self.store, &self.order, end);
    }

    /// The time of the event at a position of the order; `None` if it has none that counts.
    fn time_at(&self, place: u32) -> Option<Millis> {
        Some(self.store.moment(self.order.row(place))).filter(|at| !at.0.is_nan())
    }
}

/// Whether a value is an event.
pub(crate) fn is_event(json: &str) -> bool {
    EventLog::new().take_event(json, 1).is_ok()
}

/// Whether a text looks like an event log: one of its first 20 lines is an event.
///
/// The text may be the beginning of a larger document; truncated or malformed lines are ignored.
pub(crate) fn is_event_log(text: &str) -> bool {
    let lines = after_byte_order_mark(text).split('\n').filter(|line| !line.trim_ascii().is_empty()).take(20);
    lines.into_iter().any(|line| match scan::scan(line.as_bytes()) {
        Some(_) => true,
        None => read::read_line(line).is_ok(),
    })
}
