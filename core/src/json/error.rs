//! Why JSON text could not be read.

use std::fmt;

use crate::error_code::ErrorCode;

/// Why and where JSON text could not be read.
///
/// ```
/// use runstate::json::ReadErrorKind;
/// use runstate::tree::Tree;
///
/// let error = Tree::from_json(r#"{"id":1,"type":"workflow","name":oops}"#).unwrap_err();
/// assert_eq!((error.kind, error.offset), (ReadErrorKind::Syntax, 33));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadError {
    /// What is wrong, in a word.
    pub kind: ReadErrorKind,
    /// Where: bytes from the start of the text that was given to the reader.
    pub offset: usize,
    /// What was expected and what was found.
    pub message: String,
}

/// What is wrong with JSON text.
///
/// Text that is no JSON, and JSON that does not belong there, are two things.
///
/// ```
/// use runstate::{json::ReadErrorKind, tree::Tree};
///
/// assert_eq!(Tree::from_json("{]").unwrap_err().kind, ReadErrorKind::Syntax);
/// assert_eq!(Tree::from_json("{").unwrap_err().kind, ReadErrorKind::UnexpectedEnd);
/// assert_eq!(Tree::from_json(r#"{"id":1}"#).unwrap_err().kind, ReadErrorKind::Invalid);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// It is not JSON.
    Syntax,
    /// It ends where more must come.
    UnexpectedEnd,
    /// It nests deeper than Runstate reads.
    TooDeep,
    /// It holds more than Runstate reads.
    TooLarge,
    /// An object has the same key twice.
    DuplicateKey,
    /// It is JSON, but not what belongs there.
    Invalid,
}

impl ReadErrorKind {
    /// The code of the JavaScript module and of the vectors.
    ///
    /// ```
    /// use runstate::error_code::ErrorCode;
    /// use runstate::tree::Tree;
    ///
    /// assert_eq!(Tree::from_json("{").unwrap_err().kind.code(), ErrorCode::NotJson);
    /// assert_eq!(Tree::from_json(r#"{"id":1}"#).unwrap_err().kind.code(), ErrorCode::InvalidInput);
    /// ```
    pub fn code(self) -> ErrorCode {
        match self {
            Self::Syntax | Self::UnexpectedEnd => ErrorCode::NotJson,
            Self::TooDeep => ErrorCode::TooDeep,
            Self::TooLarge => ErrorCode::TooLarge,
            Self::DuplicateKey | Self::Invalid => ErrorCode::InvalidInput,
        }
    }
}

impl ReadError {
    pub(crate) fn new(kind: ReadErrorKind, offset: usize, message: impl Into<String>) -> Self {
        Self { kind, offset, message: message.into() }
    }

    pub(crate) fn syntax(offset: usize, message: impl Into<String>) -> Self {
        Self::new(ReadErrorKind::Syntax, offset, message)
    }

    pub(crate) fn invalid(offset: usize, message: impl Into<String>) -> Self {
        Self::new(ReadErrorKind::Invalid, offset, message)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}
