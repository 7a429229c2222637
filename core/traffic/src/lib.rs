//! What the browser extension needs of the core while it collects the traffic of a page, as a small module of its own.

// Items are public only for wasm-bindgen, which exports public functions.
#![allow(unreachable_pub)]

use wasm_bindgen::prelude::wasm_bindgen;

/// Runs once when the module is loaded. A panic is reported on the console with its message and position in the source.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// Returns a message of a server without its secrets; `undefined` if it has none.
#[wasm_bindgen(js_name = redactMessage)]
pub fn redact_message(text: &str) -> Option<String> {
    runstate::redact::redact_message(text)
}
