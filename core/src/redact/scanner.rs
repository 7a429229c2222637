//! Steps through a text byte by byte: all separators are ASCII.

use super::keys::Shape;

/// Maximum length of the examined part of a name and of a word, and of a colour code, bytes.
const MAX_NAME: usize = 100;
pub(super) const MAX_WORD: usize = 256;
const MAX_COLOUR: usize = 16;

/// Blanks that do not end a line, and characters without a width, which a copied text has around operators.
const HARD_BLANKS: [&str; 4] = ["\u{a0}", "\u{200b}", "\u{202f}", "\u{feff}"];

/// Maximum number of colour codes in a row.
const MAX_COLOURS: usize = 16;

/// The beginnings of colour codes, also escaped in a text.
const ESCAPES: [&str; 4] = ["\x1b[", "\\u001b[", "\\x1b[", "\\033["];

/// A text, and the position before which it is not read.
#[derive(Clone, Copy)]
pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    /// The end of the last secret.
    pub(super) start: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn byte(self, at: usize) -> Option<u8> {
        #[cfg(test)]
        super::steps::count();
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
    pub(super) fn skip_while(self, at: usize, is: impl Fn(u8) -> bool) -> usize {
        self.within(at, usize::MAX, is)
    }

    /// Like [`skip_while`](Self::skip_while), for at most `limit` bytes.
    pub(super) fn within(self, begin: usize, limit: usize, is: impl Fn(u8) -> bool) -> usize {
        let mut at = begin;
        while at - begin < limit && self.byte(at).is_some_and(&is) {
            at += 1;
        }
        at
    }

    /// The start of the bytes for which `is` returns true, back from `at`.
    pub(super) fn skip_back(self, at: usize, is: impl Fn(u8) -> bool) -> usize {
        self.skip_back_to(self.start, at, is)
    }

    /// Like [`skip_back`](Self::skip_back), for at most `limit` bytes.
    pub(super) fn within_back(self, at: usize, limit: usize, is: impl Fn(u8) -> bool) -> usize {
        self.skip_back_to(self.start.max(at.saturating_sub(limit)), at, is)
    }

    /// Like [`skip_back`](Self::skip_back), but not before `from`.
    pub(super) fn skip_back_to(self, from: usize, mut at: usize, is: impl Fn(u8) -> bool) -> usize {
        while at > from && self.byte(at - 1).is_some_and(&is) {
            at -= 1;
        }
        at
    }

    /// The name that ends at `end`, or its last part if it is long; empty if there is none.
    pub(super) fn name_before(self, end: usize) -> &'a str {
        self.slice(self.within_back(end, MAX_NAME, is_name), end)
    }

    /// The end of blanks and colour codes, from `at` on.
    pub(super) fn skip_blanks(self, mut at: usize) -> usize {
        for _ in 0..MAX_COLOURS {
            let blanks = self.skip_while(at, is_blank);
            at = self.skip_colour(blanks);
            if at == blanks {
                break;
            }
        }
        at
    }

    /// The end of a colour code, `ESC [ 31 m`, or of a hard blank; `at` if there is none.
    fn skip_colour(self, at: usize) -> usize {
        if self.byte(at).is_none_or(|byte| byte != b'\\' && byte != b'\x1b' && byte.is_ascii()) {
            return at;
        }
        if let Some(blank) = HARD_BLANKS.iter().find(|blank| self.rest(at).starts_with(**blank)) {
            return at + blank.len();
        }
        let Some(escape) = ESCAPES.iter().find(|escape| self.rest(at).starts_with(**escape)) else {
            return at;
        };
        let end = self.within(at + escape.len(), MAX_COLOUR, is_in_colour);
        if self.byte(end) == Some(b'm') { end + 1 } else { at }
    }

    /// The start of blanks and colour codes, back from `at`.
    pub(super) fn skip_blanks_back(self, mut at: usize) -> usize {
        for _ in 0..MAX_COLOURS {
            let blanks = self.skip_back(at, is_blank);
            at = self.skip_colour_back(blanks);
            if at == blanks {
                break;
            }
        }
        at
    }

    /// The start of a colour code or a hard blank that ends at `at`; `at` if there is none.
    fn skip_colour_back(self, at: usize) -> usize {
        if self.byte_before(at).is_none_or(|byte| byte != b'm' && byte.is_ascii()) {
            return at;
        }
        if let Some(blank) = HARD_BLANKS.iter().find(|blank| self.is_preceded_by(at, blank)) {
            return at - blank.len();
        }
        if self.byte_before(at) != Some(b'm') {
            return at;
        }
        let codes = self.within_back(at - 1, MAX_COLOUR, is_in_colour);
        let escape = ESCAPES.iter().find(|escape| self.is_preceded_by(codes, escape));
        escape.map_or(at, |escape| codes - escape.len())
    }

    /// The word at `at`, or its beginning if it is long.
    pub(super) fn word(self, at: usize) -> &'a str {
        let end = self.within(at, MAX_WORD, is_unquoted);
        // The limit can be inside a character.
        self.slice(at, self.skip_back_to(at, end, |byte| byte >= 0x80 && end == at + MAX_WORD))
    }

    /// Whether the text before a position ends with `what`.
    pub(super) fn is_preceded_by(self, place: usize, what: &str) -> bool {
        self.slice(self.start, place).ends_with(what)
    }
}

