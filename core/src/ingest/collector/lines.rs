//! NDJSON: recorded frames, answers and rows, one a line.

use super::{Asked, Collector, Context, Socket};
use crate::error_code::ErrorCode;
use crate::ingest::{DocumentError, hints};
use crate::json::{self, ReadError, Reader, Slice, Token, fields, items};
use crate::log::{self, EventLog, LineProblem};

/// Whether some line is a JSON object or list of its own, and there is more than one line.
pub(crate) fn has_values(body: &str) -> bool {
    let mut lines = body.lines().filter(|line| !line.trim_ascii().is_empty());
    let (Some(first), Some(second)) = (lines.next(), lines.next()) else { return false };
    is_alone(first) || is_alone(second) || lines.take(8).any(is_alone)
}

/// Whether the first line that is not empty opens a list and does not end it.
pub(crate) fn begins_a_list(body: &str) -> bool {
    body.trim_ascii_start().starts_with('[')
        && body.lines().find(|line| !line.trim_ascii().is_empty()).is_some_and(|line| !is_alone(line))
}

fn is_alone(line: &str) -> bool {
    let mut reader = Reader::new(line, 0);
    let value = line.starts_with(['{', '[']).then(|| reader.skip_value().ok()).flatten();
    // `[` and `{}` end lines of indented JSON too.
    value.is_some_and(|(_, end)| end > 4 && line.get(end..).unwrap_or_default().trim_ascii().is_empty())
}

/// Reads line by line; a line that cannot be read is named and passed over. Events of Smithers are put into a log, each at its line.
pub(super) fn read(heard: &mut Collector, text: &str, begin: usize, context: Context<'_>) {
    let mut socket = Socket::default();
    let (mut events, mut any) = (String::new(), false);
    for line in json::lines(text.get(begin..).unwrap_or_default().as_bytes()) {
        let (from, to) = (begin + line.offset, begin + line.offset + line.bytes.len());
        let line = text.get(from..to).unwrap_or_default();
        if line.trim_ascii().is_empty() {
            events.push('\n');
            continue;
        }
        let read = one_value(text, from, to).map_err(DocumentError::from);
        let read = read.and_then(|slice| read_line(heard, &mut socket, slice, context));
        let event = matches!(read, Ok(Line::Event));
        any |= event;
        events.push_str(if event { line } else { "\n" });
        if let Err(error) = read {
            heard.refused(error, text, context);
        }
    }
    socket.close(heard, context);
    if any {
        heard.log(events.as_bytes(), context);
    }
}

/// Lines of a log that nobody can read.
pub(super) struct UnreadLines {
    pub(super) described: Vec<LineProblem>,
    /// How many more there are.
    pub(super) more: usize,
}

