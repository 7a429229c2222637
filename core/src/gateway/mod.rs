//! The Gateway client as a state machine: it receives frames and `now`, and returns an inspection and the next wake-up.
//!
//! The client does no I/O. The adapter carries out the [`ClientEffect`]s, hands in each [`ClientInput`], and calls back
//! with [`ClientInput::Timer`] at the time that the last call returned. The run's state always comes from `getRun`,
//! even if events and streams differ (seed 000, protocol sections 3 and 5).
//!
//! The adapter is a short loop. In this example it answers two methods itself, in place of a Gateway:
//!
//! ```
//! use runstate::gateway::{ClientEffect, ClientInput, ClientOptions};
//! use runstate::time::Millis;
//! use runstate::viewer::{GatewaySource, Update, Viewer};
//! use serde_json::{Value, json};
//!
//! let mut options = ClientOptions::new("ws://127.0.0.1:7331", 1);
//! options.run_id = Some("r1".to_owned());
//! let mut viewer = Viewer::new(GatewaySource::connect(options, Millis(0.0)));
//!
//! let mut effects = viewer.gateway().unwrap().handle(None, Millis(0.0)).0;
//! while let Some(effect) = effects.pop() {
//!     let answer = match effect {
//!         ClientEffect::Open { .. } => None,
//!         ClientEffect::Close => break,
//!         ClientEffect::Send(frame) => {
//!             let question: Value = serde_json::from_str(&frame)?;
//!             let payload = match question["method"].as_str() {
//!                 Some("connect") => json!({"protocol": 1, "policy": {"heartbeatMs": 15000}, "snapshot": {"runs": []}}),
//!                 Some("getRun") => json!({"runId": "r1", "status": "waiting-event", "runState": {
//!                     "runId": "r1", "computedAt": "2026-11-21T14:06:08.000Z", "state": "waiting-event",
//!                     "blocked": {"kind": "event", "nodeId": "ship", "correlationKey": "order-7"}}}),
//!                 _ => continue,
//!             };
//!             Some(json!({"type": "res", "id": question["id"], "ok": true, "payload": payload}).to_string())
//!         }
//!     };
//!     let input = answer.as_deref().map_or(ClientInput::Opened, ClientInput::Text);
//!     effects.extend(viewer.gateway().unwrap().handle(Some(input), Millis(4.0)).0);
//! }
//!
//! let updates = viewer.updates(Millis(5.0));
//! let header = updates.into_iter().find_map(|update| match update {
//!     Update::Header(header) => header,
//!     _ => None,
//! });
//! assert_eq!(header.unwrap().state.as_deref(), Some("waiting-event"));
//! # Ok::<(), serde_json::Error>(())
//! ```

mod connection;
mod event_witness;
mod model;
mod poller;
mod reason_age;
mod schedule;
mod unreadable;
mod watchdog;

mod answers;
mod backoff;
mod details;
mod events;
mod fresh;
mod http;
mod io;
mod read;
mod reading;
mod requests;
mod row_answers;
mod row_nodes;
mod row_reasons;
mod running_rows;
mod stored_events;

use std::collections::VecDeque;

pub use details::DETAIL_LIMIT_MS;
pub(crate) use details::{DetailAnswer, DetailQuestion, Details, Failure};
pub use io::{
    ClientEffect, ClientInput, ClientOptions, HttpResponse, OpenFailure, Reconnect, Token, Transport,
};
pub(crate) use io::{ConnectionPhase, Revision};
pub(crate) use read::{Rows, detail_rows};
pub use requests::ANSWER_LIMIT_MS;
pub(crate) use stored_events::StoredEvents;

use crate::clock::Clock;
use crate::format;
use crate::frame::{EventNumbers, Frame};
use crate::log::EventFeed;
use crate::refusal::Refusal;
use crate::run::Inspection;
use crate::smithers::wire::{ApprovalRequest, NodeState};
use crate::time::Millis;
use crate::tree::Delta;
use crate::word::Word;
use backoff::Backoff;
use connection::{Connection, Opening};
use event_witness::{EventWitness, ServerState};
use model::Model;
use reason_age::ReasonAge;
use requests::Requests;
use row_reasons::RowReasons;
use schedule::{Page, Schedule, Stream};
use unreadable::UnreadableFrames;
use watchdog::Watchdog;

/// Delay of a timer, in milliseconds, which means that the page was hidden or the machine slept. Browsers run the
/// timers of a hidden page once a second or once a minute.
const SLEPT_MS: f64 = 1500.0;
/// Maximum size of a frame, bytes; a snapshot of 50 000 nodes has 12 MB (protocol section 6). An adapter need not receive more
/// than one byte more of a response.
pub const MAX_FRAME_BYTES: usize = 64 << 20;

