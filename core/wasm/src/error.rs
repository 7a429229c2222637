//! Errors as JavaScript has them: `Error` objects with a `code`, a sentence and, where there is one, a `position`.

use js_sys::Error;
use js_sys::TypeError;
use js_sys::{JsString, RangeError};
use runstate::conductor::NotARun;
use runstate::document::DocumentError;
use runstate::smithers::InvalidInput;
use runstate::time::InvalidTime;
use wasm_bindgen::JsValue;

use crate::text;
use crate::write::{Writer, set};

/// An argument that is not what its type says: a `TypeError` with the code `INVALID_INPUT`.
pub(crate) fn invalid_input(refused: &InvalidInput) -> JsValue {
    let error = TypeError::new("");
    set(&error, "message", &text::to_js(&refused.to_string()));
    set(&error, "code", &InvalidInput::CODE.into());
    let mut position = Writer::new();
    position.text("path", &refused.path);
    set(&error, "position", &position.finish());
    error.into()
}

/// An argument whose text cannot be read: a `TypeError` with the code `INVALID_INPUT`. `at` is the text and a byte of it,
/// where the caller can find the place again.
pub(crate) fn unread(path: &str, message: &str, at: Option<(&str, usize)>) -> JsValue {
    let error = TypeError::new("");
    set(&error, "message", &text::to_js(&[path, ": ", message].concat()));
    set(&error, "code", &InvalidInput::CODE.into());
    set(&error, "position", &position(at, Some(path)));
    error.into()
}

/// A place: line and column of a byte of a text, and how the caller calls it.
pub(crate) fn position(at: Option<(&str, usize)>, path: Option<&str>) -> JsValue {
    let mut position = Writer::new();
    if let Some((text, offset)) = at {
        let before = text.get(..offset.min(text.len())).unwrap_or(text);
        let line = before.bytes().rposition(|byte| byte == b'\n').map_or(0, |end| end + 1);
        position.number("line", (before.bytes().filter(|byte| *byte == b'\n').count() + 1) as f64);
        position.number("column", (before.get(line..).unwrap_or_default().chars().count() + 1) as f64);
    }
    position.optional_text("path", path);
    position.finish()
}

/// A refusal that has a code and a sentence, and no place.
pub(crate) fn coded(code: &str, message: &str) -> JsValue {
    let error = Error::new("");
    set(&error, "message", &text::to_js(message));
    set(&error, "code", &code.into());
    error.into()
}

/// Files that are not those of a run, or a time that is none.
pub(crate) fn not_a_run(refused: &NotARun) -> JsValue {
    if refused.code == InvalidInput::CODE {
        return unread("options.now", refused.message, None);
    }
    coded(refused.code, refused.message)
}

/// A document that was refused: an `Error` with the document's own code, its hint and its position.
pub(crate) fn document_error(refused: &DocumentError) -> JsValue {
    let error = Error::new("");
    set(&error, "message", &text::to_js(&refused.to_string()));
    set(&error, "code", &refused.code.into());
    if let Some(hint) = &refused.hint {
        set(&error, "hint", &text::to_js(hint));
    }
    if let Some(place) = &refused.position {
        let mut position = Writer::new();
        position.number("line", place.line as f64);
        position.number("column", place.column as f64);
        position.optional_text("path", place.path.as_deref());
        set(&error, "position", &position.finish());
    }
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
