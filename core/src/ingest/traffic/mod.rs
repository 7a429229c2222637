//! Uses the traffic of a page as evidence: the messages between a page and its Gateways, observed by the developer
//! tools in real time. This module never sends a request to a server, so only the answers to the page's own requests
//! are known.
//!
//! A server is recognised by its messages, never by its address: a Gateway by its envelope (`apiVersion` with `ok`, or
//! the greeting of its socket), Studio by its answers. Each server is identified by its origin; a page may use several
//! servers.

mod entry;
mod exchange;
mod har;
mod missing;
mod recognition;
mod sender;
mod server;
mod stream;
mod studio;
#[cfg(test)]
mod tests;

pub use entry::{EndCause, Entry, Poll};
pub(crate) use missing::{FailedPoll, LargeAnswers, MAX_UNREAD_SERVERS, Missing, UnreadServers};
pub use recognition::KnownServers;
pub(crate) use sender::Sender;
pub(crate) use server::Server;
pub(crate) use stream::Counts;

use std::collections::BTreeMap;

use crate::time::Millis;
use exchange::Exchange;
use recognition::Sent;
use sender::origin;
pub(crate) use stream::Stream;

/// Maximum size of the kept parts of all streams for an export, bytes.
const MAX_KEPT: usize = 32 << 20;

/// Maximum number of known streams; of further streams that have ended, only the counts are known.
const MAX_STREAMS: usize = 500;

/// Maximum number of known servers; the traffic of further ones is not read.
const MAX_SERVERS: usize = 200;

/// The observed traffic of a page.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    servers: Vec<Server>,
    /// The sockets and event streams by the collector's names.
    streams: BTreeMap<String, Stream>,
    /// The number of the next stream.
    next_channel: usize,
    /// The counts of streams that are no longer known, by the index of their server.
    past_counts: BTreeMap<usize, Counts>,
    poll: Option<Poll>,
    failed_poll: Option<FailedPoll>,
    navigation: Option<Navigation>,
    cleared_at: Option<Millis>,
    too_large: Option<LargeAnswers>,
    unread_servers: UnreadServers,
    missing: Missing,
    revision: u64,
    /// The senders of the servers at the last call of `settle`.
    settled_servers: Vec<Sender>,
    /// The revision in which these last changed.
    servers_changed_in: u64,
}

/// The last reload or navigation of the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Navigation {
    /// The time of the navigation.
    pub(crate) at: Millis,
    /// The address of the page since then.
    pub(crate) url: String,
    /// Whether the earlier observations are kept.
    pub(crate) kept: bool,
    /// The number of runs observed before.
    pub(crate) runs: usize,
    /// The addresses of the servers observed before.
    pub(crate) servers: Vec<String>,
}

impl Traffic {
    /// Reads an entry. Entries arrive in chronological order.
    pub(crate) fn take(&mut self, entry: &Entry) {
        match entry {
            Entry::Poll(poll) => return self.poll(poll),
            Entry::FailedPoll { at, next_ms } => {
                self.failed_poll = Some(FailedPoll { at: *at, next_ms: *next_ms });
                return;
            }
            Entry::Answer { at, started, url, method, request, status, service_worker, body } => {
                let (at, started, url, method) = (*at, *started, url.clone(), method.clone());
                let (request, status, body) = (request.clone(), *status, body.clone());
                let service_worker = *service_worker;
                self.answer(Exchange { at, started, url, method, request, status, service_worker, body });
            }
            Entry::Frame { at, socket, url, sent, text } => self.frame(*at, socket, url, *sent, text),
            Entry::Message { at, stream, url, service_worker, event, data } => {
                self.message(*at, stream, &Sender::at(url, *service_worker), url, event, data);
            }
            Entry::End { at, stream, cause } => {
                if let Some(stream) = self.streams.get_mut(stream) {
                    stream.end(*at, *cause);
                }
            }
            Entry::Navigated { at, url, kept } => self.navigate(*at, url, *kept),
            Entry::Cleared { at } => self.cleared_at = Some(*at),
            Entry::TooLarge { at, url, limit_mb } => {
                let count = self.too_large.as_ref().map_or(0, |known| known.count) + 1;
                self.too_large = Some(LargeAnswers { at: *at, url: url.clone(), limit_mb: *limit_mb, count });
            }
            Entry::UnreadServer { url, .. } => self.unread_servers.add(Sender::at(url, false).address()),
            Entry::Dropped { count } => self.missing.dropped += count,
            Entry::Unreadable { .. } => self.missing.unreadable += 1,
        }
        self.revision += 1;
    }

