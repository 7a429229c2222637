//! A value a line, of several systems: what is of tnh-conductor stands beside the others as pieces of its own.

use std::borrow::Cow;

use super::Piece;
use crate::conductor::{self, Line};
use crate::document::whole_characters;
use crate::json::Slice;
use crate::text::concat;

/// The largest text that is looked through; logs of tnh-conductor have some kilobytes.
pub(in crate::document) const MAX_BYTES: usize = 16 * 1024 * 1024;

/// How many documents other than events are taken out one by one.
const MAX_DOCUMENTS: usize = 64;

/// What every text has that is taken apart: the key of an event, or of a status.
const KEYS: [&str; 2] = ["\"event_type\"", "\"lifecycle_state\""];

/// The lines of tnh-conductor, each document a piece and all events one, then the others, if there are both. In each piece the
/// lines are where they were, so that places say where they are in the file.
pub(super) fn apart(piece: Piece<'_>) -> Vec<Piece<'_>> {
    let small = Some(&*piece.bytes).filter(|bytes| bytes.len() <= MAX_BYTES);
    let text = small.and_then(|bytes| std::str::from_utf8(whole_characters(bytes)).ok()).unwrap_or_default();
    if !KEYS.iter().any(|key| text.contains(key)) {
        return vec![piece];
    }
    let (mut events, mut others, mut documents) = (Part::default(), Part::default(), Vec::new());
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let is = conductor::line(line).filter(|line| *line == Line::Event || documents.len() < MAX_DOCUMENTS);
        if is == Some(Line::Document) {
            documents.push(concat(&["\n".repeat(number).as_str(), line]));
        }
        events.add(line, is == Some(Line::Event), true);
        // A line that is broken is named by whoever reads the others.
        others.add(line, is.is_none(), Slice::of_text(line).is_ok());
    }
    if usize::from(events.any) + usize::from(others.any) + documents.len() < 2 {
        return vec![piece];
    }
    let lines = [events, others].into_iter().filter(|part| !part.text.trim_ascii().is_empty());
    documents.extend(lines.map(|part| part.text));
    let of = |text: String| Piece {
        name: piece.name.clone(),
        bytes: Cow::Owned(text.into_bytes()),
        ..Piece::new(Cow::Borrowed(&[]))
    };
    documents.into_iter().map(of).collect()
}

/// Some lines of a text, with empty ones for those between.
#[derive(Default)]
struct Part {
    text: String,
    any: bool,
}

impl Part {
    fn add(&mut self, line: &str, own: bool, counts: bool) {
        self.any |= own && counts;
        self.text.push_str(if own { line } else { "\n" });
    }
}
