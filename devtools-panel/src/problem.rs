//! The reason why a request failed.

use runstate::ingest::DocumentError;
use runstate::json::Position;
use serde::{Deserialize, Serialize};

/// The reason why a request failed, for a person to read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    /// A code for tools and tests.
    pub code: String,
    /// The expected and the actual input.
    pub message: String,
    /// A suggestion for the person.
    pub hint: Option<String>,
    /// The position in the input.
    pub position: Option<Position>,
}

impl Problem {
    /// A problem without a position.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into(), hint: None, position: None }
    }

    /// Adds a suggestion for the person.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl From<DocumentError> for Problem {
    fn from(error: DocumentError) -> Self {
        Self {
            code: error.code.to_string(),
            message: error.message,
            hint: error.hint,
            position: error.position,
        }
    }
}
