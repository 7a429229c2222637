//! The REST interface of the Gateway that serves this page. Pages of other origins cannot read its answers.

use futures::future::LocalBoxFuture;
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use gloo_net::http::Request;
use runstate::gateway::DETAIL_LIMIT_MS;

use super::diagnosis::http_root;
use super::http;
use super::worker::scope;

/// The answer to a path; `None` if there was none.
pub(super) struct RestAnswer {
    pub(super) path: String,
    pub(super) text: Option<String>,
}

/// Requests to the page's own origin, each with the token that the Gateway demands.
pub(super) struct Rest {
    root: String,
    token: Option<String>,
    requests: FuturesUnordered<LocalBoxFuture<'static, RestAnswer>>,
}

impl Rest {
    /// The interface of the Gateway at an address; `None` if the page is not of its origin.
    pub(super) fn new(address: &str, token: Option<String>) -> Option<Self> {
        let root = http_root(address).filter(|root| scope().location().origin() == *root)?;
        Some(Self { root, token, requests: FuturesUnordered::new() })
    }

    /// Sets the token of later requests, and gives up those with the last one.
    pub(super) fn set_token(&mut self, token: String) {
        self.requests.clear();
        self.token = Some(token).filter(|token| !token.is_empty());
    }

    /// Asks for a path; the answer follows.
    pub(super) fn ask(&mut self, path: String) {
        let authorization = self.token.as_ref().map(|token| format!("Bearer {token}"));
        let url = format!("{}{path}", self.root);
        let answer = async move {
            let text = http::within_limit(DETAIL_LIMIT_MS, read(url, authorization)).await.flatten();
            RestAnswer { path, text }
        };
        self.requests.push(answer.boxed_local());
    }

    /// The next answer; pending while nothing is asked.
    pub(super) async fn next(rest: &mut Option<Self>) -> RestAnswer {
        let requests = rest.as_mut().map(|rest| &mut rest.requests).filter(|requests| !requests.is_empty());
        let Some(requests) = requests else { return std::future::pending().await };
        match requests.next().await {
            Some(answer) => answer,
            None => std::future::pending().await,
        }
    }
}

async fn read(url: String, authorization: Option<String>) -> Option<String> {
    let request = Request::get(&url);
    let request = match &authorization {
        Some(value) => request.header("authorization", value),
        None => request,
    };
    let response = request.send().await.ok()?;
    http::read_body(&response).await.ok()
}
