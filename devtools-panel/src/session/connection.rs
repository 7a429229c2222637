//! The connection that carries frames to a Gateway: one WebSocket, or one HTTP request for each frame.

use std::collections::VecDeque;
use std::pin::Pin;

use futures::future::{LocalBoxFuture, poll_fn};
use futures::stream::FuturesUnordered;
use futures::{FutureExt, Sink, SinkExt, StreamExt};
use gloo_net::websocket::futures::WebSocket;
use gloo_net::websocket::{Message, State, WebSocketError};
use runstate::gateway::{ClientInput, Transport};

use super::http::{self, FrameResponse, PostFailure};
use crate::address::is_header_value;
use crate::browser::js_error::js_error_text;

/// An event of the connection.
#[derive(Debug)]
pub(super) enum ConnectionEvent {
    /// The connection is open.
    Opened,
    /// A text frame.
    Text(String),
    /// The response to a frame that was sent over HTTP.
    Response(FrameResponse),
    /// The server redirected a request, which was not sent to the other address.
    Redirected,
    /// The connection closed, or could not be opened.
    Closed {
        /// The close code; 1006 if the browser gives none.
        code: u16,
        /// The server's reason, or a description of the failure.
        reason: String,
    },
}

/// At most one connection. Opening or closing discards pending events of the previous one.
pub(super) struct Connection {
    link: Link,
    /// Events that are already available.
    ready: VecDeque<ConnectionEvent>,
}

/// The kind of connection, which depends on the address.
enum Link {
    /// A WebSocket; `None` while it is closed.
    WebSocket(Option<Socket>),
    /// An HTTP endpoint, and the requests that have no response yet.
    Http(Endpoint, FuturesUnordered<LocalBoxFuture<'static, Option<ConnectionEvent>>>),
}

struct Socket {
    inner: WebSocket,
    opened: bool,
}

/// The RPC endpoint of a Gateway, and the token that requests carry.
struct Endpoint {
    url: String,
    token: Option<String>,
    /// How long a response is waited for, ms.
    limit_ms: f64,
}

impl Connection {
    /// Prepares a connection: HTTP requests for an address that begins with `http`, else a WebSocket. `limit_ms` is how long an
    /// HTTP response is waited for.
    pub(super) fn new(address: &str, token: Option<String>, limit_ms: f64) -> Self {
        let link = if address.starts_with("http") {
            let url = format!("{}/rpc", address.trim_end_matches('/'));
            Link::Http(Endpoint { url, token, limit_ms }, FuturesUnordered::new())
        } else {
            Link::WebSocket(None)
        };
        Self { link, ready: VecDeque::new() }
    }

    /// The transport of the frames.
    pub(super) fn transport(&self) -> Transport {
        match &self.link {
            Link::WebSocket(_) => Transport::WebSocket,
            Link::Http(..) => Transport::Http,
        }
    }

    /// Sets the token of later requests; over a WebSocket the client sends it itself.
    pub(super) fn set_token(&mut self, token: String) {
        match &mut self.link {
            Link::WebSocket(_) => {}
            Link::Http(endpoint, _) => endpoint.token = Some(token).filter(|token| !token.is_empty()),
        }
    }

    /// Opens a connection; the result follows as an event.
    pub(super) fn open(&mut self, url: &str) {
        self.close();
        match &mut self.link {
            Link::WebSocket(socket) => match open_socket(url) {
                Ok(inner) => *socket = Some(Socket { inner, opened: false }),
                Err(error) => self
                    .ready
                    .push_back(ConnectionEvent::failed(format!("the browser refused the address: {error}"))),
            },
            Link::Http(..) => self.ready.push_back(ConnectionEvent::Opened),
        }
    }

    /// Closes the connection without an event.
    pub(super) fn close(&mut self) {
        self.ready.clear();
        match &mut self.link {
            Link::WebSocket(socket) => *socket = None,
            Link::Http(_, requests) => requests.clear(),
        }
    }

