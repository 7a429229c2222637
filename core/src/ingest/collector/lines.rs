//! Reads NDJSON: recorded frames, responses and rows, one per line.

use super::{Collector, Context, Socket};
use crate::error_code::ErrorCode;
use crate::ingest::request::NO_REQUEST;
use crate::ingest::{DocumentError, hints};
use crate::json::{self, ReadError, Reader, Slice, Token, fields, items};
use crate::log::{self, EventLog, LineProblem};

/// Whether the text has several lines, of which at least one is a JSON object or list.
pub(crate) fn has_values(body: &str) -> bool {
    let mut lines = body.lines().filter(|line| !line.trim_ascii().is_empty());
    let (Some(first), Some(second)) = (lines.next(), lines.next()) else { return false };
    is_alone(first) || is_alone(second) || lines.take(8).any(is_alone)
}

/// Whether the first non-empty line opens a list without closing it.
pub(crate) fn begins_a_list(body: &str) -> bool {
    body.trim_ascii_start().starts_with('[')
        && body.lines().find(|line| !line.trim_ascii().is_empty()).is_some_and(|line| !is_alone(line))
}

fn is_alone(line: &str) -> bool {
    let mut reader = Reader::new(line, 0);
    let value = line.starts_with(['{', '[']).then(|| reader.skip_value().ok()).flatten();
    // Lines of indented JSON can end with `[` and `{}`, too.
    value.is_some_and(|(_, end)| end > 4 && line.get(end..).unwrap_or_default().trim_ascii().is_empty())
}

/// Reads the text line by line; an unreadable line is reported and skipped. Events of Smithers are joined to a log with
/// their line numbers.
pub(super) fn read(collector: &mut Collector, text: &str, context: Context<'_>) {
    let mut socket = Socket::default();
    let (mut events, mut any) = (String::new(), false);
    for line in json::lines(text.as_bytes()) {
        let (from, to) = (line.offset, line.offset + line.bytes.len());
        let line = text.get(from..to).unwrap_or_default();
        if line.trim_ascii().is_empty() {
            events.push('\n');
            continue;
        }
        let read = one_value(text, from, to).map_err(DocumentError::from);
        let read = read.and_then(|slice| read_line(collector, &mut socket, slice, context));
        let event = matches!(read, Ok(Line::Event));
        any |= event;
        events.push_str(if event { line } else { "\n" });
        if let Err(error) = read {
            collector.add_document_error(error, text, context);
        }
    }
    socket.close(collector, context);
    if any {
        collector.read_log(events.as_bytes(), context);
    }
}

/// The lines of a log that no reader accepts.
pub(super) struct UnreadLines {
    pub(super) problems: Vec<LineProblem>,
    /// The number of further lines.
    pub(super) more: usize,
}

/// Reads the lines of a log that are not events of Smithers. Returns the lines that no reader accepts.
pub(super) fn read_others(collector: &mut Collector, log: &EventLog, context: Context<'_>) -> UnreadLines {
    let mut socket = Socket::default();
    let mut lines = log.raw_lines().zip(1..);
    let mut unread = Vec::new();
    for problem in log.problems() {
        let line = lines.find(|(_, number)| *number == problem.line).map(|(line, _)| line);
        let text = line
            .filter(|_| problem.code == ErrorCode::NotAnEvent)
            .and_then(|line| std::str::from_utf8(line).ok());
        match text.and_then(|text| read_other(collector, &mut socket, text, context)) {
            Some(Ok(Line::Other)) => {}
            // A recognised document has its own error.
            Some(Err(error)) if error.code != ErrorCode::NotRecognised => {
                let at = error.place(text.unwrap_or_default());
                let column = at.position.map_or(problem.column, |position| position.column);
                unread.push(LineProblem { column, message: at.message, ..problem.clone() });
            }
            Some(Ok(Line::Event) | Err(_)) | None => unread.push(problem.clone()),
        }
    }
    let mut more = log.undescribed_problems();
    for other in log.non_event_lines() {
        let line = lines.find(|(_, number)| *number == other).map(|(line, _)| line);
        let text = line.and_then(|line| std::str::from_utf8(line).ok());
        let read = text.and_then(|text| read_other(collector, &mut socket, text, context));
        more -= usize::from(matches!(read, Some(Ok(Line::Other))));
    }
    socket.close(collector, context);
    UnreadLines { problems: unread, more }
}

/// Reads a line that is not an event; `None` if it is not JSON.
fn read_other(
    collector: &mut Collector,
    socket: &mut Socket,
    text: &str,
    context: Context<'_>,
) -> Option<Result<Line, DocumentError>> {
    Some(read_line(collector, socket, Slice::from_text(text).ok()?, context))
}

