//! Reads the lines of an event stream. Studio writes an event as one line of `data:`, and a message with a preceding
//! line of `id:`; `event:`, `retry:` and comments are ignored.

use super::value;
use crate::json::{ReadError, Slice, fields};

/// The beginnings of a stream's lines: a comment or a field.
const BEGINNINGS: [&str; 5] = [":", "data:", "id:", "event:", "retry:"];

/// Whether a text begins like a line of a stream.
pub(crate) fn begins_like_a_stream(text: &str) -> bool {
    BEGINNINGS.iter().any(|beginning| text.starts_with(beginning))
}

/// The range of a line.
pub(super) type Place = (usize, usize);

/// A line with content.
pub(super) enum Line<'a> {
    /// The cursor of the message that follows.
    Cursor(&'a str),
    /// An event.
    Data(Result<Slice<'a>, ReadError>),
}

pub(super) fn lines(text: &str) -> impl Iterator<Item = Place> {
    let mut at = 0;
    text.split_inclusive(['\n', '\r']).map(move |line| {
        let from = at;
        at += line.len();
        (from, at)
    })
}

pub(super) fn read_line(text: &str, (from, to): Place) -> Option<Line<'_>> {
    let line = text.get(from..to)?;
    let bare = line.strip_prefix('\u{feff}').unwrap_or(line);
    let from = to - bare.len();
    if let Some(cursor) = bare.strip_prefix("id:") {
        return Some(Line::Cursor(cursor.trim_ascii()));
    }
    let data = bare.strip_prefix("data:")?;
    (!data.trim_ascii().is_empty()).then(|| Line::Data(value(text, from + "data:".len(), to)))
}

/// The kind of an event of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventKind {
    /// A message of a session.
    Message,
    /// A signal about a run or a node.
    Signal,
    /// A heartbeat, sent if nothing else was sent for some seconds.
    Heartbeat,
    /// The end of the stream.
    Done,
}

/// Returns the kind of an event from its data; `None` if it is not about a session.
pub(super) fn event_kind(event: Slice<'_>) -> Option<EventKind> {
    let names = ["type", "session_id", "seq", "kind", "role", "content"];
    let [kind, session_id, seq, signal, role, content] = fields(event, names).ok()?;
    match kind.and_then(Slice::text).as_deref() {
        Some("heartbeat") => Some(EventKind::Heartbeat),
        Some("done") => Some(EventKind::Done),
        Some(_) => None,
        None if session_id.and(seq).and(signal).is_some() => Some(EventKind::Signal),
        None => role.and(content).map(|_| EventKind::Message),
    }
}
