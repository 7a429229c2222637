//! Exports: the opened files as one file without secrets, which can be opened again.
//!
//! An export contains the known pieces of the opened files: answers, frames, rows, events, the files of a run directory.
//! It has no white space between JSON values. Tokens and other secrets, the server's paths and the names of home
//! directories are `[redacted]`. Event logs without sequence numbers lose the heartbeats between the first and the last
//! of an attempt. Inside a text, such as an error, a path of the server keeps its root and its last segment:
//! `/srv/[redacted]/run.db`; URLs and ids keep their paths. In keys and ids each secret has a number, `[redacted-2]`, so that two ids
//! stay different. [`open`](crate::ingest::open) reads an export like the files
//! themselves, for the time at which they were read. The same input gives the same bytes, and exporting an export changes
//! nothing.
//!
//! The format, version 1:
//!
//! ```json
//! {"runstateExport":1,"hash":"sha256:…","content":{"redacted":3,"thinned":0,"unread":0,"entries":[
//!   {"name":"getRun.json","readAt":1795296600000,"json":{}},
//!   {"name":"events.ndjson","readAt":1795296600000,"lines":[{}]},
//!   {"name":"final-state.txt","readAt":1795296600000,"text":"completed:STOP"}]}}
//! ```
//!
//! `hash` is the hash of the content's text. `cut` marks JSON that was salvaged from truncated text. `system` is the system whose reader
//! read the entry, if its values alone say another one. An entry from recorded traffic
//! also has `part`, `at`, `method`, `runId`, `oldFrame`, `elsewhere` and `serviceWorker`, and `nodeId` and `iteration` for a request about
//! a node: the entry, the time of its answer, and the request.

mod draft;
mod file_name;
mod ndjson;
mod page;
mod rule_counts;
mod single_file;

use crate::file::File;
use crate::format;
use crate::ingest::export_format::{Counts, KEY, hash};
use crate::ingest::{
    DocumentError, Form, Piece, Skipped, StatedForm, System, is_stream, known_pieces, piece_form,
};
use crate::json::{Slice, Writer};
use crate::kind;
use crate::log::is_event_log;
use crate::redact::{PathRule, Redactor};
use crate::text::{after_byte_order_mark, concat};
use crate::time::Millis;
use crate::word::Vocabulary;

pub(crate) use crate::ingest::export_format::VERSION;
pub use draft::draft;
pub(crate) use draft::draft_list;
pub use file_name::file_name;
pub use page::{ExportFacts, write_page};
pub use rule_counts::RuleCount;

/// Options of an export.
///
/// ```
/// use runstate::file::File;
/// use runstate::export::{ExportOptions, export};
/// use runstate::time::Millis;
///
/// let run = br#"{"runId":"r1","status":"failed","workflowName":"Acme takeover"}"#;
/// let mut options = ExportOptions::new(Millis(0.0));
/// options.redact = &["workflow_name"];
/// let exported = export(&[File { name: None, bytes: run }], &options)?;
/// assert!(!String::from_utf8_lossy(&exported.bytes).contains("Acme"));
/// assert_eq!(exported.redacted, 1);
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ExportOptions<'a> {
    /// The time of opening the files. Each time the export is opened, the states of rows without a time of their own are
    /// derived for this time.
    pub now: Millis,
    /// Further keys whose values are redacted, besides those of tokens, auth headers, `configJson` and paths of the
    /// server, also in JSON inside a text. Case, `_`, `-` and surrounding white space do not matter; empty keys are
    /// ignored.
    pub redact: &'a [&'a str],
}

impl ExportOptions<'_> {
    /// Options without further keys.
    pub const fn new(now: Millis) -> Self {
        Self { now, redact: &[] }
    }
}

/// An export and the counts of its redactions and omissions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportFile {
    /// The file.
    pub bytes: Vec<u8>,
    /// The number of `[redacted]` values.
    pub redacted: u64,
    /// The number of omitted heartbeats.
    pub thinned: u64,
    /// The number of unreadable lines.
    pub unread: u64,
}

