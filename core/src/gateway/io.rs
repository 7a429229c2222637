//! The client's inputs and effects.

use crate::time::Millis;
use std::fmt;

use crate::refusal::{Refusal, RefusalCode};

/// How to reach a Gateway, and which run to watch.
///
/// ```
/// use runstate::gateway::{ClientOptions, Token, Transport};
///
/// let mut options = ClientOptions::new("ws://127.0.0.1:7331", 7);
/// options.token = Some(Token::new("operator-token"));
/// options.run_id = Some("r1".into());
/// options.transport = Transport::default();
/// assert!(!format!("{options:?}").contains("operator-token"), "a token is shown nowhere");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct ClientOptions {
    /// The WebSocket URL; any path of the Gateway upgrades (protocol section 3.2).
    pub url: String,
    /// The token for `connect`; a Gateway without auth needs none.
    pub token: Option<Token>,
    /// The run to watch; `None` lists the runs to choose from.
    pub run_id: Option<String>,
    /// Seed of the reconnection jitter; a different number for each viewer.
    pub seed: u64,
    /// The transport of the frames.
    pub transport: Transport,
}

impl ClientOptions {
    /// A WebSocket without a token that lists the runs.
    pub fn new(url: impl Into<String>, seed: u64) -> Self {
        Self { url: url.into(), token: None, run_id: None, seed, transport: Transport::default() }
    }
}

/// The transport of the frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transport {
    /// A WebSocket: works from every origin, and the Gateway pushes.
    #[default]
    WebSocket,
    /// One `POST /rpc` for each frame: works on the Gateway's own origin only, since no CORS header is ever sent
    /// (protocol section 6). Nothing is pushed, so everything is polled, and the adapter sends the token in a header.
    Http,
}

/// A bearer token. It is written to the `connect` frame only, never to a log or a debug output.
///
/// ```
/// use runstate::gateway::Token;
///
/// assert_eq!(format!("{:?}", Token::new("secret")), "Token(…)");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Wraps a token.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// An input of the client.
///
/// The adapter holds one socket. After [`ClientEffect::Open`] or [`ClientEffect::Close`] it must not hand in anything
/// from an older socket.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ClientInput<'a> {
    /// The socket is open.
    Opened,
    /// A text frame arrived.
    Text(&'a str),
    /// The socket closed, or could not be opened.
    Closed {
        /// The close code; 1006 where the browser gives none.
        code: u16,
        /// The server's reason, mostly empty.
        reason: &'a str,
    },
    /// Why the connection could not be opened, as far as the adapter found out. Handed in at any time after
    /// [`ClientInput::Closed`]; the connection is tried again unless that is pointless.
    OpenFailed(OpenFailure),
    /// The Gateway refuses this page, as its answer to a request over HTTP says; a refused WebSocket gives no reason.
    Refused(Refusal),
    /// [`Client::wake_at`](super::Client::wake_at) was reached.
    Timer,
    /// Whether the page is visible. A hidden page polls less often; one that becomes visible reads everything again.
    Visible(bool),
    /// Watch this run instead.
    Watch(&'a str),
    /// Stop watching; list the runs.
    List,
    /// Use this token from now on, and reconnect with it.
    Authorise(Option<Token>),
    /// Reconnect at once.
    ReconnectNow,
    /// Close and stay closed until `ReconnectNow`, `Watch` or `Authorise`.
    Stop,
}

crate::vocabulary! {
    /// Why a connection could not be opened, as far as a page can find out.
    pub enum OpenFailure ("open failure") {
        /// Nothing answers at the address.
        NoAnswer = "no-answer",
        /// A server answers requests at the address, but refuses the WebSocket.
        SocketRefused = "socket-refused",
        /// A server answers requests at the address, but this page is of another origin and may not read the answers.
        AnswerUnreadable = "answer-unreadable",
        /// The content policy of the page forbids the connection.
        ContentPolicy = "content-policy",
    }
}

/// An action for the adapter, to be carried out in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientEffect {
    /// Open a socket, dropping the previous one. Over HTTP there is none: answer [`ClientInput::Opened`].
    Open {
        /// Its address.
        url: String,
    },
    /// Send this text frame. The `connect` frame holds the token: never log it.
    Send(String),
    /// Close the socket.
    Close,
}

/// The phase of the connection to a Gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConnectionPhase {
    /// A socket is being opened.
    Connecting,
    /// The socket is open, `connect` is not answered yet.
    Handshaking,
    /// No run is watched; the runs are listed.
    Choosing,
    /// A run is watched.
    Watching,
    /// The connection was lost; the next attempt is at [`Reconnect::at`].
    Waiting,
    /// No further attempt will be made; [`Client::refusal`](super::Client::refusal) says why, unless the user stopped it.
    Stopped,
}

/// The next attempt to reconnect.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reconnect {
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// When, on the local clock.
    pub at: Millis,
}

/// Counters of the changes to each part of the inspection, so that a surface redraws only what changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Revision {
    /// The run's header: verdict, summary, row, refusal, problems.
    pub header: u64,
    /// The tree and the states of its nodes.
    pub tree: u64,
    /// The list of runs.
    pub runs: u64,
}

/// Whether a refused `connect` may be retried unchanged.
///
/// A refused token, scope or protocol stays refused; a Gateway that is full or failed may recover. Codes are open strings
/// (protocol section 3.3); an unknown code is not retried.
pub(super) fn may_recover(refusal: &Refusal) -> bool {
    match refusal.known_code() {
        Some(
            RefusalCode::ConnectionLimit
            | RefusalCode::RateLimited
            | RefusalCode::Internal
            | RefusalCode::ServerError
            | RefusalCode::ConnectionClosed,
        ) => true,
        Some(
            RefusalCode::NotFound
            | RefusalCode::RunNotFound
            | RefusalCode::UnknownRun
            | RefusalCode::AccessDenied
            | RefusalCode::ScopeMissing
            | RefusalCode::OtherRunsOnly
            | RefusalCode::MethodNotFound
            | RefusalCode::TooSlow
            | RefusalCode::AlreadyDecided,
        )
        | None => false,
    }
}
