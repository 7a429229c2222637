//! The Gateway client as a state machine: frames and `now` in, an inspection and the next wake-up out.
//!
//! No socket and no timer live here. The adapter carries out the [`Effect`]s, hands in what happened as [`Input`], and
//! calls back with [`Input::Timer`] when [`Feed::wake_at`] is reached. What each answer is worth is seed 000's and
//! protocol sections 3 and 5: the run's state is only ever that of `getRun`, whatever events and streams say.

#[allow(dead_code)]
mod backoff;
#[allow(dead_code)]
mod io;
#[allow(dead_code)]
mod pulse;
#[allow(dead_code)]
mod reread;

use std::collections::VecDeque;

pub use io::{Effect, FeedOptions, Input, Phase, Retry, Revision, Token};

use crate::clock::Clock;
use crate::freshness::Freshness;
use crate::inspection::{Inspection, Recognised, Refusal};
use crate::time::Millis;
use backoff::Backoff;
use pulse::Pulse;

/// A client of one Gateway that watches one run, or lists the runs.
///
/// ```
/// use runstate::feed::{Effect, Feed, FeedOptions, Input, Phase};
/// use runstate::time::Millis;
///
/// let options = FeedOptions { url: "ws://127.0.0.1:7331".into(), token: None, run_id: None, seed: 1 };
/// let mut feed = Feed::new(options, Millis(0.0));
/// assert_eq!(feed.next_effect(), Some(Effect::Open { url: "ws://127.0.0.1:7331".into() }));
///
/// feed.handle(Input::Closed { code: 1006, reason: "" }, Millis(20.0));
/// assert_eq!(feed.phase(), Phase::Waiting);
/// assert!(feed.wake_at().unwrap() <= Millis(520.0));
/// ```
#[derive(Debug)]
#[allow(dead_code)]
pub struct Feed {
    url: String,
    token: Option<Token>,
    run_id: Option<String>,
    clock: Clock,
    backoff: Backoff,
    pulse: Pulse,
    phase: Phase,
    retry: Option<Retry>,
    inspection: Inspection,
    revision: Revision,
    effects: VecDeque<Effect>,
}

impl Feed {
    /// A feed that asks for its socket at once. `now` is the caller's monotonic clock, as in every call.
    pub fn new(options: FeedOptions, now: Millis) -> Self {
        let FeedOptions { url, token, run_id, seed } = options;
        let effects = VecDeque::from([Effect::Open { url: url.clone() }]);
        Self {
            url,
            token,
            run_id,
            clock: Clock::default(),
            backoff: Backoff::new(seed),
            pulse: Pulse::new(now),
            phase: Phase::Connecting,
            retry: None,
            inspection: Inspection {
                recognised: Recognised::Gateway,
                run: None,
                runs: Vec::new(),
                refusal: None,
                problems: Vec::new(),
            },
            revision: Revision::default(),
            effects,
        }
    }

    /// Takes in what happened.
    #[allow(clippy::needless_pass_by_value)]
    pub fn handle(&mut self, input: Input<'_>, now: Millis) {
        match input {
            Input::Closed { .. } => {
                let at = Millis(now.0 + self.backoff.next_wait());
                self.retry = Some(Retry { attempt: self.backoff.attempt(), at });
                self.phase = Phase::Waiting;
            }
            Input::Opened
            | Input::Text(_)
            | Input::Timer
            | Input::Woke
            | Input::Watch(_)
            | Input::List
            | Input::Authorise(_)
            | Input::ReconnectNow
            | Input::Stop => {}
        }
    }

    /// The next thing to do; call until it answers `None`, after every [`Feed::handle`].
    pub fn next_effect(&mut self) -> Option<Effect> {
        self.effects.pop_front()
    }

    /// When to hand in [`Input::Timer`], on the local clock; changes with every [`Feed::handle`].
    pub fn wake_at(&self) -> Option<Millis> {
        self.retry.map(|retry| retry.at)
    }

    /// What is known, the last good state kept while the connection is lost.
    pub fn inspection(&self) -> &Inspection {
        &self.inspection
    }

    /// How fresh that is at `now` of the local clock.
    pub fn freshness(&self, _now: Millis) -> Freshness {
        Freshness::Connecting
    }

    /// The server's clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Where the feed is with its Gateway.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Which run is watched.
    pub fn run_id(&self) -> Option<&str> {
        self.run_id.as_deref()
    }

    /// The next try, while the connection is lost.
    pub fn retry(&self) -> Option<Retry> {
        self.retry
    }

    /// What changed, as counters.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// What the Gateway refused: the connection, or the run that is asked for. Never a state.
    pub fn refusal(&self) -> Option<&Refusal> {
        self.inspection.refusal.as_ref()
    }
}
