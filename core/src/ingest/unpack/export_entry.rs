//! Reads one entry of an export.

use std::borrow::Cow;

use super::{Piece, StatedForm};
use crate::ingest::System;
use crate::ingest::request::Request;
use crate::json::{ReadError, Slice, fields, items, optionals};
use crate::text::concat;
use crate::time::Millis;
use crate::word::Vocabulary;

/// Makes a piece of an entry.
pub(super) fn read(entry: Slice<'_>) -> Result<Piece<'static>, ReadError> {
    let texts = ["name", "part", "method", "runId", "nodeId", "text"];
    let [name, part, method, run_id, node_id, text] = optionals(fields(entry, texts)?, Slice::read_text)?;
    let [system] = optionals(fields(entry, ["system"])?, Slice::read_text)?;
    let [at, read_at] = optionals(fields(entry, ["at", "readAt"])?, Slice::read_number)?;
    let [json, lines, iteration, unread_at_end] =
        fields(entry, ["json", "lines", "iteration", "unreadAtEnd"])?;
    let [past_frame, other_server, cut, traffic, service_worker] =
        fields(entry, ["oldFrame", "elsewhere", "cut", "traffic", "serviceWorker"])?;
    let iteration = iteration.and_then(|iteration| iteration.read_small().ok()).unwrap_or(0);
    let is = |flag: Option<Slice<'_>>| flag.is_some_and(|flag| flag.json() == "true");
    let content = match (json, lines, text) {
        (Some(json), None, None) => json_content(json, is(cut)),
        (None, Some(lines), None) => lines_content(lines)?,
        (None, None, Some(text)) => text,
        (_, _, _) => return Err(entry.expected("an entry with either json, lines or text")),
    };
    Ok(Piece {
        name: name.map(Cow::Owned),
        part,
        at: at.map(Millis),
        request: Request {
            method,
            run_id,
            node: node_id.map(|node_id| (node_id, iteration)),
            past_frame: is(past_frame),
            limit: None,
            other_server: is(other_server),
        },
        read_at: read_at.map(Millis),
        stated_form: match lines {
            Some(_) => StatedForm::Lines,
            None if is(cut) => StatedForm::Cut,
            None => StatedForm::Unstated,
        },
        unread_at_end: unread_at_end.and_then(|lines| lines.read_count().ok()).unwrap_or(0),
        traffic: is(traffic),
        service_worker: is(service_worker),
        system: system.and_then(|system| System::from_word(&system)),
        ..Piece::new(Cow::Owned(content.into_bytes()))
    })
}

/// Returns the text of a value. A truncated one was closed to make it a value in the export; the rest is missing.
fn json_content(json: Slice<'_>, is_cut: bool) -> String {
    if !is_cut {
        return json.json().to_owned();
    }
    let open = json.json().strip_suffix(['}', ']']).unwrap_or(json.json());
    // A comma ends the last value, which may be a number.
    let comma = if open.ends_with(['{', '[']) { "" } else { "," };
    concat(&[open, comma])
}

fn lines_content(lines: Slice<'_>) -> Result<String, ReadError> {
    let mut text = String::new();
    for line in items(lines)? {
        text.push_str(line?.json());
        text.push('\n');
    }
    Ok(text)
}
