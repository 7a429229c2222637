//! Why JSON text could not be read.

use std::fmt;

use crate::error_code::ErrorCode;

/// The cause and position of an error in JSON text.
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
    /// The kind of error.
    pub kind: ReadErrorKind,
    /// Byte offset in the text.
    pub offset: usize,
    /// The expected and the found value.
    pub message: String,
}

/// The kind of error in JSON text.
///
/// It distinguishes invalid JSON from valid JSON of another type.
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
    /// The text ends too early.
    UnexpectedEnd,
    /// It nests deeper than Runstate reads.
    TooDeep,
    /// It is larger than Runstate reads.
    TooLarge,
    /// An object has the same key twice.
    DuplicateKey,
    /// It is valid JSON of another type than expected.
    Invalid,
}

impl ReadErrorKind {
    /// The code in the JavaScript module and the vectors.
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
