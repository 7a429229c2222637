//! Why the user's last wish could not be met.

use runstate::document::DocumentError;
use runstate::json::Position;

/// A refusal of the core or of the browser, for a person to read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trouble {
    /// A code for tools and tests.
    pub(crate) code: &'static str,
    /// What was expected and what was found.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) hint: Option<String>,
    /// Where in the input.
    pub(crate) position: Option<Position>,
}

impl Trouble {
    /// A trouble without a place.
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, position: None }
    }
}

impl From<DocumentError> for Trouble {
    fn from(error: DocumentError) -> Self {
        Self { code: error.code, message: error.message, hint: error.hint, position: error.position }
    }
}
