//! The text of a piece: one value, a value a line, or a value that was cut off.

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

/// What a text is, before anything of it is read.
enum Shape<'a> {
    /// One JSON value.
    Value(Slice<'a>),
    /// A JSON value a line.
    Lines,
    /// One JSON value that is broken: what is whole of it.
    Broken { whole: Salvaged, errors: Vec<DocumentError> },
}

impl Collector {
    /// Takes in a piece.
    pub(crate) fn piece(&mut self, piece: &Piece<'_>, clock: Reading) -> Result<(), DocumentError> {
        self.pieces += 1;
        let clock = piece.read_at.map_or(clock, Reading::exact);
        let context = Context {
            name: piece.name.as_deref(),
            part: piece.part.as_deref(),
            at: piece.at,
            clock,
            cut: false,
        };
        // A log may be larger than any other document, and its lines are looked at one by one.
        if log::is_event_log(head(&piece.bytes)) {
            self.log(&piece.bytes, context);
            return Ok(());
        }
        let text = decode_whole(&piece.bytes)?;
        if is_stream(piece) {
            return self.stream(text, &piece.asked, context).map_err(|error| error.place(text));
        }
        let begin = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        match shape(text, begin, piece.cut)? {
            Shape::Value(slice) => self.value(slice, piece, context).map_err(|error| error.place(text)),
            Shape::Lines => {
                lines::read(self, text, begin, context);
                Ok(())
            }
            Shape::Broken { whole, errors } => self.broken(&whole, errors, piece, context),
        }
    }

    /// What is whole of a broken value. Where that tells nothing, the text is refused for what is broken.
    fn broken(
        &mut self,
        whole: &Salvaged,
        errors: Vec<DocumentError>,
        piece: &Piece<'_>,
        context: Context<'_>,
    ) -> Result<(), DocumentError> {
        let before = self.len();
        let context = Context { cut: whole.cut, ..context };
        let why = whole.cut.then(|| why_before_its_blockers(&whole.text)).flatten();
        let text = why.as_ref().unwrap_or(&whole.text);
        let read = self.value(Slice::of_text(text)?, piece, context);
        let mut errors = errors.into_iter();
        if let Some(first) = errors.next() {
            if read.is_err() || self.len() == before {
                return Err(first);
            }
            self.note(super::refusal(&first, context.name, context.part));
        }
        for error in errors {
            self.note(super::refusal(&error, context.name, context.part));
        }
        Ok(())
    }

    /// One whole value: recorded frames in a list, or a document.
    fn value(
        &mut self,
        slice: Slice<'_>,
        piece: &Piece<'_>,
        context: Context<'_>,
    ) -> Result<(), DocumentError> {
        if slice.is_array() && lines::is_frame(items(slice)?.next().transpose()?) {
            return lines::read_list(self, slice, context);
        }
        self.document(slice, &piece.asked, context)
    }
}

/// What `smithers why` prints, cut off before its first blocker: with none of them, as they may all be behind the cut. `None` for
/// anything else.
fn why_before_its_blockers(text: &str) -> Option<String> {
    let names = ["runId", "status", "summary", "blockers", "counts"];
    let [run_id, status, summary, blockers, counts] = fields(Slice::of_text(text).ok()?, names).ok()?;
    run_id.and(status)?;
    summary.filter(|summary| blockers.or(counts).is_none() && summary.text().is_some())?;
    Some(concat(&[text.strip_suffix('}')?, ",\"blockers\":[]}"]))
}

/// Whether a piece is a stream of events about a session of lionagi.
pub(crate) fn is_stream(piece: &Piece<'_>) -> bool {
    lionagi::is_stream(head(&piece.bytes))
}

/// `one`: it is known to be one value.
fn shape(text: &str, begin: usize, one: bool) -> Result<Shape<'_>, DocumentError> {
    let body = text.get(begin..).unwrap_or_default();
    if body.trim_ascii().is_empty() {
        return Err(DocumentError::new(
            ErrorCode::EmptyInput,
            "There is nothing to read: the text is empty.",
        ));
    }
    if !body.trim_ascii_start().starts_with(['{', '[']) && !lines::has_values(body) {
        return Err(hints::not_an_object(text, begin));
    }
    let error = match whole_value(text, begin) {
        Ok(slice) => return Ok(Shape::Value(slice)),
        Err(error) => error,
    };
    // A list with a row a line is no NDJSON.
    if !one && lines::has_values(body) && !lines::begins_a_list(body) {
        return Ok(Shape::Lines);
    }
    match salvage(text, begin).filter(|_| error.code == ErrorCode::NotJson) {
        Some(whole) => {
            let place = |error: &ReadError| DocumentError::from(error.clone()).place(text);
            Ok(Shape::Broken { errors: whole.errors.iter().map(place).collect(), whole })
        }
        None if lines::has_values(body) => Ok(Shape::Lines),
        None => Err(error),
    }
}
