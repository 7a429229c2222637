//! What was opened, as one file that opens again: the same bytes for the same input, without secrets.
//!
//! An export holds the pieces of the opened files that tell something: answers, frames, rows, events, the files of a run
//! directory. White space between JSON values is gone, tokens and other secrets, the server's paths and the names in home
//! directories are `[redacted]`, and heartbeats between the first and the last of one attempt are left out of event logs that have
//! no numbers. Inside a text, such as an error, a path of the server keeps its root and its last segment:
//! `/srv/[redacted]/run.db`; addresses of services and ids keep their paths. [`open`](crate::ingest::open) reads
//! it as it reads the files themselves, for the moment at which they were read. Exporting what was exported gives the same bytes.
//!
//! The form, version 1:
//!
//! ```json
//! {"runstateExport":1,"hash":"sha256:…","content":{"redacted":3,"thinned":0,"unread":0,"entries":[
//!   {"name":"getRun.json","readAt":1795296600000,"json":{}},
//!   {"name":"events.ndjson","readAt":1795296600000,"lines":[{}]},
//!   {"name":"final-state.txt","readAt":1795296600000,"text":"completed:STOP"}]}}
//! ```
//!
//! `hash` is that of the content's text. `cut` marks JSON that is what was whole of a text that breaks off. An entry from recorded traffic has `part`, `at`, `method`, `runId`, `oldFrame` and
//! `elsewhere` as well, `nodeId` and `iteration` where a node was asked about: which entry it was, when it was answered, and what was asked.

mod name_value;
mod patterns;
mod token_prefixes;
mod unredacted;

mod headers;
mod keys;
mod lines;
mod login;
mod name;
mod of_run;
mod paths;
mod redact;
mod value;
mod walk;

use crate::file::File;
use crate::format;
use crate::ingest::{DocumentError, Piece, begins_a_list, has_values, known_pieces};
use crate::json::salvage::salvage;
use crate::json::{Slice, Writer};
use crate::run::RunInspection;
use crate::text::{concat, join};
use crate::time::Millis;
use redact::Redactor;

pub use name::file_name;
pub use unredacted::{draft, draft_of_list};

pub use crate::ingest::export_format::VERSION;
use crate::ingest::export_format::{Counts, KEY, hash};

/// What an export leaves out beyond what it always does, and when it is made.
///
/// ```
/// use runstate::file::File;
/// use runstate::export::{ExportOptions, export};
/// use runstate::time::Millis;
///
/// let run = br#"{"runId":"r1","status":"failed","workflowName":"Acme takeover"}"#;
/// let options = ExportOptions { now: Millis(0.0), redact: &["workflow_name"] };
/// let exported = export(&[File { name: None, bytes: run }], &options)?;
/// assert!(!String::from_utf8_lossy(&exported.bytes).contains("Acme"));
/// assert_eq!(exported.redacted, 1);
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ExportOptions<'a> {
    /// The moment at which the files were opened: rows without a time of their own are derived for it, then and whenever the
    /// export is opened.
    pub now: Millis,
    /// Keys whose values are left out besides those of tokens, auth headers, `configJson` and paths of the server, in JSON inside
    /// a text as well. Case, `_` and `-` do not matter, nor does white space around them; an empty one is none.
    pub redact: &'a [&'a str],
}

/// An export, and how much of what was opened is not in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The file.
    pub bytes: Vec<u8>,
    /// How many values are `[redacted]`.
    pub redacted: u64,
    /// How many heartbeats were left out.
    pub thinned: u64,
    /// How many lines could not be read.
    pub unread: u64,
}

impl Exported {
    /// What is not in it, as a sentence.
    ///
    /// ```
    /// use runstate::export::Exported;
    ///
    /// let exported = Exported { bytes: Vec::new(), redacted: 3, thinned: 76, unread: 0 };
    /// assert_eq!(exported.summary(), "Left out: 3 secrets or paths of the server, 76 heartbeats between others.");
    /// assert_eq!(Exported { redacted: 0, thinned: 0, ..exported }.summary(), "Nothing had to be left out.");
    /// ```
    pub fn summary(&self) -> String {
        let counts = [
            (self.redacted, "1 secret or path of the server", " secrets or paths of the server"),
            (self.thinned, "1 heartbeat between others", " heartbeats between others"),
            (self.unread, "1 line that could not be read", " lines that could not be read"),
        ];
        let words = |(count, one, many): (u64, &str, &str)| match count {
            0 => None,
            1 => Some(one.to_owned()),
            count => Some(concat(&[&format::count(count as f64), many])),
        };
        let parts: Vec<String> = counts.into_iter().filter_map(words).collect();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        if parts.is_empty() {
            return "Nothing had to be left out.".to_owned();
        }
        concat(&["Left out: ", &join(&parts, ", "), "."])
    }
}

