//! A Gateway over plain HTTP: each frame is one `POST /rpc`. Works only where the browser lets the origin read it.

use web_sys::{Headers, RequestInit};

use super::socket::Report;
use crate::scope;

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
        scope::spawn(async move {
            let answer = match self.request(&frame) {
                Some(request) => scope::fetch(&self.url, &request).await,
                None => None,
            };
            report(match answer {
                Some(text) => Report::Text(text),
                None => Report::Closed { code: 1006, reason: "the browser could not read the answer".into() },
            });
        });
    }

    /// `None` for a token that cannot stand in a header.
    fn request(&self, frame: &str) -> Option<RequestInit> {
        let headers = Headers::new().ok()?;
        headers.append("content-type", "application/json").ok()?;
        if let Some(token) = &self.token {
            headers.append("authorization", &format!("Bearer {token}")).ok()?;
        }
        let request = RequestInit::new();
        request.set_method("POST");
        request.set_headers(headers.as_ref());
        request.set_body(&frame.into());
        Some(request)
    }
}
