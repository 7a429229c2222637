//! The polling schedule: the requests and their rates.

use super::poller::{Interval, Poller};
use crate::run::Target;
use crate::time::Millis;

/// Polling period of `getRun`, milliseconds. No event announces that a run pauses, waits for an event or goes stale
/// (protocol section 3.5), so `getRun` is polled until the run has ended; events trigger a request at once.
pub(super) const RUN_PERIOD_MS: f64 = 1000.0;
/// The polling period of a hidden page, milliseconds.
pub(super) const HIDDEN_PERIOD_MS: f64 = 5000.0;
const RUN_SPACING_MS: f64 = 60.0;

/// Minimum time between two `listNodeStates` requests, milliseconds. One takes 14 ms for 1000 nodes and is sent on
/// events, on frames and if the counts differ.
const NODES_SPACING_MS: f64 = 150.0;
/// Polling period of the node list, milliseconds. A node can change without a change of its count, so the list is
/// polled while the run is in progress.
const NODES_PERIOD_MS: f64 = 2000.0;
/// Spacing of the node list in multiples of its duration. The requests may take at most a quarter of the time, so a
/// slow answer is requested less often.
const NODES_LOAD: f64 = 4.0;

const LIST_SPACING_MS: f64 = 500.0;
const LIST_PERIOD_MS: f64 = 2000.0;
/// Polling period of the list of runs while a run is watched, milliseconds.
const BACKGROUND_LIST_PERIOD_MS: f64 = 15_000.0;

const SNAPSHOT_SPACING_MS: f64 = 500.0;
/// Polling period of the whole tree without a stream, milliseconds; a snapshot takes 23 ms for 1000 nodes.
pub(super) const SNAPSHOT_PERIOD_MS: f64 = 1000.0;

/// Delay of the last read after a run's end, milliseconds: the Gateway sends the events of the whole run again about
/// one second after a short run has ended (protocol section 5, quirk 6).
pub(super) const LAST_READ_DELAY_MS: f64 = 2000.0;
/// How long a stream is kept after the run's end, milliseconds. Then a socket without a stream replaces it: a stream
/// polls the Gateway's database forever (quirk 19), and only closing its socket ends it.
pub(super) const STREAM_GRACE_MS: f64 = 10_000.0;

/// The visibility of the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Page {
    Visible,
    Hidden,
}

impl Page {
    /// Returns the polling period, given the period for a visible page, milliseconds.
    fn period(self, visible: f64) -> f64 {
        match self {
            Self::Visible => visible,
            Self::Hidden => HIDDEN_PERIOD_MS,
        }
    }
}

/// The repeated requests.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    pub(super) run: Poller,
    pub(super) nodes: Poller,
    pub(super) list: Poller,
    /// The whole tree, requested for a run that has ended and after a delta for another base.
    pub(super) snapshot: Poller,
    /// The attempts at one iteration of a node; the answer for a whole run would contain all output of its agents.
    pub(super) attempts: Poller,
    /// The iterations whose attempts are to be requested; the last one is requested next.
    pub(super) pending_attempts: Vec<Target>,
    pub(super) stream: Stream,
    /// The time at which this connection observed the run's end, or the last event after it.
    pub(super) ended_at: Option<Millis>,
    /// Duration of the last node list request, milliseconds.
    pub(super) nodes_duration_ms: f64,
}

/// The `DevTools` stream of the watched run on this connection.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Stream {
    /// Not requested yet.
    #[default]
    Idle,
    /// To be requested: right after a launch, the run may not be written yet (quirk 7).
    Due { at: Millis, tries: u32 },
    /// Requested or delivering; `tries` counts the refusals since the last frame.
    Running { tries: u32 },
    /// Forbidden on this connection.
    Refused,
}

impl Schedule {
    pub(super) fn run_interval(ended: bool, known: bool, page: Page) -> Interval {
        let period = page.period(RUN_PERIOD_MS);
        Interval { spacing: RUN_SPACING_MS, period: (!known || !ended).then_some(period) }
    }

    pub(super) fn nodes_interval(&self, ended: bool, page: Page) -> Interval {
        let spacing = NODES_SPACING_MS.max(NODES_LOAD * self.nodes_duration_ms);
        let period = page.period(NODES_PERIOD_MS);
        Interval { spacing, period: (!ended).then(|| period.max(spacing)) }
    }

    /// Returns the interval for attempts: one node at a time with the spacing of the node list, for any number of
    /// nodes.
    pub(super) fn attempts_interval(&self) -> Interval {
        Interval { period: None, ..self.nodes_interval(true, Page::Visible) }
    }

    pub(super) fn list_interval(choosing: bool) -> Interval {
        let period = if choosing { LIST_PERIOD_MS } else { BACKGROUND_LIST_PERIOD_MS };
        Interval { spacing: if choosing { LIST_SPACING_MS } else { LIST_PERIOD_MS }, period: Some(period) }
    }

    pub(super) fn snapshot_interval() -> Interval {
        Interval { spacing: SNAPSHOT_SPACING_MS, period: None }
    }

    /// Schedules the stream again with exponential backoff: 100 ms, then twice as long each time, up to 5 s.
    pub(super) fn retry_stream(&mut self, now: Millis) {
        let tries = match self.stream {
            Stream::Running { tries } | Stream::Due { tries, .. } => tries,
            Stream::Idle => 0,
            Stream::Refused => return,
        };
        let wait = (100.0 * f64::from(1_u32 << tries.min(6))).min(5000.0);
        self.stream = Stream::Due { at: Millis(now.0 + wait), tries: tries.saturating_add(1) };
    }
}
