//! The Gateway client as a state machine: frames and `now` in, an inspection and the next wake-up out.
//!
//! No socket and no timer live here. The adapter carries out the [`Effect`]s, hands in what happened as [`Input`], and
//! calls back with [`Input::Timer`] when [`Client::wake_at`] is reached. What each answer is worth is seed 000's and
//! protocol sections 3 and 5: the run's state is only ever that of `getRun`, whatever events and streams say.
//!
//! The adapter is a loop of a few lines. Here a Gateway that knows two answers stands at its other end:
//!
//! ```
//! use runstate::gateway::{Effect, Client, ClientOptions, Input, ConnectionPhase, Transport};
//! use runstate::freshness::Freshness;
//! use runstate::time::Millis;
//! use serde_json::{Value, json};
//!
//! let (url, run_id) = ("ws://127.0.0.1:7331".to_owned(), Some("r1".to_owned()));
//! let options = ClientOptions { url, token: None, run_id, seed: 1, transport: Transport::WebSocket };
//! let mut feed = Client::new(options, Millis(0.0));
//!
//! while let Some(effect) = feed.next_effect() {
//!     let frame = match effect {
//!         Effect::Open { .. } => {
//!             feed.handle(Input::Opened, Millis(1.0));
//!             continue;
//!         }
//!         Effect::Send(frame) => frame,
//!         Effect::Close => break,
//!     };
//!     let question: Value = serde_json::from_str(&frame)?;
//!     let payload = match question["method"].as_str() {
//!         Some("connect") => json!({"protocol": 1, "policy": {"heartbeatMs": 15000}, "snapshot": {"runs": []}}),
//!         Some("getRun") => json!({"runId": "r1", "status": "waiting-event", "runState": {
//!             "runId": "r1", "computedAt": "2026-11-21T14:06:08.000Z", "state": "waiting-event",
//!             "blocked": {"kind": "event", "nodeId": "ship", "correlationKey": "order-7"}}}),
//!         _ => continue,
//!     };
//!     let answer = json!({"type": "res", "id": question["id"], "ok": true, "payload": payload});
//!     feed.handle(Input::Text(&answer.to_string()), Millis(4.0));
//! }
//!
//! assert_eq!((feed.phase(), feed.run_id()), (ConnectionPhase::Watching, Some("r1")));
//! let run = feed.inspection().run.as_ref().unwrap();
//! assert_eq!(run.verdict.view().unwrap().state.as_str(), "waiting-event");
//! assert!(feed.refusal().is_none() && feed.revision().header > 0);
//! // Run truth and viewer truth: the state above, and how fresh it is.
//! assert!(matches!(feed.freshness(Millis(5.0)), Freshness::Live { .. }));
//! // `computedAt` told the server's time; the viewer's own clock was never asked.
//! assert!(feed.clock().offset_ms().is_some());
//! # Ok::<(), serde_json::Error>(())
//! ```

mod connection;
mod event_witness;
mod model;
mod poller;
mod schedule;
mod watchdog;

mod answers;
mod backoff;
mod events;
mod fresh;
mod io;
mod read;
mod reading;
mod requests;

use std::collections::VecDeque;

pub use io::{ClientOptions, ConnectionPhase, Effect, Input, Reconnect, Revision, Token, Transport};

use crate::clock::Clock;
use crate::frame::Frame;
use crate::refusal::Refusal;
use crate::run::Inspection;
use crate::smithers::wire::NodeState;
use crate::time::Millis;
use crate::tree::Delta;
use crate::word::Word;
use backoff::Backoff;
use connection::Connection;
use event_witness::{Answered, EventWitness};
use model::{Model, ProblemArea};
use requests::Requests;
use schedule::{Page, Schedule, Stream};
use watchdog::Watchdog;

/// A timer this late was not late by itself: the page was hidden or the machine slept. Hidden pages get their timers
/// once a second, or once a minute.
const SLEPT_MS: f64 = 1500.0;
/// No frame of a Gateway comes near this; a 50 000 node snapshot has 12 MB (protocol section 6).
const MAX_FRAME_BYTES: usize = 64 << 20;

/// A client of one Gateway that watches one run, or lists the runs.
///
/// ```
/// use runstate::gateway::{Effect, Client, ClientOptions, Input, ConnectionPhase, Transport};
/// use runstate::time::Millis;
///
/// let options = ClientOptions { url: "ws://127.0.0.1:7331".into(), token: None, run_id: None, seed: 1, transport: Transport::WebSocket };
/// let mut feed = Client::new(options, Millis(0.0));
/// assert_eq!(feed.next_effect(), Some(Effect::Open { url: "ws://127.0.0.1:7331".into() }));
///
/// feed.handle(Input::Closed { code: 1006, reason: "" }, Millis(20.0));
/// assert_eq!(feed.phase(), ConnectionPhase::Waiting);
/// assert!(feed.wake_at().unwrap() <= Millis(520.0));
/// ```
#[derive(Debug)]
pub struct Client {
    url: String,
    token: Option<Token>,
    run_id: Option<String>,
    transport: Transport,
    clock: Clock,
    backoff: Backoff,
    watchdog: Watchdog,
    connection: Connection,
    /// The socket is being exchanged for another one although nothing is wrong.
    exchanging: bool,
    /// How much silence ended the last connection, if silence did.
    broken_limit: Option<f64>,
    requests: Requests,
    schedule: Schedule,
    model: Model,
    /// What the pushed events say of the watched run.
    event_witness: EventWitness,
    /// What `getRun` answered last.
    server: Answered,
    /// When the header was read last, on the local clock.
    header_read_at: Option<Millis>,
    /// What is on screen is from before a gap; nothing is claimed live until it was read again.
    resyncing: bool,
    /// The counts that were known when the nodes were last asked for.
    asked_with: Vec<(Word<NodeState>, u64)>,
    /// Deltas that wait for a new baseline.
    waiting_deltas: Vec<Delta>,
    last_event_seq: Option<f64>,
    /// A late timer was taken for sleep, and no frame came since: the next late one is silence.
    slept: bool,
    unread_frames: u64,
    page: Page,
    now: Millis,
    effects: VecDeque<Effect>,
}