    /// Finishes the runs with new statements. Call this after the entries of one poll.
    pub(crate) fn settle(&mut self) {
        self.read_event_streams();
        let revision = self.revision;
        self.servers.iter_mut().for_each(|server| server.settle(revision));
        if !self.servers.iter().map(Server::sender).eq(&self.settled_servers) {
            self.settled_servers = self.servers.iter().map(|server| server.sender().clone()).collect();
            self.servers_changed_in = revision;
        }
        self.forget_streams();
        self.shrink_streams();
    }

    /// Reads the event streams with new messages. Each stream is read as a whole.
    fn read_event_streams(&mut self) {
        let polled_at = self.poll.as_ref().map(|poll| poll.at);
        for stream in self.streams.values_mut() {
            let Some(exchange) = stream.take_new_text(polled_at) else { continue };
            // A poll can end the wait for a stream, without an entry that changes anything.
            self.revision += 1;
            let sender = exchange.sender();
            let known = self.servers.iter().position(|server| *server.sender() == sender);
            if let Some(known) = known {
                self.servers[known].stream(exchange);
                continue;
            }
            let mut server = Server::studio(sender);
            server.stream(exchange);
            if server.has_sessions() {
                stream.server = add_server(&mut self.servers, &mut self.unread_servers, server);
            }
        }
    }

    /// Forgets the streams that ended first if too many are known.
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

    /// Omits frames that an export does not need: first those of the streams that ended first, then those of the
    /// longest open streams.
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

    /// Returns the name of the stream that ended first among those that `is` accepts.
    fn oldest_closed(&self, is: impl Fn(&Stream) -> bool) -> Option<String> {
        let ended = |(name, stream): (_, &Stream)| Some((stream.end?.0, name));
        let closed = self.streams.iter().filter(|(_, stream)| is(stream)).filter_map(ended);
        let oldest = closed.min_by(|(a, _): &(Millis, &String), (b, _)| a.0.total_cmp(&b.0));
        oldest.map(|(_, name)| name.clone())
    }

    /// Forgets everything that was observed. Open streams continue.
    pub(crate) fn clear(&mut self) {
        let (poll, revision) = (self.poll.take(), self.revision + 1);
        let mut streams = std::mem::take(&mut self.streams);
        streams.values_mut().for_each(Stream::clear);
        *self = Self {
            streams,
            next_channel: self.next_channel,
            poll,
            revision,
            servers_changed_in: revision,
            ..Self::default()
        };
    }

    /// Returns the observed Gateways and Studios, in the order of their first observation.
    pub(crate) fn servers(&self) -> &[Server] {
        &self.servers
    }

    /// Returns a number that changes with every entry except polls.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns the rows that changed after a revision, counted over all servers in their order; `None` if rows were
    /// added, removed or moved.
    pub(crate) fn rows_changed_after(&self, revision: u64) -> Option<Vec<usize>> {
        if self.servers_changed_in > revision {
            return None;
        }
        let (mut changed, mut before) = (Vec::new(), 0);
        for server in &self.servers {
            changed.extend(server.rows_changed_after(revision)?.into_iter().map(|place| before + place));
            before += server.len();
        }
        Some(changed)
    }

    /// Returns the last poll of the collector.
    pub(crate) fn last_poll(&self) -> Option<&Poll> {
        self.poll.as_ref()
    }

    /// Returns the last poll if it failed.
    pub(crate) fn failed_poll(&self) -> Option<FailedPoll> {
        self.failed_poll
    }

    /// Returns the last reload or navigation.
    pub(crate) fn navigation(&self) -> Option<&Navigation> {
        self.navigation.as_ref()
    }

    /// Returns the time at which the user cleared the network log of the developer tools.
    pub(crate) fn cleared_at(&self) -> Option<Millis> {
        self.cleared_at
    }

    /// Returns the answers that were too large to be read.
    pub(crate) fn too_large(&self) -> Option<&LargeAnswers> {
        self.too_large.as_ref()
    }

    /// Returns the servers beyond the limit.
    pub(crate) fn unread_servers(&self) -> &UnreadServers {
        &self.unread_servers
    }

    /// Returns the Gateway at an address.
    pub(crate) fn gateway_at(&self, url: &str) -> Option<&Server> {
        let origin = origin(url);
        self.servers.iter().find(|server| server.is_gateway() && server.sender().origin == origin)
    }

    /// Returns the first Gateway with missing events.
    pub(crate) fn gateway_with_gaps(&self) -> Option<&Server> {
        let with_gaps = self.streams.values().find(|stream| stream.counts().missing > 0);
        self.servers.get(with_gaps?.server?)
    }

    /// Returns the numbers of missing messages.
    pub(crate) fn missing(&self) -> Missing {
        let past = self.past_counts.values().copied();
        let counts = self.streams.values().map(Stream::counts).chain(past);
        Missing { events: counts.map(|counts| counts.missing).sum(), ..self.missing }
    }

