//! Describes texts that Runstate does not read.

use super::text_output::text_output;
use super::{DocumentError, lionagi};
use crate::error_code::ErrorCode;
use crate::json;
use crate::json::{Reader, Slice, Token, cut};
use crate::problem::Problem;
use crate::text::{concat, quoted};

const READS: &str = "Open a response or an event log of Smithers, the output of `smithers inspect`, `why`, `status` or `ps` with \
                     `--json`, a HAR file, a session or a stream of lionagi, a run directory of tnh-conductor, or an export of \
                     Runstate.";

const GATEWAY: &str = "Copy the response to getRun or getDevToolsSnapshot.";
const STUDIO: &str = "Open Studio's response to /api/runs/ or /api/admin/health.";

/// Responses that are not about a run: two of their keys, their name, and the document to open instead.
const OTHERS: [([&str; 2], &str, &str); 14] = [
    (["protocol", "snapshot"], "the Gateway's greeting", GATEWAY),
    (["protocol", "stateVersion"], "the Gateway's health", GATEWAY),
    (["workflows", "workflows"], "a list of workflows", "Copy the response to listRuns."),
    (["nodesAdded", "nodesRemoved"], "the difference of two runs", GATEWAY),
    (["signalName", "receivedAtMs"], "the receipt of a signal", GATEWAY),
    (["window", "buckets"], "Studio's count of sessions by the hour", STUDIO),
    (["window", "by_project"], "Studio's spend by project", STUDIO),
    (["window", "reported_usd"], "Studio's spend", STUDIO),
    (["projects", "total"], "Studio's list of projects", STUDIO),
    (["events", "events"], "a list of events without an event about a session or a run", STUDIO),
    (["dispositions", "dispositions"], "a list of dispositions without one", STUDIO),
    (["transitioned", "skipped"], "the response to a transition", STUDIO),
    (["items", "next_cursor"], "Studio's list of engine runs", STUDIO),
    (["proposed_goldens", "proposed_goldens"], "the report of a harness", "Open the whole run directory."),
];

/// Makes the error for a text without content.
pub(super) fn empty_text() -> DocumentError {
    DocumentError::new(ErrorCode::EmptyInput, "There is nothing to read: the text is empty.")
}

/// Makes the problem of a list beside a run whose items are not known.
pub(super) fn unread_list(text: &str, key: &str, begin: usize) -> Problem {
    let message = concat(&["`", key, "` lists neither runs, events nor nodes, so it was not read."]);
    Problem::at(text, begin, message)
}

/// Returns the name of a binary format, recognised by its first bytes.
pub(super) fn binary(bytes: &[u8]) -> Option<&'static str> {
    const SIGNATURES: [(usize, &[u8], &str); 16] = [
        (0, b"SQLite format 3\0", "an SQLite database"),
        (0, &[0x1f, 0x8b], "a gzip file"),
        (0, &[0x28, 0xb5, 0x2f, 0xfd], "a Zstandard file"),
        (0, b"BZh", "a bzip2 file"),
        (0, b"\xfd7zXZ\0", "an xz file"),
        (0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
        (0, b"Rar!", "a RAR archive"),
        // The header of a file in a tar archive has its format behind the name and the attributes.
        (257, b"ustar", "a tar archive"),
        (0, b"\x89PNG", "a PNG image"),
        (0, &[0xff, 0xd8, 0xff], "a JPEG image"),
        (0, b"GIF8", "a GIF image"),
        (8, b"WEBP", "a WebP image"),
        (4, b"ftyp", "a video"),
        (0, b"%PDF", "a PDF file"),
        (0, b"\xd0\xcf\x11\xe0", "an old document of Microsoft Office"),
        (0, b"PAR1", "a Parquet file"),
    ];
    if bytes.starts_with(b"PK\x03\x04") {
        return Some(zip_kind(bytes));
    }
    let has = |at: usize, signature: &[u8]| bytes.get(at..).is_some_and(|rest| rest.starts_with(signature));
    SIGNATURES.iter().find(|(at, signature, _)| has(*at, signature)).map(|(.., name)| *name)
}

