//! Holds one socket or event stream of a page.

use std::collections::VecDeque;

use super::EndCause;
use super::exchange::{Exchange, Frame};
use super::server::Server;
use crate::ingest::collector::Channel;
use crate::text::concat;
use crate::time::Millis;

/// Maximum size of the kept part of a stream for an export, bytes. The statements about runs are kept with the runs.
const MAX_KEPT: usize = 4 << 20;

/// Maximum number of times that a stream is read to find out whether its server is Studio.
const MAX_TRIALS: u32 = 20;

/// How long an event stream is quiet after its stored events, milliseconds: Studio sends these at once, and reads new ones
/// every half second. A part of them would describe a state that the session has left.
const QUIET_MS: f64 = 250.0;

/// How long the beginning of an event stream is held at most, milliseconds.
const MAX_HELD_MS: f64 = 2000.0;

/// The counts of one stream or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Counts {
    /// The number of messages that the page received.
    pub(crate) received: u64,
    pub(crate) sent: u64,
    /// The number of missing events according to their numbers.
    pub(crate) missing: u64,
    /// The number of messages that an export omits for lack of space.
    pub(crate) left_out: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.received += other.received;
        self.sent += other.sent;
        self.missing += other.missing;
        self.left_out += other.left_out;
    }
}

/// A socket or an event stream.
pub(crate) struct Stream {
    /// The index of the server that it belongs to.
    pub(crate) server: Option<usize>,
    pub(crate) url: String,
    /// Whether a service worker of the page answers in place of the server.
    pub(super) is_from_service_worker: bool,
    pub(crate) channel: Channel,
    /// The time of the first frame.
    pub(crate) opened_at: Option<Millis>,
    /// The time of the last frame from the server.
    pub(crate) last_at: Option<Millis>,
    /// The time and cause of the end; `None` while the stream is open.
    pub(crate) end: Option<(Millis, EndCause)>,
    counts: Counts,
    /// The frames for an export, the oldest first.
    pub(crate) frames: VecDeque<Frame>,
    kept_bytes: usize,
    /// The text of an event stream that Studio may have sent.
    text: String,
    is_new: bool,
    /// The number of times that the stream was read while its server was unknown.
    trials: u32,
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream").field("url", &self.url).field("end", &self.end).finish_non_exhaustive()
    }
}

impl Stream {
    pub(super) fn new(number: usize, url: &str) -> Self {
        Self {
            server: None,
            url: url.to_owned(),
            is_from_service_worker: false,
            channel: Channel::new(number),
            opened_at: None,
            last_at: None,
            end: None,
            counts: Counts::default(),
            frames: VecDeque::new(),
            kept_bytes: 0,
            text: String::new(),
            is_new: false,
            trials: 0,
        }
    }

    /// Forgets everything that has arrived so far.
    pub(super) fn clear(&mut self) {
        self.channel.clear();
        let channel = std::mem::take(&mut self.channel);
        let is_from_service_worker = self.is_from_service_worker;
        *self = Self { channel, end: self.end, is_from_service_worker, ..Self::new(0, &self.url) };
    }

    /// Adds a frame and passes it to the server, if the server is known.
    pub(super) fn frame(&mut self, server: Option<&mut Server>, at: Millis, sent: bool, text: &str) {
        self.end = None;
        self.opened_at = self.opened_at.or(Some(at));
        if sent {
            self.counts.sent += 1;
        } else {
            self.counts.received += 1;
            self.last_at = Some(at);
        }
        Server::frame(server, &mut self.channel, text, sent, at);
        self.kept_bytes += text.len();
        self.frames.push_back(Frame { at, sent, text: text.to_owned() });
        self.leave_out_until(MAX_KEPT);
    }

    /// Omits the oldest frames until the others have at most `max` bytes.
    fn leave_out_until(&mut self, max: usize) {
        while self.kept_bytes > max
            && let Some(oldest) = self.frames.pop_front()
        {
            self.kept_bytes -= oldest.text.len();
            self.counts.left_out += 1;
        }
    }

    /// Adds a message of an event stream. Its text is kept if Studio may have sent it.
    pub(super) fn message(&mut self, at: Millis, event: &str, data: &str, is_kept: bool) {
        self.end = None;
        self.opened_at = self.opened_at.or(Some(at));
        self.counts.received += 1;
        self.last_at = Some(at);
        if !is_kept {
            return;
        }
        self.is_new = true;
        if !event.is_empty() && event != "message" {
            self.text.push_str(&concat(&["event: ", event, "\n"]));
        }
        for line in data.lines() {
            self.text.push_str(&concat(&["data: ", line, "\n"]));
        }
        self.text.push('\n');
        if self.text.len() > MAX_KEPT {
            self.halve_text();
        }
    }

    /// Omits the older half of the text, which then begins with a whole message.
    fn halve_text(&mut self) {
        let messages = |text: &str| text.matches("\n\n").count() as u64;
        let half = self.text.ceil_char_boundary(self.text.len() / 2);
        let rest = self.text[half..].split_once("\n\n").map(|(_, rest)| rest.to_owned()).unwrap_or_default();
        self.counts.left_out += messages(&self.text) - messages(&rest);
        self.text = rest;
    }

    /// Whether the stored events with which an event stream begins may still be arriving at the time of a poll.
    fn may_be_replaying(&self, polled_at: Option<Millis>) -> bool {
        let (Some(polled_at), Some(last_at), Some(opened_at)) = (polled_at, self.last_at, self.opened_at)
        else {
            return false;
        };
        self.trials == 0
            && self.is_open()
            && polled_at.since(last_at) < QUIET_MS
            && polled_at.since(opened_at) < MAX_HELD_MS
    }

    /// Returns the whole text of an event stream as the answer to its request if messages have arrived since the last
    /// call. `polled_at` is the time of the last poll.
    pub(super) fn take_new_text(&mut self, polled_at: Option<Millis>) -> Option<Exchange> {
        let may_be_studio = self.server.is_some() || self.trials < MAX_TRIALS;
        if !self.is_new || !may_be_studio || self.may_be_replaying(polled_at) {
            return None;
        }
        self.is_new = false;
        self.trials += 1;
        let at = self.last_at?;
        let (url, method, body) = (self.url.clone(), "GET".to_owned(), self.text.clone());
        // Browsers only read event streams from answers with this status.
        let (service_worker, status) = (self.is_from_service_worker, Some(200));
        Some(Exchange { at, started: at, url, method, request: None, status, service_worker, body })
    }

    /// Returns the number of kept bytes.
    pub(super) fn size(&self) -> usize {
        self.kept_bytes + self.text.len()
    }

    /// Omits the kept part of a stream that has ended, and the older half of one that is open.
    pub(super) fn shrink(&mut self) {
        if self.is_open() {
            self.leave_out_until(self.kept_bytes / 2);
            self.halve_text();
        } else {
            self.leave_out_until(0);
            self.text = String::new();
        }
    }

    /// Records the end of the stream, whose cause may already be known.
    pub(super) fn end(&mut self, at: Millis, cause: EndCause) {
        self.end = self.end.or(Some((at, cause)));
    }

    pub(crate) fn counts(&self) -> Counts {
        // Without the others, the stored events of a stream that has ended are not used.
        let unused = if self.is_open() { 0 } else { self.channel.held_count() };
        Counts { missing: self.channel.missing + unused, ..self.counts }
    }

    /// Whether this is a socket rather than an event stream.
    pub(crate) fn is_socket(&self) -> bool {
        self.url.starts_with("ws")
    }

    pub(crate) fn is_open(&self) -> bool {
        self.end.is_none()
    }
}
