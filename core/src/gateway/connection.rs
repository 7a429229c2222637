//! Handles the life cycle of the connection: opening, handshake, ready, lost, reconnecting.

use super::event_witness::EventWitness;
use super::io::{ClientEffect, ConnectionPhase, OpenFailure, Reconnect, Transport, may_recover};
use super::requests::{ANSWER_LIMIT_MS, Method};
use super::schedule::Schedule;
use super::watchdog::Silence;
use super::{Client, Stream};
use crate::frame::EventNumbers;
use crate::refusal::Refusal;
use crate::time::Millis;

/// Time limit for opening a socket and for the answer to `connect`, milliseconds. The Gateway closes a connection that
/// has not sent `connect` within 10 s (protocol section 3.2).
const OPEN_LIMIT_MS: f64 = 10_000.0;
/// Duration after which a connection counts as stable and the backoff starts over, milliseconds.
const STABLE_MS: f64 = 10_000.0;

/// The state of the connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Connection {
    Opening {
        since: Millis,
    },
    /// The socket is open and `connect` is not answered yet; `asked_at` is the time at which the socket was requested.
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

/// Why a socket is being opened.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Opening {
    /// The first socket, or the one after a loss: what is on screen is old until it is read again.
    #[default]
    New,
    /// It replaces a healthy socket because another run is watched; the list of runs stays as it is.
    ForAnotherRun,
    /// It replaces a healthy socket without any change for the viewer.
    Unnoticed,
}

impl Opening {
    /// Makes an unnoticed replacement a visible one.
    pub(super) fn show(&mut self) {
        match self {
            Self::Unnoticed => *self = Self::ForAnotherRun,
            Self::New | Self::ForAnotherRun => {}
        }
    }
}

impl Client {
    /// Returns the phase of the connection.
    pub(crate) fn phase(&self) -> ConnectionPhase {
        let connected =
            if self.run_id.is_some() { ConnectionPhase::Watching } else { ConnectionPhase::Choosing };
        match self.connection {
            // The replacement of a healthy socket is not shown.
            Connection::Opening { .. } | Connection::Handshaking { .. }
                if self.opening == Opening::Unnoticed =>
            {
                connected
            }
            Connection::Opening { .. } => ConnectionPhase::Connecting,
            Connection::Handshaking { .. } => ConnectionPhase::Handshaking,
            Connection::Ready { .. } => connected,
            Connection::Waiting(_) => ConnectionPhase::Waiting,
            Connection::Stopped => ConnectionPhase::Stopped,
        }
    }

    /// Returns the next reconnection while the connection is lost.
    pub(crate) fn retry(&self) -> Option<Reconnect> {
        match self.connection {
            Connection::Waiting(retry) => Some(retry),
            Connection::Opening { .. }
            | Connection::Handshaking { .. }
            | Connection::Ready { .. }
            | Connection::Stopped => None,
        }
    }

    /// Requests a new socket and drops all pending requests and sends of the old one.
    pub(super) fn open(&mut self, now: Millis) {
        self.effects.retain(|effect| *effect == ClientEffect::Close);
        self.effects.push_back(ClientEffect::Open { url: self.url.clone() });
        self.requests.clear();
        self.schedule =
            Schedule { nodes_duration_ms: self.schedule.nodes_duration_ms, ..Schedule::default() };
        self.waiting_deltas.clear();
        self.event_numbers = EventNumbers::default();
        self.connection = Connection::Opening { since: now };
    }

    /// Replaces the socket.
    pub(super) fn replace_socket(&mut self, opening: Opening, now: Millis) {
        self.effects.push_back(ClientEffect::Close);
        self.opening = opening;
        self.open(now);
    }

    pub(super) fn on_opened(&mut self, now: Millis) {
        let Connection::Opening { since: asked_at } = self.connection else { return };
        self.connection = Connection::Handshaking { since: now, asked_at };
        if self.opening != Opening::Unnoticed {
            self.watchdog.restart(now);
        }
        if self.transport == Transport::Http {
            self.on_connected(None, now);
            return;
        }
        self.send_connect(now);
    }

    /// Sends `connect`; it is sent again if it is not answered.
    fn send_connect(&mut self, now: Millis) {
        let (id, frame) = self.requests.connect(self.token.as_ref(), now);
        self.effects.push_back(ClientEffect::Send(frame));
        let interval = self.interval(Method::Connect);
        self.schedule[Method::Connect].sent(id, interval, now);
    }

    /// Handles an accepted `connect`: starts reading.
    pub(super) fn on_connected(&mut self, heartbeat_ms: Option<f64>, now: Millis) {
        self.watchdog.announce(heartbeat_ms);
        self.connection = Connection::Ready { since: now };
        self.received.begin(self.clock.now(now));
        self.model.forget_row_nodes(now);
        self.requests.forget(Method::Connect);
        self.schedule[Method::Connect].reset();
        match std::mem::take(&mut self.opening) {
            Opening::Unnoticed => {}
            Opening::ForAnotherRun => self.event_witness = EventWitness::default(),
            Opening::New => {
                // Events sent while disconnected were missed.
                self.event_witness = EventWitness::default();
                self.gap_ended_at = Some(now);
            }
        }
        self.exceeded_limit_ms = None;
        self.requests_resume_at = None;
        self.forget_unreadable();
        self.begin_reading(now);
    }

    /// Handles a refused `connect`: stops, or retries if the refusal may be temporary.
    pub(super) fn on_connect_refused(&mut self, refusal: Refusal, now: Millis) {
        if may_recover(&refusal) {
            self.disconnect(None, now);
        } else {
            self.stop(Some(refusal));
        }
    }

