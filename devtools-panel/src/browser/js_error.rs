//! The text of any value that JavaScript code throws.

use wasm_bindgen::{JsCast, JsValue};

/// The message of an `Error`, or a description of any other value.
pub(crate) fn js_error_text(error: &JsValue) -> String {
    error
        .dyn_ref::<js_sys::Error>()
        .map_or_else(|| format!("{error:?}"), |error| String::from(error.message()))
}
