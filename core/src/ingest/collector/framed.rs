//! Reads a text with several values: an event log, recorded frames, responses, rows, with any text around them.

use memchr::{memchr_iter, memmem, memrchr};

use super::lines::read_recorded_line;
use super::{Collector, Context, Socket};
use crate::error_code::ErrorCode;
use crate::ingest::framing::{Consumer, Frame, FramedValue, Item, Skipped, SkippedContent, frame};
use crate::ingest::request::NO_REQUEST;
use crate::ingest::{DocumentError, hints};
use crate::json::{self, Position, ReadError, Slice, fields};
use crate::log::EventLog;
use crate::problem::Problem;

impl Collector {
    /// Reads the values of a text; what cannot be read is reported. Events of Smithers are joined to a log with the
    /// numbers of their lines. `is_log` tells whether the text is a log, in which anything else is an exception;
    /// `unread_at_end` is the number of unreadable lines that an export omitted behind it.
    ///
    /// # Errors
    /// [`DocumentError`] if no value can be read, and one of them is an event or a document with a mistake.
    pub(super) fn read_values(
        &mut self,
        bytes: &[u8],
        is_log: bool,
        unread_at_end: u64,
        context: Context<'_>,
    ) -> Result<(), DocumentError> {
        let known_problems = self.problems.clone();
        let mut values = Values {
            collector: self,
            context,
            text: bytes,
            is_log,
            log: EventLog::new(),
            has_events: false,
            has_others: false,
            socket: Socket::default(),
            first_error: None,
        };
        frame(bytes, &mut values);
        let Values { mut log, has_events, has_others, mut socket, first_error, .. } = values;
        if let Some(error) = first_error.filter(|_| !has_events && !has_others) {
            self.problems = known_problems;
            return Err(error);
        }
        socket.close(self, context);
        if has_events {
            if unread_at_end > 0 {
                log.count_unread(unread_at_end, None);
            }
            self.add_log(log, false, context);
        }
        self.answer = None;
        Ok(())
    }
}

/// The problem of a part that is not JSON.
pub(super) fn skipped_problem(skipped: &Skipped, text: &[u8]) -> Option<Problem> {
    let message = match skipped.content {
        SkippedContent::Markup => return None,
        SkippedContent::NulBytes => format!("Skipped {} NUL bytes.", skipped.length),
        SkippedContent::Text => not_json(skipped, text),
    };
    Some(Problem { position: Some(position(text, skipped.offset)), ..Problem::new(message) })
}

/// The problem of a value that was repaired.
pub(super) fn repair_problem(value: &FramedValue<'_>, text: &[u8]) -> Option<Problem> {
    let message = value.repairs.describe()?;
    let at = value.repairs.not_a_number.filter(|_| value.frame != Frame::Wrapped).unwrap_or(value.offset);
    Some(Problem { position: Some(position(text, at)), ..Problem::new(message) })
}

/// Describes text that is not JSON.
fn not_json(skipped: &Skipped, text: &[u8]) -> String {
    let end = skipped.offset + skipped.length;
    let part = String::from_utf8_lossy(text.get(skipped.offset..end).unwrap_or_default());
    let message = match Slice::from_text(&part) {
        Ok(value) => hints::not_recognised(value).message,
        Err(error) => error.message,
    };
    if skipped.first_line == skipped.last_line {
        return message;
    }
    format!("{message} Skipped lines {} to {}.", skipped.first_line, skipped.last_line)
}

/// The position of a byte of a text.
fn position(text: &[u8], offset: usize) -> Position {
    let before = text.get(..offset.min(text.len())).unwrap_or_default();
    let line_start = memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let mark = if line_start == 0 && text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let line = text.get(line_start.max(mark)..).unwrap_or_default();
    Position {
        line: memchr_iter(b'\n', before).count() + 1,
        column: json::column(line, offset.saturating_sub(line_start.max(mark))),
        path: None,
    }
}

/// The values of one text.
struct Values<'a, 'c> {
    collector: &'c mut Collector,
    context: Context<'a>,
    text: &'a [u8],
    is_log: bool,
    log: EventLog,
    has_events: bool,
    has_others: bool,
    socket: Socket,
    /// The first error that says more than that a value is not known, which is returned if nothing can be read.
    first_error: Option<DocumentError>,
}

/// Whether a value may be an event: it has a type, or is a row of the database around it.
fn may_be_event(text: &str) -> bool {
    ["\"type\"", "payload"].iter().any(|key| memmem::find(text.as_bytes(), key.as_bytes()).is_some())
}

/// What a value is.
enum Read {
    /// An event, which was added to the log.
    Event,
    /// Anything else.
    Other,
}

impl Consumer for Values<'_, '_> {
    fn accepts_line(&self, line: &[u8]) -> bool {
        self.is_log && EventLog::accepts_line(line)
    }

    fn take_line(&mut self, line: &[u8], number: u64) -> bool {
        let taken = self.is_log && self.log.take_line(line, number);
        self.has_events |= taken;
        taken
    }

