//! The traffic of a page as evidence: what a page and its Gateways send each other, observed by developer tools while it
//! happens. Nothing is requested of a server here, so nothing is known but what the page requested.
//!
//! A server is recognised by what it sends, never by its address: a Gateway by its envelope (`apiVersion` with `ok`, or the
//! greeting of its socket), Studio by its answers. Each is known by its origin, and there may be several.

mod entry;
mod har;
mod server;
mod stream;
mod studio;
#[cfg(test)]
mod tests;

pub use entry::{EndCause, Entry, Poll};
pub(crate) use server::Server;
pub(crate) use stream::Counts;

use std::collections::BTreeMap;

use crate::json::{Slice, fields};
use crate::time::Millis;
use server::Exchange;
use stream::Stream;

/// How much of all streams is kept for an export, bytes.
const MAX_KEPT: usize = 32 << 20;

/// How many streams are known; of further ones that have ended only the counts are.
const MAX_STREAMS: usize = 500;

/// What was observed of a page's traffic.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    servers: Vec<Server>,
    /// Sockets and event streams by the collector's name for them.
    streams: BTreeMap<String, Stream>,
    /// The number of the next stream.
    next_channel: usize,
    /// The counts of streams that are not known any more, by the place of their server.
    past_counts: BTreeMap<usize, Counts>,
    poll: Option<Poll>,
    failed_poll: Option<FailedPoll>,
    navigation: Option<Navigation>,
    cleared_at: Option<Millis>,
    too_large: Option<LargeAnswers>,
    dropped: u64,
    revision: u64,
}

/// The last time that the page was reloaded or went elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Navigation {
    /// When.
    pub(crate) at: Millis,
    /// Where the page is since then.
    pub(crate) url: String,
    /// Whether what was observed before is kept.
    pub(crate) kept: bool,
    /// How many runs had been observed.
    pub(crate) runs: usize,
    /// The addresses of the servers that had been observed.
    pub(crate) servers: Vec<String>,
}

/// The last poll, where the developer tools did not give out their log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FailedPoll {
    /// When the collector gave up.
    pub(crate) at: Millis,
    /// How long until the next poll, milliseconds.
    pub(crate) next_ms: f64,
}

/// Answers that were too large to be read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LargeAnswers {
    /// When the last one came.
    pub(crate) at: Millis,
    /// Its address.
    pub(crate) url: String,
    /// How many there were.
    pub(crate) count: u64,
}

impl Traffic {
    /// Takes in what was observed. Entries come in the order of their moments.
    pub(crate) fn take(&mut self, entry: &Entry) {
        match entry {
            Entry::Poll(poll) => return self.poll(poll),
            Entry::FailedPoll { at, next_ms } => {
                self.failed_poll = Some(FailedPoll { at: *at, next_ms: *next_ms });
                return;
            }
            Entry::Answer { at, started, url, method, request, status, body } => {
                let (at, started, request, status) = (*at, *started, request.as_deref(), *status);
                self.answer(&Exchange { at, started, url, method, request, status, body });
            }
            Entry::Frame { at, socket, url, sent, text } => self.frame(*at, socket, url, *sent, text),
            Entry::Message { at, stream, url, event, data } => self.message(*at, stream, url, event, data),
            Entry::End { at, stream, cause } => {
                if let Some(stream) = self.streams.get_mut(stream) {
                    stream.end(*at, *cause);
                }
            }
            Entry::Navigated { at, url, kept } => self.navigate(*at, url, *kept),
            Entry::Cleared { at } => self.cleared_at = Some(*at),
            Entry::TooLarge { at, url } => {
                let count = self.too_large.as_ref().map_or(0, |known| known.count) + 1;
                self.too_large = Some(LargeAnswers { at: *at, url: url.clone(), count });
            }
            Entry::Dropped { count } => self.dropped += count,
        }
        self.revision += 1;
    }

    /// Finishes the runs with new statements; call it after the entries of one poll.
    pub(crate) fn settle(&mut self) {
        self.read_event_streams();
        self.servers.iter_mut().for_each(Server::settle);
        self.forget_streams();
        self.shrink_streams();
    }

    /// Reads the event streams with new messages, which are read as a whole.
    fn read_event_streams(&mut self) {
        for stream in self.streams.values_mut() {
            let origin = origin(&stream.url);
            let Some(exchange) = stream.take_new_text() else { continue };
            let known = self.servers.iter().position(|server| server.origin() == origin);
            if let Some(known) = known {
                self.servers[known].stream(&exchange);
                continue;
            }
            let mut server = Server::studio(origin);
            server.stream(&exchange);
            if server.has_sessions() {
                stream.server = Some(self.servers.len());
                self.servers.push(server);
            }
        }
    }

