//! Reads exports.

use super::broken::Broken;
use super::{Piece, UnpackedFiles, cut_export, export_entry};
use crate::ingest::export_format::{Counts, KEY, VERSION, hash};
use crate::ingest::{DocumentError, whole_value};
use crate::json::salvage::salvage;
use crate::json::{Slice, fields, items};
use crate::text::concat;

/// Makes a piece of each entry. Content that was changed after the export is read and reported; truncated content is
/// read as far as possible.
pub(super) fn unpack<'a>(
    all: &mut UnpackedFiles<'a>,
    file: &Piece<'a>,
    text: &str,
) -> Result<(), DocumentError> {
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
    let message = "The parts of this export before the cut were read. Its hash cannot be checked.";
    all.problems.add(file.problem(message));
    Ok(())
}

fn add_whole<'a>(
    all: &mut UnpackedFiles<'a>,
    file: &Piece<'a>,
    slice: Slice<'_>,
) -> Result<(), DocumentError> {
    check_version(slice)?;
    let [counts, content] = fields(slice, ["hash", "content"])?;
    let content = slice.need("content", content)?;
    let counts = counts.and_then(Slice::text).unwrap_or_default();
    if counts != hash(content.json()) {
        let message = "The hash does not match: the export was changed after it was saved, or it is damaged.";
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
fn count(all: &mut UnpackedFiles<'_>, file: &Piece<'_>, counts: [Option<Slice<'_>>; 2]) {
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
fn entries<'a>(
    all: &mut UnpackedFiles<'a>,
    file: &Piece<'a>,
    listed: Slice<'_>,
) -> Result<(), DocumentError> {
    let before = all.pieces.len();
    let mut broken = Broken::default();
    for (at, entry) in items(listed)?.enumerate() {
        match export_entry::read(entry?) {
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