/// Whether more than one in 20 of the first bytes are control characters, which text hardly has.
pub(super) fn has_control_bytes(bytes: &[u8]) -> bool {
    let head = bytes.get(..bytes.len().min(1024)).unwrap_or_default();
    let is_control = |byte: &&u8| **byte < b' ' && !b"\t\n\r\x1b".contains(*byte);
    head.iter().filter(is_control).count() * 20 > head.len()
}

/// Returns the name of a zip file by the first files in it.
fn zip_kind(bytes: &[u8]) -> &'static str {
    const KINDS: [(&[u8], &str); 4] = [
        (b"xl/", "a spreadsheet (.xlsx)"),
        (b"opendocument.spreadsheet", "a spreadsheet (.ods)"),
        (b"word/", "a document (.docx)"),
        (b"trace.network", "a trace of Playwright"),
    ];
    let head = bytes.get(..bytes.len().min(4096)).unwrap_or_default();
    let kind = KINDS.iter().find(|(name, _)| memchr::memmem::find(head, name).is_some());
    kind.map_or("a zip file", |(_, kind)| *kind)
}

/// Makes the error for text that starts neither an object nor a list.
pub(super) fn not_an_object(text: &str) -> DocumentError {
    if let Some(error) = text_output(text) {
        return error;
    }
    let body = text.trim_ascii_start();
    let start = text.len() - body.len();
    let first = cut(body).to_ascii_lowercase();
    if first.starts_with("<!doctype html") || first.starts_with("<html") {
        return DocumentError::at(ErrorCode::NotJson, "This is an HTML page, not JSON.", start)
            .hint(
                "Perhaps the server responded with a sign-in page. Copy the response of the Gateway itself.",
            )
            .place(text);
    }
    if first.starts_with('<') {
        return DocumentError::at(ErrorCode::NotJson, "This is markup (XML or HTML), not JSON.", start)
            .hint(READS)
            .place(text);
    }
    let mut reader = Reader::new(text, 0);
    match reader.next() {
        Ok(Some(token)) if text.get(reader.at()..).unwrap_or_default().trim_ascii().is_empty() => {
            let message = concat(&["This JSON is only ", &token.describe(), "."]);
            DocumentError::at(ErrorCode::NotRecognised, message, start).hint(READS).place(text)
        }
        Ok(_) | Err(_) if is_stream(text) => {
            let message = "This is a stream of events (SSE). None of them is about a session.";
            DocumentError::at(ErrorCode::NotJson, message, start).hint(READS).place(text)
        }
        Ok(_) | Err(_) => {
            let beginning = quoted(cut(body.lines().next().unwrap_or_default()));
            let message = concat(&["This is plain text, not JSON. It starts with ", &beginning, "."]);
            DocumentError::at(ErrorCode::NotJson, message, start).hint(READS).place(text)
        }
    }
}

/// Whether each line belongs to a stream of events: a comment, a field or an empty line.
fn is_stream(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim_ascii().is_empty()).take(20);
    lines.all(lionagi::begins_like_a_stream)
}

/// Makes the error for text after the first value.
pub(super) fn trailing_text(text: &str, end: usize, trailing: &str) -> DocumentError {
    let at = text.len() - trailing.len();
    let between = text.get(end..at).unwrap_or_default();
    if between.contains('\n') && trailing.starts_with(['{', '[']) {
        let message = "This is NDJSON, one JSON value per line, and no line is about a run.";
        return DocumentError::at(ErrorCode::NotRecognised, message, at).place(text);
    }
    let found =
        trailing.chars().next().map(|found| quoted(found.encode_utf8(&mut [0; 4]))).unwrap_or_default();
    let found = found.trim_matches('"');
    let message = concat(&["Expected the end of the text after the JSON value, found `", found, "`."]);
    DocumentError::at(ErrorCode::NotJson, message, at).place(text)
}

