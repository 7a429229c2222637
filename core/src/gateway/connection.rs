//! The connection: opened, let in, lost, and opened again.

use super::event_witness::EventWitness;
use super::io::{ConnectionPhase, Effect, Reconnect, Transport, may_recover};
use super::requests::ANSWER_LIMIT_MS;
use super::schedule::Schedule;
use super::watchdog::Silence;
use super::{Client, Stream};
use crate::refusal::Refusal;
use crate::time::Millis;

/// How long a socket may take to open, and `connect` to be answered. The Gateway itself ends a connection that has not
/// sent `connect` after 10 s (protocol section 3.2).
const DOOR_LIMIT_MS: f64 = 10_000.0;
/// A connection that held this long was a good one: the next failure is the first again.
const HELD_MS: f64 = 10_000.0;

/// The state of the connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Connection {
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
    Waiting(Reconnect),
    Stopped,
}

impl Client {
    /// Where the feed is with its Gateway.
    pub fn phase(&self) -> ConnectionPhase {
        let at_work =
            if self.run_id.is_some() { ConnectionPhase::Watching } else { ConnectionPhase::Choosing };
        match self.connection {
            // The exchange of one good socket for another is nothing that a viewer has to see.
            Connection::Opening { .. } | Connection::Handshaking { .. } if self.exchanging => at_work,
            Connection::Opening { .. } => ConnectionPhase::Connecting,
            Connection::Handshaking { .. } => ConnectionPhase::Handshaking,
            Connection::Ready { .. } => at_work,
            Connection::Waiting(_) => ConnectionPhase::Waiting,
            Connection::Stopped => ConnectionPhase::Stopped,
        }
    }

    /// The next try, while the connection is lost.
    ///
    /// ```
    /// use runstate::gateway::{Client, ClientOptions, Input, Transport};
    /// use runstate::time::Millis;
    ///
    /// let transport = Transport::WebSocket;
    /// let options = ClientOptions { url: "ws://127.0.0.1:7331".into(), token: None, run_id: None, seed: 1, transport };
    /// let mut feed = Client::new(options, Millis(0.0));
    /// assert_eq!(feed.retry(), None);
    /// feed.handle(Input::Closed { code: 1006, reason: "" }, Millis(20.0));
    /// let retry = feed.retry().unwrap();
    /// assert_eq!(retry.attempt, 1);
    /// assert_eq!(feed.wake_at(), Some(retry.at));
    /// ```
    pub fn retry(&self) -> Option<Reconnect> {
        match self.connection {
            Connection::Waiting(retry) => Some(retry),
            Connection::Opening { .. }
            | Connection::Handshaking { .. }
            | Connection::Ready { .. }
            | Connection::Stopped => None,
        }
    }

    /// Asks for a socket; questions and sends of the one before are void.
    pub(super) fn open(&mut self, now: Millis) {
        self.effects.retain(|effect| *effect == Effect::Close);
        self.effects.push_back(Effect::Open { url: self.url.clone() });
        self.requests.clear();
        self.schedule = Schedule { nodes_took: self.schedule.nodes_took, ..Schedule::default() };
        self.waiting_deltas.clear();
        self.last_event_seq = None;
        self.connection = Connection::Opening { since: now };
    }

    /// Closes this socket and asks for another one at once, nothing being wrong.
    pub(super) fn exchange(&mut self, now: Millis, unseen: bool) {
        self.effects.push_back(Effect::Close);
        self.exchanging = unseen;
        self.open(now);
    }