    /// Forgets the streams that ended first where there are too many.
    fn forget_streams(&mut self) {
        while self.streams.len() > MAX_STREAMS
            && let Some(name) = self.oldest_closed(|_| true)
            && let Some(stream) = self.streams.remove(&name)
        {
            if let Some(server) = stream.server {
                *self.past_counts.entry(server).or_default() += stream.counts();
            }
        }
    }

    /// Leaves out what an export does not have to have: of the streams that ended first, then of the longest open ones.
    fn shrink_streams(&mut self) {
        let mut size: usize = self.streams.values().map(Stream::size).sum();
        while size > MAX_KEPT {
            let longest = || self.streams.iter().max_by_key(|(_, stream)| stream.size());
            let closed = self.oldest_closed(|stream| stream.size() > 0);
            let Some(name) = closed.or_else(|| longest().map(|(name, _)| name.clone())) else { return };
            let Some(stream) = self.streams.get_mut(&name) else { return };
            let before = stream.size();
            stream.shrink();
            size -= before - stream.size();
        }
    }

    /// The name of the stream that ended first, of those that `is` accepts.
    fn oldest_closed(&self, is: impl Fn(&Stream) -> bool) -> Option<String> {
        let ended = |(name, stream): (_, &Stream)| Some((stream.end?.0, name));
        let closed = self.streams.iter().filter(|(_, stream)| is(stream)).filter_map(ended);
        let oldest = closed.min_by(|(a, _): &(Millis, &String), (b, _)| a.0.total_cmp(&b.0));
        oldest.map(|(_, name)| name.clone())
    }

    /// Forgets everything that was observed. Open streams go on.
    pub(crate) fn clear(&mut self) {
        let (poll, revision) = (self.poll.take(), self.revision + 1);
        let mut streams = std::mem::take(&mut self.streams);
        streams.values_mut().for_each(Stream::clear);
        *self = Self { streams, next_channel: self.next_channel, poll, revision, ..Self::default() };
    }

    /// The Gateways and Studios that were observed, in the order in which they were.
    pub(crate) fn servers(&self) -> &[Server] {
        &self.servers
    }

    /// Changes with everything that is taken in, polls excepted.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// The last poll of the collector.
    pub(crate) fn last_poll(&self) -> Option<&Poll> {
        self.poll.as_ref()
    }

    /// The last poll, if it failed.
    pub(crate) fn failed_poll(&self) -> Option<FailedPoll> {
        self.failed_poll
    }

    /// The last reload or navigation.
    pub(crate) fn navigation(&self) -> Option<&Navigation> {
        self.navigation.as_ref()
    }

    /// When somebody cleared the network log of the developer tools.
    pub(crate) fn cleared_at(&self) -> Option<Millis> {
        self.cleared_at
    }

    /// Answers that were too large to be read.
    pub(crate) fn too_large(&self) -> Option<&LargeAnswers> {
        self.too_large.as_ref()
    }

    /// The Gateway at an address.
    pub(crate) fn gateway_at(&self, url: &str) -> Option<&Server> {
        let origin = origin(url);
        self.servers.iter().find(|server| server.is_gateway() && server.origin() == origin)
    }

    /// The first Gateway of which events are missing.
    pub(crate) fn gateway_with_gaps(&self) -> Option<&Server> {
        let with_gaps = self.streams.values().find(|stream| stream.counts().missing > 0);
        self.servers.get(with_gaps?.server?)
    }

    /// How many entries and events are missing: dropped by the collector, or not there by their numbers.
    pub(crate) fn missing(&self) -> (u64, u64) {
        let past = self.past_counts.values().copied();
        let counts = self.streams.values().map(Stream::counts).chain(past);
        (self.dropped, counts.map(|counts| counts.missing).sum())
    }

    /// What was counted of the streams of a server; `None` where it has none.
    pub(crate) fn counts_of(&self, server: usize) -> Option<Counts> {
        let past = self.past_counts.get(&server).copied();
        past.into_iter().chain(self.streams_of(server).map(Stream::counts)).reduce(|mut sum, counts| {
            sum += counts;
            sum
        })
    }

    /// The streams of a server.
    pub(crate) fn streams_of(&self, server: usize) -> impl Iterator<Item = &Stream> {
        self.streams.values().filter(move |stream| stream.server == Some(server))
    }

