//! A line that the quick reader gave up on: read with the whole grammar, or refused with a place and a sentence.

use super::scan::{Found, state_words};
use crate::json::{ReadError, Slice, fields, optional, row_fields};
use crate::smithers::wire::EventType;
use crate::word::Vocabulary;

/// What such a line says, its names decoded.
#[derive(Debug)]
pub(super) struct Whole {
    event_type: String,
    run_id: String,
    node_id: Option<String>,
    iteration: Option<u32>,
    attempt: Option<u32>,
    at: f64,
    seq: Option<u32>,
    event: (usize, usize),
    /// The event is text inside the row, as the database has it.
    escaped: bool,
    printed: bool,
}

impl Whole {
    pub(super) fn found(&self) -> Found<'_> {
        Found {
            event_type: self.event_type.as_bytes(),
            run_id: self.run_id.as_bytes(),
            node_id: self.node_id.as_deref().map(str::as_bytes),
            iteration: self.iteration,
            attempt: self.attempt,
            at: self.at,
            seq: self.seq,
            event: self.event,
            escaped: self.escaped,
            pushed: false,
            printed: self.printed,
        }
    }
}

/// Reads a line. The error's place is counted from the line's beginning.
pub(super) fn read(line: &str) -> Result<Whole, ReadError> {
    let slice = Slice::of_text(line)?;
    if !slice.is_object() {
        return Err(slice.expected("an event"));
    }
    let names = ["seq", "payload", "payload_json", "runId", "type"];
    let [seq, payload, payload_json, run_id, outer] =
        row_fields(slice, names, ["", "", "payloadJson", "run_id", ""])?;
    let row = Row { run_id, seq: seq.map(read_seq) };
    if let Some(text) = payload_json {
        let event = text.read_text()?;
        let inner = Slice::of_text(&event).map_err(|error| text.refuse(error.message))?;
        let whole = row.event(inner).map_err(|error| text.refuse(error.message))?;
        return Ok(Whole {
            event: (slice.begin(), slice.begin() + slice.json().len()),
            escaped: true,
            ..whole
        });
    }
    match payload.filter(|payload| row.seq.is_some() && is_event(*payload, outer)) {
        Some(payload) => Ok(Whole { printed: outer.is_some(), ..row.event(payload)? }),
        None => Row { seq: None, ..row }.event(slice),
    }
}

/// What stands around an event.
struct Row<'a> {
    run_id: Option<Slice<'a>>,
    seq: Option<Result<u32, ReadError>>,
}

impl Row<'_> {
    fn event(self, event: Slice<'_>) -> Result<Whole, ReadError> {
        let [event_type, run_id, node_id, iteration, attempt, at] =
            fields(event, ["type", "runId", "nodeId", "iteration", "attempt", "timestampMs"])?;
        let event_type = event.need("type", event_type)?.read_text()?;
        for name in state_words(event_type.as_bytes()).unwrap_or_default() {
            state_word(event, name)?;
        }
        let foreign = EventType::from_word(&event_type).is_none();
        Ok(Whole {
            event_type,
            run_id: event.need("runId", run_id.or(self.run_id))?.read_text()?,
            node_id: scoped(node_id, Slice::read_text, foreign)?,
            iteration: scoped(iteration, Slice::read_small, foreign)?,
            attempt: scoped(attempt, Slice::read_small, foreign)?,
            at: event.need("timestampMs", at)?.read_number()?,
            seq: self.seq.transpose()?,
            event: (event.begin(), event.begin() + event.json().len()),
            escaped: false,
            printed: false,
        })
    }
}

/// What the event belongs to. Nobody knows what an event of an unknown type means by the name.
fn scoped<'a, T>(
    field: Option<Slice<'a>>,
    read: fn(Slice<'a>) -> Result<T, ReadError>,
    foreign: bool,
) -> Result<Option<T>, ReadError> {
    match optional(field, read) {
        Err(_) if foreign => Ok(None),
        read => read,
    }
}

/// Without its word an event that says the run's state would make an empty one of it.
fn state_word(event: Slice<'_>, name: &str) -> Result<(), ReadError> {
    let [word] = fields(event, [name])?;
    let word = event.need(name, word)?;
    if word.read_text()?.is_empty() {
        return Err(word.expected("a word"));
    }
    Ok(())
}

/// A row names the event's type as the event does, or does not name it.
fn is_event(payload: Slice<'_>, outer: Option<Slice<'_>>) -> bool {
    payload.is_object()
        && fields(payload, ["type"]).is_ok_and(|[inner]| {
            inner.is_some_and(|inner| outer.is_none_or(|outer| outer.text() == inner.text()))
        })
}

fn read_seq(seq: Slice<'_>) -> Result<u32, ReadError> {
    seq.read_small().ok().filter(|seq| *seq < u32::MAX).ok_or_else(|| seq.expected("a sequence number"))
}
