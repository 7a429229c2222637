//! Errors as JavaScript has them: `Error` objects with a `code`, a sentence and, where there is one, a `position`.

use js_sys::{Error, Object, RangeError, Reflect, TypeError};
use runstate::time::InvalidTime;
use wasm_bindgen::JsValue;

use crate::read::Refused;
use crate::text;

/// An argument that is not what its type says: a `TypeError` with the code `INVALID_INPUT`.
pub(crate) fn invalid_input(refused: Refused) -> JsValue {
    if let Some(thrown) = refused.thrown {
        return thrown;
    }
    let error = TypeError::new("");
    set(&error, "message", &text::to_js(&refused.to_string()));
    set(&error, "code", &"INVALID_INPUT".into());
    let position = Object::new();
    set(&position, "path", &text::to_js(&refused.path));
    set(&error, "position", &position);
    error.into()
}

/// A moment that no `Date` can hold: a `RangeError`, as `toISOString` throws it, with the code `INVALID_TIME`.
pub(crate) fn invalid_time(error: InvalidTime) -> JsValue {
    let error = RangeError::new(&error.to_string());
    set(&error, "code", &"INVALID_TIME".into());
    error.into()
}

/// A run that is not there: an error, never a state (seed 000).
pub(crate) fn run_not_found(run_id: &str) -> JsValue {
    let error = Error::new("");
    set(&error, "message", &text::to_js(&format!("Run not found: {run_id}")));
    set(&error, "code", &"RUN_NOT_FOUND".into());
    error.into()
}

/// Sets a property of an object that was made here.
pub(crate) fn set(object: &JsValue, key: &'static str, value: &JsValue) {
    // Fails on frozen objects and throwing setters only, and the object is our own plain one.
    let _ = Reflect::set(object, &text::key(key), value);
}
