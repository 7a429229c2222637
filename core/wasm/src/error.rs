//! JavaScript errors with a `code`, a message and, if there is one, a `position`.

use js_sys::{Object, RangeError, TypeError};
use runstate::conductor::ReadRunError;
use runstate::error_code::ErrorCode;
use runstate::history::NoFrame;
use runstate::ingest::DocumentError;
use runstate::time::InvalidTime;
use runstate::tree::InvalidDelta;
use runstate::word::Vocabulary;
use serde::Serialize;
use serde_with::skip_serializing_none;
use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("error.d.ts");

#[wasm_bindgen(raw_module = "./errors.js")]
extern "C" {
    /// The class that `@smithers-orchestrator/devtools` throws for a delta that does not fit.
    type InvalidDeltaError;

    #[wasm_bindgen(constructor)]
    fn new(message: &str) -> InvalidDeltaError;
}

/// A JavaScript error, or the exception of a callback.
pub struct Error(JsValue);

/// A position in a document or in an argument. Lines and columns count from 1.
#[skip_serializing_none]
#[derive(Default, Serialize, Tsify)]
pub struct Position {
    line: Option<usize>,
    column: Option<usize>,
    path: Option<String>,
}

impl Position {
    /// A position in a text.
    pub(crate) fn at(line: usize, column: usize) -> Self {
        Self { line: Some(line), column: Some(column), path: None }
    }
}

/// The members that Runstate adds to an error.
#[skip_serializing_none]
#[derive(Serialize)]
struct Details<'a> {
    code: &'a str,
    hint: Option<&'a str>,
    position: Option<Position>,
}

impl Error {
    fn new(error: impl Into<JsValue>, details: &Details<'_>) -> Self {
        let error = error.into();
        // Writing text and small numbers cannot fail.
        if let Ok(details) = serde_wasm_bindgen::to_value(details) {
            Object::assign(error.unchecked_ref::<Object>(), details.unchecked_ref());
        }
        Self(error)
    }

    /// An argument that does not match its type: a `TypeError` with the code `INVALID_INPUT`.
    pub(crate) fn invalid_input(path: &str, expected: &str, found: &str) -> Self {
        let position = Position { path: Some(path.to_owned()), ..Position::default() };
        Self::invalid(&format!("expected {expected} for {path}, found {found}"), position)
    }

    /// An argument that cannot be read; `at` is its text and the byte at which it is wrong, if the caller knows that text.
    pub(crate) fn unreadable(path: &str, message: &str, at: Option<(&str, usize)>) -> Self {
        let position = at.map(|(text, offset)| position(text, offset)).unwrap_or_default();
        Self::invalid(&format!("{path}: {message}"), Position { path: Some(path.to_owned()), ..position })
    }

    fn invalid(message: &str, position: Position) -> Self {
        Self::new(
            TypeError::new(message),
            &Details { code: ErrorCode::InvalidInput.as_str(), hint: None, position: Some(position) },
        )
    }

    /// An error with a code and a message, without a position.
    pub(crate) fn with_code(code: ErrorCode, message: &str) -> Self {
        Self::new(js_sys::Error::new(message), &Details { code: code.as_str(), hint: None, position: None })
    }

    /// An error that no argument can cause.
    pub(crate) fn internal(message: &str) -> Self {
        Self::new(js_sys::Error::new(message), &Details { code: "INTERNAL", hint: None, position: None })
    }
}

/// The position of a byte in a text.
fn position(text: &str, offset: usize) -> Position {
    let before = text.get(..offset.min(text.len())).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    Position::at(before.matches('\n').count() + 1, line.chars().count() + 1)
}

impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        error.0
    }
}

/// Rethrows a callback's exception unchanged.
impl From<JsValue> for Error {
    fn from(thrown: JsValue) -> Self {
        Self(thrown)
    }
}

/// A result that cannot be written as a JavaScript value.
impl From<serde_wasm_bindgen::Error> for Error {
    fn from(error: serde_wasm_bindgen::Error) -> Self {
        Self::internal(&error.to_string())
    }
}

/// A result of the core that does not match the type that the module declares.
impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::internal(&error.to_string())
    }
}

impl From<InvalidDelta> for Error {
    fn from(error: InvalidDelta) -> Self {
        Self(InvalidDeltaError::new(&error.message).into())
    }
}

/// A time that no `Date` can represent is a `RangeError`, as in `toISOString`.
impl From<InvalidTime> for Error {
    fn from(error: InvalidTime) -> Self {
        let details = Details { code: ErrorCode::InvalidTime.as_str(), hint: None, position: None };
        Self::new(RangeError::new(&error.to_string()), &details)
    }
}

impl From<DocumentError> for Error {
    fn from(error: DocumentError) -> Self {
        let position = error.position.as_ref().map(|found| Position {
            line: Some(found.line),
            column: Some(found.column),
            path: found.path.clone(),
        });
        let details = Details { code: error.code.as_str(), hint: error.hint.as_deref(), position };
        Self::new(js_sys::Error::new(&error.to_string()), &details)
    }
}

impl From<NoFrame> for Error {
    fn from(error: NoFrame) -> Self {
        Self::with_code(ErrorCode::NoFrame, &error.to_string())
    }
}

impl From<ReadRunError> for Error {
    fn from(error: ReadRunError) -> Self {
        if error.code == ErrorCode::InvalidInput {
            return Self::invalid_input("options.now", error.message, "a time that no date can hold");
        }
        Self::with_code(error.code, error.message)
    }
}