    pub(super) fn opened(&mut self, now: Millis) {
        let Connection::Opening { since: asked_at } = self.connection else { return };
        self.connection = Connection::Handshaking { since: now, asked_at };
        if !self.exchanging {
            self.watchdog.restart(now);
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
        self.watchdog.announce(heartbeat_ms);
        self.connection = Connection::Ready { since: now };
        if !self.exchanging {
            // What was sent to nobody is not known.
            self.event_witness = EventWitness::default();
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
        match self.connection {
            Connection::Waiting(_) | Connection::Stopped => {}
            // 1008 is a refusal of this viewer (protocol section 3.2): the same token would be refused again.
            Connection::Opening { .. } | Connection::Handshaking { .. } | Connection::Ready { .. }
                if code == 1008 =>
            {
                let message = if reason.is_empty() { "the Gateway closed the connection" } else { reason };
                let refusal =
                    Refusal { code: "1008".into(), message: message.into(), method: Some("connect".into()) };
                self.stop(Some(refusal));
            }
            Connection::Opening { .. } | Connection::Handshaking { .. } | Connection::Ready { .. } => {
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
        if let Connection::Ready { since } = self.connection
            && now.since(since) >= HELD_MS
        {
            self.backoff.reset();
        }
        self.exchanging = false;
        self.broken_limit = silence_limit_ms;
        self.requests.clear();
        let at = Millis(now.0 + self.backoff.next_wait());
        self.connection = Connection::Waiting(Reconnect { attempt: self.backoff.attempt(), at });
    }

    /// No more tries until somebody asks for one; the last good state stays.
    pub(super) fn stop(&mut self, refusal: Option<Refusal>) {
        if !matches!(self.connection, Connection::Waiting(_) | Connection::Stopped) {
            self.effects.push_back(Effect::Close);
        }
        self.requests.clear();
        self.exchanging = false;
        self.connection = Connection::Stopped;
        if refusal.is_some() {
            self.model.refuse(refusal);
        }
    }

    /// Connects without waiting, whatever was before.
    pub(super) fn reconnect(&mut self, now: Millis) {
        self.backoff.reset();
        match self.connection {
            Connection::Ready { .. } | Connection::Handshaking { .. } => self.exchange(now, false),
            Connection::Waiting(_) | Connection::Stopped => {
                self.model.refuse(None);
                self.open(now);
            }
            Connection::Opening { .. } => {}
        }
    }

    /// The page or the machine slept: read again before anything is claimed live.
    pub(super) fn woke(&mut self, now: Millis) {
        match self.connection {
            Connection::Waiting(_) => self.open(now),
            Connection::Ready { .. } => {
                self.resyncing = self.header_read_at.is_some();
                self.watchdog.restart(now);
                self.requests.clear();
                self.restart_reading(now);
            }
            Connection::Opening { .. } | Connection::Handshaking { .. } | Connection::Stopped => {}
        }
    }

    /// Carries out what the clock makes due for the connection.
    pub(super) fn guard(&mut self, now: Millis) {
        match self.connection {
            Connection::Waiting(retry) if retry.at <= now => self.open(now),
            Connection::Opening { since } | Connection::Handshaking { since, .. }
                if Millis(since.0 + DOOR_LIMIT_MS) <= now =>
            {
                self.lose(Some(DOOR_LIMIT_MS), now);
            }
            Connection::Ready { .. } if self.watchdog.silence(now) == Silence::Lost => {
                self.lose(Some(self.watchdog.lost_after_ms()), now);
            }
            Connection::Ready { .. } => self.guard_answers(now),
            Connection::Waiting(_)
            | Connection::Opening { .. }
            | Connection::Handshaking { .. }
            | Connection::Stopped => {}
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
        if let (Some(at), Stream::Running { .. }) = (self.schedule.ended_at, self.schedule.stream)
            && Millis(at.0 + super::schedule::STREAM_GRACE_MS) <= now
        {
            self.exchange(now, true);
        }
    }

    /// When the connection next needs a look.
    pub(super) fn link_wake_at(&self, now: Millis) -> Option<Millis> {
        match self.connection {
            Connection::Waiting(retry) => Some(retry.at),
            Connection::Opening { since } | Connection::Handshaking { since, .. } => {
                Some(Millis(since.0 + DOOR_LIMIT_MS))
            }
            Connection::Ready { .. } => Some(self.watchdog.wake_at(now)),
            Connection::Stopped => None,
        }
    }
}
