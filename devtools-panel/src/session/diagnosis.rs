//! Finds out why a connection failed; browsers tell scripts only *that* a socket failed.

use futures::channel::mpsc::{UnboundedReceiver, unbounded};
use futures::future::LocalBoxFuture;
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt, select_biased};
use gloo_net::http::Request;
use gloo_timers::future::TimeoutFuture;
use runstate::frame::Frame;
use runstate::gateway::{ANSWER_LIMIT_MS, OpenFailure, Transport};
use runstate::refusal::{Cause, Refusal};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{
    RequestCache, RequestCredentials, RequestMode, RequestRedirect, ResponseType,
    SecurityPolicyViolationEvent, Url,
};

use super::http;
use super::worker::scope;

/// How long the report of a policy's violation is waited for after a failure, milliseconds: Firefox may report later that the
/// policy has forbidden the connection.
const REPORT_MS: u32 = 200;

/// The result of a diagnosis.
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
    /// The running probe; at most one.
    probes: FuturesUnordered<LocalBoxFuture<'static, Finding>>,
    /// Lives as long as the worker, which has one session.
    _on_violation: Closure<dyn FnMut(SecurityPolicyViolationEvent)>,
}

impl Diagnosis {
    pub(super) fn new(address: &str, transport: Transport) -> Self {
        let (sender, violations) = unbounded();
        let on_violation = Closure::new(move |event: SecurityPolicyViolationEvent| {
            // The policy may forbid a probe but allow the socket. For a socket, the browser may report only the scheme.
            let is_socket = event.blocked_uri().starts_with("ws");
            if event.effective_directive() == "connect-src"
                && is_socket == (transport == Transport::WebSocket)
            {
                // The receiver is dropped only with the worker.
                let _ = sender.unbounded_send(());
            }
        });
        let listener = on_violation.as_ref().unchecked_ref();
        // Adding a listener to the global scope cannot fail.
        let _ = scope().add_event_listener_with_callback("securitypolicyviolation", listener);
        let probes = FuturesUnordered::new();
        Self { address: address.to_owned(), transport, violations, probes, _on_violation: on_violation }
    }

    /// Starts a probe unless one is running.
    pub(super) fn start(&mut self) {
        if self.probes.is_empty() {
            self.probes.push(probe_within_limit(self.address.clone(), self.transport).boxed_local());
        }
    }

    /// The next finding; pending while no probe runs. A violation of the policy is the reason for what a probe found.
    pub(super) async fn next(&mut self) -> Finding {
        // `select_next_some` waits even if the stream is empty now.
        select_biased! {
            () = self.violations.select_next_some() => Finding::Failed(OpenFailure::ContentPolicy),
            finding = self.probes.select_next_some() => finding,
        }
    }
}

/// Probes an address; a server that takes too long does not respond.
async fn probe_within_limit(address: String, transport: Transport) -> Finding {
    let finding = http::within_limit(ANSWER_LIMIT_MS, probe(address, transport)).await;
    let finding = finding.unwrap_or(Finding::Failed(OpenFailure::NoAnswer));
    if matches!(finding, Finding::Failed(OpenFailure::NoAnswer)) {
        TimeoutFuture::new(REPORT_MS).await;
    }
    finding
}

/// Sends the server of an address a request that needs no token.
async fn probe(address: String, transport: Transport) -> Finding {
    let root = http_root(&address).unwrap_or(address);
    let is_own_origin = scope().location().origin() == root;
    match (transport, is_own_origin) {
        // The browser could not reach the page's own server.
        (Transport::Http, true) => Finding::Failed(OpenFailure::NoAnswer),
        (Transport::Http, false) => Finding::Failed(check_health(&root, OpenFailure::AnswerUnreadable).await),
        (Transport::WebSocket, false) => {
            Finding::Failed(check_health(&root, OpenFailure::SocketRefused).await)
        }
        (Transport::WebSocket, true) => ask_own_server(&root).await,
    }
}

/// Checks whether the server responds at all; if it does, the failure is `on_answer`. The response is unreadable
/// without CORS headers.
async fn check_health(root: &str, on_answer: OpenFailure) -> OpenFailure {
    let request = Request::get(&format!("{root}/health"))
        .mode(RequestMode::NoCors)
        .credentials(RequestCredentials::Omit)
        .cache(RequestCache::NoStore);
    match request.send().await {
        Ok(_) => on_answer,
        Err(_) => OpenFailure::NoAnswer,
    }
}

/// Sends an RPC without a token; the Gateway checks the origin first, and reports if it refuses the origin.
async fn ask_own_server(root: &str) -> Finding {
    let body = r#"{"type":"req","id":"probe","method":"health","params":{}}"#;
    let request = Request::post(&format!("{root}/rpc"))
        .header("content-type", "application/json")
        .redirect(RequestRedirect::Manual)
        .body(body);
    let answer = match request {
        Ok(request) => request.send().await,
        Err(error) => Err(error),
    };
    let Ok(answer) = answer else { return Finding::Failed(OpenFailure::NoAnswer) };
    if answer.type_() == ResponseType::Opaqueredirect {
        return Finding::Failed(OpenFailure::Redirected);
    }
    match http::read_body(&answer).await.map(|text| Frame::parse(&text)) {
        Ok(Ok(Frame::Response { result: Err(mut refusal), .. })) => match refusal.cause() {
            Cause::Origin | Cause::Host => {
                refusal.method = Some("POST /rpc".into());
                Finding::Refused(refusal)
            }
            Cause::Token | Cause::Run | Cause::Other => Finding::Failed(OpenFailure::SocketRefused),
        },
        Ok(_) | Err(_) => Finding::Failed(OpenFailure::SocketRefused),
    }
}

/// The HTTP origin of an address.
pub(super) fn http_root(address: &str) -> Option<String> {
    let url = Url::new(address).ok()?;
    let scheme = match url.protocol().as_str() {
        "ws:" | "http:" => "http",
        _ => "https",
    };
    Some(format!("{scheme}://{}", url.host()))
}