    fn take(&mut self, item: Item<'_>) {
        match item {
            Item::Value(value) => self.take_value(&value),
            Item::Broken(value) => {
                let error = Slice::from_text(value.text.trim_ascii_end()).err();
                let error = error.unwrap_or_else(|| ReadError::syntax(0, "This is not JSON."));
                self.add_error(&error.into(), &value, value.lines());
            }
            Item::Skipped(skipped) => {
                if skipped.lines() > 0 {
                    let reason = skipped_problem(&skipped, self.text).map(|problem| problem.message);
                    self.log.count_unread(skipped.lines(), reason.as_deref());
                }
                self.add_skipped(&skipped);
            }
        }
    }
}

impl Values<'_, '_> {
    fn take_value(&mut self, value: &FramedValue<'_>) {
        let known = self.collector.problems.listed().len();
        let read = self.read(value);
        if self.collector.problems.listed().len() > known {
            let start = position(self.text, value.offset);
            self.collector.problems.move_from(known, &start);
        }
        match read {
            Ok(Read::Event) => self.has_events = true,
            Ok(Read::Other) => self.has_others = true,
            Err(error) => return self.add_error(&error, value, 1),
        }
        if let Some(problem) = repair_problem(value, self.text) {
            self.add_problem(|| problem);
        }
    }

    fn read(&mut self, value: &FramedValue<'_>) -> Result<Read, DocumentError> {
        let text: &str = &value.text;
        let slice = value.slice();
        if !self.is_log
            && let Some(line) = read_recorded_line(slice)?
        {
            return line.read(&mut self.socket, self.collector, self.context).map(|()| Read::Other);
        }
        let no_event = if self.is_log || may_be_event(text) {
            match self.log.take_event(text, value.line) {
                Ok(()) => return Ok(Read::Event),
                Err(error) => Some(error),
            }
        } else {
            None
        };
        match self.read_other(slice) {
            // An event with a mistake is described by that.
            Err(error) if error.code == ErrorCode::NotRecognised && self.is_log_or_event(text) => {
                Err(no_event.map_or(error, |error| {
                    DocumentError::at(ErrorCode::NotAnEvent, error.message, error.offset)
                }))
            }
            read => read,
        }
    }

    fn read_other(&mut self, slice: Slice<'_>) -> Result<Read, DocumentError> {
        let recorded = if self.is_log { read_recorded_line(slice)? } else { None };
        match recorded {
            Some(line) => line.read(&mut self.socket, self.collector, self.context)?,
            None => {
                self.collector.read_document(slice, Context { request: &NO_REQUEST, ..self.context })?;
            }
        }
        Ok(Read::Other)
    }

    /// Reports a part without a value: each of its lines in a log, and if each is JSON of its own.
    fn add_skipped(&mut self, skipped: &Skipped) {
        let text = self.text;
        let part = text.get(skipped.offset..skipped.offset + skipped.length).unwrap_or_default();
        let lines = || json::lines(part).filter(|line| !line.bytes.trim_ascii().is_empty());
        let is_json = |line: &[u8]| str::from_utf8(line).is_ok_and(|line| Slice::from_text(line).is_ok());
        let is_lines = self.is_log || lines().all(|line| is_json(line.bytes));
        if !is_lines || skipped.content != SkippedContent::Text {
            if let Some(problem) = skipped_problem(skipped, text) {
                self.add_problem(|| problem);
            }
            return;
        }
        for line in lines() {
            let (offset, length) = (skipped.offset + line.offset, line.bytes.trim_ascii_end().len());
            let line = Skipped { offset, length, last_line: skipped.first_line, ..*skipped };
            self.add_problem(|| skipped_problem(&line, text).unwrap_or_default());
        }
    }

    fn add_problem(&mut self, problem: impl FnOnce() -> Problem) {
        let context = self.context;
        self.collector.problems.add_with(|| problem().in_file(context.name, context.part));
    }

    fn is_log_or_event(&self, text: &str) -> bool {
        let is_event = || {
            let [kind, run_id, at] = fields(Slice::new(text), ["type", "runId", "timestampMs"]).ok()?;
            kind.and(run_id).and(at)
        };
        self.is_log || is_event().is_some()
    }

    /// Reports an error of a value that takes this number of lines.
    fn add_error(&mut self, error: &DocumentError, value: &FramedValue<'_>, lines: u64) {
        self.log.count_unread(lines, Some(&error.message));
        let text = self.text;
        let place = || {
            // A copy has other offsets; its start is known.
            let inner = if value.end().is_some() { error.offset().unwrap_or(0) } else { 0 };
            position(text, value.offset + inner)
        };
        if self.first_error.is_none() && error.code == ErrorCode::NotAnEvent {
            self.first_error = Some(error.clone().at_position(place()));
        }
        self.add_problem(|| Problem { position: Some(place()), ..Problem::new(error.message.clone()) });
    }
}
