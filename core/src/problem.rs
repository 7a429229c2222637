//! Problems: the parts of a document that could not be read or joined, although the rest could.

use std::fmt;

use crate::json::{Position, ReadError, TypeMismatches, locate};

/// The maximum number of listed problems; further ones are counted.
pub(crate) const MAX_LISTED: usize = 20;

/// A part of a document that could not be read, or a contradiction in it.
///
/// ```
/// use runstate::file::File;
/// use runstate::ingest::open;
/// use runstate::time::Millis;
///
/// let log = b"{\"type\":\"RunStarted\",\"runId\":\"r1\",\"timestampMs\":1000}\noops\n";
/// let document = open(&[File { name: Some("log.ndjson"), bytes: log }], Millis(9_000.0))?;
/// assert_eq!(document.problems().texts(), ["log.ndjson, line 2, column 1: Expected a value, found `o`."]);
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The name of the file, or of several files.
    pub file: Option<String>,
    /// The part of the file, if a position in the file does not identify it.
    pub part: Option<String>,
    /// The position in the file or its part.
    pub position: Option<Position>,
    /// The expected and the found value, in sentences.
    pub message: String,
}

impl Problem {
    /// A problem without a position.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    /// A problem at a byte of a text.
    pub(crate) fn at(text: &str, offset: usize, message: impl Into<String>) -> Self {
        Self { position: Some(locate(text, offset)), ..Self::new(message) }
    }

    /// An error of the JSON reader in `text`; `done` is a sentence about its consequence.
    pub(crate) fn from_error(text: &str, error: &ReadError, done: &str) -> Self {
        let separator = if done.is_empty() { "" } else { " " };
        Self::at(text, error.offset, [&error.message, separator, done].concat())
    }

    /// Adds the file and its part, unless they are known.
    pub(crate) fn in_file(mut self, file: Option<&str>, part: Option<&str>) -> Self {
        let known = |name: &&str| !name.is_empty();
        self.file = self.file.or_else(|| file.filter(known).map(str::to_owned));
        self.part = self.part.or_else(|| part.filter(known).map(str::to_owned));
        self
    }
}

/// File, part, position and message in one line: `run.json, line 7, column 42: Expected a value, found nothing.`
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position.as_ref().map(Position::to_string);
        let known: Vec<&str> =
            [&self.file, &self.part, &position].into_iter().flatten().map(String::as_str).collect();
        let mut place = known.join(", ");
        if self.file.is_none()
            && let Some(first) = place.get_mut(..1)
        {
            first.make_ascii_uppercase();
        }
        let separator = if place.is_empty() { "" } else { ": " };
        write!(f, "{place}{separator}{}", self.message)
    }
}

/// A list of problems. Those beyond a limit are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problems {
    listed: Vec<Problem>,
    more: usize,
}

impl Problems {
    /// The problems that are listed.
    pub(crate) fn listed(&self) -> &[Problem] {
        &self.listed
    }

    /// The number of further problems.
    pub(crate) fn more(&self) -> usize {
        self.more
    }

    /// Whether the list contains no problem.
    pub fn is_empty(&self) -> bool {
        self.listed.is_empty() && self.more == 0
    }

    /// One line for each listed problem, and one with the number of the others.
    pub fn texts(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.listed.iter().map(Problem::to_string).collect();
        texts.extend((self.more > 0).then(|| number_of_others(self.more)));
        texts
    }

    /// The list without problems that are said elsewhere.
    pub(crate) fn without(&self, is_said: impl Fn(&Problem) -> bool) -> Self {
        let listed = self.listed.iter().filter(|problem| !is_said(problem)).cloned().collect();
        Self { listed, more: self.more }
    }

    /// Adds a problem.
    pub(crate) fn add(&mut self, problem: Problem) {
        self.add_with(|| problem);
    }

    /// Adds a problem, created only if it will be listed, because finding a position reads the whole text.
    pub(crate) fn add_with(&mut self, problem: impl FnOnce() -> Problem) {
        if self.listed.len() >= MAX_LISTED {
            self.more += 1;
        } else {
            self.listed.push(problem());
        }
    }

    /// Adds an error of the JSON reader in `text`; `done` is a sentence about its consequence.
    pub(crate) fn add_error(&mut self, text: &str, error: &ReadError, done: &str) {
        self.add_with(|| Problem::from_error(text, error, done));
    }