/// Reads a JSON list of recorded frames.
pub(super) fn read_list(
    collector: &mut Collector,
    slice: Slice<'_>,
    context: Context<'_>,
) -> Result<(), DocumentError> {
    let mut socket = Socket::default();
    for item in items(slice)? {
        let item = item?;
        match read_line(collector, &mut socket, item, context) {
            Ok(Line::Other) => {}
            Ok(Line::Event) => {
                collector.add_document_error(hints::not_recognised(item), slice.whole(), context);
            }
            Err(error) => collector.add_document_error(error, slice.whole(), context),
        }
    }
    socket.close(collector, context);
    Ok(())
}

/// Returns the single value of a line.
fn one_value(text: &str, from: usize, to: usize) -> Result<Slice<'_>, ReadError> {
    // A missing part is reported at the end of this line, not at the beginning of the next one.
    let text = text.get(..to).unwrap_or_default().trim_ascii_end();
    let place = Reader::new(text, from).skip_value()?;
    let rest = text.get(place.1..).unwrap_or_default();
    if rest.trim_ascii().is_empty() {
        return Ok(Slice::new(text).part(place));
    }
    let at = place.1 + rest.len() - rest.trim_ascii_start().len();
    Err(ReadError::syntax(at, "Expected the end of the line after the JSON value."))
}

/// The kind of a line that was read.
enum Line {
    /// An event of Smithers, not yet added to a log.
    Event,
    /// Anything else, which was added.
    Other,
}

fn read_line(
    collector: &mut Collector,
    socket: &mut Socket,
    slice: Slice<'_>,
    context: Context<'_>,
) -> Result<Line, DocumentError> {
    match read_recorded_line(slice)? {
        Some(RecordedLine::Closed) => socket.close(collector, context),
        Some(RecordedLine::Frame { sent, time, text: None, frame }) => {
            socket.read_frame(collector, frame, sent, time, context);
        }
        Some(RecordedLine::Frame { sent, time, text: Some(text), frame }) => match Slice::from_text(&text) {
            Ok(inner) => socket.read_frame(collector, inner, sent, time, context),
            Err(_) if sent => {}
            Err(error) => collector.add_problem_at(frame, &error.message, context),
        },
        None if log::is_event_log(slice.json()) => return Ok(Line::Event),
        None => collector.read_document(slice, Context { request: &NO_REQUEST, ..context })?,
    }
    Ok(Line::Other)
}

/// A line of a recording.
enum RecordedLine<'a> {
    Frame { sent: bool, time: Option<f64>, text: Option<String>, frame: Slice<'a> },
    Closed,
}

/// Whether a list consists of recorded frames.
pub(super) fn is_frame(first: Option<Slice<'_>>) -> bool {
    first.is_some_and(|first| matches!(read_recorded_line(first), Ok(Some(_))))
}

/// Reads a frame, bare or with its direction and time; `None` for anything else.
fn read_recorded_line(slice: Slice<'_>) -> Result<Option<RecordedLine<'_>>, ReadError> {
    if !slice.is_object() {
        return Ok(None);
    }
    let names = ["dir", "direction", "type", "data", "raw", "t", "time", "event", "method", "opcode"];
    let [dir, direction, kind, data, raw, short, time, event, method, opcode] = fields(slice, names)?;
    let kind = kind.and_then(Slice::text);
    let time = short.or(time).and_then(Slice::number);
    let direction = dir.or(direction).and_then(Slice::text);
    // Chromium's own records call the direction `type`.
    let direction = direction.or_else(|| kind.clone().filter(|_| opcode.is_some()));
    let sent = match direction.as_deref() {
        Some("out" | "send" | "sent") => true,
        Some("in" | "receive" | "received") => false,
        Some("close" | "closed") => return Ok(Some(RecordedLine::Closed)),
        Some(_) => return Ok(None),
        None => {
            let bare = match kind.as_deref() {
                Some("req") => method.is_some(),
                Some("event") => event.is_some(),
                Some("res") => true,
                Some(_) | None => false,
            };
            let sent = kind.as_deref() == Some("req");
            return Ok(bare.then_some(RecordedLine::Frame { sent, time: None, text: None, frame: slice }));
        }
    };
    let Some(frame) = data.or(raw) else { return Ok(None) };
    let text = if let Token::String(text) = frame.token()? { Some(text.decode().into_owned()) } else { None };
    Ok(Some(RecordedLine::Frame { sent, time, text, frame }))
}
