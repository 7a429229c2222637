//! What the live part asks of the worker that runs it.

use std::pin::Pin;

use runstate_worker::scope;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{RequestInit, Response};

/// Runs a task beside everything else.
pub(crate) fn spawn(task: impl Future<Output = ()> + 'static) {
    wasm_bindgen_futures::spawn_local(Box::pin(task) as Pin<Box<dyn Future<Output = ()>>>);
}

/// Sends a request and reads the whole answer. `None` where the browser does not let the page read it.
pub(crate) async fn fetch(url: &str, request: &RequestInit) -> Option<String> {
    let answer = JsFuture::from(scope().fetch_with_str_and_init(url, request)).await.ok()?;
    let text = answer.dyn_into::<Response>().ok()?.text().ok()?;
    JsFuture::from(text).await.ok()?.as_string()
}
