//! Why a document was refused.

use std::fmt;

use crate::json::{Position, ReadError, ReadErrorKind, locate};
use crate::text::concat;

/// Every code of a [`DocumentError`].
///
/// ```
/// use runstate::ingest::{CODES, inspect};
/// use runstate::time::Millis;
///
/// for text in ["", "{", r#"{"hello":"world"}"#] {
///     let refused = inspect(text.as_bytes(), None, Millis(0.0)).unwrap_err();
///     assert!(CODES.contains(&refused.code), "{}", refused.code);
/// }
/// ```
pub const CODES: [&str; 9] = [
    "EMPTY_INPUT",
    "NOT_JSON",
    "INVALID_UTF8",
    "TOO_DEEP",
    "TOO_LARGE",
    "NOT_RECOGNISED",
    "INVALID_INPUT",
    // Said by whoever reads files, where one cannot be read.
    "UNREADABLE",
    // Said by whoever holds a document, where there is none any more.
    "NOT_HELD",
];

/// Why a document was refused: never a state.
///
/// ```
/// use runstate::ingest::inspect;
/// use runstate::time::Millis;
///
/// let refused = inspect(b"{\n  \"runId\": \"r1\",\n  \"state\": oops\n}", Some("run.json"), Millis(0.0)).unwrap_err();
/// assert_eq!(refused.code, "NOT_JSON");
/// assert!(refused.to_string().starts_with("Line 3, column 12: "), "{refused}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentError {
    /// One of [`CODES`].
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
    /// That of a document that is asked about and not in memory any more.
    ///
    /// ```
    /// assert_eq!(runstate::ingest::DocumentError::gone().code, "NOT_HELD");
    /// ```
    pub fn gone() -> Self {
        let message = "The document is no longer in memory: its worker stopped.";
        Self::new("NOT_HELD", message).hint("Open it again.")
    }

    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Self {
        debug_assert!(CODES.contains(&code), "{code} is in no list of codes");
        Self { code, message: message.into(), hint: None, position: None, offset: None }
    }

    /// An error at a byte of the text; [`place`](Self::place) turns it into a position.
    pub(crate) fn at(code: &'static str, message: impl Into<String>, offset: usize) -> Self {
        Self { offset: Some(offset), ..Self::new(code, message) }
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with the name of the file that it is about.
    pub(super) fn in_file(mut self, name: Option<&str>) -> Self {
        if let Some(name) = name {
            self.message = concat(&[name, ": ", &self.message]);
        }
        self
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
            f.write_str(&position.problem(""))?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for DocumentError {}
