//! Reads exports.

use std::borrow::Cow;

use super::broken::Broken;
use super::{Piece, Unpacked, cut_export};
use crate::ingest::export_format::{Counts, KEY, VERSION, hash};
use crate::ingest::request::Request;
use crate::ingest::{DocumentError, whole_value};
use crate::json::salvage::salvage;
use crate::json::{ReadError, Slice, fields, items, optionals};
use crate::text::concat;
use crate::time::Millis;

/// Makes a piece of each entry. Content that was changed after the export is read and reported; truncated content is
/// read as far as possible.
pub(super) fn unpack<'a>(all: &mut Unpacked<'a>, file: &Piece<'a>, text: &str) -> Result<(), DocumentError> {
    let error = match whole_value(text) {
        Ok(slice) => return add_whole(all, file, slice),
        Err(error) => error,
    };
    let before = all.pieces.len();
    let salvaged = salvage(text).ok_or_else(|| error.clone())?;
    let slice = Slice::from_text(&salvaged.text)?;
    check_version(slice)?;
    if let [Some(content)] = fields(slice, ["content"])?
        && let [Some(listed), thinned, unread] = fields(content, ["entries", "thinned", "unread"])?
    {
        count(all, file, [thinned, unread]);
        entries(all, file, listed)?;
    }
    all.pieces.extend(cut_export::last_entry(text).filter(|_| salvaged.cut));
    if all.pieces.len() == before {
        return Err(error);
    }
    all.problems.add(file.error_problem(&error));
    // If no entry has content, the error is that of the truncation, with its position.
    all.refused = all.refused.take().or(Some(error));
    let message = "What is whole of this export is read; its hash is of all of it and cannot be checked.";
    all.problems.add(file.problem(message));
    Ok(())
}

fn add_whole<'a>(all: &mut Unpacked<'a>, file: &Piece<'a>, slice: Slice<'_>) -> Result<(), DocumentError> {
    check_version(slice)?;
    let [counts, content] = fields(slice, ["hash", "content"])?;
    let content = slice.need("content", content)?;
    let counts = counts.and_then(Slice::text).unwrap_or_default();
    if counts != hash(content.json()) {
        let message = "The hash does not fit: the export was changed after it was written, or is damaged.";
        all.problems.add(file.problem(message));
    }
    let [listed, thinned, unread] = fields(content, ["entries", "thinned", "unread"])?;
    count(all, file, [thinned, unread]);
    entries(all, file, content.need("entries", listed)?)
}

fn check_version(slice: Slice<'_>) -> Result<(), DocumentError> {
    let [version] = fields(slice, [KEY])?;
    let version = slice.need(KEY, version)?;
    if version.number() == Some(f64::from(VERSION)) {
        return Ok(());
    }
    let message = format!("Runstate reads exports of version {VERSION}, found version {}.", version.json());
    Err(version.refuse(message).into())
}

/// Adds the export's own counts.
fn count(all: &mut Unpacked<'_>, file: &Piece<'_>, counts: [Option<Slice<'_>>; 2]) {
    let [thinned, unread] = counts.map(|count| count.and_then(|count| count.read_count().ok()).unwrap_or(0));
    if unread > 0 {
        let lines = if unread == 1 {
            " line that could not be read was"
        } else {
            " lines that could not be read were"
        };
        let message = concat(&[&unread.to_string(), lines, " omitted from the export."]);
        all.problems.add(file.problem(message));
    }
    all.counts.add(Counts { thinned, unread });
}

/// Reads the entries as far as possible; if all are unreadable, returns the error of the first.
fn entries<'a>(all: &mut Unpacked<'a>, file: &Piece<'a>, listed: Slice<'_>) -> Result<(), DocumentError> {
    let before = all.pieces.len();
    let mut broken = Broken::default();
    for (at, entry) in items(listed)?.enumerate() {
        match read(entry?) {
            Ok(piece) => all.pieces.push(piece),
            Err(error) => broken.add(at, DocumentError::from(error).place(listed.whole())),
        }
    }
    if all.pieces.len() == before {
        return broken.first.map_or(Ok(()), |(_, error)| Err(error));
    }
    broken.name(all, file);
    Ok(())
}

pub(super) fn read(entry: Slice<'_>) -> Result<Piece<'static>, ReadError> {
    let texts = ["name", "part", "method", "runId", "nodeId", "text"];
    let [name, part, method, run_id, node_id, text] = optionals(fields(entry, texts)?, Slice::read_text)?;
    let [at, read_at] = optionals(fields(entry, ["at", "readAt"])?, Slice::read_number)?;
    let [json, lines, past_frame, other_server, cut, traffic, iteration] =
        fields(entry, ["json", "lines", "oldFrame", "elsewhere", "cut", "traffic", "iteration"])?;
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
        cut: is(cut),
        traffic: is(traffic),
        ..Piece::new(Cow::Owned(content.into_bytes()))
    })
}

/// Returns the text of a value. A truncated one was closed to make it a value in the export; the rest is missing.
fn json_content(json: Slice<'_>, is_cut: bool) -> String {
    if !is_cut {
        return json.json().to_owned();
    }
    concat(&[json.json().strip_suffix(['}', ']']).unwrap_or(json.json()), " "])
}

fn lines_content(lines: Slice<'_>) -> Result<String, ReadError> {
    let mut text = String::new();
    for line in items(lines)? {
        text.push_str(line?.json());
        text.push('\n');
    }
    Ok(text)
}
