//! Opens files: unpacks them, recognises each piece by its content, reads it with the reader of its system, and joins
//! the results.

use super::collector;
use super::export_format::Counts;
use super::hints::{empty_text, not_an_object};
use super::reader::DocumentReader;
use super::request::{Request, recorded_exchange};
use super::unpack::{self, Piece, StatedForm, UnpackedFiles};
use super::{Document, DocumentError, Form, System, decode, form, lionagi, smithers, whole_value};
use crate::clock::Reading;
use crate::error_code::ErrorCode;
use crate::file::File;
use crate::json::TypeMismatches;
use crate::kind;
use crate::log::EventLog;
use crate::problem::Problems;
use crate::text::concat;
use crate::time::Millis;

/// Opens pasted, dropped or chosen files.
///
/// # Errors
/// [`DocumentError`] if nothing in the files can be read.
///
/// ```
/// use runstate::file::File;
/// use runstate::ingest::open;
/// use runstate::time::Millis;
///
/// let now = Millis(1_700_000_000_000.0);
/// let bytes = br#"{"runId":"r1","computedAt":"2023-11-14T22:13:20.000Z","state":"running"}"#;
/// let document = open(&[File { name: None, bytes }], now)?;
/// assert_eq!(document.header(None, now).unwrap().state.as_deref(), Some("running"));
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
///
/// If the error of the [`Reading`] is known, a state that depends on an uncertain age is `unknown`. A recording with a
/// known time, or a document from an export, is read for that time.
///
/// ```
/// use runstate::clock::Reading;
/// use runstate::file::File;
/// use runstate::ingest::open;
/// use runstate::time::Millis;
///
/// let row = br#"{"runId":"r1","status":"running","heartbeatAtMs":1700000000000}"#;
/// let clock = Reading::new(Millis(1_700_000_020_000.0), 40_000.0);
/// let document = open(&[File { name: None, bytes: row }], clock)?;
/// assert_eq!(document.header(None, clock.now).unwrap().state.as_deref(), Some("unknown"));
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
pub fn open(files: &[File<'_>], clock: impl Into<Reading>) -> Result<Document, DocumentError> {
    let clock = clock.into();
    let UnpackedFiles { pieces, problems, refused, no_documents, .. } = unpack_files(files);
    let mut reader = DocumentReader::new(&pieces, problems);
    let mut unread = None;
    for (place, piece) in pieces.iter().enumerate() {
        if let Err(error) = reader.read(place, piece, clock) {
            let name = piece.name.as_deref().filter(|_| files.len() > 1);
            unread = unread.or(Some(error.in_file(name)));
        }
    }
    reader.finish(&pieces, clock.now).0.ok_or_else(|| {
        let empty = || {
            let what = if files.is_empty() { "no file was given" } else { "the file has no entries" };
            DocumentError::new(ErrorCode::EmptyInput, concat(&["There is nothing to read: ", what, "."]))
        };
        refused.or_else(|| unread_error(&pieces, unread)).or(no_documents).unwrap_or_else(empty)
    })
}

/// Returns the error of pieces without readable content. For a single document it is the error of the text as one
/// value, which describes the text as a whole, unless the error of its reader is more specific.
fn unread_error(pieces: &[Piece<'_>], unread: Option<DocumentError>) -> Option<DocumentError> {
    let as_document = match pieces {
        [piece] if !piece.traffic && piece.stated_form != StatedForm::Cut && !collector::is_stream(piece) => {
            explain(piece)
        }
        [] | [_] | [_, _, ..] => None,
    };
    let is_general = |error: &DocumentError| error.code == ErrorCode::NotRecognised;
    match (as_document, unread) {
        (Some(general), Some(specific)) if is_general(&general) && !is_general(&specific) => Some(specific),
        (as_document, unread) => as_document.or(unread),
    }
}

/// Returns the recognised pieces and the counts of the exports among the files.
///
/// # Errors
/// Same as [`open`].
pub(crate) fn known_pieces<'a>(
    files: &[File<'a>],
    now: Millis,
) -> Result<(Vec<Piece<'a>>, Counts), DocumentError> {
    let UnpackedFiles { pieces, counts, .. } = unpack_files(files);
    let mut reader = DocumentReader::new(&pieces, Problems::default());
    for (place, piece) in pieces.iter().enumerate() {
        // An unreadable piece is not recognised.
        let _ = reader.read(place, piece, Reading::exact(now));
    }
    let (document, systems) = reader.finish(&pieces, now);
    if document.is_none() {
        // This returns the error.
        open(files, now)?;
    }
    let conductor = systems.contains(&Some(System::Conductor));
    let known = pieces.into_iter().zip(systems).filter(|(piece, system)| {
        system.is_some() || conductor && kind::conductor::is_run_file(&piece.file())
    });
    Ok((known.map(|(piece, system)| Piece { system, ..piece }).collect(), counts))
}

/// Makes the document of an event log that was read elsewhere and is the whole file.
pub(super) fn open_log(log: EventLog, name: Option<&str>, now: Millis) -> Option<Document> {
    let piece = Piece::from_file(File { name, bytes: &[] });
    DocumentReader::from_log(log, name, now).finish(&[piece], now).0
}

fn unpack_files<'a>(files: &[File<'a>]) -> UnpackedFiles<'a> {
    #[cfg(test)]
    tests::UNPACKED.set(tests::UNPACKED.get() + 1);
    unpack::unpack(files)
}

