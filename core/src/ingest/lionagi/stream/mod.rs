//! What Studio streams of a session: `/api/sessions/{id}/stream` sends its messages, `/api/sessions/{id}/signals` what its
//! nodes do. Saved as text (`text/event-stream`), such a stream is a document like any other.
//!
//! Neither says the status that is stored. Signals say that the run began and how it ended; `done` says that the session has
//! ended, or that its status was never stored (protocol section 7). Nothing more is made of them.

mod reducer;

mod events;
#[cfg(test)]
mod tests;

use super::recognise::{self, Sent};
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::ingest::DocumentError;
use crate::json::Reader;
use crate::json::{ReadError, Slice, problem_at};
use crate::lionagi::wire::{LionagiRecognised, Seconds, SessionRow, StoredStatus};
use crate::run::lionagi::{LionagiInspection, SessionInspection};
use crate::text::concat;
use crate::time::Millis;
use events::{Line, lines, of_line};
use reducer::StreamReducer;

/// How many broken events are named one by one.
const MAX_PROBLEMS: usize = 20;

/// How many lines of a text are looked at to know a stream.
const LOOK_AT: usize = 40;

/// Whether a text is a stream of Studio's: lines of `id:` and `data:`, and in one of the first a message, a signal or `done`.
pub(crate) fn is_stream(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let begins = ["data:", "id:", "event:", "retry:", ":"];
    if !begins.iter().any(|begin| text.trim_ascii_start().starts_with(begin)) {
        return false;
    }
    lines(text).take(LOOK_AT).any(|line| match of_line(text, line) {
        Some(Line::Data(Ok(slice))) => recognise::sent(slice).is_some_and(|sent| sent != Sent::Heartbeat),
        Some(Line::Data(Err(_)) | Line::Cursor(_)) | None => false,
    })
}

/// Reads a stream. An event that cannot be read is named and passed over. `session_id` is what the request asked for, where
/// that is known.
///
/// # Errors
/// [`DocumentError`] where no event of it tells anything.
pub(crate) fn read_stream(
    text: &str,
    read_from: &str,
    session_id: Option<String>,
    now: Millis,
) -> Result<LionagiInspection, DocumentError> {
    let mut told = StreamReducer::default();
    told.session_id = session_id;
    let mut problems = take_lines(text, &mut told);
    let Some(kind) = told.kind() else {
        let begin = text.len() - text.trim_ascii_start().len();
        let message = "This is a stream of events that tells nothing about a session.";
        return Err(DocumentError::at("NOT_RECOGNISED", message, begin));
    };
    problems.extend(told.missing.iter().map(|missing| concat(&[missing, " missing."])));
    if told.gaps > told.missing.len() {
        let more = (told.gaps - told.missing.len()).to_string();
        problems.push(concat(&["Signals are missing in ", &more, " more places."]));
    }
    let mut found = LionagiInspection::new(kind);
    found.session = Some(session(told, kind, read_from, now));
    found.problems = problems;
    Ok(found)
}

/// Takes in every line; what cannot be read comes back.
fn take_lines(text: &str, told: &mut StreamReducer) -> Vec<String> {
    let (mut problems, mut broken, mut unended) = (Vec::new(), 0_usize, false);
    for line in lines(text) {
        // Half an event that is not even begun: its cursor, or a part of a word.
        unended = !text.get(line.0..line.1).unwrap_or_default().ends_with(['\n', '\r', '}']);
        let read = match of_line(text, line) {
            Some(Line::Cursor(cursor)) => {
                told.take_cursor(cursor);
                Ok(())
            }
            Some(Line::Data(data)) => data.and_then(|slice| told.take(slice)),
            None => Ok(()),
        };
        unended &= read.is_ok();
        if let Err(error) = read {
            broken += 1;
            if broken <= MAX_PROBLEMS {
                problems.push(problem(text, &error));
            }
        }
    }
    if broken > MAX_PROBLEMS {
        problems.push(concat(&[&(broken - MAX_PROBLEMS).to_string(), " more events skipped."]));
    }
    if unended {
        let end = ReadError::syntax(text.len(), "The text ends inside an event.");
        problems.push(problem(text, &end));
    }
    problems
}

fn session(told: StreamReducer, kind: LionagiRecognised, read_from: &str, now: Millis) -> SessionInspection {
    let inputs = told.inputs();
    let row = SessionRow {
        session_id: told.session_id,
        status: told.status.map_or(StoredStatus::Absent, |status| StoredStatus::new(Some(&status))),
        message_count: (kind == LionagiRecognised::MessageStream).then_some(told.messages),
        last_message_at: told.stream.last_at.filter(|_| kind == LionagiRecognised::MessageStream),
        error: told.error,
        ..SessionRow::default()
    };
    SessionInspection {
        evidence: Evidence { inputs, read_from: read_from.to_owned(), read_at: Some(now) },
        stream: Some(told.stream),
        ..SessionInspection::from_row(row, kind, read_from, now)
    }
}

fn input(name: Signal, value: Value, at: Option<Seconds>) -> Input {
    Input { name, value, at: at.map(Seconds::to_millis), limit_ms: None, decisive: true }
}

fn problem(text: &str, error: &ReadError) -> String {
    problem_at(text, error.offset, &concat(&[&error.message, " Event skipped."]))
}

/// The value of a line of data. Its place is counted in the whole text.
fn value(text: &str, from: usize, to: usize) -> Result<Slice<'_>, ReadError> {
    let text = text.get(..to).unwrap_or_default();
    let place = Reader::new(text, from).skip_value()?;
    let rest = text.get(place.1..).unwrap_or_default();
    if rest.trim_ascii().is_empty() {
        return Ok(Slice::new(text).part(place));
    }
    Err(ReadError::syntax(place.1, "Expected the end of the line after the JSON value."))
}
