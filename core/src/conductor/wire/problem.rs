//! What could not be read although the rest loads.

use std::fmt;

use crate::json::{Position, ReadError, locate};
use crate::text::concat;

/// How many problems are named one by one.
const NAMED: usize = 20;

/// One thing that could not be read, or must not be overlooked.
///
/// ```
/// use runstate::conductor::wire::Problem;
/// use runstate::json::Position;
///
/// let position = Some(Position { line: 14, column: 1, path: None });
/// let problem = Problem { file: "events.ndjson".into(), position, message: "Expected a value, found `o`.".into() };
/// assert_eq!(problem.text(), "events.ndjson, line 14, column 1: Expected a value, found `o`.");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file, as it was given.
    pub file: String,
    /// The place in it, where there is one.
    pub position: Option<Position>,
    /// What was expected and what was found.
    pub message: String,
}

impl Problem {
    /// The problem in one line, its place first.
    pub fn text(&self) -> String {
        match &self.position {
            Some(position) => concat(&[&self.file, ", ", &position.to_string(), ": ", &self.message]),
            None => concat(&[&self.file, ": ", &self.message]),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// The problems of a run directory so far; those after the first are counted.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    named: Vec<Problem>,
    more: usize,
}

impl Problems {
    pub(crate) fn add(&mut self, file: &str, position: Option<Position>, message: impl Into<String>) {
        if self.is_full() {
            self.more += 1;
        } else {
            self.named.push(Problem { file: file.to_owned(), position, message: message.into() });
        }
    }

    /// Those of another file, after these.
    pub(crate) fn append(&mut self, other: Self) {
        for Problem { file, position, message } in other.named {
            self.add(&file, position, message);
        }
        self.more += other.more;
    }

    /// Whether no more are named: finding the place of another one is work for nothing.
    pub(crate) fn is_full(&self) -> bool {
        self.named.len() >= NAMED
    }

    /// An error of the JSON reader, with its place in the text that was read.
    pub(crate) fn error(&mut self, file: &str, text: &str, error: &ReadError) {
        self.add(file, Some(locate(text, error.offset)), error.message.clone());
    }

    pub(crate) fn finish(mut self) -> Vec<Problem> {
        if self.more > 0 {
            let message = concat(&["And ", &self.more.to_string(), " more problems."]);
            let file = self.named.last().map(|problem| problem.file.clone()).unwrap_or_default();
            self.named.push(Problem { file, position: None, message });
        }
        self.named
    }
}
