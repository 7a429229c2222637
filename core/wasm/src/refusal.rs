//! Errors that servers return.

use runstate::refusal;
use serde::Serialize;
use serde_with::skip_serializing_none;
use tsify::Tsify;

/// An error that a server returned. It is not a state.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
pub struct Refusal {
    code: String,
    message: String,
    method: Option<String>,
}

impl From<&refusal::Refusal> for Refusal {
    fn from(refusal: &refusal::Refusal) -> Self {
        Self { code: refusal.code.clone(), message: refusal.message.clone(), method: refusal.method.clone() }
    }
}
