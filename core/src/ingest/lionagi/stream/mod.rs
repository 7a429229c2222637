//! Reads Studio's streams about a session: `/api/sessions/{id}/stream` sends its messages, and
//! `/api/sessions/{id}/signals` sends the signals of its nodes. Saved as text (`text/event-stream`), such a stream is a
//! document like any other.
//!
//! Neither stream contains the stored status. Signals show that the run began and how it ended; `done` means that the
//! session has ended or that its status was never stored (protocol section 7).

mod reducer;

mod events;
#[cfg(test)]
mod tests;

use crate::error_code::ErrorCode;
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::ingest::DocumentError;
use crate::json::Reader;
use crate::json::{ReadError, Slice};
use crate::lionagi::wire::{LionagiDocumentKind, Seconds, SessionRow, StoredStatus};
use crate::problem::{Problem, Problems};
use crate::run::lionagi::{LionagiInspection, SessionInspection};
use crate::time::Millis;
pub(crate) use events::begins_like_a_stream;
use events::{EventKind, Line, event_kind, lines, read_line};
use reducer::StreamReducer;

/// Maximum number of lines that are examined for the recognition of a stream.
const LOOK_AT: usize = 40;

/// Whether a text is a stream of Studio: it has lines of `id:` and `data:`, and one of the first contains a message, a
/// signal or `done`.
pub(crate) fn is_stream(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if !begins_like_a_stream(text.trim_ascii_start()) {
        return false;
    }
    lines(text).take(LOOK_AT).any(|line| match read_line(text, line) {
        Some(Line::Data(Ok(slice))) => event_kind(slice).is_some_and(|kind| kind != EventKind::Heartbeat),
        Some(Line::Data(Err(_)) | Line::Cursor(_)) | None => false,
    })
}

/// Reads a stream. An unreadable event is reported and skipped. `session_id` is that of the request, if known.
///
/// # Errors
/// [`DocumentError`] if none of its events is about a session.
pub(crate) fn read_stream(
    text: &str,
    read_from: &str,
    session_id: Option<String>,
    now: Millis,
) -> Result<LionagiInspection, DocumentError> {
    let mut reducer = StreamReducer::default();
    reducer.session_id = session_id;
    let mut problems = take_lines(text, &mut reducer);
    let Some(kind) = reducer.kind() else {
        let begin = text.len() - text.trim_ascii_start().len();
        let message = "This is a stream of events with nothing about a session.";
        return Err(DocumentError::at(ErrorCode::NotRecognised, message, begin));
    };
    problems.append(std::mem::take(&mut reducer.gaps));
    let mut found = LionagiInspection::new(kind);
    found.session = Some(session(reducer, kind, read_from, now));
    found.problems = problems;
    Ok(found)
}

/// Reads every line and returns the problems.
fn take_lines(text: &str, reducer: &mut StreamReducer) -> Problems {
    let (mut problems, mut unended) = (Problems::default(), false);
    for line in lines(text) {
        // A truncated beginning of an event: its cursor, or part of a word.
        unended = !text.get(line.0..line.1).unwrap_or_default().ends_with(['\n', '\r', '}']);
        let read = match read_line(text, line) {
            Some(Line::Cursor(cursor)) => {
                reducer.take_cursor(cursor);
                Ok(())
            }
            Some(Line::Data(data)) => data.and_then(|slice| reducer.take(slice)),
            None => Ok(()),
        };
        unended &= read.is_ok();
        if let Err(error) = read {
            problems.add_error(text, &error, "Event skipped.");
        }
    }
    if unended {
        let end = ReadError::syntax(text.len(), "The text ends inside an event.");
        problems.append_all(Problem::from_error(text, &end, "Event skipped."));
    }
    problems
}

fn session(
    reducer: StreamReducer,
    kind: LionagiDocumentKind,
    read_from: &str,
    now: Millis,
) -> SessionInspection {
    let inputs = reducer.inputs();
    let row = SessionRow {
        session_id: reducer.session_id,
        status: reducer.status.map_or(StoredStatus::Absent, |status| StoredStatus::new(Some(&status))),
        message_count: (kind == LionagiDocumentKind::MessageStream).then_some(reducer.messages),
        last_message_at: reducer.stream.last_at.filter(|_| kind == LionagiDocumentKind::MessageStream),
        error: reducer.error,
        ..SessionRow::default()
    };
    SessionInspection {
        evidence: Evidence { inputs, read_from: read_from.to_owned(), read_at: Some(now) },
        stream: Some(reducer.stream),
        ..SessionInspection::from_row(row, kind, read_from, now)
    }
}

fn input(name: Signal, value: Value, at: Option<Seconds>) -> Input {
    Input { at: at.map(Seconds::to_millis), ..Input::new(name, value, true) }
}

/// Returns the value of a line of data, with its position in the whole text.
fn value(text: &str, from: usize, to: usize) -> Result<Slice<'_>, ReadError> {
    let text = text.get(..to).unwrap_or_default();
    let place = Reader::new(text, from).skip_value()?;
    let rest = text.get(place.1..).unwrap_or_default();
    if rest.trim_ascii().is_empty() {
        return Ok(Slice::new(text).part(place));
    }
    Err(ReadError::syntax(place.1, "Expected the end of the line after the JSON value."))
}
