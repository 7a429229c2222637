//! The codes of Runstate's own errors.

use std::fmt;

use crate::word::Vocabulary;

crate::vocabulary! {
    /// Why Runstate refused what it was given. The word is what JavaScript and the vectors see as `code`.
    ///
    /// ```
    /// use runstate::error_code::ErrorCode;
    ///
    /// assert_eq!(ErrorCode::NotJson.to_string(), "NOT_JSON");
    /// ```
    pub enum ErrorCode ("error code") {
        /// There is nothing to read.
        EmptyInput = "EMPTY_INPUT",
        /// It is not JSON.
        NotJson = "NOT_JSON",
        /// It is not UTF-8 text.
        InvalidUtf8 = "INVALID_UTF8",
        /// It nests deeper than Runstate reads.
        TooDeep = "TOO_DEEP",
        /// It holds more than Runstate reads.
        TooLarge = "TOO_LARGE",
        /// It is well-formed and none of the known documents.
        NotRecognised = "NOT_RECOGNISED",
        /// A value is not what belongs there.
        InvalidInput = "INVALID_INPUT",
        /// A line of a log is JSON and no event.
        NotAnEvent = "NOT_AN_EVENT",
        /// A log ends in the middle of a line.
        Truncated = "TRUNCATED",
        /// There is no run with this id.
        RunNotFound = "RUN_NOT_FOUND",
        /// The history does not have this frame.
        NoFrame = "NO_FRAME",
        /// Two trees are those of different runs.
        DifferentRuns = "DIFFERENT_RUNS",
        /// A moment that JavaScript's `Date` cannot hold.
        InvalidTime = "INVALID_TIME",
        /// A file could not be read: said by the part that reads files.
        Unreadable = "UNREADABLE",
        /// The document is not in memory any more: said by the part that held it.
        NotHeld = "NOT_HELD",
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
