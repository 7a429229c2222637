//! Reading bytes into the log: lines, their events, and the problems found.

use std::borrow::Cow;

use memchr::memchr;

use super::EventLog;
use super::raw::Block;
use super::read::read_line;
use super::scan::{EventFields, scan};
use super::store::Addition;
use crate::error_code::ErrorCode;
use crate::json::{ReadError, ReadErrorKind, column};
use crate::text::concat;
use crate::time::Millis;

/// Maximum number of described problems; further unreadable lines are only counted.
pub(crate) const MAX_PROBLEMS: usize = 1000;

/// A line that could not be read and is not part of the log.
///
/// ```
/// use runstate::error_code::ErrorCode;
/// use runstate::log::EventLog;
///
/// let mut log = EventLog::new();
/// log.push(b"{\"type\":\"RunStarted\",\"runId\":\"r\",\"timestampMs\":\"soon\"}\n");
/// let problem = &log.problems()[0];
/// assert_eq!((problem.code, problem.line), (ErrorCode::NotAnEvent, 1));
/// assert_eq!(log.counts().events, 0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineProblem {
    /// The kind of problem: not JSON, not UTF-8, not an event, truncated, too deep or too large.
    pub code: ErrorCode,
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: usize,
    /// The expected and the found value.
    pub message: String,
    /// The number of events before the line.
    pub after: u32,
}

/// The state before the last line was read although its newline is missing.
#[derive(Debug)]
pub(super) struct PartialLine {
    /// The start of the line in the last block.
    begin: usize,
    lines: u64,
    unread: u64,
    problems: usize,
    unread_at_end: u64,
}

const TOO_MANY_TYPES: &str = "The log has more types of events than Runstate counts.";

impl EventLog {
    /// Adds the next bytes of the log. A chunk may end anywhere, even inside a character.
    ///
    /// ```
    /// use runstate::log::EventLog;
    ///
    /// let mut log = EventLog::new();
    /// log.push(b"{\"type\":\"RunStarted\",\"runId\":\"r\",\"time");
    /// assert_eq!(log.counts().events, 0);
    /// log.push(b"stampMs\":1000}\n");
    /// assert_eq!(log.counts().events, 1);
    /// ```
    pub fn push(&mut self, mut chunk: &[u8]) {
        if chunk.is_empty() {
            return;
        }
        if self.store.raw.len() + chunk.len() > u32::MAX as usize {
            let message = "The log has more than 4 GiB; the rest is not read.";
            return self.add_problem(ErrorCode::TooLarge, 1, message.to_owned());
        }
        let mut block = self.store.raw.pop_block();
        self.resume_partial_line(&mut block);
        loop {
            block.fill(&mut chunk);
            self.read_lines(&mut block);
            if chunk.is_empty() {
                break;
            }
            if let Some(next) = block.next_block() {
                // If a single line filled the block, it was moved to the next one.
                if !block.bytes.is_empty() {
                    self.store.raw.push_block(block);
                }
                block = next;
            }
        }
        self.store.raw.push_block(block);
    }

    /// Adds one event as a JSON value, which may have several lines: an item of the REST interface's list of events.
    pub(crate) fn push_value(&mut self, json: &str) {
        let mut line = on_one_line(json).into_owned().into_bytes();
        line.push(b'\n');
        self.partial_line = None;
        self.push(&line);
    }

    /// Reads a last line that has no newline. If more bytes follow, they continue this line, and its problem is removed.
    ///
    /// ```
    /// use runstate::error_code::ErrorCode;
    /// use runstate::log::EventLog;
    ///
    /// let mut log = EventLog::new();
    /// log.push(br#"{"type":"RunStarted","runId":"r","timestampMs":1000}"#); // no newline: more may come
    /// assert_eq!(log.counts().events, 0);
    /// log.finish();
    /// assert_eq!(log.counts().events, 1);
    ///
    /// log.push(br#"
    /// {"type":"RunFin"#);
    /// log.finish();
    /// assert_eq!(log.problems()[0].code, ErrorCode::Truncated);
    /// log.push(br#"ished","runId":"r","timestampMs":2000}"#);
    /// log.finish();
    /// assert!(log.problems().is_empty() && log.counts().events == 2);
    /// ```
    pub fn finish(&mut self) {
        let mut block = self.store.raw.pop_block();
        let (begin, end) = (block.read, block.bytes.len());
        if begin < end {
            self.partial_line = Some(PartialLine {
                begin,
                lines: self.lines,
                unread: self.unread,
                problems: self.problems.len(),
                unread_at_end: self.unread_at_end,
            });
            self.read_line(&block, begin, end, true);
            (block.read, block.searched) = (end, end);
        }
        self.store.raw.push_block(block);
        // Only needed while the log loads; built again if more bytes follow.
        self.settled_fold = None;
    }

