//! Splits NDJSON or a list of several systems: documents and events of tnh-conductor become separate pieces.

use std::borrow::Cow;

use super::Piece;
use crate::json::Slice;
use crate::kind::{ItemKind, LineKind, MixedList};
use crate::text::concat;
use crate::text::whole_characters;

/// Maximum size of a text that is searched, bytes; logs of tnh-conductor have some kilobytes.
pub(crate) const MAX_BYTES: usize = 16 * 1024 * 1024;

/// Maximum number of documents, without events, that are split off.
const MAX_DOCUMENTS: usize = 64;

/// Maximum number of blank bytes before all split-off documents. The blanks preserve the positions of the documents.
const MAX_SPACE: usize = 64 * 1024 * 1024;

/// The keys of an event and of a status; a text without any of them is not split.
const KEYS: [&str; 2] = ["\"event_type\"", "\"lifecycle_state\""];

/// Splits a piece: each document of tnh-conductor becomes a piece, all its events become one, and so does the rest. In
/// each piece the lines keep their positions, so that problems name the position in the file.
pub(super) fn split_conductor(piece: Piece<'_>) -> Vec<Piece<'_>> {
    let Some(text) = text_of(&piece) else { return vec![piece] };
    if text.trim_start_matches('\u{feff}').trim_ascii_start().starts_with('[')
        && let Some(texts) = split_list(text)
    {
        return texts.into_iter().map(|text| part(&piece, text)).collect();
    }
    let (mut events, mut others, mut documents) =
        (SelectedLines::default(), SelectedLines::default(), Documents::default());
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let is_blank = line.trim_ascii().is_empty();
        let mut is = if is_blank { None } else { LineKind::from_line(line) };
        if is == Some(LineKind::Document) && !documents.add(Start { lines: number, columns: 0 }, line) {
            // The document stays with the rest, and is reported there as unrecognised.
            is = None;
        }
        events.add(line, is == Some(LineKind::Event), true);
        // The reader of the rest reports a damaged line.
        others.add(line, is.is_none(), !is_blank && Slice::from_text(line).is_ok());
    }
    let mut documents = documents.texts;
    if usize::from(events.any) + usize::from(others.any) + documents.len() < 2 {
        return vec![piece];
    }
    let lines = [events, others].into_iter().filter(|part| !part.text.trim_ascii().is_empty());
    documents.extend(lines.map(|part| part.text));
    documents.into_iter().map(|text| part(&piece, text)).collect()
}

/// The text of a piece that may be split.
pub(super) fn text_of<'a>(piece: &'a Piece<'_>) -> Option<&'a str> {
    let small = Some(&*piece.bytes).filter(|bytes| bytes.len() <= MAX_BYTES)?;
    let text = std::str::from_utf8(whole_characters(small)).ok()?;
    KEYS.iter().any(|key| text.contains(key)).then_some(text)
}

/// Makes a part of a piece.
pub(super) fn part<'a>(piece: &Piece<'a>, text: String) -> Piece<'a> {
    let bytes = Cow::Owned(text.into_bytes());
    Piece { name: piece.name.clone(), bytes, ..Piece::new(Cow::Borrowed(&[])) }
}

fn is_event(kind: Option<ItemKind>) -> bool {
    kind == Some(ItemKind::Conductor(LineKind::Event))
}

fn is_document(kind: Option<ItemKind>) -> bool {
    kind == Some(ItemKind::Conductor(LineKind::Document))
}

fn is_other(kind: Option<ItemKind>) -> bool {
    !is_event(kind) && !is_document(kind)
}

/// Splits a list. A list that only contains events is not split.
pub(super) fn split_list(text: &str) -> Option<Vec<String>> {
    let list = Slice::new(text);
    let mut found = MixedList::read(list)?;
    let (_, end, _) = *found.items.last()?;
    let behind = text.get(end..)?;
    // A complete list may be followed by another one on a separate line.
    if found.whole && behind.trim_ascii() != "]" {
        return None;
    }
    let events = found.has(is_event);
    let among_others = || found.has(|kind| matches!(kind, Some(ItemKind::Smithers | ItemKind::Lionagi)));
    if !(found.has(is_document) || events && among_others()) {
        return None;
    }
    let (mut documents, mut start, mut at) = (Documents::default(), Start::default(), 0);
    for (begin, end, kind) in found.items.iter_mut().filter(|(.., kind)| is_document(*kind)) {
        start.skip(text.get(at..*begin)?);
        at = *begin;
        if !documents.add(start, text.get(*begin..*end)?) {
            *kind = None;
        }
    }
    let mut texts = documents.texts;
    if events {
        let only = found.only(list, is_event);
        // A truncated end stays with the rest and is reported once.
        let closed = only.strip_suffix(behind).filter(|_| !found.whole).map(|open| concat(&[open, "]"]));
        texts.push(closed.unwrap_or(only));
    }
    if !found.whole || found.has(is_other) {
        texts.push(found.only(list, is_other));
    }
    Some(texts)
}

/// The position of a document: the numbers of lines before it and of characters before it on its line.
#[derive(Clone, Copy, Default)]
pub(super) struct Start {
    lines: usize,
    columns: usize,
}

impl Start {
    /// Moves the position to the end of a text.
    pub(super) fn skip(&mut self, text: &str) {
        self.lines += text.bytes().filter(|byte| *byte == b'\n').count();
        match text.rsplit_once('\n') {
            Some((_, last)) => self.columns = last.chars().count(),
            None => self.columns += text.chars().count(),
        }
    }
}

/// Documents other than events, each after blanks that preserve its position.
#[derive(Default)]
pub(super) struct Documents {
    pub(super) texts: Vec<String>,
    space: usize,
}

impl Documents {
    /// Adds a document; returns `false` if too many documents were added or all of them would need too many blanks.
    pub(super) fn add(&mut self, start: Start, text: &str) -> bool {
        let space = start.lines + start.columns;
        if self.texts.len() >= MAX_DOCUMENTS || self.space + space > MAX_SPACE {
            return false;
        }
        self.space += space;
        self.texts.push(concat(&[&"\n".repeat(start.lines), &" ".repeat(start.columns), text]));
        true
    }
}

/// Selected lines of a text, with empty lines in place of the others.
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

    use super::{MAX_BYTES, MAX_SPACE, split_conductor};
    use crate::ingest::unpack::Piece;

    const STATUS: &str = r#"{"run_id":"20261121T204038Z","workflow_id":"w","lifecycle_state":"running"}"#;

    /// Returns the number of pieces of a text and the number of bytes of all pieces.
    fn sizes(text: &str) -> (usize, usize) {
        let pieces = split_conductor(Piece::new(Cow::Borrowed(text.as_bytes())));
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
