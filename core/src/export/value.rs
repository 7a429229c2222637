//! Where a value in running text begins and ends: text in quotes, an object, a list, a number or a bare word.

use super::keys::Shape;
use super::patterns::REDACTED;
use super::walk::Walk;

/// Where the value at `at` begins and ends, without its quotes; `None` where it is none.
pub(super) fn extent(walk: Walk<'_>, at: usize) -> Option<(usize, usize, Shape)> {
    if let Some((begin, end)) = quoted(walk, at) {
        return Some((begin, end, Shape::Text));
    }
    let rest = walk.rest(at);
    let bare = |shape| Some((at, walk.over(at, |byte| is_bare(byte) && !matches!(byte, b'}' | b']')), shape));
    match walk.byte(at)? {
        // Text that was left out before.
        b'[' if rest.starts_with(REDACTED) => Some((at, at + REDACTED.len(), Shape::Text)),
        b'{' => Some((at, bracketed(walk, at), Shape::Object)),
        b'[' => Some((at, bracketed(walk, at), Shape::Array)),
        b'-' | b'0'..=b'9' => bare(Shape::Number),
        b't' | b'f' if rest.starts_with("true") || rest.starts_with("false") => bare(Shape::Bool),
        _ => None,
    }
}

/// Where text in quotes begins and ends, without them; it may be escaped itself. Without its end it goes on to the text's.
pub(super) fn quoted(walk: Walk<'_>, at: usize) -> Option<(usize, usize)> {
    let quote = walk.over(at, |byte| byte == b'\\');
    walk.byte(quote).filter(|byte| is_quote(*byte))?;
    Some((quote + 1, closing(walk, quote, quote - at)))
}

/// Where text ends that begins after a quote with `level` backslashes in front of it: 0, 1 inside text in quotes, 3 inside two
/// of those.
fn closing(walk: Walk<'_>, quote: usize, level: usize) -> usize {
    let (mut at, mut slashes) = (quote + 1, 0);
    while let Some(byte) = walk.byte(at) {
        if byte == b'\\' {
            slashes += 1;
        } else if walk.byte(quote) == Some(byte)
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

/// Where an object or a list ends; without its end it goes on to the text's.
fn bracketed(walk: Walk<'_>, begin: usize) -> usize {
    let (mut depth, mut slashes, mut at) = (0_usize, 0, begin);
    while let Some(byte) = walk.byte(at) {
        at += 1;
        match byte {
            b'\\' => {
                slashes += 1;
                continue;
            }
            b'"' | b'\'' => at = closing(walk, at - 1, slashes) + slashes + 1,
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 1 => return at,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        slashes = 0;
    }
    walk.text.len()
}

pub(super) fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

pub(super) fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'')
}

/// What a secret without quotes has.
pub(super) fn is_bare(byte: u8) -> bool {
    !is_space(byte) && !b"\"'&,;<>)".contains(&byte)
}
