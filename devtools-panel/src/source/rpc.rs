//! A Gateway over plain HTTP: each frame is one `POST /rpc`. Works only where the browser lets the origin read it.

use gloo_net::http::Request;
use wasm_bindgen_futures::spawn_local;

use super::socket::Report;

/// Where requests go, and the token they carry in their header.
#[derive(Clone)]
pub(crate) struct Endpoint {
    url: String,
    token: Option<String>,
}

impl Endpoint {
    /// The RPC address of the Gateway at `address`.
    pub(crate) fn new(address: &str, token: Option<String>) -> Self {
        Self { url: format!("{}/rpc", address.trim_end_matches('/')), token }
    }

    /// Uses another token from now on.
    pub(crate) fn set_token(&mut self, token: Option<String>) {
        self.token = token;
    }

    /// Sends a frame and reports the answer. A Gateway sends no CORS header, so a page of another origin can send but
    /// never read: the browser calls that a network error, and so does the report.
    pub(crate) fn post(self, frame: String, report: impl FnOnce(Report) + 'static) {
        spawn_local(async move {
            let mut request = Request::post(&self.url).header("content-type", "application/json");
            if let Some(token) = &self.token {
                request = request.header("authorization", &format!("Bearer {token}"));
            }
            let answer = match request.body(frame) {
                Ok(request) => match request.send().await {
                    Ok(response) => response.text().await,
                    Err(error) => Err(error),
                },
                Err(error) => Err(error),
            };
            report(match answer {
                Ok(text) => Report::Text(text),
                Err(_) => {
                    Report::Closed { code: 1006, reason: "the browser could not read the answer".into() }
                }
            });
        });
    }
}
