//! A live Gateway, by way of the worker.

use wasm_bindgen::JsValue;

use super::worker::wish;
use crate::store::Store;
use crate::trouble::Trouble;

/// Connects to a Gateway and shows what it says. `address` is `ws:`, `wss:`, `http:` or `https:`.
pub(crate) fn connect(store: Store, address: &str, token: Option<String>, run_id: Option<String>) {
    let address = address.trim();
    let known = |scheme| address.strip_prefix(scheme).is_some_and(|host: &str| !host.is_empty());
    if !["ws://", "wss://", "http://", "https://"].into_iter().any(known) {
        let message = format!("Expected an address such as ws://127.0.0.1:7331, found “{address}”.");
        store.problem.set(Some(Trouble::new("INVALID_ADDRESS", message)));
        return;
    }
    store.look();
    wish(store, "connect", vec![address.into(), optional(token), optional(run_id)]);
}

fn optional(text: Option<String>) -> JsValue {
    text.map_or(JsValue::UNDEFINED, JsValue::from)
}

/// Connects again at once.
pub(crate) fn reconnect(store: Store) {
    wish(store, "reconnect", Vec::new());
}

/// Watches a run of the Gateway.
pub(crate) fn watch(store: Store, run_id: &str) {
    store.look();
    wish(store, "watch", vec![run_id.into()]);
}

/// Goes back to the list of runs.
pub(crate) fn list(store: Store) {
    store.look();
    wish(store, "list", Vec::new());
}

/// Tries again with another token.
pub(crate) fn authorise(store: Store, token: String) {
    wish(store, "authorise", vec![token.into()]);
}