    /// Adds a problem of a file.
    pub(crate) fn add_to_file(&mut self, file: &str, position: Option<Position>, message: impl Into<String>) {
        self.add_with(|| Problem { position, ..Problem::new(message) }.in_file(Some(file), None));
    }

    /// Adds an error of the JSON reader in the text of a file.
    pub(crate) fn add_file_error(&mut self, file: &str, text: &str, error: &ReadError) {
        self.add_with(|| Problem::from_error(text, error, "").in_file(Some(file), None));
    }

    /// One problem for each field of another type, with its path and position in the text of the document.
    pub(crate) fn from_lost(lost: TypeMismatches, text: &str) -> Self {
        let mut problems = Self::default();
        for (offset, message) in lost.into_messages() {
            if message.is_empty() {
                problems.count(1);
                continue;
            }
            problems.add_with(|| {
                let position = locate(text, offset);
                let message = match &position.path {
                    // A message about a key begins with its name.
                    Some(path) if !message.starts_with(&format!("`{path}`")) => {
                        format!("`{path}`: {message}")
                    }
                    Some(_) | None => message,
                };
                Problem { position: Some(position), ..Problem::new(message) }
            });
        }
        problems
    }

    /// Moves the positions of the problems after the first `known` ones: they count from a value that begins at `start`.
    pub(crate) fn move_from(&mut self, known: usize, start: &Position) {
        let added = self.listed.get_mut(known..).unwrap_or_default();
        for position in added.iter_mut().filter_map(|problem| problem.position.as_mut()) {
            if position.line == 1 {
                position.column += start.column - 1;
            }
            position.line += start.line - 1;
        }
    }

    /// Counts problems that are not listed.
    pub(crate) fn count(&mut self, more: usize) {
        self.more += more;
    }

    /// Adds the problems of another list.
    pub(crate) fn append(&mut self, other: Self) {
        other.listed.into_iter().for_each(|problem| self.add(problem));
        self.more += other.more;
    }

    /// Adds all listed problems of another list, even beyond the limit: a problem of a whole file must not be hidden by the
    /// problems of its rows.
    pub(crate) fn append_all(&mut self, other: impl Into<Self>) {
        let Self { mut listed, more } = other.into();
        self.listed.append(&mut listed);
        self.more += more;
    }

    /// Adds a file and its part to all problems that do not name one.
    pub(crate) fn in_file(mut self, file: Option<&str>, part: Option<&str>) -> Self {
        self.listed = self.listed.into_iter().map(|problem| problem.in_file(file, part)).collect();
        self
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self { listed: vec![problem], more: 0 }
    }
}

impl FromIterator<Problem> for Problems {
    fn from_iter<T: IntoIterator<Item = Problem>>(problems: T) -> Self {
        let mut all = Self::default();
        problems.into_iter().for_each(|problem| all.add(problem));
        all
    }
}

/// The sentence about problems that are not listed.
pub(crate) fn number_of_others(count: usize) -> String {
    if count == 1 { "1 more problem.".to_owned() } else { format!("{count} more problems.") }
}

#[cfg(test)]
mod tests {
    use super::{MAX_LISTED, Problem, Problems};

    #[test]
    fn a_problem_names_its_file_part_and_position() {
        let problem = Problem::at("{\n\"a\":oops}", 6, "Expected a value, found `o`.");
        assert_eq!(problem.to_string(), "Line 2, column 5: Expected a value, found `o`.");
        let part = problem.clone().in_file(None, Some("entry 3"));
        assert_eq!(part.to_string(), "Entry 3, line 2, column 5: Expected a value, found `o`.");
        let named = part.in_file(Some("a.har"), None);
        assert_eq!(named.to_string(), "a.har, entry 3, line 2, column 5: Expected a value, found `o`.");
        assert_eq!(Problem::new("No.").in_file(Some("a"), None).to_string(), "a: No.");
        assert_eq!(Problem::new("No.").to_string(), "No.");
    }

    #[test]
    fn problems_are_limited_and_the_rest_counted() {
        let mut problems: Problems = (0..30).map(|number| Problem::new(number.to_string())).collect();
        assert_eq!((problems.listed().len(), problems.more()), (MAX_LISTED, 10));
        problems.append(Problem::new("counted").into());
        problems.append_all(Problem::new("other"));
        let texts = problems.texts();
        assert_eq!((texts[20].as_str(), texts[21].as_str(), texts.len()), ("other", "11 more problems.", 22));
        assert!(Problems::default().is_empty() && !problems.is_empty());
    }
}