    /// Whether [`take_line`](Self::take_line) may add this line.
    pub(crate) fn accepts_line(line: &[u8]) -> bool {
        scan(line).is_some()
    }

    /// Adds a line of a text if it is an ordinary event; returns whether it was. Other lines are read by
    /// [`take_event`](Self::take_event).
    pub(crate) fn take_line(&mut self, line: &[u8], number: u64) -> bool {
        let Some(found) = scan(line) else { return false };
        std::str::from_utf8(line).is_ok() && self.take(line, number, &found).is_ok()
    }

    /// Adds an event that begins on this line of a text.
    ///
    /// # Errors
    /// [`ReadError`] if the value is not an event.
    pub(crate) fn take_event(&mut self, json: &str, number: u64) -> Result<(), ReadError> {
        let line = on_one_line(json);
        let parsed = read_line(&line)?;
        self.take(line.as_bytes(), number, &parsed.fields())
    }

    fn take(&mut self, line: &[u8], number: u64, found: &EventFields<'_>) -> Result<(), ReadError> {
        self.lines = number;
        match self.append_line(line, found) {
            Addition::Row => {
                self.printed += u32::from(found.printed);
                self.unread_at_end = 0;
                self.check_time(found.at);
                Ok(())
            }
            Addition::Repeat => {
                self.unread_at_end = 0;
                Ok(())
            }
            Addition::MissingField(field) => {
                Err(ReadError::invalid(found.event.0, concat(&["The field `", field, "` is missing."])))
            }
            Addition::TooManyTypes => Err(ReadError::new(ReadErrorKind::TooLarge, 0, TOO_MANY_TYPES)),
        }
    }

    /// Adds a line whose fields are already known. An incomplete last line is ended first.
    pub(super) fn add_line(&mut self, line: &[u8], found: &EventFields<'_>) {
        self.finish();
        self.partial_line = None;
        self.lines += 1;
        if let Addition::TooManyTypes = self.append_line(line, found) {
            self.add_problem(ErrorCode::TooLarge, 1, TOO_MANY_TYPES.to_owned());
        }
    }

    /// Stores a line and its event. The text of a line without a new event is not kept.
    fn append_line(&mut self, line: &[u8], found: &EventFields<'_>) -> Addition {
        let mut block = self.store.raw.pop_block();
        if let Some(next) = block.next_block() {
            self.store.raw.push_block(std::mem::replace(&mut block, next));
        }
        let begin = block.bytes.len();
        block.bytes.extend_from_slice(line);
        block.bytes.push(b'\n');
        let added = self.store.add(&block, begin, found);
        if !matches!(added, Addition::Row) {
            block.bytes.truncate(begin);
        }
        (block.read, block.searched) = (block.bytes.len(), block.bytes.len());
        self.store.raw.push_block(block);
        added
    }

    /// Undoes the reading of a last line without a newline, so that it can be continued.
    fn resume_partial_line(&mut self, block: &mut Block) {
        let Some(before) = self.partial_line.take() else { return };
        self.lines = before.lines;
        if self.unread > before.unread {
            self.unread = before.unread;
            self.unread_places.remove_last_line();
            self.unread_at_end = before.unread_at_end;
            self.problems.truncate(before.problems);
            block.read = before.begin;
        }
    }

    fn read_lines(&mut self, block: &mut Block) {
        loop {
            let from = block.searched.max(block.read);
            let rest = block.bytes.get(from..).unwrap_or_default();
            let Some(length) = memchr(b'\n', rest) else { break };
            self.read_line(block, block.read, from + length, false);
            block.read = from + length + 1;
        }
        block.searched = block.bytes.len();
    }

    fn read_line(&mut self, block: &Block, begin: usize, end: usize, last: bool) {
        self.lines += 1;
        let mut begin = begin;
        let mut line = block.bytes.get(begin..end).unwrap_or_default();
        if block.start + begin == 0 && line.starts_with("\u{feff}".as_bytes()) {
            begin += 3;
            line = line.get(3..).unwrap_or_default();
        }
        let text = match std::str::from_utf8(line) {
            Ok(text) => text,
            Err(error) => {
                let column = column(line, error.valid_up_to());
                return self.add_problem(
                    ErrorCode::InvalidUtf8,
                    column,
                    "The line is not UTF-8 text.".to_owned(),
                );
            }
        };
        match scan(line) {
            Some(found) => self.add_event(block, begin, line, &found),
            None if line.iter().all(u8::is_ascii_whitespace) => {}
            None => match read_line(text) {
                Ok(parsed) => self.add_event(block, begin, line, &parsed.fields()),
                Err(error) => self.add_json_problem(line, &error, last),
            },
        }
    }

