//! The event log of a Smithers run: NDJSON in, states and rows out.
//!
//! The text is kept as it came; an event is a place in it and a few numbers in columns, less than 48 bytes. Lines may come in any
//! order and more than once: events are folded in the order of their sequence numbers, or of their times where not every event
//! has one, and an event that was there before changes nothing. A line that cannot be read is reported with its place and kept out.
//!
//! A log says what a run was doing when its last event was written, and no more: several events never reach the file
//! (protocol section 5, quirk 13). What is missing in a numbered sequence is a [`Gap`], and a state that was reached before a gap
//! says so.
//!
//! ```
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
//! assert_eq!((log.problems()[0].code, log.problems()[0].line, log.problems()[0].column), ("TRUNCATED", 3, 16));
//!
//! let page = log.rows(0, 10, &Filter::default());
//! assert_eq!(page.total, 2);
//! assert!(matches!(&page.rows[1], LogRow::Event(event) if event.node_id.as_deref() == Some("build")));
//! ```

mod column;
mod counts;
mod dedup;
pub(crate) mod effect;
mod filter;
mod fold;
mod hash_index;
mod ingest;
mod interner;
mod nodes;
mod order;
mod pushed;
mod raw;
mod read;
mod rows;
mod scan;
mod store;
#[cfg(test)]
mod tests;
mod view;

use std::borrow::Cow;

pub use counts::LogCounts;
pub(crate) use counts::SoFar;
pub use effect::{ApprovalDecision, TimerStatus};
pub(crate) use effect::{Effect, effect};
pub use filter::Filter;
pub use fold::Tokens;
pub use ingest::{LineProblem, MAX_PROBLEMS};
pub use nodes::{LogApproval, LogNode, LogTimer, ToolCall, ToolCalls};
pub use order::Ordering;
pub use rows::{EventRow, Gap, Heartbeats, LogRow, Page};
pub use view::{Caveat, LogView, OtherRun};

use crate::smithers::wire::EventType;
use crate::time::Millis;

/// How many events lie between the end of a log and what is not expected to be overtaken any more.
const SETTLES: u32 = 2048;

/// A log of events. See the [module](self).
#[derive(Debug, Default)]
pub struct EventLog {
    store: store::Store,
    order: order::Order,
    fold: fold::Fold,
    /// The fold of all but the last events, in a log whose lines are not in order.
    settled: Option<Box<fold::Fold>>,
    shown: rows::Shown,
    lines: u64,
    unread: u64,
    /// How many events came before the last line that could not be read.
    last_unread_after: Option<u32>,
    problems: Vec<LineProblem>,
    /// Lines that hold JSON and no event, beyond those that `problems` describes.
    other_lines: Vec<u32>,
    /// How many events came in rows that `smithers events --json` prints.
    printed: u32,
    unended: Option<ingest::Unended>,
}

impl EventLog {
    /// An empty log.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What the events of the first run in the log say, at this moment. Costs a pass over the events that came since the last call.
    pub fn view(&mut self, now: Millis) -> LogView {
        self.arrange();
        view::view(self, 0, &nodes::parts(self), now)
    }

    /// The same for any run in the log; `None` where the log has no event of it.
    ///
    /// ```
    /// use runstate::log::EventLog;
    /// use runstate::time::Millis;
    ///
    /// let mut log = EventLog::new();
    /// log.push_value(r#"{"type":"RunStarted","runId":"parent","timestampMs":1000}"#);
    /// log.push_value(r#"{"type":"RunFinished","runId":"child","timestampMs":2000}"#);
    /// assert_eq!(log.view_of("child", Millis(3000.0)).unwrap().state.as_str(), "succeeded");
    /// assert_eq!(log.view_of("nobody", Millis(3000.0)), None);
    /// // The view of the first run names the others.
    /// assert_eq!(log.view(Millis(3000.0)).other_runs[0].run_id, "child");
    /// ```
    pub fn view_of(&mut self, run_id: &str, now: Millis) -> Option<LogView> {
        self.arrange();
        let run = self.store.runs.find(0, run_id.as_bytes())?;
        Some(view::view(self, run, &nodes::parts(self), now))
    }

