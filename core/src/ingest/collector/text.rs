//! Reads the text of a piece: one value, several values, or a truncated value.

use super::framed::{repair_problem, skipped_problem};
use super::{Collector, Context, lines};
use crate::clock::Reading;
use crate::ingest::form::{Form, One, piece_form};
use crate::ingest::lionagi;
use crate::ingest::unpack::Piece;
use crate::ingest::{DocumentError, decode_whole};
use crate::json::salvage::Salvage;
use crate::json::{Slice, fields, items};
use crate::text::{concat, head, whole_characters};

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
        if is_stream(piece) {
            let text = decode_whole(&piece.bytes)?;
            return self.read_stream(text, context).map_err(|error| error.place(text));
        }
        match piece_form(piece)? {
            Form::One(one) => self.read_one(&one, &piece.bytes, context),
            Form::Values { is_log } => self.read_values(&piece.bytes, is_log, piece.unread_at_end, context),
            Form::Broken { whole, offset } => {
                let text = text_of(&piece.bytes);
                self.read_broken(whole, text, offset, context)
            }
        }
    }

    /// Reads the only value of a text.
    fn read_one(&mut self, one: &One<'_>, bytes: &[u8], context: Context<'_>) -> Result<(), DocumentError> {
        let text = text_of(bytes);
        let value = &one.value;
        let read = match value.end() {
            Some(end) => self
                .read_value(Slice::new(text).part((value.offset, end)), context)
                .map_err(|error| error.place(text)),
            None => self
                .read_value(value.slice(), context)
                .map_err(|error| error.moved_to(value.offset).place(text)),
        };
        read?;
        let skipped = one.skipped.iter().filter_map(|skipped| skipped_problem(skipped, bytes));
        for problem in skipped.chain(repair_problem(value, bytes)) {
            if let Some((_, problems)) = &mut self.answer {
                problems.add(problem.clone().in_file(context.name, context.part));
            }
            self.problems.add(problem.in_file(context.name, context.part));
        }
        Ok(())
    }

    /// Reads the complete parts of a damaged value that begins at `offset` of the text. If they have no content, returns
    /// the error of the damage.
    fn read_broken(
        &mut self,
        whole: Salvage,
        text: &str,
        offset: usize,
        context: Context<'_>,
    ) -> Result<(), DocumentError> {
        let before = self.count();
        let context = Context { cut: whole.cut, ..context };
        let why = whole.cut.then(|| why_before_its_blockers(&whole.text)).flatten();
        let closed = why.as_ref().unwrap_or(&whole.text);
        let read = self.read_value(Slice::from_text(closed)?, context);
        self.answer = None;
        let place = |mut error: crate::json::ReadError| {
            error.offset += offset;
            DocumentError::from(error).place(text)
        };
        let mut errors = whole.errors.into_iter().map(place);
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

/// The text of a piece with its byte order mark, so that offsets are those of the piece.
fn text_of(bytes: &[u8]) -> &str {
    std::str::from_utf8(whole_characters(bytes)).unwrap_or_default()
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
