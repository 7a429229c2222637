//! Problems with the files of a run that do not prevent reading the others.

use std::fmt;

use crate::json::{Position, ReadError, locate};
use crate::text::concat;

/// The maximum number of listed problems.
const MAX_LISTED: usize = 20;

/// A part of a file that could not be read, or a contradiction in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The name of the file.
    pub file: String,
    /// The position in the file.
    pub position: Option<Position>,
    /// The expected and the found value.
    pub message: String,
}

impl Problem {
    /// File, position and message in one line.
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

/// The problems of a run directory. Those beyond a limit are only counted.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    listed: Vec<Problem>,
    omitted: usize,
}

impl Problems {
    pub(crate) fn add(&mut self, file: &str, position: Option<Position>, message: impl Into<String>) {
        if self.is_full() {
            self.omitted += 1;
        } else {
            self.listed.push(Problem { file: file.to_owned(), position, message: message.into() });
        }
    }

    pub(crate) fn append(&mut self, other: Self) {
        for Problem { file, position, message } in other.listed {
            self.add(&file, position, message);
        }
        self.omitted += other.omitted;
    }

    /// Whether the limit is reached. Then the position of another problem need not be computed.
    pub(crate) fn is_full(&self) -> bool {
        self.listed.len() >= MAX_LISTED
    }

    /// Adds an error of the JSON reader with its position in `text`.
    pub(crate) fn error(&mut self, file: &str, text: &str, error: &ReadError) {
        self.add(file, Some(locate(text, error.offset)), error.message.clone());
    }

    pub(crate) fn finish(mut self) -> Vec<Problem> {
        if self.omitted > 0 {
            let message = concat(&["And ", &self.omitted.to_string(), " more problems."]);
            let file = self.listed.last().map(|problem| problem.file.clone()).unwrap_or_default();
            self.listed.push(Problem { file, position: None, message });
        }
        self.listed
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_problem_names_its_place() {
        use crate::conductor::wire::Problem;
        use crate::json::Position;
        let position = Some(Position { line: 14, column: 1, path: None });
        let problem = Problem {
            file: "events.ndjson".into(),
            position,
            message: "Expected a value, found `o`.".into(),
        };
        assert_eq!(problem.text(), "events.ndjson, line 14, column 1: Expected a value, found `o`.");
    }
}
