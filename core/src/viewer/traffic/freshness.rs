//! Computes how old what was observed in a page's traffic is.

use super::TrafficSource;
use crate::freshness::Freshness;
use crate::ingest::traffic::{Poll, Stream};
use crate::smithers::derive::RUN_STATE_HEARTBEAT_STALE_MS;
use crate::time::Millis;

/// Silence of a socket, in milliseconds, after which it counts as delivering nothing: a Gateway ticks every 15 s.
const SILENCE_MS: f64 = 20_000.0;

/// The age from which the states of nodes show it, in milliseconds: rows of a live list do so, too.
const OLD_NODES_MS: f64 = 3_000.0;

/// The age from which a row of the list shows it, in milliseconds: Smithers' console reads its list every 5 s. A stream of events
/// does not replace the answers: no event announces that a run pauses or waits, or what another process does.
const OLD_ROW_MS: f64 = 6_000.0;

/// Maximum delay of the collector's next poll, milliseconds, before its last poll counts as outdated.
const LATE_POLL_MS: f64 = 3_000.0;

impl TrafficSource {
    /// Whether a stream that was open at the last poll, and delivered something at `last`, still delivers.
    pub(super) fn delivers(&self, last: Millis, now: Millis) -> bool {
        self.traffic.last_poll().is_some_and(|poll| is_recent(poll, now)) && now.since(last) <= SILENCE_MS
    }

    /// Returns the freshness of the run on screen at `now` of the viewer's clock. Its header shows the age of its state beside it.
    pub(super) fn freshness(&self, server: usize, place: usize, now: Millis) -> Freshness {
        self.freshness_with_limit(server, place, RUN_STATE_HEARTBEAT_STALE_MS, now)
    }

    /// Returns the freshness of a row of the list at `now` of the viewer's clock.
    pub(super) fn row_freshness(&self, server: usize, place: usize, now: Millis) -> Freshness {
        self.freshness_with_limit(server, place, OLD_ROW_MS, now)
    }

    /// A state that was observed longer ago than the limit, in milliseconds, is one of the past.
    fn freshness_with_limit(&self, server: usize, place: usize, limit_ms: f64, now: Millis) -> Freshness {
        let known = &self.traffic.servers()[server];
        let (last, state_at, _) = known.times(place);
        let delivered = self.stream_of(server, place, now).and_then(|stream| stream.last_at);
        let server_now = known.now(now);
        if known.lacks(place) {
            return Freshness::Refused { as_of: state_at.or(last).unwrap_or(server_now) };
        }
        let is_behind = self.traffic.last_poll().is_some_and(|poll| !is_recent(poll, now));
        let is_old = |at: &Millis| is_behind || server_now.since(*at) > limit_ms;
        Freshness::Traffic {
            last: delivered.map(|at| known.now(at)).or(last).unwrap_or(server_now),
            old_state: state_at.filter(is_old),
            follows: delivered.is_some(),
        }
    }

    /// Returns the stream that delivers the events of a run at `now`.
    fn stream_of(&self, server: usize, place: usize, now: Millis) -> Option<&Stream> {
        let (.., channel) = self.traffic.servers()[server].times(place);
        let mut streams = self.traffic.streams_of(server);
        let stream = streams.find(|stream| Some(stream.channel.number) == channel && stream.is_open())?;
        stream.last_at.filter(|last| self.delivers(*last, now)).map(|_| stream)
    }

    /// Returns the time of the nodes of a run if they may have changed since: nothing has delivered all events about them, and
    /// the run had not ended.
    pub(super) fn old_nodes(&self, server: usize, place: usize, now: Millis) -> Option<Millis> {
        let known = &self.traffic.servers()[server];
        let nodes_at = known.nodes_at(place)?;
        let is_followed =
            self.stream_of(server, place, now).is_some_and(|stream| stream.channel.was_open_at(nodes_at));
        let had_ended = known.run(place)?.finished_at.is_some_and(|end| end <= nodes_at);
        let is_old = known.now(now).since(nodes_at) > OLD_NODES_MS;
        (is_old && !is_followed && !had_ended).then_some(nodes_at)
    }
}

/// Whether the traffic up to the last poll is what the page has exchanged until now, up to a short delay.
fn is_recent(poll: &Poll, now: Millis) -> bool {
    now.since(poll.at) <= poll.next_ms + LATE_POLL_MS
}
