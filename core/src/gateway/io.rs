//! Defines the client's inputs and effects.

use std::borrow::Cow;
use std::fmt;

use crate::redact::REDACTED;
use crate::refusal::{Refusal, RefusalCode};
use crate::text::json;
use crate::time::Millis;

/// The address of a Gateway and the run to watch.
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
    /// The `WebSocket` URL; the Gateway accepts upgrades on any path (protocol section 3.2).
    pub url: String,
    /// The token for `connect`; a Gateway without auth needs none.
    pub token: Option<Token>,
    /// The run to watch; `None` lists the runs to choose from.
    pub run_id: Option<String>,
    /// Seed of the reconnection jitter; each viewer needs a different number.
    pub seed: u64,
    /// The transport of the frames.
    pub transport: Transport,
}

impl ClientOptions {
    /// Returns options for a `WebSocket` without a token that lists the runs.
    pub fn new(url: impl Into<String>, seed: u64) -> Self {
        Self { url: url.into(), token: None, run_id: None, seed, transport: Transport::default() }
    }
}

/// The transport of the frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transport {
    /// A `WebSocket`, which works from every origin and lets the Gateway push events.
    #[default]
    WebSocket,
    /// One `POST /rpc` for each frame. This works on the Gateway's own origin only, because the Gateway never sends a
    /// CORS header (protocol section 6). The Gateway cannot push, so the client polls everything, and the adapter sends
    /// the token in a header.
    Http,
}

/// A bearer token. Only the `connect` frame contains it, never a log or a debug output.
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

    /// Returns a text of the server without the token, which some servers repeat in their errors. A short token could be any word,
    /// and stays.
    pub(super) fn hidden_in<'a>(token: Option<&Self>, text: &'a str) -> Cow<'a, str> {
        let Some(Self(token)) = token.filter(|token| token.0.len() >= MIN_HIDDEN_TOKEN) else {
            return Cow::Borrowed(text);
        };
        let escaped = json(token);
        let escaped = escaped.trim_matches('"');
        if !text.contains(token.as_str()) && !text.contains(escaped) {
            return Cow::Borrowed(text);
        }
        Cow::Owned(text.replace(token.as_str(), REDACTED).replace(escaped, REDACTED))
    }
}

/// Minimum length of a token that is replaced in texts of the server, bytes.
const MIN_HIDDEN_TOKEN: usize = 8;

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// The response to one request over HTTP.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HttpResponse<'a> {
    /// The frame that was sent.
    pub request: &'a str,
    /// The status code.
    pub status: u16,
    /// The wait that the header `Retry-After` demands, milliseconds.
    pub retry_after_ms: Option<f64>,
    /// The body.
    pub body: &'a str,
}

impl<'a> HttpResponse<'a> {
    /// A response with this status and body to the frame `request`.
    pub fn new(request: &'a str, status: u16, body: &'a str) -> Self {
        Self { request, status, retry_after_ms: None, body }
    }

    /// Adds the wait that the header `Retry-After` demands, milliseconds.
    #[must_use]
    pub fn with_retry_after(self, retry_after_ms: Option<f64>) -> Self {
        Self { retry_after_ms, ..self }
    }
}

/// An input of the client.
///
/// The adapter holds one socket. After [`ClientEffect::Open`] or [`ClientEffect::Close`] it must not hand in input from
/// an older socket.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ClientInput<'a> {
    /// The socket is open.
    Opened,
    /// A text frame arrived.
    Text(&'a str),
    /// The response to a request over HTTP arrived.
    HttpResponse(HttpResponse<'a>),
    /// The socket closed, or could not be opened.
    Closed {
        /// The close code; 1006 if the browser does not give a code.
        code: u16,
        /// The server's reason, usually empty.
        reason: &'a str,
    },
    /// The adapter found out why the connection could not be opened. It may report this at any time after
    /// [`ClientInput::Closed`]; the client tries again unless that is pointless.
    OpenFailed(OpenFailure),
    /// The Gateway refused this page in its answer to an HTTP request; a refused `WebSocket` does not give a reason.
    Refused(Refusal),
    /// The clock reached the time that the last call returned.
    Timer,
    /// The page became visible or hidden. A hidden page polls less often; a page that becomes visible reads everything
    /// again.
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
    /// The reason why a connection could not be opened, as far as a page can find out.
    pub enum OpenFailure ("open failure") {
        /// Nothing answers at the address.
        NoAnswer = "no-answer",
        /// A server answers requests at the address but refuses the `WebSocket`.
        SocketRefused = "socket-refused",
        /// A server answers requests at the address, but it has another origin than this page, which may not read the
        /// answers.
        AnswerUnreadable = "answer-unreadable",
        /// The content policy of the page forbids the connection.
        ContentPolicy = "content-policy",
        /// The server redirects requests to another address. A redirect is not followed: the answer of another server would be
        /// shown as the Gateway's.
        Redirected = "redirected",
    }
}

/// An action for the adapter. The adapter carries out the actions in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientEffect {
    /// Open a socket and drop the previous one. HTTP has no socket: answer with [`ClientInput::Opened`].
    Open {
        /// The socket's address.
        url: String,
    },
    /// Send this text frame. The `connect` frame contains the token: never log it.
    Send(String),
    /// Close the socket.
    Close,
}

/// The phase of the connection to a Gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum ConnectionPhase {
    /// A socket is being opened.
    Connecting,
    /// The socket is open, and `connect` is not answered yet.
    Handshaking,
    /// The client watches no run and lists the runs.
    Choosing,
    /// The client watches a run.
    Watching,
    /// The connection was lost; the next attempt is at [`Reconnect::at`].
    Waiting,
    /// The client will not try again; [`Client::refusal`](super::Client::refusal) gives the reason unless the user
    /// stopped it.
    Stopped,
}

/// The next attempt to reconnect.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reconnect {
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// The time of the attempt, on the local clock.
    pub at: Millis,
}

/// Counters of the changes to each part of the inspection. A surface uses them to redraw only the changed parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) struct Revision {
    /// The run's header: verdict, summary, row, refusal and problems.
    pub header: u64,
    /// The tree and the states of its nodes.
    pub tree: u64,
    /// The list of runs.
    pub runs: u64,
}

/// Whether a refused `connect` may be retried unchanged.
///
/// A refused token, scope or protocol stays refused; a Gateway that is full or has failed may recover. Codes are open
/// strings (protocol section 3.3); an unknown code is not retried.
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

#[cfg(test)]
mod tests {
    use super::Token;

    #[test]
    fn a_token_is_in_no_text_of_its_server() {
        let hidden = |token: &str, text| Token::hidden_in(Some(&Token::new(token)), text).into_owned();
        assert_eq!(
            hidden("operator-token", r#"{"auth":{"token":"operator-token"}}"#),
            r#"{"auth":{"token":"[redacted]"}}"#
        );
        assert_eq!(hidden("operator\"token", r#"{"token":"operator\"token"}"#), r#"{"token":"[redacted]"}"#);
        assert_eq!(
            hidden("run", r#"{"method":"runs.get"}"#),
            r#"{"method":"runs.get"}"#,
            "it could be any word"
        );
        assert_eq!(hidden("operator-token", "operator"), "operator");
        assert_eq!(Token::hidden_in(None, "operator-token"), "operator-token");
    }
}
