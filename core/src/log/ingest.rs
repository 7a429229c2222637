//! Bytes in: lines, their events, and what could not be read.

use memchr::memchr;

use super::EventLog;
use super::raw::Block;
use super::read::read;
use super::scan::{Found, scan};
use super::store::Added;
use crate::json::{ReadError, ReadErrorKind, column};
use crate::text::concat;
use crate::time::Millis;

/// How many refused lines are described; the others are counted.
///
/// ```
/// use runstate::log::{EventLog, MAX_PROBLEMS};
///
/// let mut log = EventLog::new();
/// log.push("oops\n".repeat(MAX_PROBLEMS + 5).as_bytes());
/// assert_eq!(log.problems().len(), MAX_PROBLEMS);
/// assert_eq!(log.counts().unread as usize, MAX_PROBLEMS + 5, "all of them are counted");
/// ```
pub const MAX_PROBLEMS: usize = 1000;

/// A line that is not in the log because it could not be read.
///
/// ```
/// use runstate::log::EventLog;
///
/// let mut log = EventLog::new();
/// log.push(b"{\"type\":\"RunStarted\",\"runId\":\"r\",\"timestampMs\":\"soon\"}\n");
/// let problem = &log.problems()[0];
/// assert_eq!((problem.code, problem.line), ("NOT_AN_EVENT", 1));
/// assert_eq!(log.counts().events, 0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineProblem {
    /// What is wrong: `NOT_JSON`, `INVALID_UTF8`, `NOT_AN_EVENT`, `TRUNCATED`, `TOO_DEEP` or `TOO_LARGE`.
    pub code: &'static str,
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: usize,
    /// What was expected and what was found.
    pub message: String,
    /// How many events of the log came before.
    pub after: u32,
}

/// What was known before a last line was read that had no newline yet.
#[derive(Debug)]
pub(super) struct Unended {
    /// Where it begins in the last block.
    begin: usize,
    lines: u64,
    unread: u64,
    problems: usize,
    other_lines: usize,
    last_unread_after: Option<u32>,
}

