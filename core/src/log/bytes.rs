//! Searching bytes of a log.

use memchr::memchr2_iter;

use crate::json::words::word;

/// Whether a text stands in another, in ASCII without regard to case. `wanted` is in lower case.
pub(super) fn holds_ignoring_case(bytes: &[u8], wanted: &[u8]) -> bool {
    let Some((first, rest)) = wanted.split_first() else { return true };
    memchr2_iter(*first, first.to_ascii_uppercase(), bytes).any(|found| {
        let follows = bytes.get(found + 1..found + wanted.len());
        follows.is_some_and(|follows| follows.eq_ignore_ascii_case(rest))
    })
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

#[cfg(test)]
mod tests {
    use super::{hash, holds_ignoring_case};

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
