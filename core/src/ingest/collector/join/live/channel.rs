//! One socket of a server whose traffic is observed.

use std::collections::BTreeSet;

use crate::frame::{Envelope, EventNumbers};
use crate::ingest::collector::socket::Socket;
use crate::ingest::request::Request;
use crate::json::{Slice, fields};
use crate::time::Millis;

/// A socket of the server: it relates answers to their requests and counts events by their numbers.
#[derive(Default)]
pub(crate) struct Channel {
    /// The number of the channel, unique within one server.
    pub(crate) number: usize,
    pub(super) socket: Socket,
    /// The time of the first frame.
    pub(super) opened_at: Option<Millis>,
    pub(super) is_greeted: bool,
    event_numbers: EventNumbers,
    /// The number of missing events according to the events' numbers.
    pub(crate) missing: u64,
    /// Whether the first frames may have been dropped before they arrived here.
    may_lack_start: bool,
    pub(super) lacks_start: bool,
    /// The runs whose events the server still sends; `None` if it sends the events of all runs.
    pub(super) narrowed_to: Option<BTreeSet<String>>,
    /// How far the estimate of the server's clock had moved when the channel was read last, in milliseconds.
    moved_ms: f64,
}

/// The methods after which the server sends a socket only the events of the requested run (protocol section 5, item 8),
/// under all their names, and the methods with the same effect if they let a run continue.
const NARROWING_METHODS: [&str; 13] = [
    "launchRun",
    "runs.create",
    "runs.rerun",
    "cronRun",
    "cron.trigger",
    "submitApproval",
    "approvals.decide",
    "submitSignal",
    "signals.send",
    "resumeRun",
    "retryTask",
    "rewindRun",
    "jumpToFrame",
];

impl Channel {
    pub(crate) fn new(number: usize) -> Self {
        Self { number, ..Self::default() }
    }

    /// Accepts missing first frames, which may have been dropped and are then counted elsewhere.
    pub(crate) fn expect_late_start(&mut self) {
        self.may_lack_start = true;
    }

    /// Forgets the greeting and the number of missing events; the numbering continues.
    pub(crate) fn clear(&mut self) {
        (self.opened_at, self.is_greeted, self.missing) = (None, false, 0);
    }

    /// Returns the number of stored events that are held until the others have arrived.
    pub(crate) fn held_count(&self) -> u64 {
        self.socket.replays.held_count() as u64
    }

    /// Whether the channel was open at a time of the server's clock, so that it has delivered what happened since.
    pub(crate) fn was_open_at(&self, at: Millis) -> bool {
        self.missing == 0 && self.opened_at.is_some_and(|opened| opened <= at)
    }

    /// Whether the server sends this channel the events of a run.
    pub(super) fn has_events_of(&self, run_id: &str) -> bool {
        self.narrowed_to.as_ref().is_none_or(|runs| runs.contains(run_id))
    }

    /// Moves the times of what is held to the present estimate of the server's clock, which has moved by `moved_ms` in total.
    pub(super) fn follow_clock(&mut self, moved_ms: f64) {
        let ms = moved_ms - std::mem::replace(&mut self.moved_ms, moved_ms);
        if ms != 0.0 {
            self.opened_at.iter_mut().chain(self.socket.replays.times()).for_each(|at| at.0 += ms);
        }
    }

    /// Returns the open request that a response answers.
    pub(crate) fn request_of(&self, response: &str) -> Option<&Request> {
        let envelope = Envelope::read(Slice::from_text(response).ok()?).ok()?;
        self.socket.request_of(&envelope.id?.text()?)
    }

    /// Returns the run to which this response narrows the channel's events, in addition to the runs of earlier
    /// responses.
    pub(super) fn narrows_to(&self, response: Slice<'_>) -> Option<String> {
        let envelope = Envelope::read(response).ok()?;
        let request = self.socket.request_of(&envelope.id?.text()?)?;
        let narrows = request.method.as_deref().is_some_and(|method| NARROWING_METHODS.contains(&method));
        if !narrows || envelope.is_ok() != Some(true) {
            return None;
        }
        // The response to a launch names the run; the response to a signal does not.
        let named = envelope.payload.and_then(|payload| fields(payload, ["runId"]).ok()?[0]?.text());
        Some(named.or_else(|| request.run_id.clone()).unwrap_or_default())
    }

    /// Counts missing events.
    pub(super) fn count(&mut self, seq: Option<Slice<'_>>) {
        let Some(seq) = seq.and_then(Slice::number) else { return };
        let missing = match self.event_numbers.missing_before(seq) {
            None if self.may_lack_start => {
                self.lacks_start = seq > 1.0;
                0
            }
            None => (seq - 1.0) as u64,
            Some(missing) => missing,
        };
        self.missing = self.missing.saturating_add(missing);
    }
}
