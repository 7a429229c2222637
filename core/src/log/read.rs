//! Reads the lines that the fast scanner rejects: with the full JSON grammar, or as an error with a position and a
//! message.

use super::scan::{EventFields, EventForm, state_fields};
use crate::json::{ReadError, Slice, fields, optional, row_fields};
use crate::smithers::wire::EventType;
use crate::word::Vocabulary;

/// The fields of such a line, decoded.
#[derive(Debug)]
pub(super) struct ParsedLine {
    event_type: String,
    run_id: String,
    node_id: Option<String>,
    iteration: Option<u32>,
    attempt: Option<u32>,
    at: f64,
    seq: Option<u32>,
    event: (usize, usize),
    /// The event is a JSON text inside the row, as in the database.
    escaped: bool,
    printed: bool,
}

impl ParsedLine {
    pub(super) fn fields(&self) -> EventFields<'_> {
        EventFields {
            event_type: self.event_type.as_bytes(),
            run_id: self.run_id.as_bytes(),
            node_id: self.node_id.as_deref().map(str::as_bytes),
            iteration: self.iteration,
            attempt: self.attempt,
            at: self.at,
            seq: self.seq,
            event: self.event,
            form: if self.escaped { EventForm::Escaped } else { EventForm::Formatted },
            pushed: false,
            printed: self.printed,
        }
    }
}

/// Reads a line. The position of an error counts from the beginning of the line.
pub(super) fn read_line(line: &str) -> Result<ParsedLine, ReadError> {
    let slice = Slice::from_text(line)?;
    if !slice.is_object() {
        return Err(slice.expected("an event"));
    }
    let names = ["seq", "payload", "payload_json", "runId", "type"];
    let [seq, payload, payload_json, run_id, outer] =
        row_fields(slice, names, ["", "", "payloadJson", "run_id", ""])?;
    let row = Row { run_id, seq: seq.map(read_seq) };
    if let Some(text) = payload_json {
        let event = text.read_text()?;
        let inner = Slice::from_text(&event).map_err(|error| text.refuse(error.message))?;
        let whole = row.read_event(inner).map_err(|error| text.refuse(error.message))?;
        return Ok(ParsedLine {
            event: (slice.begin(), slice.begin() + slice.json().len()),
            escaped: true,
            ..whole
        });
    }
    match payload.filter(|payload| row.seq.is_some() && is_event_payload(*payload, outer)) {
        Some(payload) => Ok(ParsedLine { printed: outer.is_some(), ..row.read_event(payload)? }),
        None => Row { seq: None, ..row }.read_event(slice),
    }
}

/// The fields of the row around an event.
struct Row<'a> {
    run_id: Option<Slice<'a>>,
    seq: Option<Result<u32, ReadError>>,
}

impl Row<'_> {
    fn read_event(self, event: Slice<'_>) -> Result<ParsedLine, ReadError> {
        let [event_type, run_id, node_id, iteration, attempt, at] =
            fields(event, ["type", "runId", "nodeId", "iteration", "attempt", "timestampMs"])?;
        let event_type = event.need("type", event_type)?.read_text()?;
        for name in state_fields(event_type.as_bytes()).unwrap_or_default() {
            check_state_word(event, name)?;
        }
        let foreign = EventType::from_word(&event_type).is_none();
        Ok(ParsedLine {
            event_type,
            run_id: event.need("runId", run_id.or(self.run_id))?.read_text()?,
            node_id: read_scoped(node_id, Slice::read_text, foreign)?,
            iteration: read_scoped(iteration, Slice::read_small, foreign)?,
            attempt: read_scoped(attempt, Slice::read_small, foreign)?,
            at: event.need("timestampMs", at)?.read_time()?,
            seq: self.seq.transpose()?,
            event: (event.begin(), event.begin() + event.json().len()),
            escaped: false,
            printed: false,
        })
    }
}

/// Reads a field that assigns the event to a node or attempt. In an event of an unknown type the name may mean something
/// else.
fn read_scoped<'a, T>(
    field: Option<Slice<'a>>,
    read: fn(Slice<'a>) -> Result<T, ReadError>,
    foreign: bool,
) -> Result<Option<T>, ReadError> {
    match optional(field, read) {
        Err(_) if foreign => Ok(None),
        read => read,
    }
}

/// Checks that a field with the run's state is not missing or empty.
fn check_state_word(event: Slice<'_>, name: &str) -> Result<(), ReadError> {
    let [word] = fields(event, [name])?;
    let value = event.need(name, word)?;
    let word = if value.is_object() { value.need("state", fields(value, ["state"])?[0])? } else { value };
    if word.read_text()?.is_empty() {
        return Err(word.expected("a word"));
    }
    Ok(())
}

/// Whether the payload is the event of this row: if the row names a type, it must be the event's.
fn is_event_payload(payload: Slice<'_>, outer: Option<Slice<'_>>) -> bool {
    payload.is_object()
        && fields(payload, ["type"]).is_ok_and(|[inner]| {
            inner.is_some_and(|inner| outer.is_none_or(|outer| outer.text() == inner.text()))
        })
}

fn read_seq(seq: Slice<'_>) -> Result<u32, ReadError> {
    seq.read_small().ok().filter(|seq| *seq < u32::MAX).ok_or_else(|| seq.expected("a sequence number"))
}
