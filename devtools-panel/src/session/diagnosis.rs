//! Finds out why a connection could not be opened: of a socket, a browser lets scripts know only that it failed.

use futures::channel::mpsc::{UnboundedReceiver, unbounded};
use futures::future::LocalBoxFuture;
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt, select};
use gloo_net::http::Request;
use runstate::frame::Frame;
use runstate::gateway::{OpenFailure, Transport};
use runstate::refusal::{Cause, Refusal};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{DedicatedWorkerGlobalScope, RequestCache, RequestCredentials, RequestMode};
use web_sys::{SecurityPolicyViolationEvent, Url};

/// What was found out.
#[derive(Debug)]
pub(super) enum Finding {
    /// Why the connection failed.
    Failed(OpenFailure),
    /// The Gateway's refusal of this page.
    Refused(Refusal),
}

/// Watches the worker's content policy, and asks the server over HTTP after a connection failed.
pub(super) struct Diagnosis {
    address: String,
    transport: Transport,
    violations: UnboundedReceiver<()>,
    /// At most one at a time.
    probes: FuturesUnordered<LocalBoxFuture<'static, Finding>>,
    /// Lives as long as the worker, which has one session.
    _on_violation: Closure<dyn FnMut(SecurityPolicyViolationEvent)>,
}

impl Diagnosis {
    pub(super) fn new(address: &str, transport: Transport) -> Self {
        let (sender, violations) = unbounded();
        let on_violation = Closure::new(move |event: SecurityPolicyViolationEvent| {
            // The policy may forbid a probe and allow the socket. Of a socket, only the scheme may be reported.
            let is_socket = event.blocked_uri().starts_with("ws");
            if event.effective_directive() == "connect-src"
                && is_socket == (transport == Transport::WebSocket)
            {
                // The receiver is dropped with the worker only.
                let _ = sender.unbounded_send(());
            }
        });
        let listener = on_violation.as_ref().unchecked_ref();
        // Adding a listener to the global scope cannot fail.
        let _ = scope().add_event_listener_with_callback("securitypolicyviolation", listener);
        let probes = FuturesUnordered::new();
        Self { address: address.to_owned(), transport, violations, probes, _on_violation: on_violation }
    }

    /// Starts to ask the server, unless it is being asked.
    pub(super) fn start(&mut self) {
        if self.probes.is_empty() {
            self.probes.push(probe(self.address.clone(), self.transport).boxed_local());
        }
    }

    /// The next finding; pending while there is nothing to find out.
    pub(super) async fn next(&mut self) -> Finding {
        // A stream that is empty now is not at its end: `select_next_some` waits.
        select! {
            () = self.violations.select_next_some() => Finding::Failed(OpenFailure::ContentPolicy),
            finding = self.probes.select_next_some() => finding,
        }
    }
}

/// Asks the server of an address for something that needs no token.
async fn probe(address: String, transport: Transport) -> Finding {
    let root = http_root(&address).unwrap_or(address);
    let is_own_origin = scope().location().origin() == root;
    match (transport, is_own_origin) {
        // The browser could not reach the page's own server.
        (Transport::Http, true) => Finding::Failed(OpenFailure::NoAnswer),
        (Transport::Http, false) => Finding::Failed(reach(&root, OpenFailure::AnswerUnreadable).await),
        (Transport::WebSocket, false) => Finding::Failed(reach(&root, OpenFailure::SocketRefused).await),
        (Transport::WebSocket, true) => ask_own_server(&root).await,
    }
}

/// Whether anybody answers. The answer itself cannot be read: the Gateway sends no CORS header.
async fn reach(root: &str, if_answered: OpenFailure) -> OpenFailure {
    let request = Request::get(&format!("{root}/health"))
        .mode(RequestMode::NoCors)
        .credentials(RequestCredentials::Omit)
        .cache(RequestCache::NoStore);
    match request.send().await {
        Ok(_) => if_answered,
        Err(_) => OpenFailure::NoAnswer,
    }
}

/// Sends an RPC without a token: the Gateway checks the origin first, and says so.
async fn ask_own_server(root: &str) -> Finding {
    let body = r#"{"type":"req","id":"probe","method":"health","params":{}}"#;
    let request = Request::post(&format!("{root}/rpc")).header("content-type", "application/json").body(body);
    let answer = match request {
        Ok(request) => request.send().await,
        Err(error) => Err(error),
    };
    let Ok(answer) = answer else { return Finding::Failed(OpenFailure::NoAnswer) };
    match answer.text().await.map(|text| Frame::parse(&text)) {
        Ok(Ok(Frame::Response { result: Err(refusal), .. })) => match refusal.cause() {
            Cause::Origin | Cause::Host => {
                Finding::Refused(Refusal { method: Some("POST /rpc".into()), ..refusal })
            }
            Cause::Token | Cause::Run | Cause::Other => Finding::Failed(OpenFailure::SocketRefused),
        },
        Ok(_) | Err(_) => Finding::Failed(OpenFailure::SocketRefused),
    }
}

/// The HTTP origin of an address.
fn http_root(address: &str) -> Option<String> {
    let url = Url::new(address).ok()?;
    let scheme = match url.protocol().as_str() {
        "ws:" | "http:" => "http",
        _ => "https",
    };
    Some(format!("{scheme}://{}", url.host()))
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}