    /// What was observed of a server as a HAR file, for [`export`](crate::export::export).
    pub(crate) fn har(&self, server: usize) -> Option<String> {
        let left_out = self.counts_of(server).map_or(0, |counts| counts.left_out);
        Some(har::write(self.servers.get(server)?, self.streams_of(server), left_out))
    }

    fn poll(&mut self, poll: &Poll) {
        // A stream of which the collector has not said yet how it ended is not open either.
        for (name, stream) in &mut self.streams {
            if !poll.open_streams.contains(name) {
                stream.end(poll.at, EndCause::Closed);
            }
        }
        self.poll = Some(poll.clone());
        self.failed_poll = None;
    }

    fn answer(&mut self, exchange: &Exchange<'_>) {
        let origin = origin(exchange.url);
        let known = self.servers.iter().position(|server| server.origin() == origin);
        if let Some(known) = known {
            return self.servers[known].answer(exchange);
        }
        let mut server = if is_gateway(exchange.body) {
            Server::gateway(origin)
        } else if studio::may_answer(exchange.url) {
            Server::studio(origin)
        } else {
            return;
        };
        server.answer(exchange);
        // A path of Studio's is no proof.
        if server.is_gateway() || server.has_sessions() {
            self.servers.push(server);
        }
    }

    fn frame(&mut self, at: Millis, socket: &str, url: &str, sent: bool, text: &str) {
        let stream = stream_of(&mut self.streams, &mut self.next_channel, socket, url);
        // What the collector has dropped is counted by itself.
        if self.dropped > 0 {
            stream.channel.expect_late_start();
        }
        if stream.server.is_none() && !sent && is_gateway(text) {
            let origin = origin(url);
            let known = self.servers.iter().position(|server| server.origin() == origin);
            stream.server = known.or_else(|| {
                self.servers.push(Server::gateway(origin));
                Some(self.servers.len() - 1)
            });
        }
        let server = stream.server.and_then(|server| self.servers.get_mut(server));
        stream.frame(server, at, sent, text);
    }

    fn message(&mut self, at: Millis, name: &str, url: &str, event: &str, data: &str) {
        let origin = origin(url);
        let known = self.servers.iter().position(|server| server.origin() == origin);
        let may_be_studio = studio::may_answer(url);
        if known.is_none() && !may_be_studio {
            return;
        }
        let stream = stream_of(&mut self.streams, &mut self.next_channel, name, url);
        stream.server = stream.server.or(known);
        stream.message(at, event, data, may_be_studio);
    }

    fn navigate(&mut self, at: Millis, url: &str, kept: bool) {
        // A stream of the new page may have been observed before its page was announced.
        for stream in
            self.streams.values_mut().filter(|stream| stream.opened_at.is_none_or(|opened| opened < at))
        {
            stream.end(at, EndCause::Navigated);
        }
        let runs = self.servers.iter().map(Server::len).sum();
        let servers = self.servers.iter().map(|server| server.address().to_owned()).collect();
        self.navigation = Some(Navigation { at, url: url.to_owned(), kept, runs, servers });
        if !kept {
            self.servers.clear();
            self.streams.clear();
            self.past_counts.clear();
            (self.cleared_at, self.too_large, self.dropped) = (None, None, 0);
        }
    }
}

/// The stream with a name, a new one where there is none.
fn stream_of<'a>(
    streams: &'a mut BTreeMap<String, Stream>,
    next_channel: &mut usize,
    name: &str,
    url: &str,
) -> &'a mut Stream {
    streams.entry(name.to_owned()).or_insert_with(|| {
        *next_channel += 1;
        Stream::new(*next_channel - 1, url)
    })
}

/// Whether a text is what a Gateway says: an answer in its envelope, or an event of its socket.
fn is_gateway(text: &str) -> bool {
    let Ok(slice) = Slice::of_text(text) else { return false };
    let Ok([version, ok, kind, payload, data, error]) =
        fields(slice, ["apiVersion", "ok", "type", "payload", "data", "error"])
    else {
        return false;
    };
    let is_answer = ok.is_some_and(|ok| matches!(ok.json(), "true" | "false"));
    let has_envelope = version.and_then(Slice::text).as_deref() == Some("v1");
    let is_event = kind.and_then(Slice::text).as_deref() == Some("event");
    if has_envelope {
        return payload.or(error).is_some() && (is_answer || is_event);
    }
    // The REST interface has no version in its envelope; what it says of runs decides.
    is_answer && data.is_some_and(|data| data.json().contains("\"runId\""))
}

/// Scheme, host and port of an address, `http` for `ws`.
fn origin(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let scheme = match scheme {
        "ws" => "http",
        "wss" => "https",
        other => other,
    };
    crate::text::concat(&[scheme, "://", host])
}
