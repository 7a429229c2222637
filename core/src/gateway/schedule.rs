//! What is read of the Gateway, and how often.

use super::poller::{Interval, Poller};
use crate::run::Target;
use crate::time::Millis;

/// Pausing, waiting for an event and going stale are announced by nothing (protocol section 3.5), so `getRun` is polled
/// until the run has ended; events trigger a request at once.
pub(super) const RUN_BEAT_MS: f64 = 1000.0;
/// The same while nobody sees the page.
pub(super) const HIDDEN_BEAT_MS: f64 = 5000.0;
const RUN_SPACING_MS: f64 = 60.0;

/// `listNodeStates` takes 14 ms for 1000 nodes: read on events, on frames and when the counts differ.
const NODES_SPACING_MS: f64 = 150.0;
/// A node can change without its count changing; looked after this often while the run goes on.
const NODES_BEAT_MS: f64 = 2000.0;
/// The node list may fill at most a quarter of the time: what takes long is asked for seldom.
const NODES_LOAD: f64 = 4.0;

const LIST_SPACING_MS: f64 = 500.0;
const LIST_BEAT_MS: f64 = 2000.0;
/// The list beside a watched run.
const LIST_ASIDE_BEAT_MS: f64 = 15_000.0;

const SNAPSHOT_SPACING_MS: f64 = 500.0;
/// Where nothing is streamed the whole tree is asked for this often, 23 ms for 1000 nodes.
pub(super) const SNAPSHOT_BEAT_MS: f64 = 1000.0;

/// After its end a run is read once more this much later: the Gateway sends the whole run's events again about a
/// second after a short run ended (protocol section 5, quirk 6).
pub(super) const LAST_LOOK_MS: f64 = 2000.0;
/// After its end a run's stream is kept this long, then the socket is exchanged for one without: a stream polls the
/// Gateway's database for ever (quirk 19), and nothing but its socket ends it.
pub(super) const STREAM_GRACE_MS: f64 = 10_000.0;

/// Whether somebody can see the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Page {
    Visible,
    Hidden,
}

impl Page {
    /// How often to poll, given the period for a visible page, milliseconds.
    fn beat(self, visible: f64) -> f64 {
        match self {
            Self::Visible => visible,
            Self::Hidden => HIDDEN_BEAT_MS,
        }
    }
}

/// The questions that are repeated.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    pub(super) run: Poller,
    pub(super) nodes: Poller,
    pub(super) list: Poller,
    /// The whole tree: for a run that has ended, and after a delta that did not fit.
    pub(super) snapshot: Poller,
    /// The attempts at one round of a node; those of a whole run hold all that its agents said.
    pub(super) attempts: Poller,
    /// The rounds whose attempts are to be asked for, the next one last.
    pub(super) untold: Vec<Target>,
    pub(super) stream: Stream,
    /// When the run was first seen ended, or last stirred since, on this connection.
    pub(super) ended_at: Option<Millis>,
    /// How long the last node list took, milliseconds.
    pub(super) nodes_took: f64,
}

/// The `DevTools` stream of the watched run on this connection.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Stream {
    /// Not asked for.
    #[default]
    Idle,
    /// To be asked for: right after a launch the run may not be written yet (quirk 7).
    Due { at: Millis, tries: u32 },
    /// Asked for, or delivering; `tries` counts refusals since the last frame.
    Running { tries: u32 },
    /// Not allowed; asking again on this connection cannot help.
    Refused,
}

impl Schedule {
    pub(super) fn run_interval(ended: bool, known: bool, page: Page) -> Interval {
        let beat = page.beat(RUN_BEAT_MS);
        Interval { spacing: RUN_SPACING_MS, beat: (!known || !ended).then_some(beat) }
    }

    pub(super) fn nodes_interval(&self, ended: bool, page: Page) -> Interval {
        let spacing = NODES_SPACING_MS.max(NODES_LOAD * self.nodes_took);
        let beat = page.beat(NODES_BEAT_MS);
        Interval { spacing, beat: (!ended).then(|| beat.max(spacing)) }
    }

    /// One node at a time and not closer than the lists of all of them, however many nodes there are.
    pub(super) fn attempts_interval(&self) -> Interval {
        Interval { beat: None, ..self.nodes_interval(true, Page::Visible) }
    }

    pub(super) fn list_interval(choosing: bool) -> Interval {
        let beat = if choosing { LIST_BEAT_MS } else { LIST_ASIDE_BEAT_MS };
        Interval { spacing: if choosing { LIST_SPACING_MS } else { LIST_BEAT_MS }, beat: Some(beat) }
    }

    pub(super) fn snapshot_interval() -> Interval {
        Interval { spacing: SNAPSHOT_SPACING_MS, beat: None }
    }

    /// Asks for the stream again, later each time: 100 ms, then twice as long, up to 5 s.
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