/// A client of one Gateway that watches one run, or lists the runs.
#[derive(Debug)]
pub(crate) struct Client {
    url: String,
    token: Option<Token>,
    run_id: Option<String>,
    transport: Transport,
    clock: Clock,
    backoff: Backoff,
    watchdog: Watchdog,
    connection: Connection,
    /// Why the socket is being opened.
    opening: Opening,
    /// The reason why the connection could not be opened, until the client has read something.
    open_failure: Option<OpenFailure>,
    /// The silence limit that ended the last connection; `None` if the socket closed.
    exceeded_limit_ms: Option<f64>,
    requests: Requests,
    /// The time before which a server that limits requests accepts none.
    requests_resume_at: Option<Millis>,
    schedule: Schedule,
    model: Model,
    /// The state of the watched run that the pushed events imply.
    event_witness: EventWitness,
    /// The last answer to `getRun`.
    server: ServerState,
    reason_age: ReasonAge,
    row_reasons: RowReasons,
    /// The time of the request for the last answer about the watched run, on the local clock: the answer is at least that new.
    run_read_at: Option<Millis>,
    /// The time of the request for the last list of the watched run's nodes, on the local clock.
    nodes_read_at: Option<Millis>,
    /// The time of the request for the last snapshot of the watched run's tree, or of the last pushed change, on the local clock.
    tree_read_at: Option<Millis>,
    /// The time of the request for the last list of runs, on the local clock.
    list_read_at: Option<Millis>,
    /// The end of the last gap, on the local clock: older answers do not count as live until they are read again.
    gap_ended_at: Option<Millis>,
    /// Whether the last answer about the watched run was a refusal or an error.
    run_is_refused: bool,
    /// The counts of `getRun` at the last request for the nodes.
    requested_summary: Vec<(Word<NodeState>, u64)>,
    /// The deltas that wait for a new baseline.
    waiting_deltas: Vec<Delta>,
    event_numbers: EventNumbers,
    /// The events that were pushed since the first connection.
    received: EventFeed,
    /// Whether a late timer was attributed to sleep and no frame has arrived since; the next late timer counts as
    /// silence.
    slept: bool,
    unreadable: Option<UnreadableFrames>,
    page: Page,
    now: Millis,
    effects: VecDeque<ClientEffect>,
}

impl Client {
    /// Creates a client whose first effect opens its socket. As in every call, `now` is a time of the caller's
    /// monotonic clock.
    pub(crate) fn new(options: ClientOptions, now: Millis) -> Self {
        let ClientOptions { url, token, run_id, seed, transport } = options;
        let mut client = Self {
            url,
            token,
            run_id,
            transport,
            clock: Clock::default(),
            backoff: Backoff::new(seed),
            watchdog: Watchdog::new(now),
            connection: Connection::Stopped,
            opening: Opening::New,
            open_failure: None,
            exceeded_limit_ms: None,
            requests: Requests::default(),
            requests_resume_at: None,
            schedule: Schedule::default(),
            model: Model::new(),
            event_witness: EventWitness::default(),
            server: ServerState::default(),
            reason_age: ReasonAge::default(),
            row_reasons: RowReasons::default(),
            run_read_at: None,
            nodes_read_at: None,
            tree_read_at: None,
            list_read_at: None,
            gap_ended_at: None,
            run_is_refused: false,
            requested_summary: Vec::new(),
            waiting_deltas: Vec::new(),
            event_numbers: EventNumbers::default(),
            received: EventFeed::default(),
            slept: false,
            unreadable: None,
            page: Page::Visible,
            now,
            effects: VecDeque::new(),
        };
        client.open(now);
        client
    }

    /// Handles an input.
    #[allow(clippy::needless_pass_by_value, reason = "an input is handled once")]
    pub(crate) fn handle(&mut self, input: ClientInput<'_>, now: Millis) {
        let due = self.wake_at();
        self.now = now;
        match input {
            ClientInput::Opened => self.on_opened(now),
            ClientInput::Text(text) => {
                let text = Token::hidden_in(self.token.as_ref(), text);
                self.on_text(&text, now);
            }
            ClientInput::HttpResponse(response) => {
                let body = Token::hidden_in(self.token.as_ref(), response.body);
                self.on_http_response(HttpResponse { body: &body, ..response }, now);
            }
            ClientInput::Closed { code, reason } => {
                let reason = Token::hidden_in(self.token.as_ref(), reason);
                self.on_closed(code, &reason, now);
            }
            ClientInput::OpenFailed(failure) => self.on_open_failed(failure),
            ClientInput::Refused(refusal) => self.on_refused(refusal),
            ClientInput::Timer => self.on_timer(due, now),
            ClientInput::Visible(visible) => {
                self.page = if visible { Page::Visible } else { Page::Hidden };
                if visible {
                    self.on_wake(now);
                }
            }
            ClientInput::Watch(run_id) => self.watch(Some(run_id), now),
            ClientInput::List => self.watch(None, now),
            ClientInput::Authorise(token) => {
                self.token = token;
                self.reconnect(now);
            }
            ClientInput::ReconnectNow => self.reconnect(now),
            ClientInput::Stop => self.stop(None),
        }
        if self.unreadable.is_some_and(|frames| frames.is_over(now)) {
            self.forget_unreadable();
        }
        self.check_deadlines(now);
        self.send_due(now);
        self.update_event_witness(now);
        self.model.set_reason_is_new(self.reason_age.is_new(self.nodes_limit(), now));
    }

