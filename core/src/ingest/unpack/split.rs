//! A value a line, or a list, of several systems: what is of tnh-conductor stands beside the others as pieces of its own.

use crate::conductor::wire;
use std::borrow::Cow;

use super::Piece;
use crate::conductor::wire::Line;
use crate::ingest::recognise::{Listed, Whose, blank};
use crate::json::Slice;
use crate::text::concat;
use crate::text::whole_characters;

/// The largest text that is looked through; logs of tnh-conductor have some kilobytes.
pub(crate) const MAX_BYTES: usize = 16 * 1024 * 1024;

/// How many documents other than events are taken out one by one.
const MAX_DOCUMENTS: usize = 64;

/// How many bytes those of a list may take, with the space before each that says where it was.
const MAX_SPACE: usize = 64 * 1024 * 1024;

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
    if text.trim_start_matches('\u{feff}').trim_ascii_start().starts_with('[')
        && let Some(texts) = listed(text)
    {
        return texts.into_iter().map(|text| part(&piece, text)).collect();
    }
    let (mut events, mut others, mut documents) =
        (SelectedLines::default(), SelectedLines::default(), Vec::new());
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let is = wire::line(line).filter(|line| *line == Line::Event || documents.len() < MAX_DOCUMENTS);
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
    documents.into_iter().map(|text| part(&piece, text)).collect()
}

/// A part of a piece.
fn part<'a>(piece: &Piece<'a>, text: String) -> Piece<'a> {
    let bytes = Cow::Owned(text.into_bytes());
    Piece { name: piece.name.clone(), bytes, ..Piece::new(Cow::Borrowed(&[])) }
}

fn is_event(whose: Option<Whose>) -> bool {
    whose == Some(Whose::Conductor(Line::Event))
}

fn is_document(whose: Option<Whose>) -> bool {
    whose == Some(Whose::Conductor(Line::Document))
}

fn is_other(whose: Option<Whose>) -> bool {
    !is_event(whose) && !is_document(whose)
}

/// The same for one list. A list of events alone stays what it is.
fn listed(text: &str) -> Option<Vec<String>> {
    let list = Slice::new(text);
    let mut found = Listed::read(list)?;
    let (_, end, _) = *found.items.last()?;
    let behind = text.get(end..)?;
    // Behind a list that is whole there may be another one, on a line of its own.
    if found.whole && behind.trim_ascii() != "]" {
        return None;
    }
    let events = found.has(is_event);
    let among_others = || found.has(|whose| matches!(whose, Some(Whose::Smithers | Whose::Lionagi)));
    if !(found.has(is_document) || events && among_others()) {
        return None;
    }
    let mut texts = Vec::new();
    let most = MAX_DOCUMENTS.min(MAX_SPACE / text.len());
    for (begin, end, whose) in found.items.iter_mut().filter(|(.., whose)| is_document(*whose)) {
        if texts.len() < most {
            texts.push(concat(&[&blank(text.get(..*begin)?), text.get(*begin..*end)?]));
        } else {
            // With the others it is named as what nobody reads.
            *whose = None;
        }
    }
    if events {
        let only = found.only(list, is_event);
        // What breaks off is told once, with the others.
        let closed = only.strip_suffix(behind).filter(|_| !found.whole).map(|open| concat(&[open, "]"]));
        texts.push(closed.unwrap_or(only));
    }
    if !found.whole || found.has(is_other) {
        texts.push(found.only(list, is_other));
    }
    Some(texts)
}

/// Some lines of a text, with empty ones for those between.
#[derive(Default)]
struct SelectedLines {
    text: String,
    any: bool,
}

impl SelectedLines {
    fn add(&mut self, line: &str, own: bool, counts: bool) {
        self.any |= own && counts;
        self.text.push_str(if own { line } else { "\n" });
    }
}
