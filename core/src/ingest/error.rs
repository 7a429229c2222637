//! Defines the error of a document that cannot be read.

use crate::problem::Problem;
use std::fmt;

use crate::error_code::ErrorCode;
use crate::json::{Position, ReadError, ReadErrorKind, locate};
use crate::text::concat;

/// The error of a document that cannot be read. An error is never a state.
///
/// ```
/// use runstate::error_code::ErrorCode;
/// use runstate::ingest::inspect;
/// use runstate::time::Millis;
///
/// let refused = inspect(b"{\n  \"runId\": \"r1\",\n  \"state\": oops\n}", Some("run.json"), Millis(0.0)).unwrap_err();
/// assert_eq!(refused.code, ErrorCode::NotJson);
/// assert!(refused.to_string().starts_with("Line 3, column 12: "), "{refused}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentError {
    /// The code of the error.
    pub code: ErrorCode,
    /// A description of the expected and the found content.
    pub message: String,
    /// A suggested remedy.
    pub hint: Option<String>,
    /// The position, if the error is at one place.
    pub position: Option<Position>,
    offset: Option<usize>,
}

impl DocumentError {
    /// Makes the error for a document that is no longer in memory.
    ///
    /// ```
    /// use runstate::error_code::ErrorCode;
    ///
    /// assert_eq!(runstate::ingest::DocumentError::closed().code, ErrorCode::DocumentClosed);
    /// ```
    pub fn closed() -> Self {
        let message = "The document is no longer in memory: its worker stopped.";
        Self::new(ErrorCode::DocumentClosed, message).hint("Open it again.")
    }

    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, position: None, offset: None }
    }

    /// Makes an error at a byte of the text; [`place`](Self::place) turns it into a position.
    pub(crate) fn at(code: ErrorCode, message: impl Into<String>, offset: usize) -> Self {
        Self { offset: Some(offset), ..Self::new(code, message) }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the name of the file.
    pub(super) fn in_file(mut self, name: Option<&str>) -> Self {
        if let Some(name) = name {
            self.message = concat(&[name, ": ", &self.message]);
        }
        self
    }

    /// Returns the error as a problem of one document among others.
    pub(crate) fn problem(&self) -> Problem {
        Problem { position: self.position.clone(), ..Problem::new(self.message.clone()) }
    }

    /// Returns the error of a value that begins at `offset` of another text, if only that is known.
    pub(super) fn moved_to(self, offset: usize) -> Self {
        Self { offset: Some(offset), position: None, ..self }
    }

    /// Returns the error with its position.
    pub(super) fn at_position(self, position: Position) -> Self {
        Self { position: Some(position), ..self }
    }

    /// The byte of the text at which the error is, unless the position is known.
    pub(super) fn offset(&self) -> Option<usize> {
        self.offset
    }

    pub(crate) fn place(mut self, text: &str) -> Self {
        if let (None, Some(offset)) = (&self.position, self.offset) {
            self.position = Some(locate(text, offset));
        }
        self
    }
}

impl From<ReadError> for DocumentError {
    fn from(error: ReadError) -> Self {
        let cut_off = error.kind == ReadErrorKind::UnexpectedEnd;
        let refused = Self::at(error.kind.code(), error.message, error.offset);
        if cut_off { refused.hint("The text seems to be cut off. Copy all of it.") } else { refused }
    }
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem().fmt(f)
    }
}

impl std::error::Error for DocumentError {}
