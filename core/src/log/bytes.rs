//! Looking at eight bytes at a time. The module is built for size, so a compiler will not do this by itself.

use crate::json::words::{HIGHS, every, word, zeros};

/// What a line holds beside its end.
#[derive(Clone, Copy, Default)]
pub(super) struct LineBytes {
    /// A byte that is not ASCII, to be checked as UTF-8.
    pub(super) beyond_ascii: bool,
}

/// Where the line that begins here ends: its newline, and what was seen before. `None` where there is no newline yet.
pub(super) fn line_end(bytes: &[u8], from: usize) -> Option<(usize, LineBytes)> {
    let (mut at, mut high) = (from, 0);
    while let Some(word) = word(bytes, at) {
        let newline = zeros(word ^ every(b'\n'));
        if newline != 0 {
            let before = (newline & newline.wrapping_neg()) - 1;
            high |= word & HIGHS & before;
            let end = at + (newline.trailing_zeros() / 8) as usize;
            return Some((end, LineBytes { beyond_ascii: high != 0 }));
        }
        high |= word & HIGHS;
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let beyond_ascii = high != 0 || rest.iter().take(end).any(|byte| !byte.is_ascii());
    Some((at + end, LineBytes { beyond_ascii }))
}

/// A number for these bytes that other bytes seldom have.
pub(super) fn hash(bytes: &[u8]) -> u32 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = bytes.len() as u64 ^ MIX;
    let mut at = 0;
    while let Some(word) = word(bytes, at) {
        state = (state.rotate_left(23) ^ word).wrapping_mul(MIX);
        at += 8;
    }
    let mut last = 0;
    for byte in bytes.get(at..).unwrap_or_default() {
        last = last << 8 | u64::from(*byte);
    }
    state = (state.rotate_left(23) ^ last).wrapping_mul(MIX);
    (state ^ state >> 32) as u32
}

/// The first place of a text in another, in ASCII without regard to case. `wanted` is in lower case.
pub(super) fn holds_ignoring_case(bytes: &[u8], wanted: &[u8]) -> bool {
    let Some((first, rest)) = wanted.split_first() else { return true };
    let upper = first.to_ascii_uppercase();
    let mut at = 0;
    while let Some(found) = next_of(bytes, at, *first, upper) {
        let follows = bytes.get(found + 1..found + wanted.len());
        if follows.is_some_and(|follows| follows.eq_ignore_ascii_case(rest)) {
            return true;
        }
        at = found + 1;
    }
    false
}

fn next_of(bytes: &[u8], from: usize, lower: u8, upper: u8) -> Option<usize> {
    let mut at = from;
    while let Some(word) = word(bytes, at) {
        let found = zeros(word ^ every(lower)) | zeros(word ^ every(upper));
        if found != 0 {
            return Some(at + (found.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let rest = bytes.get(at..)?;
    rest.iter().position(|byte| *byte == lower || *byte == upper).map(|place| at + place)
}

#[cfg(test)]
mod tests {
    use super::{hash, holds_ignoring_case, line_end};

    #[test]
    fn a_newline_is_found_wherever_it_stands() {
        for length in 0..40 {
            for newline in 0..length {
                let mut bytes = vec![b'a'; length];
                bytes[newline] = b'\n';
                let after = bytes.get_mut(newline + 1);
                if let Some(after) = after {
                    *after = 0xc3;
                }
                let (end, seen) = line_end(&bytes, 0).unwrap();
                assert_eq!((end, seen.beyond_ascii), (newline, false));
                if newline > 0 {
                    bytes[newline - 1] = 0x8a;
                    assert!(line_end(&bytes, 0).unwrap().1.beyond_ascii);
                }
            }
            assert!(line_end(&vec![0x0b; length], 0).is_none());
        }
    }

    #[test]
    fn texts_are_found_without_regard_to_case() {
        let line = "{\"type\":\"NodeFailed\",\"nodeId\":\"Bauen-ü\"}".as_bytes();
        for wanted in ["", "nodefailed", "bauen-ü", "}", "{", "d\",\"n"] {
            assert!(holds_ignoring_case(line, wanted.as_bytes()), "{wanted}");
        }
        for wanted in ["nodefailed2", "ö", "}}", "  "] {
            assert!(!holds_ignoring_case(line, wanted.as_bytes()), "{wanted}");
        }
    }

    #[test]
    fn hashes_tell_bytes_apart() {
        let texts = ["", "a", "b", "ab", "ba", "abcdefgh", "abcdefghi", "bbcdefgh", "\0", "\0\0"];
        let mut hashes: Vec<u32> = texts.iter().map(|text| hash(text.as_bytes())).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), texts.len());
    }
}