/// The type of the value of a JSON key at `at`; `None` if there is no value.
pub(super) fn value_shape(scanner: Scanner<'_>, at: usize) -> Option<Shape> {
    let rest = scanner.rest(at);
    let quote = scanner.within(at, MAX_NAME, |byte| byte == b'\\');
    if scanner.byte(quote).is_some_and(is_quote) {
        return Some(Shape::Text);
    }
    match scanner.byte(at)? {
        b'{' => Some(Shape::Object),
        b'[' => Some(Shape::Array),
        b'-' | b'0'..=b'9' => Some(Shape::Number),
        b't' | b'f' if rest.starts_with("true") || rest.starts_with("false") => Some(Shape::Bool),
        _ => None,
    }
}

/// The range of a value of this type at `at`, without quotes.
pub(super) fn value_range(scanner: Scanner<'_>, at: usize, shape: Shape) -> Option<(usize, usize)> {
    match shape {
        Shape::Text => quoted_range(scanner, at),
        Shape::Object | Shape::Array => Some((at, bracket_end(scanner, at))),
        Shape::Number | Shape::Bool | Shape::Null => {
            Some((at, scanner.skip_while(at, |byte| is_unquoted(byte) && !matches!(byte, b'}' | b']'))))
        }
    }
}

/// The range of a quoted text, which may be escaped. Without a closing quote it ends with the text.
pub(super) fn quoted_range(scanner: Scanner<'_>, at: usize) -> Option<(usize, usize)> {
    let quote = scanner.within(at, MAX_NAME, |byte| byte == b'\\');
    scanner.byte(quote).filter(|byte| is_quote(*byte))?;
    Some((quote + 1, closing_quote(scanner, quote, quote - at)))
}

/// The beginning of the text in the quotes at `at`.
pub(super) fn text_in_quotes(scanner: Scanner<'_>, at: usize) -> Option<usize> {
    let quote = scanner.within(at, MAX_WORD, |byte| byte == b'\\');
    scanner.byte(quote).is_some_and(is_quote).then_some(quote + 1)
}

/// The end of a text whose quote has `level` backslashes before it: 0, or 1 inside a text in quotes, or 3 inside two.
pub(super) fn closing_quote(scanner: Scanner<'_>, quote: usize, level: usize) -> usize {
    let (mut at, mut slashes) = (quote + 1, 0);
    while let Some(byte) = scanner.byte(at) {
        if byte == b'\\' {
            slashes += 1;
        } else if scanner.byte(quote) == Some(byte)
            && (slashes < level || ((slashes - level) / (level + 1)).is_multiple_of(2))
        {
            // Some languages write a quote inside a text twice: 'it''s'.
            let is_doubled = level == 0
                && at > quote + 1
                && scanner.byte(at + 1) == Some(byte)
                && scanner.byte(at + 2).is_some_and(|byte| byte.is_ascii_alphanumeric());
            if !is_doubled {
                return at - slashes.min(level);
            }
            at += 1;
            slashes = 0;
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
    matches!(byte, b'"' | b'\'' | b'`')
}

pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// White space within a line.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// A byte of a value without quotes.
pub(super) fn is_unquoted(byte: u8) -> bool {
    !is_space(byte) && !b"\"'`&,;<>)\x1b".contains(&byte)
}

fn is_in_colour(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b';'
}