    /// Sends a frame. If the socket is no longer open, the frame is dropped; the close is reported as an event.
    pub(super) async fn send(&mut self, frame: String) {
        match &mut self.link {
            Link::Http(endpoint, requests) => requests.push(endpoint.post(frame).boxed_local()),
            Link::WebSocket(socket) => {
                if let Some(socket) =
                    socket.as_mut().filter(|socket| matches!(socket.inner.state(), State::Open))
                    && let Err(error) = socket.inner.send(Message::Text(frame)).await
                {
                    leptos::logging::warn!("a frame was not sent: {error}");
                }
            }
        }
    }

    /// Returns the next event; pending while there is no connection. It may be dropped and called again at any time.
    pub(super) async fn next(&mut self) -> ConnectionEvent {
        if let Some(event) = self.ready.pop_front() {
            return event;
        }
        match &mut self.link {
            Link::Http(_, requests) => loop {
                match requests.next().await {
                    Some(Some(event)) => return event,
                    Some(None) => {}
                    None => return std::future::pending().await,
                }
            },
            Link::WebSocket(socket) => {
                let Some(open) = socket else { return std::future::pending().await };
                let event = open.next().await;
                if matches!(event, ConnectionEvent::Closed { .. }) {
                    *socket = None;
                }
                event
            }
        }
    }
}

/// Opens a WebSocket. Firefox throws a value that is not an `Error` if the content policy forbids the address; gloo's
/// `WebSocket::open` would panic on it.
fn open_socket(url: &str) -> Result<WebSocket, String> {
    let socket = web_sys::WebSocket::new(url).map_err(|error| js_error_text(&error))?;
    WebSocket::try_from(socket).map_err(|error| error.to_string())
}

impl Socket {
    async fn next(&mut self) -> ConnectionEvent {
        if !self.opened {
            // Also resolves if the socket could not be opened; the stream then reports its close.
            let _ = poll_fn(|context| Pin::new(&mut self.inner).poll_ready(context)).await;
            self.opened = true;
            if matches!(self.inner.state(), State::Open) {
                return ConnectionEvent::Opened;
            }
        }
        loop {
            match self.inner.next().await {
                Some(Ok(Message::Text(text))) => return ConnectionEvent::Text(text),
                Some(Err(WebSocketError::ConnectionClose(close))) => {
                    return ConnectionEvent::Closed { code: close.code, reason: close.reason };
                }
                // A Gateway sends no binary frames; the close follows an error.
                Some(Ok(Message::Bytes(_)) | Err(_)) => {}
                None => return ConnectionEvent::failed(String::new()),
            }
        }
    }
}

impl Endpoint {
    /// Posts a frame. A Gateway sends no CORS header, so a page of another origin can send frames but cannot read the
    /// responses: the browser reports them as network errors. `None` if the response takes too long.
    fn post(&self, frame: String) -> impl Future<Output = Option<ConnectionEvent>> + 'static {
        let authorization = self.token.as_ref().map(|token| format!("Bearer {token}"));
        let (url, limit_ms) = (self.url.clone(), self.limit_ms);
        async move {
            // The page has checked the token; a header with other characters would panic.
            if authorization.as_deref().is_some_and(|value| !is_header_value(value)) {
                return Some(ConnectionEvent::failed(
                    "the token contains characters that an HTTP header cannot contain".to_owned(),
                ));
            }
            let event = match http::within_limit(limit_ms, http::post(&url, authorization.as_deref(), frame))
                .await?
            {
                Ok(response) => ConnectionEvent::Response(response),
                Err(PostFailure::Redirected) => ConnectionEvent::Redirected,
                Err(PostFailure::Unreadable(error)) => {
                    ConnectionEvent::failed(format!("the browser could not read the response: {error}"))
                }
            };
            Some(event)
        }
    }
}

impl ConnectionEvent {
    /// The event as an input of the client.
    pub(super) fn input(&self) -> ClientInput<'_> {
        match self {
            Self::Opened => ClientInput::Opened,
            Self::Text(text) => ClientInput::Text(text),
            Self::Response(response) => ClientInput::HttpResponse(response.input()),
            Self::Redirected => ClientInput::Closed { code: 1006, reason: "redirected" },
            Self::Closed { code, reason } => ClientInput::Closed { code: *code, reason },
        }
    }

    fn failed(reason: String) -> Self {
        Self::Closed { code: 1006, reason }
    }
}
