//! What carries the frames to a Gateway: one WebSocket, or one HTTP request for each frame.

use std::collections::VecDeque;
use std::pin::Pin;

use futures::future::{LocalBoxFuture, poll_fn};
use futures::stream::FuturesUnordered;
use futures::{FutureExt, Sink, SinkExt, StreamExt};
use gloo_net::http::Request;
use gloo_net::websocket::futures::WebSocket;
use gloo_net::websocket::{Message, State, WebSocketError};
use runstate::gateway::Transport;

use crate::address::is_header_value;

/// What happened on the connection.
#[derive(Debug)]
pub(super) enum Report {
    /// It is open.
    Opened,
    /// A text frame, or the response to one.
    Text(String),
    /// It closed, or could not be opened.
    Closed {
        /// The close code; 1006 where the browser gives none.
        code: u16,
        /// The server's reason, or what failed.
        reason: String,
    },
}

/// One connection at a time. Opening or closing it drops whatever an older one would still have reported.
pub(super) struct Connection {
    /// Where HTTP requests go; `None` for a WebSocket.
    endpoint: Option<Endpoint>,
    socket: Option<Socket>,
    requests: FuturesUnordered<LocalBoxFuture<'static, Report>>,
    /// Reports that need no waiting.
    ready: VecDeque<Report>,
}

struct Socket {
    inner: WebSocket,
    opened: bool,
}

/// The RPC endpoint of a Gateway, and the token that requests carry.
struct Endpoint {
    url: String,
    token: Option<String>,
}

impl Connection {
    /// Prepares a connection; an address that begins with `http` is reached by requests.
    pub(super) fn new(address: &str, token: Option<String>) -> Self {
        let url = || format!("{}/rpc", address.trim_end_matches('/'));
        let endpoint = address.starts_with("http").then(|| Endpoint { url: url(), token });
        Self { endpoint, socket: None, requests: FuturesUnordered::new(), ready: VecDeque::new() }
    }

    pub(super) fn transport(&self) -> Transport {
        if self.endpoint.is_some() { Transport::Http } else { Transport::WebSocket }
    }

    /// Uses another token for requests from now on; over a WebSocket the client sends it itself.
    pub(super) fn set_token(&mut self, token: String) {
        if let Some(endpoint) = &mut self.endpoint {
            endpoint.token = Some(token).filter(|token| !token.is_empty());
        }
    }

    pub(super) fn open(&mut self, url: &str) {
        self.close();
        if self.endpoint.is_some() {
            return self.ready.push_back(Report::Opened);
        }
        match open_socket(url) {
            Ok(inner) => self.socket = Some(Socket { inner, opened: false }),
            Err(error) => {
                self.ready.push_back(Report::failed(format!("the browser refused the address: {error}")));
            }
        }
    }

    pub(super) fn close(&mut self) {
        self.socket = None;
        self.requests.clear();
        self.ready.clear();
    }

    /// Sends a frame. Over a socket that is not open any more it is dropped, and the close is reported.
    pub(super) async fn send(&mut self, frame: String) {
        if let Some(endpoint) = &self.endpoint {
            self.requests.push(endpoint.post(frame).boxed_local());
        } else if let Some(socket) = &mut self.socket
            && matches!(socket.inner.state(), State::Open)
            && let Err(error) = socket.inner.send(Message::Text(frame)).await
        {
            leptos::logging::warn!("a frame was not sent: {error}");
        }
    }

    /// The next report; pending while there is no connection. It may be dropped and called again at any time.
    pub(super) async fn next(&mut self) -> Report {
        if let Some(report) = self.ready.pop_front() {
            return report;
        }
        if let Some(report) = self.requests.next().await {
            return report;
        }
        let Some(socket) = &mut self.socket else { return std::future::pending().await };
        let report = socket.next().await;
        if matches!(report, Report::Closed { .. }) {
            self.socket = None;
        }
        report
    }
}

/// Firefox throws something that is no `Error` where the content policy forbids the address; `WebSocket::open` of gloo would
/// panic on it.
fn open_socket(url: &str) -> Result<WebSocket, String> {
    let socket = web_sys::WebSocket::new(url).map_err(|error| format!("{error:?}"))?;
    WebSocket::try_from(socket).map_err(|error| error.to_string())
}

impl Socket {
    async fn next(&mut self) -> Report {
        if !self.opened {
            // Resolves for a socket that could not be opened as well; the stream then reports its close.
            let _ = poll_fn(|context| Pin::new(&mut self.inner).poll_ready(context)).await;
            self.opened = true;
            if matches!(self.inner.state(), State::Open) {
                return Report::Opened;
            }
        }
        loop {
            match self.inner.next().await {
                Some(Ok(Message::Text(text))) => return Report::Text(text),
                Some(Err(WebSocketError::ConnectionClose(close))) => {
                    return Report::Closed { code: close.code, reason: close.reason };
                }
                // A Gateway sends no binary frames; the close follows an error.
                Some(Ok(Message::Bytes(_)) | Err(_)) => {}
                None => return Report::failed(String::new()),
            }
        }
    }
}

impl Endpoint {
    /// Posts a frame. A Gateway sends no CORS header, so a page of another origin can send but never read: the browser
    /// reports that as a network error.
    fn post(&self, frame: String) -> impl Future<Output = Report> + 'static {
        let authorization = self.token.as_ref().map(|token| format!("Bearer {token}"));
        let url = self.url.clone();
        async move {
            let request = Request::post(&url).header("content-type", "application/json");
            let request = match &authorization {
                // The page has checked the token; `header` would panic on other characters.
                Some(value) if is_header_value(value) => request.header("authorization", value),
                Some(_) => {
                    return Report::failed(
                        "the token contains characters that an HTTP header cannot contain".to_owned(),
                    );
                }
                None => request,
            };
            let response = match request.body(frame) {
                Ok(request) => request.send().await,
                Err(error) => Err(error),
            };
            let text = match response {
                Ok(response) => response.text().await,
                Err(error) => Err(error),
            };
            match text {
                Ok(text) => Report::Text(text),
                Err(error) => Report::failed(format!("the browser could not read the response: {error}")),
            }
        }
    }
}

impl Report {
    fn failed(reason: String) -> Self {
        Self::Closed { code: 1006, reason }
    }
}