/// Reads those lines of a log that are no events of Smithers, each as what it is. Gives those that nobody can read.
pub(super) fn read_others(heard: &mut Collector, log: &EventLog, context: Context<'_>) -> UnreadLines {
    let mut socket = Socket::default();
    let mut lines = log.raw_lines().zip(1..);
    let mut unread = Vec::new();
    for problem in log.problems() {
        let line = lines.find(|(_, number)| *number == problem.line).map(|(line, _)| line);
        let text =
            line.filter(|_| problem.code == "NOT_AN_EVENT").and_then(|line| std::str::from_utf8(line).ok());
        match text.and_then(|text| read_other(heard, &mut socket, text, context)) {
            Some(Ok(Line::Other)) => {}
            // What was recognised is not to be measured as an event.
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
        let read = text.and_then(|text| read_other(heard, &mut socket, text, context));
        more -= usize::from(matches!(read, Some(Ok(Line::Other))));
    }
    socket.close(heard, context);
    UnreadLines { described: unread, more }
}

/// Reads a line that is no event; `None` where it is not JSON.
fn read_other(
    heard: &mut Collector,
    socket: &mut Socket,
    text: &str,
    context: Context<'_>,
) -> Option<Result<Line, DocumentError>> {
    let documents = heard.documents;
    let read = read_line(heard, socket, Slice::of_text(text).ok()?, context);
    if !matches!(read, Ok(Line::Other)) {
        heard.documents = documents;
    }
    Some(read)
}

/// The same for a JSON list of recorded frames.
pub(super) fn read_list(
    heard: &mut Collector,
    slice: Slice<'_>,
    context: Context<'_>,
) -> Result<(), DocumentError> {
    let mut socket = Socket::default();
    for item in items(slice)? {
        let item = item?;
        match read_line(heard, &mut socket, item, context) {
            Ok(Line::Other) => {}
            Ok(Line::Event) => heard.refused(hints::not_recognised(item), slice.whole(), context),
            Err(error) => heard.refused(error, slice.whole(), context),
        }
    }
    socket.close(heard, context);
    Ok(())
}

/// The one value of a line.
fn one_value(text: &str, from: usize, to: usize) -> Result<Slice<'_>, ReadError> {
    // What is missing is missing at the end of the line, not at the beginning of the next one.
    let text = text.get(..to).unwrap_or_default().trim_ascii_end();
    let place = Reader::new(text, from).skip_value()?;
    let rest = text.get(place.1..).unwrap_or_default();
    if rest.trim_ascii().is_empty() {
        return Ok(Slice::new(text).part(place));
    }
    let at = place.1 + rest.len() - rest.trim_ascii_start().len();
    Err(ReadError::syntax(at, "Expected the end of the line after the JSON value."))
}

/// What a line was.
enum Line {
    /// An event of Smithers, which is for a log to take in.
    Event,
    /// Anything else, and it was taken in.
    Other,
}

// Of one size wherever it is called from: a frame, an answer or a row is a lot to take in.
#[inline(never)]
fn read_line(
    heard: &mut Collector,
    socket: &mut Socket,
    slice: Slice<'_>,
    context: Context<'_>,
) -> Result<Line, DocumentError> {
    match recorded(slice)? {
        Some(Recorded::Closed) => socket.close(heard, context),
        Some(Recorded::Frame { sent, time, text: None, frame }) => {
            socket.frame(heard, frame, sent, time, context);
        }
        Some(Recorded::Frame { sent, time, text: Some(text), frame }) => match Slice::of_text(&text) {
            Ok(inner) => socket.frame(heard, inner, sent, time, context),
            Err(_) if sent => {}
            Err(error) => heard.trouble(frame, &error.message, context),
        },
        None if log::is_event_log(slice.json()) => return Ok(Line::Event),
        None => heard.document(slice, &Asked::default(), context)?,
    }
    Ok(Line::Other)
}

/// What a line of a recording holds.
enum Recorded<'a> {
    Frame { sent: bool, time: Option<f64>, text: Option<String>, frame: Slice<'a> },
    Closed,
}

/// Whether a list is one of recorded frames.
pub(super) fn is_frame(first: Option<Slice<'_>>) -> bool {
    first.is_some_and(|first| matches!(recorded(first), Ok(Some(_))))
}

/// A frame with its direction and time, or a bare one; `None` for anything else.
fn recorded(slice: Slice<'_>) -> Result<Option<Recorded<'_>>, ReadError> {
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
        Some("close" | "closed") => return Ok(Some(Recorded::Closed)),
        Some(_) => return Ok(None),
        None => {
            let bare = match kind.as_deref() {
                Some("req") => method.is_some(),
                Some("event") => event.is_some(),
                Some("res") => true,
                Some(_) | None => false,
            };
            let sent = kind.as_deref() == Some("req");
            return Ok(bare.then_some(Recorded::Frame { sent, time: None, text: None, frame: slice }));
        }
    };
    let Some(frame) = data.or(raw) else { return Ok(None) };
    let text = match frame.token()? {
        Token::String(text) => Some(text.decode().into_owned()),
        _ => None,
    };
    Ok(Some(Recorded::Frame { sent, time, text, frame }))
}
