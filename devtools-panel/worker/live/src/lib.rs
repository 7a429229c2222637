//! The panel's live part: speaks with a Gateway and derives what it says, so that a busy run does not hold up the page.
//!
//! It is linked into the panel's own WebAssembly module, whose code is shared: the page and this part's worker run the same
//! bytes, each with a memory of its own (`www/worker-live.js`).

mod gateway;
mod recording;
mod rpc;
mod scope;
mod socket;

use std::cell::RefCell;

use runstate::document::DocumentError;
use runstate::feed::{Input, Token};
use runstate::session::{Live, Session};
use runstate_worker::{hold, now, tell};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static SESSION: RefCell<Session<Live>> = RefCell::default();
}

/// Shows the built-in recording, of which the script that calls this has the answers (`www/worker-live.js`).
///
/// # Errors
/// A `DocumentError` as JSON: never with the recording that our tests read.
#[wasm_bindgen(skip_typescript)]
pub fn recording(run: &str, snapshot: &str, nodes: &str) -> Result<(), JsValue> {
    let run =
        recording::read(run, snapshot, nodes, now()).map_err(|error| DocumentError::from(error).to_json())?;
    gateway::disconnect();
    hold(&SESSION, Live::recorded(run, "built-in recording"));
    tell(&SESSION);
    Ok(())
}

/// Connects to a Gateway whose address begins with `ws:`, `wss:`, `http:` or `https:`.
#[wasm_bindgen(skip_typescript)]
pub fn connect(address: &str, token: Option<String>, run_id: Option<String>) {
    gateway::connect(address, token, run_id);
}

/// Connects again at once.
#[wasm_bindgen(skip_typescript)]
pub fn reconnect() {
    gateway::drive(Some(Input::ReconnectNow));
}

/// Watches a run of the Gateway.
#[wasm_bindgen(skip_typescript)]
pub fn watch(run_id: &str) {
    gateway::drive(Some(Input::Watch(run_id)));
}

/// Goes back to the Gateway's list of runs.
#[wasm_bindgen(skip_typescript)]
pub fn list() {
    gateway::drive(Some(Input::List));
}

/// Tries again with another token.
#[wasm_bindgen(skip_typescript)]
pub fn authorise(token: String) {
    gateway::use_token(&token);
    gateway::drive(Some(Input::Authorise(Some(Token::new(token)))));
}

/// The page can be seen again.
#[wasm_bindgen(skip_typescript)]
pub fn woke() {
    gateway::drive(Some(Input::Woke));
}

/// Time went on: ages, countdowns and what was held back.
#[wasm_bindgen(skip_typescript)]
pub fn tick() {
    tell(&SESSION);
}

/// The run or the list in view as the answers that it came from, with the Gateway's secrets: for the reader of documents, which leaves
/// those out of what it writes.
///
/// # Errors
/// A `DocumentError` as JSON where neither is in view.
#[wasm_bindgen(skip_typescript)]
pub fn draft() -> Result<String, JsValue> {
    let draft = SESSION.with_borrow_mut(|session| session.held().map(|live| live.draft(now())));
    draft.unwrap_or_else(|| Err(DocumentError::gone())).map_err(|error| error.to_json().into())
}

/// Another part holds what is on screen: ends the connection and tells nothing any more.
#[wasm_bindgen(skip_typescript)]
pub fn leave() {
    gateway::disconnect();
    SESSION.with_borrow_mut(Session::let_go);
}
