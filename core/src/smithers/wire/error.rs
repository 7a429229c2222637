//! An error of Smithers' own (seed 002).

use super::SmithersErrorCode;
use super::field::Json;
use super::record::record;
use crate::word::Word;

record! {
    /// An error as Smithers writes it into rows, events and answers.
    ///
    /// `summary` and `docsUrl` are always there by seed 002; errors that the released software wraps have only a message, so they may be
    /// missing here.
    ///
    /// ```
    /// use runstate::smithers::wire::{SmithersError, SmithersErrorCategory, SmithersErrorCode};
    ///
    /// let error = SmithersError::from_json(r#"{"code":"INVALID_INPUT","message":"No input. See …","summary":"No input."}"#)?;
    /// assert_eq!(error.code.known().map(SmithersErrorCode::category), Some(SmithersErrorCategory::Engine));
    /// assert_eq!(error.summary(), "No input.");
    /// assert_eq!(SmithersError::from_json(&error.to_json())?, error);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub struct SmithersError {
        /// The code, of Smithers or of a host.
        code: Word<SmithersErrorCode> = "code",
        /// What happened.
        message: String = "message",
        /// The same without the link.
        summary: Option<String> = "summary",
        /// Where to read about it.
        docs_url: Option<String> = "docsUrl",
        /// What else belongs to it.
        details: Option<Json> = "details",
        /// What it came from.
        cause: Option<Json> = "cause",
        /// The class that was thrown (Smithers 0.32).
        name: Option<String> = "name",
        /// Where it was thrown (Smithers 0.32).
        stack: Option<String> = "stack",
    }
}

impl SmithersError {
    /// The shortest sentence that says what happened.
    pub fn summary(&self) -> &str {
        self.summary.as_deref().unwrap_or(&self.message)
    }
}