    /// Updates the witness of the pushed events.
    fn update_event_witness(&mut self, now: Millis) {
        self.model.set_event_witness(self.event_witness.witness(&self.server, &self.clock, now));
    }

    fn on_timer(&mut self, due: Option<Millis>, now: Millis) {
        let late = due.is_some_and(|due| now.since(due) > SLEPT_MS);
        if late && !self.slept {
            self.slept = true;
            self.on_wake(now);
        }
    }

    fn on_text(&mut self, text: &str, now: Millis) {
        if !matches!(self.connection, Connection::Handshaking { .. } | Connection::Ready { .. }) {
            return;
        }
        if text.len() > MAX_FRAME_BYTES {
            let bytes = format::count(text.len() as f64);
            self.note_unreadable(&format!("It has {bytes} bytes, more than a Gateway sends."), now);
            return;
        }
        let frame = match Frame::parse(text) {
            Ok(frame) => frame,
            Err(why) => return self.note_unreadable(&why.message, now),
        };
        // Only a frame of the protocol is a sign of life: a proxy may answer in place of the Gateway.
        self.watchdog.record_frame(now);
        self.slept = false;
        match frame {
            Frame::Response { id, result } => {
                let result = result.as_deref().map_err(Clone::clone);
                self.on_response(&id, result, now);
            }
            Frame::Event { event, payload, seq, .. } => self.on_event(&event, seq, &payload, now),
        }
    }

    /// Returns the next effect to carry out. Call it after every [`Client::handle`] until it returns `None`.
    pub(crate) fn next_effect(&mut self) -> Option<ClientEffect> {
        self.effects.pop_front()
    }

    /// Returns the time for [`ClientInput::Timer`], on the local clock. It changes with every [`Client::handle`].
    pub(crate) fn wake_at(&self) -> Option<Millis> {
        let unreadable = self.unreadable.map(UnreadableFrames::ends_at);
        let reason = self.reason_age.wake_at(self.nodes_limit()).filter(|at| *at > self.now);
        let late = self.late_at(self.now);
        let times = [self.connection_wake_at(self.now), self.reading_wake_at(), unreadable, reason, late];
        Millis::earliest(times.into_iter().flatten())
    }

    /// Returns the inspection; the last known state stays while the connection is lost.
    pub(crate) fn inspection(&self) -> &Inspection {
        &self.model.inspection
    }

    /// Returns the Gateway's last answer to `listRuns`, from which [`Inspection::runs`] was read.
    pub(crate) fn listed(&self) -> Option<&str> {
        self.model.listed.as_deref()
    }

    /// Returns the pending requests for a decision of all runs, as last read.
    pub(crate) fn approvals(&self) -> &[ApprovalRequest] {
        self.model.approvals()
    }

    /// Returns the estimate of the server's clock.
    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Returns the id of the watched run.
    pub(crate) fn run_id(&self) -> Option<&str> {
        self.run_id.as_deref()
    }

    /// Returns the events that were pushed; `None` over HTTP, where a Gateway cannot push.
    pub(crate) fn received(&self) -> Option<&EventFeed> {
        match self.transport {
            Transport::WebSocket => Some(&self.received),
            Transport::Http => None,
        }
    }

    /// Returns why the connection could not be opened; `None` once the client has read something.
    pub(crate) fn open_failure(&self) -> Option<OpenFailure> {
        self.open_failure
    }

    /// Returns the change counters.
    pub(crate) fn revision(&self) -> Revision {
        self.model.revision
    }

    /// Returns the rows of the list of runs that changed after a revision of it; `None` if rows were added, removed or
    /// moved.
    pub(crate) fn rows_changed_after(&self, revision: u64) -> Option<Vec<usize>> {
        self.model.rows_changed_after(revision)
    }

    /// Returns the Gateway's refusal of the connection or of the watched run. A refusal is never a state.
    pub(crate) fn refusal(&self) -> Option<&Refusal> {
        self.model.inspection.refusal.as_ref()
    }

    /// Returns the Gateway's refusal of the watched run's tree.
    pub(crate) fn tree_refusal(&self) -> Option<&Refusal> {
        self.model.tree_refusal.as_ref()
    }
}