    /// What the events say of every run, and the nodes of each; the views do not name the other runs. Costs one pass, however many
    /// runs there are.
    pub(crate) fn each_run(&mut self, now: Millis) -> Vec<(LogView, Vec<LogNode>)> {
        self.arrange();
        let parts = nodes::parts(self);
        let of_run = |(run, part): (usize, &nodes::RunIndex)| {
            (view::view_of(self, run as u32, part, now), nodes::of_units(self, &part.units))
        };
        parts.iter().enumerate().map(of_run).collect()
    }

    /// The nodes of a run, each round by itself, in the order of their first events.
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
    ///     log.push_value(line);
    /// }
    /// let node = &log.nodes("r")[0];
    /// assert!(node.retrying, "what the server calls `failed` here is not the end");
    /// assert_eq!((node.attempt, node.starts), (Some(2), 1));
    /// ```
    pub fn nodes(&mut self, run_id: &str) -> Vec<LogNode> {
        self.arrange();
        nodes::nodes(self, run_id)
    }

    /// The questions to people, in order.
    ///
    /// ```
    /// use runstate::log::{ApprovalDecision, EventLog};
    /// use runstate::time::Millis;
    ///
    /// let mut log = EventLog::new();
    /// log.push_value(r#"{"type":"ApprovalRequested","runId":"r","nodeId":"gate","iteration":0,"timestampMs":1000}"#);
    /// assert_eq!(log.approvals("r")[0].decided, None);
    /// log.push_value(r#"{"type":"ApprovalDenied","runId":"r","nodeId":"gate","iteration":0,"timestampMs":9000}"#);
    /// let asked = &log.approvals("r")[0];
    /// assert_eq!((asked.asked_at, asked.decided), (Millis(1000.0), Some((ApprovalDecision::Denied, Millis(9000.0)))));
    /// ```
    pub fn approvals(&mut self, run_id: &str) -> Vec<LogApproval> {
        self.arrange();
        nodes::approvals(self, run_id)
    }

    /// The timers, in order.
    ///
    /// ```
    /// use runstate::log::{EventLog, TimerStatus};
    /// use runstate::time::Millis;
    ///
    /// let mut log = EventLog::new();
    /// log.push_value(
    ///     r#"{"type":"TimerCreated","runId":"r","timerId":"nap","firesAtMs":60000,"timerType":"duration","timestampMs":1000}"#,
    /// );
    /// let nap = &log.timers("r")[0];
    /// assert_eq!((nap.status, nap.fires_at), (TimerStatus::Pending, Some(Millis(60_000.0))));
    /// ```
    pub fn timers(&mut self, run_id: &str) -> Vec<LogTimer> {
        self.arrange();
        nodes::timers(self, run_id)
    }

    /// The calls that were not answered yet.
    ///
    /// ```
    /// use runstate::log::EventLog;
    ///
    /// let mut log = EventLog::new();
    /// log.push_value(
    ///     r#"{"type":"ToolCallStarted","runId":"r","nodeId":"build","iteration":0,"attempt":1,"timestampMs":5,"toolName":"bash","seq":1}"#,
    /// );
    /// assert_eq!(log.open_calls("r")[0].tool_name, "bash");
    /// ```
    pub fn open_calls(&mut self, run_id: &str) -> Vec<ToolCall> {
        self.arrange();
        nodes::open_calls(self, run_id)
    }

    /// The rows from `start` to before `end` of those that the filter lets through. Heartbeats of one attempt are one row while
    /// nothing but heartbeats of other tasks stands between them, and a gap is a row of its own.
    ///
    /// ```
    /// use runstate::log::{EventLog, Filter, LogRow};
    ///
    /// let mut log = EventLog::new();
    /// for number in 0..1000 {
    ///     log.push_value(&format!(
    ///         r#"{{"type":"NodeStarted","runId":"r","nodeId":"n{number}","iteration":0,"attempt":1,"timestampMs":{number}}}"#
    ///     ));
    /// }
    /// // A window of a long log costs its own length.
    /// let page = log.rows(500, 502, &Filter::default());
    /// assert_eq!((page.total, page.rows.len()), (1000, 2));
    /// assert!(matches!(&page.rows[0], LogRow::Event(event) if event.node_id.as_deref() == Some("n500")));
    /// ```
    pub fn rows(&mut self, start: u32, end: u32, filter: &Filter) -> Page {
        self.arrange();
        rows::page(self, start, end, filter)
    }

