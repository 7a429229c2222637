//! Reads the last entry of a truncated export.

use std::borrow::Cow;

use super::{Piece, StatedForm, export_entry};
use crate::json::salvage::salvage;
use crate::json::{Reader, Slice, Token, items};
use crate::text::concat;

/// The number of open objects and lists around an entry, and around its content.
const AROUND_ENTRY: usize = 3;
const AROUND_CONTENT: usize = AROUND_ENTRY + 1;

/// Returns the content of the last entry as a truncated piece; `None` if the text ends before the entry's kind or
/// outside of an entry.
pub(super) fn last_entry(text: &str) -> Option<Piece<'static>> {
    let Open { entry, content, is_lines } = open_entry(text)?;
    let head = concat(&[text.get(entry..content)?, "[]}"]);
    let piece = export_entry::read(Slice::from_text(&head).ok()?).ok()?;
    let rest = text.get(content..)?;
    let bytes = if is_lines { whole_lines(rest)? } else { rest.to_owned() };
    let stated_form = if is_lines { StatedForm::Lines } else { StatedForm::Cut };
    Some(Piece { bytes: Cow::Owned(bytes.into_bytes()), stated_form, ..piece })
}

/// The entry in which the text ends.
struct Open {
    /// The offset of the entry.
    entry: usize,
    /// The offset of its content.
    content: usize,
    is_lines: bool,
}

fn open_entry(text: &str) -> Option<Open> {
    let mut reader = Reader::new(text, 0);
    let (mut depth, mut entry, mut content, mut is_lines) = (0, None, None, None);
    while let Ok(Some(token)) = reader.next() {
        let from = reader.start();
        match token {
            Token::ObjectStart | Token::ArrayStart => {
                if depth == AROUND_ENTRY {
                    (entry, content) = (Some(from), None);
                } else if depth == AROUND_CONTENT && is_lines.is_some() {
                    content = Some(from);
                }
                depth += 1;
            }
            Token::ObjectEnd | Token::ArrayEnd => depth -= 1,
            Token::Key(key) if depth == AROUND_CONTENT => {
                is_lines = match &*key.decode() {
                    "json" => Some(false),
                    "lines" => Some(true),
                    _ => None,
                };
            }
            Token::Key(_) | Token::String(_) | Token::Number(_) | Token::Bool | Token::Null => {}
        }
    }
    let (entry, content, is_lines) = (entry?, content?, is_lines?);
    (depth > AROUND_CONTENT).then_some(Open { entry, content, is_lines })
}

fn whole_lines(list: &str) -> Option<String> {
    let closed = salvage(list)?.text;
    let mut text = String::new();
    for line in items(Slice::from_text(&closed).ok()?).ok()? {
        text.push_str(line.ok()?.json());
        text.push('\n');
    }
    Some(text)
}