/// Makes the error for JSON that is not one of the known documents.
pub(super) fn not_recognised(slice: Slice<'_>) -> DocumentError {
    let keys = first_keys(slice);
    let has = |key: &str| keys.iter().any(|known| known == key);
    if has("baseSeq") && has("ops") {
        return delta_alone(slice.begin());
    }
    let (what, hint) = if slice.is_array() {
        (describe_list(slice), READS)
    } else if has("log") && keys.len() == 1 {
        ("a HAR file (recorded network traffic)".to_owned(), "Open the file itself.")
    } else if has("type") && has("timestampMs") {
        ("one event of a run's log".to_owned(), "Open the whole log.")
    } else if let Some((_, what, hint)) = OTHERS.iter().find(|(known, ..)| known.iter().all(|key| has(key))) {
        ((*what).to_owned(), *hint)
    } else if has("runs") {
        ("a list of runs without one that can be read".to_owned(), READS)
    } else if has("invocation_id") || (has("session_id") && !has("runId")) {
        ("a part of a lionagi session".to_owned(), "Copy the whole session.")
    } else if keys.is_empty() {
        (describe_value(slice), READS)
    } else {
        (concat(&["a JSON object with the keys ", &list(&keys)]), READS)
    };
    let message = concat(&["This is ", &what, ". It contains nothing about a run."]);
    let error = DocumentError::at(ErrorCode::NotRecognised, message, slice.begin());
    match misspelt_id(slice) {
        Some(question) => error.hint(concat(&[&question, " ", hint])),
        None => error.hint(hint),
    }
}

/// Asks for the id of a run, if an object, or the first one of a list, has only a misspelt one.
fn misspelt_id(slice: Slice<'_>) -> Option<String> {
    let row = if slice.is_array() { json::items(slice).ok()?.next()?.ok()? } else { slice };
    let keys = first_keys(row);
    let is_known = keys.iter().any(|key| matches!(key.as_str(), "runId" | "run_id"));
    keys.iter().filter(|_| !is_known).find_map(|key| json::ask_for_field(key, "runId", "a run"))
}

/// Makes the error for a delta, which is not read because the snapshot that it changes is missing.
pub(super) fn delta_alone(at: usize) -> DocumentError {
    let message = "This is a DevTools delta: it changes a snapshot that is not here.";
    DocumentError::at(ErrorCode::NotRecognised, message, at).hint("Copy a snapshot instead.")
}

/// Describes a value that is neither a list nor an object with keys.
fn describe_value(slice: Slice<'_>) -> String {
    match slice.token() {
        Ok(Token::ObjectStart) | Err(_) => "an empty JSON object".to_owned(),
        Ok(token) => concat(&["only ", &token.describe()]),
    }
}

fn describe_list(slice: Slice<'_>) -> String {
    let first = json::items(slice).ok().and_then(|mut items| items.next()?.ok());
    let Some(first) = first else { return "an empty JSON list".to_owned() };
    let keys = first_keys(first);
    let has = |key: &str| keys.iter().any(|known| known == key);
    match first.token() {
        Ok(Token::ObjectStart) if has("nodeId") && has("state") => "a list of node states".to_owned(),
        Ok(Token::ObjectStart) if has("type") && has("timestampMs") => "a list of events".to_owned(),
        Ok(Token::ObjectStart) if has("key") && has("hasUi") => "the Gateway's list of workflows".to_owned(),
        Ok(Token::ObjectStart) => concat(&["a JSON list of objects with the keys ", &list(&keys)]),
        Ok(token) => concat(&["a JSON list that starts with ", &token.describe()]),
        Err(_) => "a JSON list".to_owned(),
    }
}

/// Returns the first keys of an object, at most 12; empty for anything else.
fn first_keys(slice: Slice<'_>) -> Vec<String> {
    let mut reader = slice.reader();
    let mut keys = Vec::new();
    if !matches!(reader.token(), Ok(Token::ObjectStart)) {
        return keys;
    }
    while let Ok(Token::Key(key)) = reader.token() {
        keys.push(key.start());
        if keys.len() >= 12 || reader.skip_value().is_err() {
            break;
        }
    }
    keys
}

fn list(keys: &[String]) -> String {
    let mut shown = String::new();
    for (place, key) in keys.iter().take(5).enumerate() {
        shown.push_str(if place > 0 { ", " } else { "" });
        shown.push_str(&quoted(key));
    }
    shown.push_str(if keys.len() > 5 { ", …" } else { "" });
    shown
}