    pub(super) fn on_closed(&mut self, code: u16, reason: &str, now: Millis) {
        match self.connection {
            Connection::Waiting(_) | Connection::Stopped => {}
            // Close code 1008 refuses this viewer (protocol section 3.2): the Gateway would refuse the same token
            // again.
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

    /// Notes why the connection could not be opened. A content policy also forbids every further attempt, and a redirect would be repeated.
    pub(super) fn on_open_failed(&mut self, failure: OpenFailure) {
        if self.has_read() || self.connection == Connection::Stopped {
            return;
        }
        self.open_failure = Some(failure);
        match failure {
            OpenFailure::ContentPolicy | OpenFailure::Redirected => self.stop(None),
            OpenFailure::NoAnswer | OpenFailure::SocketRefused | OpenFailure::AnswerUnreadable => {}
        }
    }

    /// Stops if the Gateway refuses this page, unless it has accepted a connection in the meantime.
    pub(super) fn on_refused(&mut self, refusal: Refusal) {
        match self.connection {
            Connection::Opening { .. } | Connection::Handshaking { .. } | Connection::Waiting(_) => {
                self.stop(Some(refusal));
            }
            Connection::Ready { .. } | Connection::Stopped => {}
        }
    }

    /// Closes an open connection and schedules a reconnection.
    pub(super) fn disconnect(&mut self, silence_limit_ms: Option<f64>, now: Millis) {
        self.effects.push_back(ClientEffect::Close);
        self.wait_for_retry(silence_limit_ms, now);
    }

    fn wait_for_retry(&mut self, silence_limit_ms: Option<f64>, now: Millis) {
        if let Connection::Ready { since } = self.connection
            && now.since(since) >= STABLE_MS
        {
            self.backoff.reset();
        }
        self.opening = Opening::New;
        self.exceeded_limit_ms = silence_limit_ms;
        self.requests.clear();
        let at = Millis(now.0 + self.backoff.next_wait());
        self.connection = Connection::Waiting(Reconnect { attempt: self.backoff.attempt(), at });
    }

    /// Stops reconnecting until the user asks for it; the last known state stays visible.
    pub(super) fn stop(&mut self, refusal: Option<Refusal>) {
        if !matches!(self.connection, Connection::Waiting(_) | Connection::Stopped) {
            self.effects.push_back(ClientEffect::Close);
        }
        self.requests.clear();
        self.opening = Opening::New;
        self.connection = Connection::Stopped;
        if refusal.is_some() {
            self.model.refuse(refusal);
        }
    }

    /// Connects at once in any phase.
    pub(super) fn reconnect(&mut self, now: Millis) {
        self.backoff.reset();
        self.open_failure = None;
        match self.connection {
            Connection::Ready { .. } | Connection::Handshaking { .. } => {
                self.replace_socket(Opening::New, now);
            }
            Connection::Waiting(_) | Connection::Stopped => {
                self.model.refuse(None);
                self.open(now);
            }
            Connection::Opening { .. } => {}
        }
    }

    /// Reads everything again after the page or the machine slept, before anything is shown as live.
    pub(super) fn on_wake(&mut self, now: Millis) {
        match self.connection {
            Connection::Waiting(_) => self.open(now),
            Connection::Ready { .. } => {
                self.gap_ended_at = Some(now);
                self.watchdog.restart(now);
                self.requests.clear();
                self.restart_reading(now);
            }
            Connection::Opening { .. } | Connection::Handshaking { .. } | Connection::Stopped => {}
        }
    }

    /// Enforces the deadlines of the connection.
    pub(super) fn check_deadlines(&mut self, now: Millis) {
        match self.connection {
            Connection::Waiting(retry) if retry.at <= now => self.open(now),
            Connection::Opening { since } | Connection::Handshaking { since, .. }
                if Millis(since.0 + OPEN_LIMIT_MS) <= now =>
            {
                self.on_open_failed(OpenFailure::NoAnswer);
                self.disconnect(Some(OPEN_LIMIT_MS), now);
            }
            Connection::Ready { .. } if self.watchdog.silence(now) == Silence::Lost => {
                self.disconnect(Some(self.watchdog.lost_after_ms()), now);
            }
            Connection::Ready { .. } => self.check_request_deadlines(now),
            Connection::Handshaking { .. } if self.schedule[Method::Connect].is_due(now) => {
                self.send_connect(now);
            }
            Connection::Waiting(_)
            | Connection::Opening { .. }
            | Connection::Handshaking { .. }
            | Connection::Stopped => {}
        }
    }

    /// Enforces the deadlines of requests. An unanswered header request breaks the connection even if ticks still
    /// arrive.
    fn check_request_deadlines(&mut self, now: Millis) {
        while let Some(pending) = self.requests.expired(now) {
            if pending.method == self.header_method() {
                self.disconnect(Some(ANSWER_LIMIT_MS), now);
                return;
            }
            self.on_timeout(pending, now);
        }
        if let (Some(at), Stream::Running { .. }) = (self.schedule.ended_at, self.schedule.stream)
            && Millis(at.0 + super::schedule::STREAM_GRACE_MS) <= now
        {
            self.replace_socket(Opening::Unnoticed, now);
        }
    }

    /// Returns the next deadline of the connection.
    pub(super) fn connection_wake_at(&self, now: Millis) -> Option<Millis> {
        match self.connection {
            Connection::Waiting(retry) => Some(retry.at),
            Connection::Opening { since } => Some(Millis(since.0 + OPEN_LIMIT_MS)),
            Connection::Handshaking { since, .. } => {
                let limit = Some(Millis(since.0 + OPEN_LIMIT_MS));
                Millis::earliest([limit, self.schedule[Method::Connect].wake_at()].into_iter().flatten())
            }
            Connection::Ready { .. } => Some(self.watchdog.wake_at(now)),
            Connection::Stopped => None,
        }
    }
}
