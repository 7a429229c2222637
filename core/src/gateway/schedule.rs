//! The polling schedule: the requests and their rates.

use std::ops::{Index, IndexMut};

use super::Client;
use super::io::Transport;
use super::poller::{Interval, Poller};
use super::requests::Method;
use crate::run::Target;
use crate::time::Millis;

/// Polling period of `getRun`, milliseconds. No event announces that a run pauses, waits for an event or goes stale
/// (protocol section 3.5), so `getRun` is polled; events trigger a request at once. An answer is late 0.4 s after the period, so
/// that no state is shown as the present for longer than 1.2 s after it was true.
pub(super) const RUN_PERIOD_MS: f64 = 800.0;
/// Polling period of `getRun` after the run's end, milliseconds: a rewind, a retry or another process can reopen the run.
pub(super) const ENDED_PERIOD_MS: f64 = 15_000.0;
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

/// How long the actions of a new reason wait for the nodes that they name, milliseconds, unless lists of nodes take longer.
const NODES_LIMIT_MS: f64 = 1000.0;

const LIST_SPACING_MS: f64 = 500.0;
const LIST_PERIOD_MS: f64 = 2000.0;
/// Spacing and polling period of the list of runs while a run is watched, milliseconds.
const SECOND_LIST_SPACING_MS: f64 = 2000.0;
const SECOND_LIST_PERIOD_MS: f64 = 2000.0;
/// Polling period of that list on a hidden page, milliseconds.
const HIDDEN_LIST_PERIOD_MS: f64 = 15_000.0;

/// Minimum time between two questions about rows of the list, milliseconds.
const ROW_SPACING_MS: f64 = 1000.0;
/// The same while a run is watched.
const SECOND_ROW_SPACING_MS: f64 = 2000.0;

/// How long the answer about a run, its nodes or a list is waited for until the request is sent again, milliseconds: an answer that was
/// lost never arrives, and a Gateway answers within 3 to 25 ms (protocol section 6).
const RESEND_MS: f64 = 1500.0;
/// The same for `connect`, which a Gateway may take longer to answer.
const CONNECT_RESEND_MS: f64 = 2000.0;

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

    /// Returns the polling period of the list beside a run, milliseconds.
    fn second_list_period(self) -> f64 {
        match self {
            Self::Visible => SECOND_LIST_PERIOD_MS,
            Self::Hidden => HIDDEN_LIST_PERIOD_MS,
        }
    }
}

/// The repeated requests. The whole tree is requested for a run that has ended and after a delta for another base, the
/// attempts for one iteration of a node at a time: the answer for a whole run would contain all output of its agents.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    /// One for each method; that of the stream, which is not repeated, is never due.
    pub(super) pollers: [Poller; Method::COUNT],
    /// The iterations whose attempts are to be requested; the last one is requested next.
    pub(super) pending_attempts: Vec<Target>,
    pub(super) stream: Stream,
    /// The time at which this connection observed the run's end, or the last event after it.
    pub(super) ended_at: Option<Millis>,
    /// Duration of the last node list request, milliseconds.
    pub(super) nodes_duration_ms: f64,
    /// Duration of the last request for the nodes of a row, milliseconds.
    pub(super) row_nodes_duration_ms: f64,
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

impl Index<Method> for Schedule {
    type Output = Poller;

    fn index(&self, method: Method) -> &Poller {
        &self.pollers[method as usize]
    }
}

impl IndexMut<Method> for Schedule {
    fn index_mut(&mut self, method: Method) -> &mut Poller {
        &mut self.pollers[method as usize]
    }
}

impl Client {
    /// Returns the rate of a repeated request.
    pub(super) fn interval(&self, method: Method) -> Interval {
        let goes_on = !self.model.ended();
        // For attempts too: one node at a time, for any number of nodes.
        let nodes_spacing = NODES_SPACING_MS.max(NODES_LOAD * self.schedule.nodes_duration_ms);
        let (spacing, period) = match method {
            Method::GetRun if goes_on || self.run_is_refused => {
                (RUN_SPACING_MS, Some(self.page.period(RUN_PERIOD_MS)))
            }
            Method::GetRun => (RUN_SPACING_MS, Some(ENDED_PERIOD_MS)),
            Method::ListNodeStates => {
                (nodes_spacing, goes_on.then(|| self.page.period(NODES_PERIOD_MS).max(nodes_spacing)))
            }
            Method::ListAttempts | Method::ListApprovals => (nodes_spacing, None),
            Method::GetListedRun if self.run_id.is_none() => (ROW_SPACING_MS, None),
            Method::GetListedRun => (SECOND_ROW_SPACING_MS, None),
            Method::ListRowNodes => {
                let spacing = if self.run_id.is_none() { ROW_SPACING_MS } else { SECOND_ROW_SPACING_MS };
                (spacing.max(NODES_LOAD * self.schedule.row_nodes_duration_ms), None)
            }
            Method::ListRuns if self.run_id.is_none() => (LIST_SPACING_MS, Some(LIST_PERIOD_MS)),
            Method::ListRuns => (SECOND_LIST_SPACING_MS, Some(self.page.second_list_period())),
            Method::GetSnapshot | Method::StreamDevTools | Method::Connect => (SNAPSHOT_SPACING_MS, None),
        };
        Interval { spacing, period, resend: self.resend(method) }
    }

    /// Returns how long an answer is waited for until the request is sent again. An HTTP request ends with its connection, and
    /// browsers open only a few connections to a server.
    fn resend(&self, method: Method) -> Option<f64> {
        let wait = match method {
            Method::Connect => Some(CONNECT_RESEND_MS),
            Method::GetRun | Method::ListRuns => Some(RESEND_MS),
            // A long list takes long.
            Method::ListNodeStates => Some(RESEND_MS.max(NODES_LOAD * self.schedule.nodes_duration_ms)),
            Method::ListAttempts
            | Method::ListApprovals
            | Method::GetListedRun
            | Method::ListRowNodes
            | Method::StreamDevTools
            | Method::GetSnapshot => None,
        };
        wait.filter(|_| self.transport == Transport::WebSocket)
    }

    /// Returns how long the next list of nodes takes at most, milliseconds: its spacing and its duration.
    pub(super) fn nodes_limit(&self) -> f64 {
        NODES_LIMIT_MS.max((NODES_LOAD + 1.0) * self.schedule.nodes_duration_ms)
    }

    /// Marks the last answer to a request as outdated and schedules the next request.
    pub(super) fn invalidate(&mut self, method: Method, now: Millis) {
        let interval = self.interval(method);
        self.schedule[method].invalidate(interval, now);
    }
}

impl Schedule {
    /// Returns the time at which the next request is due.
    pub(super) fn wake_at(&self) -> Option<Millis> {
        Millis::earliest(self.pollers.iter().filter_map(Poller::wake_at))
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