impl EventLog {
    /// Adds bytes of the log. A chunk may end anywhere, even inside a character.
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
            return self.refuse("TOO_LARGE", 1, message.to_owned());
        }
        let mut block = self.store.raw.take_last();
        self.go_on(&mut block);
        loop {
            block.fill(&mut chunk);
            self.lines(&mut block);
            if chunk.is_empty() {
                break;
            }
            if let Some(next) = block.next() {
                // A block that one line filled has moved on with it.
                if !block.bytes.is_empty() {
                    self.store.raw.keep(block);
                }
                block = next;
            }
        }
        self.store.raw.keep(block);
    }

    /// Adds one JSON value, however it is laid out: an item of a list of events, as the REST interface answers it.
    ///
    /// ```
    /// use runstate::log::EventLog;
    ///
    /// let mut log = EventLog::new();
    /// log.push_value("{\n  \"type\": \"RunStarted\",\n  \"runId\": \"r\",\n  \"timestampMs\": 1000\n}");
    /// assert_eq!(log.counts().events, 1);
    /// ```
    pub fn push_value(&mut self, json: &str) {
        let mut line: Vec<u8> =
            json.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }).collect();
        line.push(b'\n');
        self.unended = None;
        self.push(&line);
    }

    /// Says that no more bytes come for now: a last line without a newline is read as it is. Where bytes come all the same they
    /// go on with that line, and what it was refused for is taken back.
    ///
    /// ```
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
    /// assert_eq!(log.problems()[0].code, "TRUNCATED");
    /// log.push(br#"ished","runId":"r","timestampMs":2000}"#);
    /// log.finish();
    /// assert!(log.problems().is_empty() && log.counts().events == 2);
    /// ```
    pub fn finish(&mut self) {
        let mut block = self.store.raw.take_last();
        let (begin, end) = (block.read, block.bytes.len());
        if begin < end {
            self.unended = Some(Unended {
                begin,
                lines: self.lines,
                unread: self.unread,
                problems: self.problems.len(),
                other_lines: self.other_lines.len(),
                last_unread_after: self.last_unread_after,
            });
            self.line(&block, begin, end, true);
            (block.read, block.searched) = (end, end);
        }
        self.store.raw.keep(block);
        // It is for a log that is looked at while it comes in; what comes later makes it anew.
        self.settled = None;
    }

    /// Adds a line that was read elsewhere. It stands alone: a line that is not whole yet is ended before it.
    pub(super) fn add_line(&mut self, line: &[u8], found: &Found<'_>) {
        self.finish();
        self.unended = None;
        let mut block = self.store.raw.take_last();
        if let Some(next) = block.next() {
            self.store.raw.keep(std::mem::replace(&mut block, next));
        }
        let begin = block.bytes.len();
        block.bytes.extend_from_slice(line);
        block.bytes.push(b'\n');
        (block.read, block.searched) = (block.bytes.len(), block.bytes.len());
        self.lines += 1;
        if let Added::TooManyTypes = self.store.add(&block, begin, found) {
            self.refuse("TOO_LARGE", 1, "The log has more types of events than Runstate counts.".to_owned());
        }
        self.store.raw.keep(block);
    }

    /// Takes up the last line again that was read before its newline came.
    fn go_on(&mut self, block: &mut Block) {
        let Some(before) = self.unended.take() else { return };
        self.lines = before.lines;
        if self.unread > before.unread {
            (self.unread, self.last_unread_after) = (before.unread, before.last_unread_after);
            self.problems.truncate(before.problems);
            self.other_lines.truncate(before.other_lines);
            block.read = before.begin;
        }
    }

    fn lines(&mut self, block: &mut Block) {
        loop {
            let from = block.searched.max(block.read);
            let rest = block.bytes.get(from..).unwrap_or_default();
            let Some(length) = memchr(b'\n', rest) else { break };
            self.line(block, block.read, from + length, false);
            block.read = from + length + 1;
        }
        block.searched = block.bytes.len();
    }

    fn line(&mut self, block: &Block, begin: usize, end: usize, last: bool) {
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
                return self.refuse("INVALID_UTF8", column, "The line is not UTF-8 text.".to_owned());
            }
        };
        let (added, at, printed) = match scan(line) {
            Some(found) => (self.store.add(block, begin, &found), found.event.0, found.printed),
            None if line.iter().all(u8::is_ascii_whitespace) => return,
            None => match read(text) {
                Ok(whole) => {
                    let found = whole.found();
                    (self.store.add(block, begin, &found), found.event.0, found.printed)
                }
                Err(error) => return self.refuse_json(line, &error, last),
            },
        };
        match (added, at) {
            (Added::Row, _) => self.printed += u32::from(printed),
            (Added::Repeat, _) => {}
            (Added::Lacks(field), at) => {
                let message = concat(&["The field `", field, "` is missing."]);
                self.refuse("NOT_AN_EVENT", column(line, at), message);
            }
            (Added::TooManyTypes, at) => {
                let message = "The log has more types of events than Runstate counts.";
                self.refuse("TOO_LARGE", column(line, at), message.to_owned());
            }
        }
    }

    fn refuse_json(&mut self, line: &[u8], error: &ReadError, last: bool) {
        let code = match error.kind {
            ReadErrorKind::Syntax | ReadErrorKind::UnexpectedEnd
                if last && error.offset >= line.trim_ascii_end().len() =>
            {
                "TRUNCATED"
            }
            ReadErrorKind::Syntax | ReadErrorKind::UnexpectedEnd => "NOT_JSON",
            ReadErrorKind::TooDeep => "TOO_DEEP",
            ReadErrorKind::TooLarge => "TOO_LARGE",
            ReadErrorKind::DuplicateKey | ReadErrorKind::Invalid => "NOT_AN_EVENT",
        };
        self.refuse(code, column(line, error.offset), error.message.clone());
    }

    fn refuse(&mut self, code: &'static str, column: usize, message: String) {
        self.unread += 1;
        self.last_unread_after = Some(self.store.len());
        if self.problems.len() < MAX_PROBLEMS {
            let (line, after) = (self.lines.max(1), self.store.len());
            self.problems.push(LineProblem { code, line, column, message, after });
        } else if code == "NOT_AN_EVENT" {
            // The text has less than 4 GiB, so it has fewer lines.
            self.other_lines.push(self.lines as u32);
        }
    }
}

impl EventLog {
    /// The runs of which there are events.
    pub(crate) fn run_ids(&self) -> impl Iterator<Item = &str> {
        (0..self.store.runs.len()).map(|run| self.store.runs.name(run))
    }

    /// When the first event was written.
    pub(crate) fn begins_at(&mut self) -> Option<Millis> {
        self.arrange();
        (self.order.len() > 0).then(|| self.time_at(0))
    }

    /// Takes in the events of another piece. An event that is here already changes nothing. The lines of the other piece that could
    /// not be read are counted here; their places say nothing in this log.
    pub(crate) fn take_in(&mut self, mut other: Self) {
        other.arrange();
        let before = self.store.len();
        for place in 0..other.order.len() {
            self.add_from(&other, other.order.row(place));
        }
        self.unread += other.unread;
        if let Some(after) = other.last_unread_after {
            self.last_unread_after = Some((before + after).min(self.store.len()));
        }
        let added = self.store.len() - before;
        // Which of the rows were printed is not kept: either all of them were, or the log is not told to be a printed one.
        self.printed += if other.printed == other.store.len() { added } else { 0 };
    }

    fn add_from(&mut self, other: &Self, row: u32) {
        let (store, text) = (&other.store, other.store.event(row));
        let unit = store.unit(row);
        let node = store.node_of(unit).map(|node| store.nodes.name(node));
        let Some(kind) = store.kind(row) else { return };
        let found = Found {
            event_type: kind.word.as_str().as_bytes(),
            run_id: store.runs.name(store.run_of(unit)).as_bytes(),
            node_id: node.map(str::as_bytes),
            iteration: node.and_then(|_| store.units.get(unit)).map(|unit| unit.iteration),
            attempt: store.attempt(row),
            at: store.time(row),
            seq: store.seq(row),
            event: (0, text.len()),
            ..Found::default()
        };
        self.add_line(&text, &found);
    }
}