/// Returns the error of a piece as one JSON value of Smithers; `None` if it is such a value.
fn explain(piece: &Piece<'_>) -> Option<DocumentError> {
    let text = match decode(&piece.bytes) {
        Ok(text) => text,
        Err(error) => return Some(error),
    };
    let body = text.trim_ascii_start();
    if body.is_empty() {
        return Some(empty_text());
    }
    if !body.starts_with(['{', '[']) {
        return Some(explain_text(text));
    }
    let lost = TypeMismatches::default();
    let read = whole_value(text).and_then(|slice| {
        let slice = slice.tolerant(&lost);
        let (slice, request) = recorded_exchange(slice)?.unwrap_or((slice, Request::default()));
        smithers::read_answer(slice, &request, None, Reading::exact(Millis(0.0)))
    });
    read.err().map(|error| error.place(text))
}

/// Returns the error of a text that does not begin with a value: that of its only value, if it has one.
fn explain_text(text: &str) -> DocumentError {
    let one = match form(text.as_bytes(), false) {
        Ok(Form::One(one)) if !lionagi::begins_like_a_stream(text.trim_ascii_start()) => one,
        Ok(Form::One(_) | Form::Values { .. } | Form::Broken { .. }) | Err(_) => return not_an_object(text),
    };
    let lost = TypeMismatches::default();
    let read = smithers::read_answer(
        one.value.slice().tolerant(&lost),
        &Request::default(),
        None,
        Reading::exact(Millis(0.0)),
    );
    read.err().map_or_else(|| not_an_object(text), |error| error.moved_to(one.value.offset).place(text))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::{known_pieces, open};
    use crate::file::File;
    use crate::time::Millis;

    thread_local! {
        /// The number of times that this thread has unpacked files.
        pub(super) static UNPACKED: Cell<u32> = const { Cell::new(0) };
    }

    #[test]
    fn an_export_reads_its_files_once() {
        let now = Millis(1_700_000_000_000.0);
        let row = br#"{"runId":"r1","status":"finished"}"#;
        let log = b"{\"type\":\"RunStarted\",\"runId\":\"r1\",\"timestampMs\":1}\n";
        let files =
            [File { name: Some("row.json"), bytes: row }, File { name: Some("log.ndjson"), bytes: log }];
        assert!(open(&files, now).is_ok());
        let before = UNPACKED.get();
        let (pieces, _) = known_pieces(&files, now).unwrap();
        assert_eq!((pieces.len(), UNPACKED.get() - before), (2, 1));
    }
}
