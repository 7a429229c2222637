//! The freshness of our data about a run, separate from the run's state: a run does not become stale because a laptop was
//! closed. The last known state stays on screen, with its age.

use crate::clock::Reading;
use crate::run::RunInspection;
use crate::smithers::derive::RUN_STATE_HEARTBEAT_STALE_MS;
use crate::smithers::wire::{RunState, RunStateView};
use crate::time::Millis;

/// The freshness of the shown data. Times are on the server-anchored clock.
///
/// A surface shows the last known state together with its age:
///
/// ```
/// use runstate::freshness::Freshness;
/// use runstate::time::Millis;
///
/// let freshness = Freshness::Lost { as_of: Millis(10_000.0), attempt: 2, retry_at: None, silence_limit_ms: None };
/// let now = Millis(57_000.0);
/// let words = match freshness {
///     Freshness::Lost { as_of, .. } => format!("running, as of {} s ago", now.since(as_of) / 1000.0),
///     _ => "running".to_owned(),
/// };
/// assert_eq!(words, "running, as of 47 s ago");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Freshness {
    /// The last answer about the shown data is as new as the rate of the requests allows.
    Live {
        /// The time of that answer.
        read_at: Millis,
    },
    /// The first connection is being made; no data has arrived.
    Connecting,
    /// Data is on screen and the current state is being read.
    Resyncing {
        /// The time of the shown data.
        as_of: Millis,
    },
    /// An answer about the shown data, or a heartbeat that the Gateway announced, is overdue.
    Late {
        /// The time of the last answer about the shown data.
        read_at: Millis,
    },
    /// The server answers, but refuses to say anything about the shown run; the shown data is old.
    Refused {
        /// The time of the last answer about the run.
        as_of: Millis,
    },
    /// The connection is lost; the shown data is old.
    Lost {
        /// The time of the shown data.
        as_of: Millis,
        /// The number of the next reconnection, from 1.
        attempt: u32,
        /// The time of the next reconnection, on the server-anchored clock; `None` while one is in progress or if none
        /// is planned.
        retry_at: Option<Millis>,
        /// The exceeded limit, milliseconds of silence; `None` when the socket closed.
        silence_limit_ms: Option<f64>,
    },
    /// The observed traffic of a page. The viewer itself sends no requests.
    Traffic {
        /// The last observation about the run.
        last: Millis,
        /// The last observation of its state, if that is too old to describe the present.
        old_state: Option<Millis>,
        /// Whether an open socket or event stream delivers the run's events.
        follows: bool,
    },
    /// A document instead of a connection.
    Recorded {
        /// The time at which its content was computed, if known.
        at: Option<Millis>,
    },
}

impl Freshness {
    /// The freshness of a recorded run: the age of its state.
    ///
    /// ```
    /// use runstate::freshness::Freshness;
    /// use runstate::run::RunInspection;
    /// use runstate::smithers::wire::read_run;
    /// use runstate::time::Millis;
    ///
    /// let row = read_run(r#"{"runId":"r1","status":"waiting-timer"}"#)?;
    /// let run = RunInspection::from_row(&row, "getRun", Millis(5.0));
    /// assert_eq!(Freshness::recorded(&run), Freshness::Recorded { at: Some(Millis(5.0)) });
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn recorded(run: &RunInspection) -> Self {
        Self::Recorded { at: run.view().and_then(RunStateView::computed_time) }
    }

    /// The time up to which the run is known: an unfinished task has lasted at least until then. `None` for a document
    /// without a time, and before the first answer. `now` is the current time on the server-anchored clock.
    pub(crate) fn known_until(&self, now: Millis) -> Option<Millis> {
        match self {
            Self::Live { .. } | Self::Late { .. } => Some(now),
            Self::Connecting => None,
            Self::Resyncing { as_of } | Self::Refused { as_of } | Self::Lost { as_of, .. } => Some(*as_of),
            Self::Traffic { last, old_state, follows: _ } => Some(old_state.unwrap_or(*last)),
            Self::Recorded { at } => *at,
        }
    }

    /// The freshness of a run that the caller describes as just received: live, unless its `running` is older, by its own
    /// timestamp and beyond the clock's error, than a heartbeat may be; then it is a recording.
    ///
    /// ```
    /// use runstate::ingest::inspect;
    /// use runstate::freshness::Freshness;
    /// use runstate::time::Millis;
    ///
    /// let at = Millis(1_700_000_000_000.0);
    /// let json = br#"{"runId":"r","computedAt":"2023-11-14T22:13:20.000Z","state":"running"}"#;
    /// let run = inspect(json, None, at)?.run.unwrap();
    /// let freshness = |age| Freshness::live_or_recorded(&run, Millis(at.0 + age).into());
    /// assert_eq!(freshness(30_000.0), Freshness::Live { read_at: Millis(at.0 + 30_000.0) });
    /// assert_eq!(freshness(30_001.0), Freshness::Recorded { at: Some(at) });
    /// # Ok::<(), runstate::ingest::DocumentError>(())
    /// ```
    pub fn live_or_recorded(run: &RunInspection, clock: Reading) -> Self {
        let at_work = |view: &&RunStateView| {
            matches!(view.state.known(), Some(RunState::Running | RunState::Recovering))
        };
        let said_at = run.view().filter(at_work).and_then(RunStateView::computed_time);
        match said_at {
            Some(at) if clock.now.since(at) > RUN_STATE_HEARTBEAT_STALE_MS + clock.error_ms => {
                Self::Recorded { at: said_at }
            }
            Some(_) | None => Self::Live { read_at: clock.now },
        }
    }

    /// Replaces an overdue answer by one that is being read again, where no pill says that it is overdue.
    pub(crate) fn late_as_resyncing(self) -> Self {
        match self {
            Self::Late { read_at } => Self::Resyncing { as_of: read_at },
            Self::Live { .. }
            | Self::Connecting
            | Self::Resyncing { .. }
            | Self::Refused { .. }
            | Self::Lost { .. }
            | Self::Traffic { .. }
            | Self::Recorded { .. } => self,
        }
    }

    /// The time of data that may be out of date.
    pub(crate) fn old_since(&self) -> Option<Millis> {
        match self {
            Self::Resyncing { as_of } | Self::Refused { as_of } | Self::Lost { as_of, .. } => Some(*as_of),
            Self::Live { .. }
            | Self::Connecting
            | Self::Late { .. }
            | Self::Traffic { .. }
            | Self::Recorded { .. } => None,
        }
    }

    /// Whether the connection is lost.
    pub(crate) fn is_lost(&self) -> bool {
        match self {
            Self::Lost { .. } => true,
            Self::Live { .. }
            | Self::Connecting
            | Self::Resyncing { .. }
            | Self::Refused { .. }
            | Self::Late { .. }
            | Self::Traffic { .. }
            | Self::Recorded { .. } => false,
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_until_the_last_frame() {
        use crate::freshness::Freshness;
        use crate::time::Millis;
        let (then, now) = (Millis(10_000.0), Millis(57_000.0));
        assert_eq!(Freshness::Live { read_at: then }.known_until(now), Some(now));
        assert_eq!(Freshness::Resyncing { as_of: then }.known_until(now), Some(then));
        assert_eq!(Freshness::Recorded { at: None }.known_until(now), None);
    }
}
