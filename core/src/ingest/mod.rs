//! Reads anything that a person pastes or drops: recognises it by its content, and reads it or refuses it with a
//! position and a sentence. [`open`] unpacks files (gzip, NDJSON, HAR, recorded sockets, exports of Runstate),
//! recognises each piece by its content, reads it with the reader of its system, and joins the pieces about the same
//! run. The names of files help if the content does not decide, and never overrule it. [`inspect`] opens one file of
//! Smithers.
//!
//! A document about a run without its state (approvals, attempts, frames, a plan, the output of a node, the tables of a
//! database) joins the run that it names and overrules nothing. If only such documents are known, the state is
//! `unknown`, and the evidence names the documents that were read.
//!
//! Unreadable parts are reported with their positions, and the rest loads:
//!
//! ```
//! use runstate::file::File;
//! use runstate::ingest::open;
//! use runstate::time::Millis;
//!
//! let rows = br#"[{"runId":"r1","status":"failed"},{"status":"running"},{"runId":"r3","status":"finished"}]"#;
//! let document = open(&[File { name: Some("runs.json"), bytes: rows }], Millis(0.0))?;
//! assert_eq!(document.rows().len(), 2);
//! assert!(document.problems().texts()[0].contains("runId"), "{:?}", document.problems().texts());
//! # Ok::<(), runstate::ingest::DocumentError>(())
//! ```

mod collector;
pub(crate) mod conductor;
mod form;
mod framing;
mod hints;
mod partial;
mod text_output;

mod acknowledgement;
mod answer_time;
mod content;
mod document;
mod document_run;
mod error;
pub(crate) mod export_format;
pub(crate) mod exported_page;
mod incoming;
mod last_events;
pub mod lionagi;
pub(crate) mod open;
mod reader;
mod relatives;
mod request;
pub(crate) mod rows;
pub(crate) mod smithers;
pub mod traffic;
pub(crate) mod trees;
mod truncated;
mod unpack;
mod utf16;
mod validate;

pub(crate) use collector::is_stream;
pub use content::{ListRow, System};
pub use document::Document;
pub(crate) use document_run::DocumentRun;
pub use error::DocumentError;
pub use exported_page::{ExportedPage, ExportedView};
pub(crate) use form::{Form, form, piece_form};
pub(crate) use framing::{Consumer, Item, Skipped, frame};
pub use incoming::Incoming;
pub use last_events::{RunEvent, last_events_note};
pub(crate) use last_events::{feed_events, log_events};
pub(crate) use open::known_pieces;
pub use open::open;
pub(crate) use unpack::{Piece, StatedForm};

use crate::clock::Reading;
use crate::error_code::ErrorCode;
use crate::file::File;
use crate::json::{Reader, Slice};
use crate::run::Inspection;
use crate::text::{after_byte_order_mark, whole_characters};

/// The maximum size of a document, bytes. A tree of 50 000 nodes has about 12 MB.
pub(crate) const MAX_BYTES: usize = 128 * 1024 * 1024;

/// Opens one file of Smithers, in the same way as [`open`].
///
/// The recognised documents include: a `RunStateView`; the Gateway's answers to `getRun`, `listRuns` and
/// `getDevToolsSnapshot`, as `res` frame, REST answer or bare payload; a `devtools.event` with a snapshot; a run row in
/// the form of the database, and lists of such rows; the output of `smithers inspect`, `why`, `status` and `ps`;
/// refusals; and a recorded HTTP exchange around any of them. `name` is the file's name for the evidence. `clock` is
/// the time for states that are derived from rows.
///
/// # Errors
/// [`DocumentError`] if nothing can be read, with a position if known, and for documents of another system.
///
/// ```
/// use runstate::error_code::ErrorCode;
/// use runstate::ingest::inspect;
/// use runstate::run::DocumentKind;
/// use runstate::time::Millis;
///
/// let text = br#"{"runId":"r1","computedAt":"2023-11-14T22:13:20.000Z","state":"running"}"#;
/// let inspection = inspect(text, None, Millis(1_700_000_000_000.0))?;
/// assert_eq!(inspection.kind, DocumentKind::RunState);
///
/// let error = inspect(b"{\"runId\": oops}", None, Millis(0.0)).unwrap_err();
/// let position = error.position.unwrap();
/// assert_eq!((error.code, position.line, position.column), (ErrorCode::NotJson, 1, 11));
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
///
/// If the error of the [`Reading`] is known, a state that depends on an uncertain age is `unknown`.
///
/// ```
/// use runstate::clock::Reading;
/// use runstate::ingest::inspect;
/// use runstate::time::Millis;
///
/// let row = br#"{"runId":"r1","status":"running","heartbeatAtMs":1700000000000}"#;
/// let state = |error_ms| {
///     let clock = Reading::new(Millis(1_700_000_020_000.0), error_ms);
///     let run = inspect(row, None, clock)?.run.unwrap();
///     Ok::<_, runstate::ingest::DocumentError>(run.view().unwrap().state.to_string())
/// };
/// assert_eq!((&*state(2_000.0)?, &*state(40_000.0)?), ("running", "unknown"));
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
pub fn inspect(
    bytes: &[u8],
    name: Option<&str>,
    clock: impl Into<Reading>,
) -> Result<Inspection, DocumentError> {
    let document = open(&[File { name, bytes }], clock)?;
    let message = format!("This is a document of {}, not of Smithers.", document.system().name());
    document.into_smithers().ok_or_else(|| DocumentError::new(ErrorCode::NotRecognised, message))
}

/// What to do about a text in another encoding.
const SAVE_AS_UTF8: &str = "Save the file as UTF-8 and open it again.";

/// Decodes text and removes a byte order mark.
fn decode(bytes: &[u8]) -> Result<&str, DocumentError> {
    if bytes.len() > MAX_BYTES {
        let (size, limit) = (bytes.len() / (1024 * 1024), MAX_BYTES / (1024 * 1024));
        let message = format!("The document has {size} MiB, Runstate reads up to {limit} MiB.");
        return Err(DocumentError::new(ErrorCode::TooLarge, message));
    }
    if let Some(what) = hints::binary(bytes) {
        return Err(DocumentError::new(ErrorCode::NotJson, format!("This is {what}, not JSON text.")));
    }
    std::str::from_utf8(bytes).map(after_byte_order_mark).map_err(|error| {
        let valid = error.valid_up_to();
        if hints::has_control_bytes(bytes) {
            return DocumentError::new(ErrorCode::NotJson, "This is a binary file, not JSON text.");
        }
        let byte = bytes.get(valid).copied().unwrap_or_default();
        let message = format!("The text is not UTF-8: found the byte 0x{byte:02X}.");
        let before = bytes.get(..valid).and_then(|start| std::str::from_utf8(start).ok()).unwrap_or_default();
        DocumentError::at(ErrorCode::InvalidUtf8, message, valid).hint(SAVE_AS_UTF8).place(before)
    })
}

/// Decodes text whose last character may be incomplete because the text is truncated.
fn decode_whole(bytes: &[u8]) -> Result<&str, DocumentError> {
    decode(whole_characters(bytes))
}

/// Returns the single value of the text after a check of its grammar.
fn whole_value(text: &str) -> Result<Slice<'_>, DocumentError> {
    let mut reader = Reader::new(text, 0);
    let place = reader.skip_value().map_err(|error| DocumentError::from(error).place(text))?;
    let rest = text.get(place.1..).unwrap_or_default();
    let trailing = rest.trim_ascii_start();
    if trailing.is_empty() {
        return Ok(Slice::new(text).part(place));
    }
    Err(hints::trailing_text(text, place.1, trailing))
}
