//! The codes of Runstate's own errors.

use std::fmt;

use crate::word::Vocabulary;

crate::vocabulary! {
    /// The reason why Runstate refused its input. JavaScript and the vectors see the word as `code`.
    ///
    /// ```
    /// use runstate::error_code::ErrorCode;
    ///
    /// assert_eq!(ErrorCode::NotJson.to_string(), "NOT_JSON");
    /// ```
    pub enum ErrorCode ("error code") {
        /// The input is empty.
        EmptyInput = "EMPTY_INPUT",
        /// It is not JSON.
        NotJson = "NOT_JSON",
        /// It is not UTF-8 text.
        InvalidUtf8 = "INVALID_UTF8",
        /// It nests deeper than Runstate reads.
        TooDeep = "TOO_DEEP",
        /// It is larger than Runstate reads.
        TooLarge = "TOO_LARGE",
        /// It is well-formed, but not a known document.
        NotRecognised = "NOT_RECOGNISED",
        /// A value is not of the expected type.
        InvalidInput = "INVALID_INPUT",
        /// A line of a log is JSON, but not an event.
        NotAnEvent = "NOT_AN_EVENT",
        /// A log ends in the middle of a line.
        Truncated = "TRUNCATED",
        /// There is no run with this id.
        RunNotFound = "RUN_NOT_FOUND",
        /// The history does not have this frame.
        NoFrame = "NO_FRAME",
        /// Two trees belong to different runs.
        DifferentRuns = "DIFFERENT_RUNS",
        /// A time outside the range of JavaScript's `Date`.
        InvalidTime = "INVALID_TIME",
        /// A file could not be read (reported by the panel).
        Unreadable = "UNREADABLE",
        /// The document is no longer in memory (reported by the panel).
        DocumentClosed = "DOCUMENT_CLOSED",
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