/// Writes what was opened as one file.
///
/// # Errors
/// [`DocumentError`] where nothing of it can be read, as [`open`](crate::ingest::open).
///
/// ```
/// use runstate::file::File;
/// use runstate::ingest::open;
/// use runstate::export::{ExportOptions, write};
/// use runstate::time::Millis;
///
/// let now = Millis(1_700_000_000_000.0);
/// let row = br#"{"runId":"r1", "status":"running", "configJson":"{\"token\":\"t\"}"}"#;
/// let options = ExportOptions { now, redact: &[] };
/// let exported = write(&[File { name: Some("run.json"), bytes: row }], &options)?;
/// assert!(!String::from_utf8_lossy(&exported).contains("token"));
///
/// let file = [File { name: Some("run.runstate.json"), bytes: &exported }];
/// let later = Millis(now.0 + 60_000.0);
/// assert_eq!(open(&file, later)?.header(None, later).unwrap().state.as_deref(), Some("unknown"));
/// assert_eq!(write(&file, &ExportOptions { now: later, ..options })?, exported);
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
pub fn write(files: &[File<'_>], options: &ExportOptions<'_>) -> Result<Vec<u8>, DocumentError> {
    export(files, options).map(|exported| exported.bytes)
}

/// The same as [`write()`], and what is not in it.
///
/// ```
/// use runstate::file::File;
/// use runstate::export::{ExportOptions, export};
/// use runstate::time::Millis;
///
/// let run = br#"{"runId":"r1","status":"failed","configJson":"{}","workflowPath":"/home/ann/flow.tsx"}"#;
/// let exported = export(&[File { name: None, bytes: run }], &ExportOptions { now: Millis(0.0), redact: &[] })?;
/// assert_eq!((exported.redacted, exported.unread), (2, 0));
/// assert_eq!(exported.summary(), "Left out: 2 secrets or paths of the server.");
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
///
/// # Errors
/// As [`write()`].
pub fn export(files: &[File<'_>], options: &ExportOptions<'_>) -> Result<Exported, DocumentError> {
    let (pieces, counts) = known_pieces(files, options.now)?;
    Ok(write_pieces(&pieces, counts, options))
}

/// Writes a run as it is known, from a live feed for example: its row and the server's answer, its nodes and its tree.
///
/// What a feed had before is not in it: the past is the recording's.
///
/// ```
/// use runstate::file::File;
/// use runstate::ingest::open;
/// use runstate::export::{ExportOptions, write_run};
/// use runstate::run::RunInspection;
/// use runstate::smithers::wire::read_run;
/// use runstate::time::Millis;
///
/// let now = Millis(1_700_000_000_000.0);
/// let row = read_run(r#"{"runId":"r1","status":"waiting-timer"}"#)?;
/// let run = RunInspection::from_row(&row, "getRun", now);
/// let exported = write_run(&run, &ExportOptions { now, redact: &[] });
/// let file = [File { name: None, bytes: &exported }];
/// assert_eq!(open(&file, now)?.header(None, now).unwrap().state.as_deref(), Some("waiting-timer"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_run(run: &RunInspection, options: &ExportOptions<'_>) -> Vec<u8> {
    write_pieces(&of_run::pieces(run, options.now), Counts::default(), options).bytes
}

fn write_pieces(pieces: &[Piece<'_>], before: Counts, options: &ExportOptions<'_>) -> Exported {
    let mut redactor = Redactor::new(options.redact);
    let mut counts = before;
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
    let mut text = around(&content, &hash(&content));
    text.push('\n');
    let Counts { thinned, unread } = counts;
    Exported { bytes: text.into_bytes(), redacted: redactor.count, thinned, unread }
}

/// The whole file around a content.
fn around(content: &str, hash: &str) -> String {
    let mut out = Writer::default();
    out.object(|out| {
        out.key(KEY).number(f64::from(VERSION));
        out.key("hash").text(hash);
        out.key("content").raw(content);
    });
    out.finish()
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
        // What is known was read as text before.
        let text = String::from_utf8_lossy(&piece.bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        write_content(out, text, piece.cut, redactor, counts);
    });
}

fn write_fields(out: &mut Writer, fields: [(&str, Option<&str>); 2], redactor: &mut Redactor) {
    for (key, text) in fields {
        out.optional_text(key, text.map(|text| redactor.field(key, text)).as_deref());
    }
}

/// Where and when a piece is from.
fn write_place(out: &mut Writer, piece: &Piece<'_>, redactor: &mut Redactor, now: Millis) {
    out.key("readAt").number(piece.read_at.unwrap_or(now).0);
    if let Some(at) = piece.at {
        out.key("at").number(at.0);
    }
    let asked = &piece.asked;
    write_fields(out, [("method", asked.method.as_deref()), ("runId", asked.run_id.as_deref())], redactor);
    if let Some((node_id, iteration)) = &asked.node {
        out.key("nodeId").text(&redactor.field("nodeId", node_id));
        out.key("iteration").number(f64::from(*iteration));
    }
    for (key, flag) in [
        ("oldFrame", piece.asked.old_frame),
        ("elsewhere", piece.asked.elsewhere),
        ("traffic", piece.traffic),
    ] {
        if flag {
            out.key(key).bool(true);
        }
    }
}

fn write_content(out: &mut Writer, text: &str, cut: bool, redactor: &mut Redactor, counts: &mut Counts) {
    if let Ok(value) = Slice::of_text(text) {
        out.key("json").raw(&redactor.json(value));
    } else if !cut && has_values(text) && !begins_a_list(text) {
        let lines = lines::read(text, redactor, counts);
        match lines.as_slice() {
            // A line alone is one value: so it will be read, and written again.
            [line] => out.key("json").raw(line),
            lines => out.key("lines").list(lines, |out, line| out.raw(line)),
        }
    } else if let Some(whole) = salvage(text, 0)
        && let Ok(value) = Slice::of_text(&whole.text)
    {
        // What is broken was not read. In an export that is exported again it is counted already.
        counts.unread += if cut { 0 } else { whole.errors.len() as u64 };
        if whole.cut {
            out.key("cut").bool(true);
        }
        out.key("json").raw(&redactor.json(value));
    } else {
        out.key("text").text(&redactor.text(text));
    }
}
