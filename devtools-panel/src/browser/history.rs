//! The page's address and the entries of its history.

use leptos::prelude::window;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;
use web_sys::History;

/// Identifies this load of the page.
pub(crate) fn page_id() -> f64 {
    window().performance().map(|performance| performance.time_origin()).unwrap_or_default()
}

/// The state of the present entry; `None` if it has none, or one of another script.
pub(crate) fn state<T: DeserializeOwned>() -> Option<T> {
    let state = window().history().ok()?.state().ok()?;
    serde_wasm_bindgen::from_value(state).ok()
}

/// Adds an entry.
pub(crate) fn push(state: &impl Serialize, fragment: &str) {
    write(state, fragment, |history, state, url| history.push_state_with_url(state, "", Some(url)));
}

/// Changes the present entry.
pub(crate) fn replace(state: &impl Serialize, fragment: &str) {
    write(state, fragment, |history, state, url| history.replace_state_with_url(state, "", Some(url)));
}

fn write(
    state: &impl Serialize,
    fragment: &str,
    write: impl FnOnce(&History, &JsValue, &str) -> Result<(), JsValue>,
) {
    let Ok(history) = window().history() else { return };
    let state = serde_wasm_bindgen::to_value(state).unwrap_or(JsValue::NULL);
    // A browser refuses too many changes in a short time; the next one contains this one.
    if write(&history, &state, &address(fragment)).is_err() {
        leptos::logging::warn!("The browser did not write the address.");
    }
}

/// The page's address with another fragment.
pub(crate) fn address(fragment: &str) -> String {
    let address = window().location().href().unwrap_or_default();
    let page = address.split('#').next().unwrap_or_default();
    let separator = if fragment.is_empty() { "" } else { "#" };
    format!("{page}{separator}{fragment}")
}
