//! Reads the text of a piece: one value, a value per line, or a truncated value.

use super::{Collector, Context, lines};
use crate::clock::Reading;
use crate::error_code::ErrorCode;
use crate::ingest::lionagi;
use crate::ingest::unpack::Piece;
use crate::ingest::{DocumentError, decode_whole, hints, whole_value};
use crate::json::salvage::{Salvaged, salvage};
use crate::json::{ReadError, Slice, fields, items};
use crate::log;
use crate::text::{concat, head};

/// The form of a text.
enum Shape<'a> {
    /// One JSON value.
    Value(Slice<'a>),
    /// A JSON value per line.
    Lines,
    /// One damaged JSON value, reduced to its complete parts.
    Broken { whole: Salvaged, errors: Vec<DocumentError> },
}

impl Collector {
    /// Reads a piece.
    pub(crate) fn read_piece(&mut self, piece: &Piece<'_>, clock: Reading) -> Result<(), DocumentError> {
        self.pieces += 1;
        let clock = piece.read_at.map_or(clock, Reading::exact);
        let context = Context {
            request: &piece.request,
            name: piece.name.as_deref(),
            part: piece.part.as_deref(),
            at: piece.at,
            clock,
            cut: false,
        };
        // A log may be larger than other documents, and its lines are read one by one.
        if log::is_event_log(head(&piece.bytes)) {
            self.read_log(&piece.bytes, context);
            return Ok(());
        }
        let text = decode_whole(&piece.bytes)?;
        if is_stream(piece) {
            return self.read_stream(text, context).map_err(|error| error.place(text));
        }
        match shape(text, piece.cut)? {
            Shape::Value(slice) => self.read_value(slice, context).map_err(|error| error.place(text)),
            Shape::Lines => {
                lines::read(self, text, context);
                self.answer = None;
                Ok(())
            }
            Shape::Broken { whole, errors } => self.read_broken(&whole, errors, context),
        }
    }

    /// Reads the complete parts of a damaged value. If they have no content, returns the error of the damage.
    fn read_broken(
        &mut self,
        whole: &Salvaged,
        errors: Vec<DocumentError>,
        context: Context<'_>,
    ) -> Result<(), DocumentError> {
        let before = self.count();
        let context = Context { cut: whole.cut, ..context };
        let why = whole.cut.then(|| why_before_its_blockers(&whole.text)).flatten();
        let text = why.as_ref().unwrap_or(&whole.text);
        let read = self.read_value(Slice::from_text(text)?, context);
        self.answer = None;
        let mut errors = errors.into_iter();
        if let Some(first) = errors.next() {
            if read.is_err() || self.count() == before {
                return Err(first);
            }
            self.add_document_error(first, "", context);
        }
        for error in errors {
            self.add_document_error(error, "", context);
        }
        Ok(())
    }

    /// Reads one value: a list of recorded frames, or a document.
    fn read_value(&mut self, slice: Slice<'_>, context: Context<'_>) -> Result<(), DocumentError> {
        if slice.is_array() && lines::is_frame(items(slice)?.next().transpose()?) {
            lines::read_list(self, slice, context)?;
            self.answer = None;
            return Ok(());
        }
        self.read_document(slice, context)
    }
}

/// Closes the output of `smithers why` that was truncated before its first blocker with an empty list of blockers;
/// `None` for anything else.
fn why_before_its_blockers(text: &str) -> Option<String> {
    let names = ["runId", "status", "summary", "blockers", "counts"];
    let [run_id, status, summary, blockers, counts] = fields(Slice::from_text(text).ok()?, names).ok()?;
    run_id.and(status)?;
    summary.filter(|summary| blockers.or(counts).is_none() && summary.text().is_some())?;
    Some(concat(&[text.strip_suffix('}')?, ",\"blockers\":[]}"]))
}

/// Whether a piece is a stream of events about a session of lionagi.
pub(crate) fn is_stream(piece: &Piece<'_>) -> bool {
    lionagi::is_stream(head(&piece.bytes))
}

/// Determines the form of a text; `one` if it is known to be one value.
fn shape(text: &str, one: bool) -> Result<Shape<'_>, DocumentError> {
    if text.trim_ascii().is_empty() {
        return Err(hints::empty_text());
    }
    if !text.trim_ascii_start().starts_with(['{', '[']) && !lines::has_values(text) {
        return Err(hints::not_an_object(text));
    }
    let error = match whole_value(text) {
        Ok(slice) => return Ok(Shape::Value(slice)),
        Err(error) => error,
    };
    // A list with one row per line is not NDJSON.
    if !one && lines::has_values(text) && !lines::begins_a_list(text) {
        return Ok(Shape::Lines);
    }
    match salvage(text).filter(|_| error.code == ErrorCode::NotJson) {
        Some(whole) => {
            let place = |error: &ReadError| DocumentError::from(error.clone()).place(text);
            Ok(Shape::Broken { errors: whole.errors.iter().map(place).collect(), whole })
        }
        None if lines::has_values(text) => Ok(Shape::Lines),
        None => Err(error),
    }
}
