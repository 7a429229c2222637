//! Steps through a text byte by byte: all separators are ASCII.

use super::keys::Shape;
use super::replacement::REDACTED;

/// A text, and the position before which it is not read.
#[derive(Clone, Copy)]
pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    /// The end of the last secret.
    pub(super) start: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn byte(self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// The byte before a position, unless that is before `start`.
    pub(super) fn byte_before(self, place: usize) -> Option<u8> {
        if place > self.start { self.byte(place - 1) } else { None }
    }

    /// A part of the text; empty if the range is no part of it, because rules look past the end and into characters.
    pub(super) fn slice(self, begin: usize, end: usize) -> &'a str {
        self.text.get(begin..end).unwrap_or_default()
    }

    pub(super) fn rest(self, at: usize) -> &'a str {
        self.slice(at, self.text.len())
    }

    /// The end of the bytes for which `is` returns true, from `at` on.
    pub(super) fn skip_while(self, mut at: usize, is: fn(u8) -> bool) -> usize {
        while self.byte(at).is_some_and(is) {
            at += 1;
        }
        at
    }

    /// The start of the bytes for which `is` returns true, back from `at`.
    pub(super) fn skip_back(self, at: usize, is: fn(u8) -> bool) -> usize {
        self.skip_back_to(self.start, at, is)
    }

    /// Like [`skip_back`](Self::skip_back), but not before `from`.
    pub(super) fn skip_back_to(self, from: usize, mut at: usize, is: fn(u8) -> bool) -> usize {
        while at > from && self.byte(at - 1).is_some_and(is) {
            at -= 1;
        }
        at
    }

    /// Whether the text before a position ends with `what`.
    pub(super) fn is_preceded_by(self, place: usize, what: &str) -> bool {
        self.slice(self.start, place).ends_with(what)
    }
}

/// The range and type of the value at `at`, without quotes; `None` if there is no value.
pub(super) fn value_range(scanner: Scanner<'_>, at: usize) -> Option<(usize, usize, Shape)> {
    if let Some((begin, end)) = earlier_redaction(scanner, at).or_else(|| quoted_range(scanner, at)) {
        return Some((begin, end, Shape::Text));
    }
    let rest = scanner.rest(at);
    let bare = |shape| {
        Some((at, scanner.skip_while(at, |byte| is_unquoted(byte) && !matches!(byte, b'}' | b']')), shape))
    };
    match scanner.byte(at)? {
        b'{' => Some((at, bracket_end(scanner, at), Shape::Object)),
        b'[' => Some((at, bracket_end(scanner, at), Shape::Array)),
        b'-' | b'0'..=b'9' => bare(Shape::Number),
        b't' | b'f' if rest.starts_with("true") || rest.starts_with("false") => bare(Shape::Bool),
        _ => None,
    }
}

/// The range of an earlier redaction.
pub(super) fn earlier_redaction(scanner: Scanner<'_>, at: usize) -> Option<(usize, usize)> {
    scanner.rest(at).starts_with(REDACTED).then_some((at, at + REDACTED.len()))
}

/// The range of a quoted text, which may be escaped. Without a closing quote it ends with the text.
pub(super) fn quoted_range(scanner: Scanner<'_>, at: usize) -> Option<(usize, usize)> {
    let quote = scanner.skip_while(at, |byte| byte == b'\\');
    scanner.byte(quote).filter(|byte| is_quote(*byte))?;
    Some((quote + 1, closing_quote(scanner, quote, quote - at)))
}

/// The end of a text whose quote has `level` backslashes before it: 0, or 1 inside a text in quotes, or 3 inside two.
fn closing_quote(scanner: Scanner<'_>, quote: usize, level: usize) -> usize {
    let (mut at, mut slashes) = (quote + 1, 0);
    while let Some(byte) = scanner.byte(at) {
        if byte == b'\\' {
            slashes += 1;
        } else if scanner.byte(quote) == Some(byte)
            && (slashes < level || ((slashes - level) / (level + 1)).is_multiple_of(2))
        {
            return at - slashes.min(level);
        } else {
            slashes = 0;
        }
        at += 1;
    }
    at
}

/// The end of an object or a list; without a closing bracket, the end of the text.
fn bracket_end(scanner: Scanner<'_>, begin: usize) -> usize {
    let (mut depth, mut slashes, mut at) = (0_usize, 0, begin);
    while let Some(byte) = scanner.byte(at) {
        at += 1;
        match byte {
            b'\\' => {
                slashes += 1;
                continue;
            }
            b'"' | b'\'' => at = closing_quote(scanner, at - 1, slashes) + slashes + 1,
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 1 => return at,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        slashes = 0;
    }
    scanner.text.len()
}

pub(super) fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

pub(super) fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'')
}

pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// A byte of a value without quotes.
pub(super) fn is_unquoted(byte: u8) -> bool {
    !is_space(byte) && !b"\"'&,;<>)".contains(&byte)
}
