//! HTTP requests of a session. Their responses are limited in size and in time, and dropping a request aborts it.

use futures::future::{Either, select};
use gloo_net::http::{Request, Response};
use gloo_timers::future::TimeoutFuture;
use js_sys::{Date, Reflect, Uint8Array};
use runstate::gateway::{HttpResponse, MAX_FRAME_BYTES};
use wasm_bindgen::prelude::*;
use web_sys::{AbortController, RequestRedirect, ResponseType};

use crate::browser::js_error::js_error_text;

#[wasm_bindgen]
extern "C" {
    /// The reader of a body. web-sys has it behind a feature with which Leptos would be compiled again.
    type BodyReader;
    #[wasm_bindgen(method, catch)]
    async fn read(this: &BodyReader) -> Result<JsValue, JsValue>;
}

/// The response to a frame that was sent over HTTP.
#[derive(Debug)]
pub(super) struct FrameResponse {
    request: String,
    status: u16,
    retry_after_ms: Option<f64>,
    body: String,
}

impl FrameResponse {
    /// The response as an input of the client.
    pub(super) fn input(&self) -> HttpResponse<'_> {
        let Self { request, status, retry_after_ms, body } = self;
        HttpResponse::new(request, *status, body).with_retry_after(*retry_after_ms)
    }
}

/// Aborts its request when it is dropped: the future of a `fetch` does not.
struct AbortOnDrop(AbortController);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        // Has no effect on a request that has ended.
        self.0.abort();
    }
}

/// Returns what a request returns, or `None` after a time in ms: the client no longer waits for it then. Either drops the request.
pub(super) async fn within_limit<T>(limit_ms: f64, request: impl Future<Output = T>) -> Option<T> {
    match select(Box::pin(request), TimeoutFuture::new(limit_ms as u32)).await {
        Either::Left((response, _)) => Some(response),
        Either::Right(_) => None,
    }
}

/// Why a frame has no response.
#[derive(Debug)]
pub(super) enum PostFailure {
    /// The server redirected the request, which was not sent to the other address.
    Redirected,
    /// The browser's error.
    Unreadable(String),
}

impl<E: ToString> From<E> for PostFailure {
    fn from(error: E) -> Self {
        Self::Unreadable(error.to_string())
    }
}

/// Posts a frame to `url` and reads the response. A redirect is not followed: it would send the token and the frame to another
/// address.
///
/// # Errors
/// Why there is no response.
pub(super) async fn post(
    url: &str,
    authorization: Option<&str>,
    frame: String,
) -> Result<FrameResponse, PostFailure> {
    let abort = AbortController::new().ok().map(AbortOnDrop);
    let signal = abort.as_ref().map(|abort| abort.0.signal());
    let request = Request::post(url).abort_signal(signal.as_ref()).header("content-type", "application/json");
    let request = match authorization {
        Some(value) => request.header("authorization", value),
        None => request,
    };
    let request = request.redirect(RequestRedirect::Manual).body(&frame)?;
    let response = request.send().await?;
    if response.type_() == ResponseType::Opaqueredirect {
        return Err(PostFailure::Redirected);
    }
    let retry_after_ms = response.headers().get("retry-after").and_then(|value| retry_after_ms(&value));
    let status = response.status();
    Ok(FrameResponse { request: frame, status, retry_after_ms, body: read_body(&response).await? })
}

/// Reads the body of a response, up to one byte more than the client accepts. The rest is never received: dropping the request
/// aborts it.
pub(super) async fn read_body(response: &Response) -> Result<String, String> {
    let Some(stream) = response.body() else { return Ok(String::new()) };
    let reader: BodyReader = stream.get_reader().unchecked_into();
    let mut bytes = Vec::new();
    loop {
        let result = reader.read().await.map_err(|error| js_error_text(&error))?;
        let chunk = Reflect::get(&result, &"value".into()).map_err(|error| js_error_text(&error))?;
        if chunk.is_undefined() {
            break;
        }
        bytes.extend(Uint8Array::new(&chunk).to_vec());
        if bytes.len() > MAX_FRAME_BYTES {
            bytes.truncate(MAX_FRAME_BYTES + 1);
            break;
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The wait in a `Retry-After` header, milliseconds: seconds, or the date at which it ends.
fn retry_after_ms(value: &str) -> Option<f64> {
    let seconds = value.trim().parse::<f64>().ok().map(|seconds| seconds * 1000.0);
    let wait = seconds.unwrap_or_else(|| Date::parse(value) - Date::now());
    Some(wait).filter(|wait| wait.is_finite() && *wait >= 0.0)
}