impl Client {
    /// A feed that asks for its socket at once. `now` is the caller's monotonic clock, as in every call.
    pub fn new(options: ClientOptions, now: Millis) -> Self {
        let ClientOptions { url, token, run_id, seed, transport } = options;
        let mut feed = Self {
            url,
            token,
            run_id,
            transport,
            clock: Clock::default(),
            backoff: Backoff::new(seed),
            watchdog: Watchdog::new(now),
            connection: Connection::Stopped,
            exchanging: false,
            broken_limit: None,
            requests: Requests::default(),
            schedule: Schedule::default(),
            model: Model::new(),
            event_witness: EventWitness::default(),
            server: Answered::default(),
            header_read_at: None,
            resyncing: false,
            asked_with: Vec::new(),
            waiting_deltas: Vec::new(),
            last_event_seq: None,
            slept: false,
            unread_frames: 0,
            page: Page::Visible,
            now,
            effects: VecDeque::new(),
        };
        feed.open(now);
        feed
    }

    /// Takes in what happened.
    #[allow(clippy::needless_pass_by_value)]
    pub fn handle(&mut self, input: Input<'_>, now: Millis) {
        let due = self.wake_at();
        self.now = now;
        match input {
            Input::Opened => self.opened(now),
            Input::Text(text) => self.text(text, now),
            Input::Closed { code, reason } => self.closed(code, reason, now),
            Input::Timer => self.timer(due, now),
            Input::Visible(visible) => {
                self.page = if visible { Page::Visible } else { Page::Hidden };
                if visible {
                    self.woke(now);
                }
            }
            Input::Watch(run_id) => self.watch(Some(run_id), now),
            Input::List => self.watch(None, now),
            Input::Authorise(token) => {
                self.token = token;
                self.reconnect(now);
            }
            Input::ReconnectNow => self.reconnect(now),
            Input::Stop => self.stop(None),
        }
        self.guard(now);
        self.send_due(now);
        self.testify(now);
    }

    /// Hears the events as a witness beside what the server answered.
    fn testify(&mut self, now: Millis) {
        self.model.testify(self.event_witness.witness(&self.server, &self.clock, now));
    }

    fn timer(&mut self, due: Option<Millis>, now: Millis) {
        let late = due.is_some_and(|due| now.since(due) > SLEPT_MS);
        if late && !self.slept {
            self.slept = true;
            self.woke(now);
        }
    }

    fn text(&mut self, text: &str, now: Millis) {
        if !matches!(self.connection, Connection::Handshaking { .. } | Connection::Ready { .. }) {
            return;
        }
        self.watchdog.hear(now);
        self.slept = false;
        if text.len() > MAX_FRAME_BYTES {
            self.unread(&format!("{} bytes are more than any frame has", text.len()));
            return;
        }
        match Frame::parse(text) {
            Ok(Frame::Response { id, result }) => {
                let result = result.as_deref().map_err(Clone::clone);
                self.answered(&id, result, now);
            }
            Ok(Frame::Event { event, payload, seq, .. }) => self.event(&event, seq, &payload, now),
            Err(why) => self.unread(&why.message),
        }
    }

    /// A frame that cannot be read is noted; the rest goes on.
    fn unread(&mut self, why: &str) {
        self.unread_frames += 1;
        let note = format!("{} unreadable frame(s) ignored, the last: {why}", self.unread_frames);
        self.model.note(ProblemArea::Frames, Some(note));
    }

    /// The next thing to do; call until it answers `None`, after every [`Client::handle`].
    pub fn next_effect(&mut self) -> Option<Effect> {
        self.effects.pop_front()
    }

    /// When to hand in [`Input::Timer`], on the local clock; changes with every [`Client::handle`].
    pub fn wake_at(&self) -> Option<Millis> {
        [self.link_wake_at(self.now), self.reading_wake_at()]
            .into_iter()
            .flatten()
            .reduce(|a, b| if b < a { b } else { a })
    }

    /// What is known, the last good state kept while the connection is lost.
    pub fn inspection(&self) -> &Inspection {
        self.model.inspection()
    }

    /// The Gateway's last answer to `listRuns` as it came, of which [`Inspection::runs`] was read.
    ///
    /// ```
    /// use runstate::gateway::{Client, ClientOptions, Transport};
    /// use runstate::time::Millis;
    ///
    /// let transport = Transport::WebSocket;
    /// let options = ClientOptions { url: "ws://127.0.0.1:7331".into(), token: None, run_id: None, seed: 1, transport };
    /// assert_eq!(Client::new(options, Millis(0.0)).listed(), None, "nobody answered yet");
    /// ```
    pub fn listed(&self) -> Option<&str> {
        self.model.listed()
    }

    /// The server's clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Which run is watched.
    pub fn run_id(&self) -> Option<&str> {
        self.run_id.as_deref()
    }

    /// What changed, as counters.
    pub fn revision(&self) -> Revision {
        self.model.revision()
    }

    /// What the Gateway refused: the connection, or the run that is asked for. Never a state.
    pub fn refusal(&self) -> Option<&Refusal> {
        self.model.inspection().refusal.as_ref()
    }
}