    /// Adds the event of the line at `begin`.
    fn add_event(&mut self, block: &Block, begin: usize, line: &[u8], found: &EventFields<'_>) {
        let at = || column(line, found.event.0);
        match self.store.add(block, begin, found) {
            Addition::Row => {
                self.printed += u32::from(found.printed);
                self.unread_at_end = 0;
                self.check_time(found.at);
            }
            Addition::Repeat => self.unread_at_end = 0,
            Addition::MissingField(field) => {
                let message = concat(&["The field `", field, "` is missing."]);
                self.add_problem(ErrorCode::NotAnEvent, at(), message);
            }
            Addition::TooManyTypes => self.add_problem(ErrorCode::TooLarge, at(), TOO_MANY_TYPES.to_owned()),
        }
    }

    /// Adds the time of the last event.
    fn check_time(&mut self, at: f64) {
        let run = self.store.run_of(self.store.unit(self.store.len().saturating_sub(1)));
        self.times.add(run, at, self.lines);
    }

    fn add_json_problem(&mut self, line: &[u8], error: &ReadError, last: bool) {
        let code = match error.kind {
            ReadErrorKind::Syntax | ReadErrorKind::UnexpectedEnd
                if last && error.offset >= line.trim_ascii_end().len() =>
            {
                ErrorCode::Truncated
            }
            ReadErrorKind::Syntax | ReadErrorKind::UnexpectedEnd => ErrorCode::NotJson,
            ReadErrorKind::TooDeep => ErrorCode::TooDeep,
            ReadErrorKind::TooLarge => ErrorCode::TooLarge,
            ReadErrorKind::DuplicateKey | ReadErrorKind::Invalid => ErrorCode::NotAnEvent,
        };
        self.add_problem(code, column(line, error.offset), error.message.clone());
    }

    fn add_problem(&mut self, code: ErrorCode, column: usize, message: String) {
        self.count_unread(1, Some(&message));
        if self.problems.len() < MAX_PROBLEMS {
            let (line, after) = (self.lines.max(1), self.store.len());
            self.problems.push(LineProblem { code, line, column, message, after });
        }
    }
}

/// A value with blanks in place of its line breaks.
fn on_one_line(json: &str) -> Cow<'_, str> {
    if json.contains(['\n', '\r']) {
        Cow::Owned(json.replace(['\n', '\r'], " "))
    } else {
        Cow::Borrowed(json)
    }
}

impl EventLog {
    /// Counts unreadable lines behind the events so far. The reason is that of the first one.
    pub(crate) fn count_unread(&mut self, lines: u64, reason: Option<&str>) {
        self.unread += lines;
        self.unread_at_end += lines;
        self.unread_places.add(self.store.len(), lines, reason);
    }

    /// The ids of the runs in the log.
    pub(crate) fn run_ids(&self) -> impl Iterator<Item = &str> {
        (0..self.store.runs.len()).map(|run| self.store.runs.name(run))
    }

    /// The time by which the first event is compared.
    pub(crate) fn first_event_at(&mut self) -> Option<Millis> {
        self.arrange();
        (self.order.len() > 0).then(|| Millis(self.store.time(self.order.row(0))))
    }
}

#[cfg(test)]
mod tests {
    use super::MAX_PROBLEMS;
    use crate::log::EventLog;

    #[test]
    fn lines_beyond_the_limit_are_only_counted() {
        let mut log = EventLog::new();
        log.push("oops\n".repeat(MAX_PROBLEMS + 5).as_bytes());
        assert_eq!(log.problems().len(), MAX_PROBLEMS);
        assert_eq!(log.counts().unread as usize, MAX_PROBLEMS + 5, "all of them are counted");
    }

    #[test]
    fn a_value_of_several_lines_is_one_event() {
        let mut log = EventLog::new();
        log.push_value("{\n  \"type\": \"RunStarted\",\n  \"runId\": \"r\",\n  \"timestampMs\": 1000\n}");
        assert_eq!(log.counts().events, 1);
    }
}
