//! One socket or event stream of a page.

use std::collections::VecDeque;

use super::EndCause;
use super::server::Server;
use crate::ingest::collector::Channel;
use crate::text::concat;
use crate::time::Millis;

/// How much of a stream is kept for an export, bytes. Runs keep the statements about them.
const MAX_KEPT: usize = 4 << 20;

/// A socket or an event stream.
pub(crate) struct Stream {
    /// The server that it belongs to, by its place.
    pub(crate) server: Option<usize>,
    pub(crate) url: String,
    pub(crate) channel: Channel,
    /// When the first frame passed.
    pub(crate) opened_at: Option<Millis>,
    /// When the last frame came from the server.
    pub(crate) last: Option<Millis>,
    /// When and how it ended; `None` while it is open.
    pub(crate) end: Option<(Millis, EndCause)>,
    /// How many frames the page received and sent.
    pub(crate) received: u64,
    pub(crate) sent: u64,
    /// Frames for an export, the oldest first, and how many bytes they have.
    pub(crate) frames: VecDeque<Frame>,
    kept: usize,
    /// The text of an event stream.
    text: String,
}

/// A frame for an export.
pub(crate) struct Frame {
    pub(crate) at: Millis,
    pub(crate) sent: bool,
    pub(crate) text: String,
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
            channel: Channel::new(number),
            opened_at: None,
            last: None,
            end: None,
            received: 0,
            sent: 0,
            frames: VecDeque::new(),
            kept: 0,
            text: String::new(),
        }
    }

    /// Forgets what came until now.
    pub(super) fn clear(&mut self) {
        self.channel.clear();
        let channel = std::mem::take(&mut self.channel);
        *self = Self { channel, end: self.end, ..Self::new(0, &self.url) };
    }

    /// Takes in a frame; a server that is not known yet does not get it.
    pub(super) fn frame(&mut self, server: Option<&mut Server>, at: Millis, sent: bool, text: &str) {
        self.end = None;
        self.opened_at = self.opened_at.or(Some(at));
        if sent {
            self.sent += 1;
        } else {
            self.received += 1;
            self.last = Some(at);
        }
        Server::frame(server, &mut self.channel, text, sent, at);
        self.kept += text.len();
        self.frames.push_back(Frame { at, sent, text: text.to_owned() });
        while self.kept > MAX_KEPT
            && let Some(oldest) = self.frames.pop_front()
        {
            self.kept -= oldest.text.len();
        }
    }

    /// Takes in a message of an event stream. Returns its whole text.
    pub(super) fn message(&mut self, at: Millis, event: &str, data: &str) -> &str {
        self.end = None;
        self.opened_at = self.opened_at.or(Some(at));
        self.received += 1;
        self.last = Some(at);
        if !event.is_empty() && event != "message" {
            self.text.push_str(&concat(&["event: ", event, "\n"]));
        }
        for line in data.lines() {
            self.text.push_str(&concat(&["data: ", line, "\n"]));
        }
        self.text.push('\n');
        if self.text.len() > MAX_KEPT {
            // A stream begins anew at a whole message.
            let half = self.text.len() / 2;
            let rest = self.text.get(half..).and_then(|rest| Some(rest.split_once("\n\n")?.1.to_owned()));
            self.text = rest.unwrap_or_default();
        }
        &self.text
    }

    /// The stream has ended; its cause may be known already.
    pub(super) fn end(&mut self, at: Millis, cause: EndCause) {
        self.end = self.end.or(Some((at, cause)));
    }

    pub(crate) fn missing(&self) -> u64 {
        self.channel.missing
    }

    pub(crate) fn is_open(&self) -> bool {
        self.end.is_none()
    }
}
