//! Why a document was refused.

use std::fmt;

use crate::json::{Position, ReadError, ReadErrorKind, locate};

/// Why a document was refused: never a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentError {
    /// `EMPTY_INPUT`, `NOT_JSON`, `INVALID_UTF8`, `TOO_DEEP`, `TOO_LARGE`, `NOT_RECOGNISED` or `INVALID_INPUT`.
    pub code: &'static str,
    /// What was expected and what was found.
    pub message: String,
    /// What a person can do about it.
    pub hint: Option<String>,
    /// Where, if it is at one place.
    pub position: Option<Position>,
    offset: Option<usize>,
}

impl DocumentError {
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, position: None, offset: None }
    }

    /// An error at a byte of the text; [`place`](Self::place) turns it into a position.
    pub(super) fn at(code: &'static str, message: impl Into<String>, offset: usize) -> Self {
        Self { offset: Some(offset), ..Self::new(code, message) }
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(super) fn place(mut self, text: &str) -> Self {
        if let (None, Some(offset)) = (&self.position, self.offset) {
            self.position = Some(locate(text, offset));
        }
        self
    }
}

impl From<ReadError> for DocumentError {
    fn from(error: ReadError) -> Self {
        let code = match error.kind {
            ReadErrorKind::Syntax => "NOT_JSON",
            ReadErrorKind::TooDeep => "TOO_DEEP",
            ReadErrorKind::TooLarge => "TOO_LARGE",
            ReadErrorKind::DuplicateKey | ReadErrorKind::Invalid => "INVALID_INPUT",
        };
        let cut_off = error.message.ends_with("found the end of the text.");
        let refused = Self::at(code, error.message, error.offset);
        if cut_off { refused.hint("The text seems to be cut off. Copy all of it.") } else { refused }
    }
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = &self.position {
            write!(f, "Line {}, column {}: ", position.line, position.column)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for DocumentError {}
