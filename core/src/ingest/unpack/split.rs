//! A value a line, or a list, of several systems: what is of tnh-conductor stands beside the others as pieces of its own.

use crate::conductor::wire;
use std::borrow::Cow;

use super::Piece;
use crate::conductor::wire::Line;
use crate::ingest::recognise::{Listed, Whose};
use crate::json::Slice;
use crate::text::concat;
use crate::text::whole_characters;

/// The largest text that is looked through; logs of tnh-conductor have some kilobytes.
pub(crate) const MAX_BYTES: usize = 16 * 1024 * 1024;

/// How many documents other than events are taken out one by one.
const MAX_DOCUMENTS: usize = 64;

/// How many bytes of space may stand before them in all. It says where each was.
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
        (SelectedLines::default(), SelectedLines::default(), Documents::default());
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let mut is = wire::line(line);
        if is == Some(Line::Document) && !documents.add(Start { lines: number, columns: 0 }, line) {
            // With the others it is named as what nobody reads.
            is = None;
        }
        events.add(line, is == Some(Line::Event), true);
        // A line that is broken is named by whoever reads the others.
        others.add(line, is.is_none(), Slice::of_text(line).is_ok());
    }
    let mut documents = documents.texts;
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
    let (mut documents, mut start, mut at) = (Documents::default(), Start::default(), 0);
    for (begin, end, whose) in found.items.iter_mut().filter(|(.., whose)| is_document(*whose)) {
        start.pass(text.get(at..*begin)?);
        at = *begin;
        if !documents.add(start, text.get(*begin..*end)?) {
            *whose = None;
        }
    }
    let mut texts = documents.texts;
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

/// Where a document begins: how many lines are before its own, and how many characters before it on that.
#[derive(Clone, Copy, Default)]
struct Start {
    lines: usize,
    columns: usize,
}

impl Start {
    /// Moves on behind a text.
    fn pass(&mut self, text: &str) {
        self.lines += text.bytes().filter(|byte| *byte == b'\n').count();
        match text.rsplit_once('\n') {
            Some((_, last)) => self.columns = last.chars().count(),
            None => self.columns += text.chars().count(),
        }
    }
}

/// Documents other than events, each with the space before it that says where it was.
#[derive(Default)]
struct Documents {
    texts: Vec<String>,
    space: usize,
}

impl Documents {
    /// Takes a document out; `false` where there are too many, or where all of them would take too much space.
    fn add(&mut self, start: Start, text: &str) -> bool {
        let space = start.lines + start.columns;
        if self.texts.len() >= MAX_DOCUMENTS || self.space + space > MAX_SPACE {
            return false;
        }
        self.space += space;
        self.texts.push(concat(&[&"\n".repeat(start.lines), &" ".repeat(start.columns), text]));
        true
    }
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

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{MAX_BYTES, MAX_SPACE, apart};
    use crate::ingest::unpack::Piece;

    const STATUS: &str = r#"{"run_id":"20261121T204038Z","workflow_id":"w","lifecycle_state":"running"}"#;

    /// How many pieces a text has, and how many bytes all of them have.
    fn sizes(text: &str) -> (usize, usize) {
        let pieces = apart(Piece::new(Cow::Borrowed(text.as_bytes())));
        (pieces.len(), pieces.iter().map(|piece| piece.bytes.len()).sum())
    }

    #[test]
    fn the_space_before_documents_is_bounded() {
        let statuses = format!("{STATUS}\n").repeat(64);
        let lines = "\n".repeat(MAX_BYTES - statuses.len()) + &statuses;
        let space = " ".repeat(MAX_BYTES / 2 - 65 * STATUS.len());
        let one_line = format!("[{space}{}]", vec![STATUS; 64].join(","));
        for text in [&lines, &one_line] {
            let (pieces, bytes) = sizes(text);
            assert!(pieces > 1 && bytes <= MAX_SPACE + 3 * text.len(), "{pieces} pieces with {bytes} bytes");
        }
    }

    #[test]
    fn lines_before_a_document_of_a_list_take_a_byte_each() {
        let text = format!("[\n{}{STATUS}\n]", format!("{STATUS},\n").repeat(63));
        let (pieces, bytes) = sizes(&text);
        assert!(pieces == 64 && bytes < text.len() + 64 * 64, "{pieces} pieces with {bytes} bytes");
    }
}
