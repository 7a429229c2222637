//! The connection: opened, let in, lost, and opened again.

use super::event_witness::Told;
use super::io::{Effect, Phase, Retry, Transport, may_recover};
use super::requests::ANSWER_LIMIT_MS;
use super::schedule::Plan;
use super::watchdog::Silence;
use super::{Feed, Stream};
use crate::refusal::Refusal;
use crate::time::Millis;

/// How long a socket may take to open, and `connect` to be answered. The Gateway itself ends a connection that has not
/// sent `connect` after 10 s (protocol section 3.2).
const DOOR_LIMIT_MS: f64 = 10_000.0;
/// A connection that held this long was a good one: the next failure is the first again.
const HELD_MS: f64 = 10_000.0;

/// The state of the connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Link {
    Opening {
        since: Millis,
    },
    /// `asked_at` is when the socket was asked for.
    Handshaking {
        since: Millis,
        asked_at: Millis,
    },
    Ready {
        since: Millis,
    },
    Waiting(Retry),
    Stopped,
}

impl Feed {
    /// Where the feed is with its Gateway.
    pub fn phase(&self) -> Phase {
        let at_work = if self.run_id.is_some() { Phase::Watching } else { Phase::Choosing };
        match self.link {
            // The exchange of one good socket for another is nothing that a viewer has to see.
            Link::Opening { .. } | Link::Handshaking { .. } if self.exchanging => at_work,
            Link::Opening { .. } => Phase::Connecting,
            Link::Handshaking { .. } => Phase::Handshaking,
            Link::Ready { .. } => at_work,
            Link::Waiting(_) => Phase::Waiting,
            Link::Stopped => Phase::Stopped,
        }
    }

    /// The next try, while the connection is lost.
    ///
    /// ```
    /// use runstate::gateway::{Feed, FeedOptions, Input, Transport};
    /// use runstate::time::Millis;
    ///
    /// let transport = Transport::WebSocket;
    /// let options = FeedOptions { url: "ws://127.0.0.1:7331".into(), token: None, run_id: None, seed: 1, transport };
    /// let mut feed = Feed::new(options, Millis(0.0));
    /// assert_eq!(feed.retry(), None);
    /// feed.handle(Input::Closed { code: 1006, reason: "" }, Millis(20.0));
    /// let retry = feed.retry().unwrap();
    /// assert_eq!(retry.attempt, 1);
    /// assert_eq!(feed.wake_at(), Some(retry.at));
    /// ```
    pub fn retry(&self) -> Option<Retry> {
        match self.link {
            Link::Waiting(retry) => Some(retry),
            Link::Opening { .. } | Link::Handshaking { .. } | Link::Ready { .. } | Link::Stopped => None,
        }
    }

    /// Asks for a socket; questions and sends of the one before are void.
    pub(super) fn open(&mut self, now: Millis) {
        self.effects.retain(|effect| *effect == Effect::Close);
        self.effects.push_back(Effect::Open { url: self.url.clone() });
        self.requests.clear();
        self.plan = Plan { nodes_took: self.plan.nodes_took, ..Plan::default() };
        self.waiting_deltas.clear();
        self.last_event_seq = None;
        self.link = Link::Opening { since: now };
    }

    /// Closes this socket and asks for another one at once, nothing being wrong.
    pub(super) fn exchange(&mut self, now: Millis, unseen: bool) {
        self.effects.push_back(Effect::Close);
        self.exchanging = unseen;
        self.open(now);
    }

    pub(super) fn opened(&mut self, now: Millis) {
        let Link::Opening { since: asked_at } = self.link else { return };
        self.link = Link::Handshaking { since: now, asked_at };
        if !self.exchanging {
            self.pulse.restart(now);
        }
        if self.transport == Transport::Http {
            self.admitted(None, now);
            return;
        }
        let frame = self.requests.connect(self.token.as_ref(), now);
        self.effects.push_back(Effect::Send(frame));
    }

    /// The Gateway let us in.
    pub(super) fn admitted(&mut self, heartbeat_ms: Option<f64>, now: Millis) {
        self.pulse.announce(heartbeat_ms);
        self.link = Link::Ready { since: now };
        if !self.exchanging {
            // What was sent to nobody is not known.
            self.told = Told::default();
        }
        self.resyncing = self.header_read_at.is_some() && !self.exchanging;
        self.exchanging = false;
        self.broken_limit = None;
        self.begin_reading(now);
    }

    /// What the Gateway refuses of the connection itself ends the feed, unless it may recover.
    pub(super) fn turned_away(&mut self, refusal: Refusal, now: Millis) {
        if may_recover(&refusal) {
            self.lose(None, now);
        } else {
            self.stop(Some(refusal));
        }
    }