    /// Returns the counts of a server's streams; `None` if it has none.
    pub(crate) fn counts_of(&self, server: usize) -> Option<Counts> {
        let past = self.past_counts.get(&server).copied();
        past.into_iter().chain(self.streams_of(server).map(Stream::counts)).reduce(|mut sum, counts| {
            sum += counts;
            sum
        })
    }

    /// Returns the streams of a server.
    pub(crate) fn streams_of(&self, server: usize) -> impl Iterator<Item = &Stream> {
        self.streams.values().filter(move |stream| stream.server == Some(server))
    }

    /// Returns the observed traffic of a server as a HAR file, for [`export`](crate::export::export).
    pub(crate) fn har(&self, server: usize) -> Option<String> {
        let left_out = self.counts_of(server).map_or(0, |counts| counts.left_out);
        let sockets = self.streams_of(server).map(|stream| (stream.url.as_str(), &stream.frames));
        Some(har::write(self.servers.get(server)?.answers().iter(), sockets, left_out))
    }

    fn poll(&mut self, poll: &Poll) {
        // A stream whose end the collector has not reported yet is not open either.
        for (name, stream) in &mut self.streams {
            if !poll.open_streams.contains(name) {
                stream.end(poll.at, EndCause::Closed);
            }
        }
        self.poll = Some(poll.clone());
        self.failed_poll = None;
    }

    fn answer(&mut self, exchange: Exchange) {
        let sender = exchange.sender();
        let known = self.servers.iter().position(|server| *server.sender() == sender);
        if let Some(known) = known {
            return self.servers[known].answer(exchange);
        }
        let Exchange { method, url, status, body, .. } = &exchange;
        let mut server = match recognition::of_answer(method, url, *status, body) {
            Some(Sent::ByGateway) => Server::gateway(sender),
            Some(Sent::ByStudio) => Server::studio(sender),
            None => return,
        };
        server.answer(exchange);
        // Studio's reports about itself have no runs.
        if server.is_gateway() || server.has_sessions() {
            add_server(&mut self.servers, &mut self.unread_servers, server);
        }
    }

    fn frame(&mut self, at: Millis, socket: &str, url: &str, sent: bool, text: &str) {
        let stream = stream_of(&mut self.streams, &mut self.next_channel, socket, url);
        // Messages that are missing in the collector are counted separately.
        if self.missing != Missing::default() {
            stream.channel.expect_late_start();
        }
        if stream.server.is_none() && !sent && recognition::is_frame(text) {
            // A service worker cannot answer for a socket.
            let sender = Sender::at(url, false);
            let known = self.servers.iter().position(|server| *server.sender() == sender);
            let server = Server::gateway(sender);
            stream.server = known.or_else(|| add_server(&mut self.servers, &mut self.unread_servers, server));
        }
        let server = stream.server.and_then(|server| self.servers.get_mut(server));
        stream.frame(server, at, sent, text);
    }

    fn message(&mut self, at: Millis, name: &str, sender: &Sender, url: &str, event: &str, data: &str) {
        let known = self.servers.iter().position(|server| server.sender() == sender);
        let may_be_studio = recognition::has_studio_route(url);
        if known.is_none() && !may_be_studio {
            return;
        }
        let stream = stream_of(&mut self.streams, &mut self.next_channel, name, url);
        stream.server = stream.server.or(known);
        stream.is_from_service_worker = sender.is_service_worker;
        stream.message(at, event, data, may_be_studio);
    }

    fn navigate(&mut self, at: Millis, url: &str, kept: bool) {
        // A stream of the new page may be observed before the navigation to that page.
        for stream in
            self.streams.values_mut().filter(|stream| stream.opened_at.is_none_or(|opened| opened < at))
        {
            stream.end(at, EndCause::Navigated);
        }
        let runs = self.servers.iter().map(Server::len).sum();
        let servers = self.servers.iter().map(|server| server.sender().name()).collect();
        self.navigation = Some(Navigation { at, url: url.to_owned(), kept, runs, servers });
        if !kept {
            self.servers.clear();
            self.streams.clear();
            self.past_counts.clear();
            (self.cleared_at, self.too_large, self.missing) = (None, None, Missing::default());
            self.unread_servers = UnreadServers::default();
        }
    }
}

/// Returns the stream with a name, or a new one if the name is unknown.
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

/// Adds a server and returns its index; `None` if it is beyond the limit.
fn add_server(servers: &mut Vec<Server>, unread: &mut UnreadServers, server: Server) -> Option<usize> {
    if servers.len() >= MAX_SERVERS {
        unread.add(server.sender().address());
        return None;
    }
    servers.push(server);
    Some(servers.len() - 1)
}
