//! Exports: what was opened once, opened again.

use std::borrow::Cow;

use super::{Piece, Unpacked};
use crate::document::heard::{Asked, place};
use crate::document::{DocumentError, whole_value};
use crate::export::{self, Counts, VERSION, hash};
use crate::json::{ReadError, Slice, fields, items, optionals};
use crate::text::concat;
use crate::time::Millis;

/// Makes a piece of each entry. A content that was changed after the export is read all the same, and said.
pub(super) fn unpack<'a>(all: &mut Unpacked<'a>, file: &Piece<'a>, text: &str) -> Result<(), DocumentError> {
    let begin = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let slice = whole_value(text, begin)?;
    let [version, said, content] = fields(slice, [export::KEY, "hash", "content"])?;
    let version = slice.need(export::KEY, version)?;
    if version.number() != Some(f64::from(VERSION)) {
        let message =
            format!("Runstate reads exports of version {VERSION}, found version {}.", version.json());
        return Err(version.refuse(message).into());
    }
    let content = slice.need("content", content)?;
    let said = said.and_then(Slice::text).unwrap_or_default();
    if said != hash(content.json()) {
        let message = "The hash does not fit: the export was changed after it was written, or is damaged.";
        all.problems.push(place(&[file.name.as_deref()], message));
    }
    let [entries, thinned, unread] = fields(content, ["entries", "thinned", "unread"])?;
    let [thinned, unread] = [thinned, unread].map(|count| count.and_then(|count| count.read_count().ok()));
    let unread = unread.unwrap_or(0);
    if unread > 0 {
        let lines = if unread == 1 {
            " line that could not be read was"
        } else {
            " lines that could not be read were"
        };
        let message = concat(&[&unread.to_string(), lines, " left out of the export."]);
        all.problems.push(place(&[file.name.as_deref()], &message));
    }
    all.counts.add(Counts { thinned: thinned.unwrap_or(0), unread });
    for entry in items(content.need("entries", entries)?)? {
        all.pieces.push(read(entry?)?);
    }
    Ok(())
}

fn read(entry: Slice<'_>) -> Result<Piece<'static>, ReadError> {
    let texts = ["name", "part", "method", "runId", "nodeId", "text"];
    let [name, part, method, run_id, node_id, text] = optionals(fields(entry, texts)?, Slice::read_text)?;
    let [at, read_at] = optionals(fields(entry, ["at", "readAt"])?, Slice::read_number)?;
    let [json, lines, old_frame, elsewhere, cut, traffic, iteration] =
        fields(entry, ["json", "lines", "oldFrame", "elsewhere", "cut", "traffic", "iteration"])?;
    let iteration = iteration.and_then(|iteration| iteration.read_small().ok()).unwrap_or(0);
    let is = |flag: Option<Slice<'_>>| flag.is_some_and(|flag| flag.json() == "true");
    let content = match (json, lines, text) {
        // It was closed to be a value in the export: what is behind it is not there either.
        (Some(json), None, None) if is(cut) => {
            let open = json.json().strip_suffix(['}', ']']).unwrap_or(json.json());
            concat(&[open, " "])
        }
        (Some(json), None, None) => json.json().to_owned(),
        (None, Some(lines), None) => {
            let mut text = String::new();
            for line in items(lines)? {
                text.push_str(line?.json());
                text.push('\n');
            }
            text
        }
        (None, None, Some(text)) => text,
        (_, _, _) => return Err(entry.expected("an entry with either json, lines or text")),
    };
    Ok(Piece {
        name: name.map(Cow::Owned),
        part,
        at: at.map(Millis),
        asked: Asked {
            method,
            run_id,
            node: node_id.map(|node_id| (node_id, iteration)),
            old_frame: is(old_frame),
            limit: None,
            elsewhere: is(elsewhere),
        },
        read_at: read_at.map(Millis),
        cut: is(cut),
        traffic: is(traffic),
        ..Piece::new(Cow::Owned(content.into_bytes()))
    })
}