    /// Everything that is missing, in order.
    ///
    /// ```
    /// use runstate::log::EventLog;
    /// use runstate::time::Millis;
    ///
    /// let mut log = EventLog::new();
    /// for (seq, kind) in [(0, "RunStarted"), (4, "RunFinished")] {
    ///     log.push_value(&format!(
    ///         r#"{{"runId":"r","seq":{seq},"payload":{{"type":"{kind}","runId":"r","timestampMs":{seq}}}}}"#
    ///     ));
    /// }
    /// let gap = &log.gaps()[0];
    /// assert_eq!((gap.from, gap.to), (1, 3));
    /// ```
    pub fn gaps(&mut self) -> Vec<Gap> {
        self.arrange();
        self.lost().map(|gap| rows::gap(self, gap)).collect()
    }

    /// Whether this is what `smithers events --json` prints of a run: everything but the frames and snapshots.
    fn leaves_frames_out(&self) -> bool {
        let is_frame = |kind: &store::Kind| {
            matches!(kind.word.known(), Some(EventType::FrameCommitted | EventType::SnapshotCaptured))
        };
        self.printed > 0 && self.printed == self.store.len() && !self.store.kinds.iter().any(is_frame)
    }

    /// Whether these numbers may be those of frames that the command does not print. A run does not begin with a frame.
    fn is_left_out(&self, gap: &fold::GapFold) -> bool {
        gap.from > 0 && self.leaves_frames_out()
    }

    /// The gaps in which something may be missing.
    fn lost(&self) -> impl Iterator<Item = &fold::GapFold> {
        let leaves_frames_out = self.leaves_frames_out();
        self.fold.gaps.iter().filter(move |gap| gap.from == 0 || !leaves_frames_out)
    }

    /// The event of a row as JSON text, as it came. It can be read as an [`Event`](crate::smithers::wire::Event).
    ///
    /// ```
    /// use runstate::log::EventLog;
    /// use runstate::smithers::wire::Event;
    ///
    /// let mut log = EventLog::new();
    /// log.push_value(r#"{"type":"RunFailed","runId":"r","timestampMs":5,"error":{"message":"disk is full"}}"#);
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

    /// Puts the events that came since into order and into the fold. Lines of tasks that run side by side overtake each other by
    /// a few places: the fold of what lies further back is kept, so that looking at a log while it loads does not begin again.
    fn arrange(&mut self) {
        let from = self.order.arrange(&self.store);
        let end = self.order.len();
        let back = from < self.fold.done();
        if back {
            // Before another one is made: two of them at once are enough.
            self.fold = fold::Fold::default();
        }
        if back && self.settled.as_ref().is_none_or(|settled| settled.done() > from) {
            self.settled = Some(Box::default());
        }
        if let Some(settled) = &mut self.settled
            && (back || settled.done() + 2 * SETTLES < end)
        {
            settled.advance(&mut self.store, &self.order, end.saturating_sub(SETTLES));
            if back {
                self.fold = (**settled).clone();
            }
        }
        self.fold.advance(&mut self.store, &self.order, end);
    }

    /// The time of the event at a place of the order.
    fn time_at(&self, place: u32) -> Millis {
        Millis(self.store.time(self.order.row(place)))
    }
}

/// Whether a text begins like an event log: among its first lines is an event.
///
/// The text may be the beginning of a document. A line that is cut or broken does not speak against it.
///
/// ```
/// use runstate::log::recognises;
///
/// assert!(recognises("oops\n{\"type\":\"RunStarted\",\"runId\":\"r\",\"timestampMs\":1}\n{\"type\":\"Nod"));
/// assert!(!recognises("{\"runId\":\"r\",\"state\":\"running\"}"));
/// ```
pub fn recognises(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.split('\n').filter(|line| !line.trim_ascii().is_empty()).take(20);
    lines.into_iter().any(|line| match scan::scan(line.as_bytes()) {
        Some(_) => true,
        None => read::read(line).is_ok(),
    })
}
