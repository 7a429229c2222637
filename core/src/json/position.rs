//! Positions in a text: line, column and JSON path.

use std::fmt;

use super::{Reader, Token};
use crate::text::after_byte_order_mark;

/// A position in a text.
///
/// ```
/// use runstate::ingest::inspect;
/// use runstate::time::Millis;
///
/// let text = b"{\"runId\":\"r1\",\n \"computedAt\":\"2026-11-21T14:06:08.000Z\",\n \"state\":7}";
/// let position = inspect(text, None, Millis(0.0)).unwrap_err().position.unwrap();
/// assert_eq!((position.line, position.path.as_deref()), (3, Some("state")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The path of the value, such as `payload.root.children[2].id`; `None` if the text is not JSON.
    pub path: Option<String>,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A line of a text.
pub(crate) struct Line<'a> {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// The byte at which it begins in the text.
    pub(crate) offset: usize,
    /// The line, including its line break.
    pub(crate) bytes: &'a [u8],
}

impl Line<'_> {
    /// The position of a byte of the line.
    pub(crate) fn position(&self, offset: usize) -> Position {
        Position { line: self.number, column: column(self.bytes, offset), path: None }
    }
}

/// The lines of a text.
pub(crate) fn lines(text: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut offset = 0;
    text.split_inclusive(|byte| *byte == b'\n').zip(1..).map(move |(bytes, number)| {
        let line = Line { number, offset, bytes };
        offset += bytes.len();
        line
    })
}

/// The column of a byte of a line: the number of characters before it, plus one.
pub(crate) fn column(line: &[u8], offset: usize) -> usize {
    let before = line.get(..offset.min(line.len())).unwrap_or_default();
    before.iter().filter(|byte| *byte & 0xc0 != 0x80).count() + 1
}

enum Step {
    Key(String),
    Item(usize),
}

/// The position of a byte. The path is that of the innermost value containing the byte.
pub(crate) fn locate(text: &str, offset: usize) -> Position {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = text.get(..at).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    Position {
        line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
        column: before.get(line_start..).unwrap_or_default().chars().filter(|c| *c != '\u{feff}').count() + 1,
        path: path(text, at),
    }
}

fn path(text: &str, offset: usize) -> Option<String> {
    let begin = text.len() - after_byte_order_mark(text).len();
    let mut reader = Reader::new(text, begin);
    let mut steps: Vec<Step> = Vec::new();
    // A reader error ends the walk: the requested position is at or before it.
    while let Ok(Some(token)) = reader.next() {
        if matches!(token, Token::ObjectEnd | Token::ArrayEnd) {
            if reader.at() > offset {
                break;
            }
            steps.pop();
            continue;
        }
        if reader.start() > offset {
            break;
        }
        step(&mut steps, token);
        if matches!(token, Token::Key(_)) && reader.at() > offset {
            break;
        }
    }
    write_path(&steps)
}

/// Updates the path by one token.
fn step(steps: &mut Vec<Step>, token: Token<'_>) {
    match (&token, steps.last_mut()) {
        (Token::Key(key), Some(Step::Key(name))) => *name = key.decode().into_owned(),
        (_, Some(Step::Item(next))) => *next += 1,
        (_, Some(Step::Key(_)) | None) => {}
    }
    match token {
        Token::ObjectStart => steps.push(Step::Key(String::new())),
        Token::ArrayStart => steps.push(Step::Item(0)),
        Token::ObjectEnd
        | Token::ArrayEnd
        | Token::Key(_)
        | Token::String(_)
        | Token::Number(_)
        | Token::Bool
        | Token::Null => {}
    }
}

fn write_path(steps: &[Step]) -> Option<String> {
    let mut out = String::new();
    for step in steps {
        match step {
            Step::Key(name) if name.is_empty() => break,
            Step::Key(name) => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(super::text::cut(name));
            }
            Step::Item(0) => break,
            Step::Item(next) => {
                out.push('[');
                out.push_str(&(next - 1).to_string());
                out.push(']');
            }
        }
    }
    (!out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::{lines, locate};

    #[test]
    fn a_byte_has_a_line_a_column_and_a_path() {
        let text = "{\"a\":1,\n \"ü\":[true,{\"b\":\"x\"}],\"c\":2}";
        let place = |needle: &str| {
            let at = locate(text, text.find(needle).unwrap());
            (at.line, at.column, at.path.unwrap_or_default())
        };
        assert_eq!(place("1,"), (1, 6, "a".to_owned()));
        assert_eq!(place("true"), (2, 7, "ü[0]".to_owned()));
        assert_eq!(place("\"x\""), (2, 17, "ü[1].b".to_owned()));
        assert_eq!(place("\"c\""), (2, 23, "c".to_owned()));
        assert_eq!(place("2}"), (2, 27, "c".to_owned()));
        assert_eq!(locate(text, 0).path, None);
        assert_eq!(locate("", 9).line, 1);
        assert_eq!(locate(text, 9).to_string(), "line 2, column 2");
    }

    #[test]
    fn a_line_has_a_number_and_an_offset() {
        let text = "a\nüb\n\nc";
        let found: Vec<_> = lines(text.as_bytes()).map(|line| (line.number, line.offset)).collect();
        assert_eq!(found, [(1, 0), (2, 2), (3, 6), (4, 7)]);
        let line = lines(text.as_bytes()).nth(1).unwrap();
        assert_eq!(line.position(2), super::Position { path: None, ..locate(text, 4) });
        assert!(lines(b"").next().is_none());
    }
}