impl ExportFile {
    /// The redacted and omitted parts, as a sentence.
    pub fn summary(&self) -> String {
        let words = |count: u64, one: &str, many: &str| match count {
            0 => None,
            1 => Some(one.to_owned()),
            count => Some(concat(&[&format::count(count as f64), many])),
        };
        let redacted =
            words(self.redacted, "1 secret or path of the server", " secrets or paths of the server");
        let heartbeats = words(self.thinned, "1 repeated heartbeat", " repeated heartbeats");
        let lines = words(self.unread, "1 line that could not be read", " lines that could not be read");
        let omitted: Vec<String> = heartbeats.into_iter().chain(lines).collect();
        match (redacted, omitted.join(", ")) {
            (None, omitted) if omitted.is_empty() => "Nothing was redacted or omitted.".to_owned(),
            (Some(redacted), omitted) if omitted.is_empty() => concat(&["Redacted: ", &redacted, "."]),
            (None, omitted) => concat(&["Omitted: ", &omitted, "."]),
            (Some(redacted), omitted) => concat(&["Redacted: ", &redacted, ". Omitted: ", &omitted, "."]),
        }
    }
}

/// Writes the opened files as one file.
///
/// # Errors
/// [`DocumentError`] if no file is readable, as for [`open`](crate::ingest::open).
///
/// ```
/// use runstate::file::File;
/// use runstate::ingest::open;
/// use runstate::export::{ExportOptions, export};
/// use runstate::time::Millis;
///
/// let now = Millis(1_700_000_000_000.0);
/// let row = br#"{"runId":"r1", "status":"running", "configJson":"{\"token\":\"t\"}","workflowPath":"/home/ann/flow.tsx"}"#;
/// let options = ExportOptions::new(now);
/// let exported = export(&[File { name: Some("run.json"), bytes: row }], &options)?;
/// assert!(!String::from_utf8_lossy(&exported.bytes).contains("token"));
/// assert_eq!(exported.summary(), "Redacted: 2 secrets or paths of the server.");
///
/// // The export opens with the state of the time at which it was made, and exports to the same bytes.
/// let file = [File { name: Some("run.runstate.json"), bytes: &exported.bytes }];
/// let later = Millis(now.0 + 60_000.0);
/// assert_eq!(open(&file, later)?.header(None, later).unwrap().state.as_deref(), Some("unknown"));
/// assert_eq!(export(&file, &ExportOptions::new(later))?.bytes, exported.bytes);
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
pub fn export(files: &[File<'_>], options: &ExportOptions<'_>) -> Result<ExportFile, DocumentError> {
    let (pieces, counts) = known_pieces(files, options.now)?;
    Ok(write_pieces(&pieces, counts, options))
}

fn write_pieces(pieces: &[Piece<'_>], mut counts: Counts, options: &ExportOptions<'_>) -> ExportFile {
    let mut redactor = Redactor::new(options.redact, PathRule::Redact);
    for piece in pieces {
        use_numbers(piece, &mut redactor);
    }
    let mut entries = Writer::default();
    entries.list(pieces, |out, piece| write_piece(out, piece, &mut redactor, &mut counts, options));
    let mut content = Writer::default();
    content.object(|out| {
        out.key("redacted").number(redactor.count as f64);
        out.key("thinned").number(counts.thinned as f64);
        out.key("unread").number(counts.unread as f64);
        out.key("entries").raw(&entries.finish());
    });
    let content = content.finish();
    let mut text = with_hash(&content, &hash(&content));
    text.push('\n');
    let Counts { thinned, unread } = counts;
    ExportFile { bytes: text.into_bytes(), redacted: redactor.count, thinned, unread }
}

/// The file with this content.
fn with_hash(content: &str, hash: &str) -> String {
    let mut out = Writer::default();
    out.object(|out| {
        out.key(KEY).number(f64::from(VERSION));
        out.key("hash").text(hash);
        out.key("content").raw(content);
    });
    out.finish()
}

/// Leaves out the numbers of the earlier redactions in a piece: those in ids stay.
fn use_numbers(piece: &Piece<'_>, redactor: &mut Redactor) {
    let request = &piece.request;
    let node = request.node.as_ref().map(|(node_id, _)| node_id.as_str());
    let fields = [piece.name.as_deref(), piece.part.as_deref(), request.run_id.as_deref(), node];
    let texts = fields.into_iter().flatten().map(str::as_bytes);
    texts.chain([&*piece.bytes]).for_each(|text| redactor.use_numbers(text));
}

fn write_piece(
    out: &mut Writer,
    piece: &Piece<'_>,
    redactor: &mut Redactor,
    counts: &mut Counts,
    options: &ExportOptions<'_>,
) {
    out.object(|out| {
        write_fields(out, [("name", piece.name.as_deref()), ("part", piece.part.as_deref())], redactor);
        write_place(out, piece, redactor, options.now);
        write_content(out, piece, redactor, counts);
    });
}

fn write_fields(out: &mut Writer, fields: [(&str, Option<&str>); 2], redactor: &mut Redactor) {
    for (key, text) in fields {
        out.optional_text(key, text.map(|text| redactor.field(key, text)).as_deref());
    }
}

/// The source of a piece: the times and the request.
fn write_place(out: &mut Writer, piece: &Piece<'_>, redactor: &mut Redactor, now: Millis) {
    out.key("readAt").number(piece.read_at.unwrap_or(now).0);
    if let Some(at) = piece.at {
        out.key("at").number(at.0);
    }
    let request = &piece.request;
    write_fields(
        out,
        [("method", request.method.as_deref()), ("runId", request.run_id.as_deref())],
        redactor,
    );
    if let Some((node_id, iteration)) = &request.node {
        out.key("nodeId").text(&redactor.field("nodeId", node_id));
        out.key("iteration").number(f64::from(*iteration));
    }
    for (key, flag) in [
        ("oldFrame", piece.request.past_frame),
        ("elsewhere", piece.request.other_server),
        ("traffic", piece.traffic),
        ("serviceWorker", piece.service_worker),
    ] {
        if flag {
            out.key(key).bool(true);
        }
    }
}

fn write_content(out: &mut Writer, piece: &Piece<'_>, redactor: &mut Redactor, counts: &mut Counts) {
    match piece_form(piece) {
        // A stream of events has lines of its own.
        _ if is_stream(piece) => {
            let text = String::from_utf8_lossy(&piece.bytes);
            out.key("text").text(&redactor.text(after_byte_order_mark(&text)));
        }
        Ok(Form::One(one)) if Slice::from_text(&one.value.text).is_ok() => {
            counts.unread += one.skipped.iter().map(Skipped::lines).sum::<u64>();
            let json = redactor.json(Slice::new(&one.value.text));
            write_system(out, piece, &[json.as_str()]);
            // An event alone is a log of one line, whatever text was around it.
            if is_event_log(&json) {
                out.key("lines").list(&[json], |out, line| out.raw(line));
            } else {
                out.key("json").raw(&json);
            }
        }
        Ok(Form::Values { .. }) => {
            let lines = ndjson::read_lines(&piece.bytes, redactor, counts);
            let unread_at_end = lines.unread_at_end + piece.unread_at_end;
            if unread_at_end > 0 {
                out.key("unreadAtEnd").number(unread_at_end as f64);
            }
            let values: Vec<&str> = lines.values.iter().map(String::as_str).collect();
            write_system(out, piece, &values);
            out.key("lines").list(&lines.values, |out, line| out.raw(line));
        }
        Ok(Form::Broken { whole, .. }) if Slice::from_text(&whole.text).is_ok() => {
            // In an export of an export, unread values are already counted.
            counts.unread += if piece.stated_form == StatedForm::Cut { 0 } else { whole.errors.len() as u64 };
            // Nothing of a damaged list says more than that it was damaged: an empty one would be whole.
            if whole.cut || matches!(whole.text.as_str(), "[]" | "{}") {
                out.key("cut").bool(true);
            }
            let json = redactor.json(Slice::new(&whole.text));
            write_system(out, piece, &[json.as_str()]);
            out.key("json").raw(&json);
        }
        Ok(Form::One(_) | Form::Broken { .. }) | Err(_) => {
            let text = String::from_utf8_lossy(&piece.bytes);
            out.key("text").text(&redactor.text(after_byte_order_mark(&text)));
        }
    }
}

/// States the system of a piece, if its values say another one once each stands on a line of its own.
fn write_system(out: &mut Writer, piece: &Piece<'_>, values: &[&str]) {
    match piece.system {
        Some(system @ (System::Smithers | System::Lionagi)) if kind::conductor::recognises_values(values) => {
            out.key("system").text(system.as_str());
        }
        Some(System::Smithers | System::Lionagi | System::Conductor) | None => {}
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_summary_counts_redactions_and_omissions() {
        use crate::export::ExportFile;
        let exported = ExportFile { bytes: Vec::new(), redacted: 3, thinned: 76, unread: 0 };
        assert_eq!(
            exported.summary(),
            "Redacted: 3 secrets or paths of the server. Omitted: 76 repeated heartbeats."
        );
        assert_eq!(
            ExportFile { redacted: 0, thinned: 0, ..exported }.summary(),
            "Nothing was redacted or omitted."
        );
    }
}
