//! The line above the runs of a server: how the page communicates with it, and when that was last observed.

use super::TrafficSource;
use crate::format;
use crate::ingest::traffic::{EndCause, Stream};
use crate::time::Millis;

impl TrafficSource {
    /// Returns the line of the server at an index.
    pub(super) fn line_of(&self, server: usize, now: Millis) -> String {
        let (count, last_answer) = self.traffic.servers()[server].last_answer();
        let seen = last_answer.map(|at| format!(" · seen {}", format::ago(now.since(at))));
        let answers = (count > 0).then(|| format!("HTTP responses{}", seen.unwrap_or_default()));
        let streams = self.traffic.streams_of(server);
        let newest = streams
            .max_by_key(|stream| (stream.is_open(), stream.last_at.map_or(0, |at| at.0 as u64)))
            .map(|stream| self.stream_line(stream, now));
        answers.into_iter().chain(newest).collect::<Vec<_>>().join("; ")
    }

    fn stream_line(&self, stream: &Stream, now: Millis) -> String {
        let state = match (stream.end, stream.last_at) {
            (Some((at, cause)), _) => format!("{} {}", end(cause), format::clock(at)),
            (None, Some(last)) if self.delivers(last, now) => {
                format!("following · {}", format::age(now.since(last)))
            }
            (None, Some(last)) => format!("silent for {}", format::age(now.since(last))),
            (None, None) => "no messages yet".to_owned(),
        };
        let kind = if stream.is_socket() { "WebSocket" } else { "Event stream" };
        format!("{kind} · {state}")
    }
}

fn end(cause: EndCause) -> &'static str {
    match cause {
        EndCause::Closed => "closed",
        EndCause::Navigated => "ended when the page navigated",
        EndCause::Cleared => "not shown since the log was cleared",
        EndCause::Truncated => "too large to be read since",
    }
}