    pub(super) fn closed(&mut self, code: u16, reason: &str, now: Millis) {
        match self.link {
            Link::Waiting(_) | Link::Stopped => {}
            // 1008 is a refusal of this viewer (protocol section 3.2): the same token would be refused again.
            Link::Opening { .. } | Link::Handshaking { .. } | Link::Ready { .. } if code == 1008 => {
                let message = if reason.is_empty() { "the Gateway closed the connection" } else { reason };
                let refusal =
                    Refusal { code: "1008".into(), message: message.into(), method: Some("connect".into()) };
                self.stop(Some(refusal));
            }
            Link::Opening { .. } | Link::Handshaking { .. } | Link::Ready { .. } => {
                self.wait_for_retry(None, now);
            }
        }
    }

    /// Gives a connection up that is still open, and waits for the next try.
    pub(super) fn lose(&mut self, silence_limit_ms: Option<f64>, now: Millis) {
        self.effects.push_back(Effect::Close);
        self.wait_for_retry(silence_limit_ms, now);
    }

    fn wait_for_retry(&mut self, silence_limit_ms: Option<f64>, now: Millis) {
        if let Link::Ready { since } = self.link
            && now.since(since) >= HELD_MS
        {
            self.backoff.reset();
        }
        self.exchanging = false;
        self.broken_limit = silence_limit_ms;
        self.requests.clear();
        let at = Millis(now.0 + self.backoff.next_wait());
        self.link = Link::Waiting(Retry { attempt: self.backoff.attempt(), at });
    }

    /// No more tries until somebody asks for one; the last good state stays.
    pub(super) fn stop(&mut self, refusal: Option<Refusal>) {
        if !matches!(self.link, Link::Waiting(_) | Link::Stopped) {
            self.effects.push_back(Effect::Close);
        }
        self.requests.clear();
        self.exchanging = false;
        self.link = Link::Stopped;
        if refusal.is_some() {
            self.board.refuse(refusal);
        }
    }

    /// Connects without waiting, whatever was before.
    pub(super) fn reconnect(&mut self, now: Millis) {
        self.backoff.reset();
        match self.link {
            Link::Ready { .. } | Link::Handshaking { .. } => self.exchange(now, false),
            Link::Waiting(_) | Link::Stopped => {
                self.board.refuse(None);
                self.open(now);
            }
            Link::Opening { .. } => {}
        }
    }

    /// The page or the machine slept: read again before anything is claimed live.
    pub(super) fn woke(&mut self, now: Millis) {
        match self.link {
            Link::Waiting(_) => self.open(now),
            Link::Ready { .. } => {
                self.resyncing = self.header_read_at.is_some();
                self.pulse.restart(now);
                self.requests.clear();
                self.restart_reading(now);
            }
            Link::Opening { .. } | Link::Handshaking { .. } | Link::Stopped => {}
        }
    }

    /// Carries out what the clock makes due for the connection.
    pub(super) fn guard(&mut self, now: Millis) {
        match self.link {
            Link::Waiting(retry) if retry.at <= now => self.open(now),
            Link::Opening { since } | Link::Handshaking { since, .. }
                if Millis(since.0 + DOOR_LIMIT_MS) <= now =>
            {
                self.lose(Some(DOOR_LIMIT_MS), now);
            }
            Link::Ready { .. } if self.pulse.silence(now) == Silence::Lost => {
                self.lose(Some(self.pulse.lost_after_ms()), now);
            }
            Link::Ready { .. } => self.guard_answers(now),
            Link::Waiting(_) | Link::Opening { .. } | Link::Handshaking { .. } | Link::Stopped => {}
        }
    }

    /// A header that nobody answers for is silence, even while ticks still come.
    fn guard_answers(&mut self, now: Millis) {
        while let Some(pending) = self.requests.expired(now) {
            if self.is_header(pending.method) {
                self.lose(Some(ANSWER_LIMIT_MS), now);
                return;
            }
            self.unanswered(pending, now);
        }
        if let (Some(at), Stream::Running { .. }) = (self.plan.ended_at, self.plan.stream)
            && Millis(at.0 + super::schedule::STREAM_GRACE_MS) <= now
        {
            self.exchange(now, true);
        }
    }

    /// When the connection next needs a look.
    pub(super) fn link_wake_at(&self, now: Millis) -> Option<Millis> {
        match self.link {
            Link::Waiting(retry) => Some(retry.at),
            Link::Opening { since } | Link::Handshaking { since, .. } => {
                Some(Millis(since.0 + DOOR_LIMIT_MS))
            }
            Link::Ready { .. } => Some(self.pulse.wake_at(now)),
            Link::Stopped => None,
        }
    }
}
