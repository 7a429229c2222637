//! What goes into the feed and what comes out.

use crate::time::Millis;
use std::fmt;

use crate::refusal::Refusal;

/// How to reach a Gateway, and which run to watch.
///
/// ```
/// use runstate::gateway::{ClientOptions, Token, Transport};
///
/// let options = ClientOptions {
///     url: "ws://127.0.0.1:7331".into(),
///     token: Some(Token::new("operator-token")),
///     run_id: Some("r1".into()),
///     seed: 7,
///     transport: Transport::default(),
/// };
/// assert!(!format!("{options:?}").contains("operator-token"), "a token is shown nowhere");
/// ```
#[derive(Debug)]
pub struct ClientOptions {
    /// The WebSocket address; any path of the Gateway upgrades (protocol section 3.2).
    pub url: String,
    /// The token for `connect`; a Gateway without auth needs none.
    pub token: Option<Token>,
    /// The run to watch; `None` lists the runs to choose from.
    pub run_id: Option<String>,
    /// Where the jitter of reconnections starts; any number, another one for each viewer.
    pub seed: u64,
    /// What carries the frames.
    pub transport: Transport,
}

/// What carries the frames.
///
/// ```
/// assert_eq!(runstate::gateway::Transport::default(), runstate::gateway::Transport::WebSocket);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transport {
    /// A WebSocket: works from every origin, and the Gateway pushes.
    #[default]
    WebSocket,
    /// One `POST /rpc` for each frame: works on the Gateway's own origin only, since no CORS header is ever sent
    /// (protocol section 6). Nothing is pushed, so everything is asked for again and again, and the token travels in
    /// a header that the adapter sets.
    Http,
}

/// A bearer token. It is shown nowhere and written nowhere but into the `connect` frame.
///
/// ```
/// use runstate::gateway::Token;
///
/// assert_eq!(format!("{:?}", Token::new("secret")), "Token(…)");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Wraps a token as the user gave it.
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

/// What happened outside.
///
/// The adapter holds one socket. After [`Effect::Open`] or [`Effect::Close`] nothing of an older socket may come in.
#[derive(Clone, Debug)]
pub enum Input<'a> {
    /// The socket is open.
    Opened,
    /// A text frame arrived.
    Text(&'a str),
    /// The socket closed, or could not be opened.
    Closed {
        /// The close code; 1006 where the browser does not tell.
        code: u16,
        /// The server's reason, mostly empty.
        reason: &'a str,
    },
    /// [`Client::wake_at`](super::Client::wake_at) was reached.
    Timer,
    /// Whether somebody can see the page. A hidden page polls less often; one that is shown again reads everything first,
    /// because what is on screen may be old.
    Visible(bool),
    /// Watch this run instead.
    Watch(&'a str),
    /// Watch no run; list them.
    List,
    /// Use this token from now on, and connect anew with it.
    Authorise(Option<Token>),
    /// Do not wait for the next try.
    ReconnectNow,
    /// Close and stay closed until `ReconnectNow`, `Watch` or `Authorise`.
    Stop,
}

/// What the adapter has to do, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Open a socket, dropping the one before. Over HTTP there is none: answer [`Input::Opened`].
    Open {
        /// Its address.
        url: String,
    },
    /// Send this text frame. The `connect` frame holds the token: never log it.
    Send(String),
    /// Close the socket.
    Close,
}

/// Where the feed is with its Gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionPhase {
    /// A socket is being opened.
    Connecting,
    /// The socket is open, the Gateway has not let us in yet.
    Handshaking,
    /// No run is watched; the runs are listed.
    Choosing,
    /// A run is watched.
    Watching,
    /// The connection was lost; the next try is at [`Reconnect::at`].
    Waiting,
    /// No further try will be made; [`Client::refusal`](super::Client::refusal) says why, unless the user stopped it.
    Stopped,
}

/// The next try after a lost connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reconnect {
    /// Which try it is, from 1.
    pub attempt: u32,
    /// When, on the local clock.
    pub at: Millis,
}

/// Counters that rise when that part of the inspection changed, so that a surface paints only what is new.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Revision {
    /// The run's header: verdict, summary, row, refusal, problems.
    pub header: u64,
    /// The tree and the states of its nodes.
    pub tree: u64,
    /// The list of runs.
    pub runs: u64,
}

/// Whether a refused `connect` may be tried again as it is.
///
/// A token, scope or protocol that was refused stays refused; a Gateway that is full or broke down may recover. Codes
/// are open strings (protocol section 3.3), so a code that nobody knows is not hammered on.
pub(super) fn may_recover(refusal: &Refusal) -> bool {
    matches!(
        refusal.code.as_str(),
        "CONNECTION_LIMIT" | "RateLimited" | "Internal" | "SERVER_ERROR" | "ConnectionClosed"
    )
}
