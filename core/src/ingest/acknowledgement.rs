//! Makes the error for responses to actions.

use super::DocumentError;
use crate::error_code::ErrorCode;
use crate::json;
use crate::kind::Keys;
use crate::kind::acknowledgement::{is_acknowledgement, status};
use crate::text::{concat, quoted};

/// Returns the error for a response to an action; `None` for everything else. `method` is the request's method, if
/// known.
pub(super) fn refusal(keys: &Keys<'_>, method: Option<&str>) -> Option<DocumentError> {
    if !is_acknowledgement(keys, method) {
        return None;
    }
    let word = status(keys).map(|word| concat(&[", ", &quoted(json::cut(&word))])).unwrap_or_default();
    let message =
        concat(&["This is the response to an action", &word, ". It does not say what the run is doing."]);
    let error = DocumentError::at(ErrorCode::NotRecognised, message, keys.object().begin());
    Some(error.hint("Copy the response to getRun."))
}
