//! The lines of an event stream that say something. Studio writes an event as one line of `data:`, messages with a line of
//! `id:` before it; `event:`, `retry:` and comments say nothing here.

use super::value;
use crate::json::{ReadError, Slice};

/// Where a line begins and ends.
pub(super) type Place = (usize, usize);

/// A line that says something.
pub(super) enum Line<'a> {
    /// The cursor of the message that follows.
    Cursor(&'a str),
    /// An event.
    Data(Result<Slice<'a>, ReadError>),
}

pub(super) fn lines(text: &str) -> impl Iterator<Item = Place> {
    let mut at = 0;
    text.split_inclusive(['\n', '\r']).map(move |line| {
        let from = at;
        at += line.len();
        (from, at)
    })
}

pub(super) fn of_line(text: &str, (from, to): Place) -> Option<Line<'_>> {
    let line = text.get(from..to)?;
    let bare = line.strip_prefix('\u{feff}').unwrap_or(line);
    let from = to - bare.len();
    if let Some(cursor) = bare.strip_prefix("id:") {
        return Some(Line::Cursor(cursor.trim_ascii()));
    }
    let data = bare.strip_prefix("data:")?;
    (!data.trim_ascii().is_empty()).then(|| Line::Data(value(text, from + "data:".len(), to)))
}
