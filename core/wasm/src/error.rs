//! Errors as JavaScript has them: `Error` objects with a `code`, a sentence and, where there is one, a `position`.

use js_sys::{Error, JsString, RangeError, TypeError};
use runstate::time::InvalidTime;
use wasm_bindgen::JsValue;

use crate::text;
use crate::write::{Writer, set};

/// An argument that is not what its type says: a `TypeError` with the code `INVALID_INPUT`.
pub(crate) fn invalid_input(message: &str, path: &str) -> JsValue {
    let error = TypeError::new(&format!("{message} at {path}"));
    set(&error, "code", &"INVALID_INPUT".into());
    let mut position = Writer::new();
    position.text("path", path);
    set(&error, "position", &position.finish());
    error.into()
}

/// A moment that no `Date` can hold: a `RangeError`, as `toISOString` throws it, with the code `INVALID_TIME`.
pub(crate) fn invalid_time(error: InvalidTime) -> JsValue {
    let found = text::number(error.0);
    let message = format!("expected milliseconds between -8.64e15 and 8.64e15, found {found}");
    let error = RangeError::new(&message);
    set(&error, "code", &"INVALID_TIME".into());
    error.into()
}

/// A run that is not there: an error, never a state (seed 000). The id is whatever the caller asked for.
pub(crate) fn run_not_found(run_id: &JsValue) -> JsValue {
    let error = Error::new("");
    let message = JsString::from("Run not found: ").concat(&text::in_words(run_id));
    set(&error, "message", &message);
    set(&error, "code", &"RUN_NOT_FOUND".into());
    error.into()
}
