//! Looking at eight bytes at a time. The module is built for size, so a compiler will not do this by itself.

#![allow(clippy::inline_always)]

const ONES: u64 = 0x0101_0101_0101_0101;
pub(crate) const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Bytes that are zero, marked in their highest bit; above the lowest mark there may be false ones.
#[inline(always)]
pub(crate) const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

#[inline(always)]
pub(crate) const fn every(byte: u8) -> u64 {
    ONES * byte as u64
}

#[inline(always)]
pub(crate) fn word(bytes: &[u8], at: usize) -> Option<u64> {
    let eight: [u8; 8] = bytes.get(at..at + 8)?.try_into().ok()?;
    Some(u64::from_le_bytes(eight))
}

/// The next byte that ends plain text inside quotes: a quote, a backslash or a control character.
#[inline(always)]
pub(crate) fn plain_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(word) = word(bytes, at) {
        let found = zeros(word ^ every(b'"'))
            | zeros(word ^ every(b'\\'))
            | (word.wrapping_sub(every(0x20)) & !word & HIGHS);
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, b'"' | b'\\' | 0..=0x1f) {
            break;
        }
        at += 1;
    }
    at
}

/// Whether these bytes stand at that place.
#[inline(always)]
pub(crate) fn begins_with(bytes: &[u8], at: usize, wanted: &[u8]) -> bool {
    let Some(last) = wanted.len().checked_sub(8) else {
        return bytes.get(at..).is_some_and(|bytes| bytes.starts_with(wanted));
    };
    let mut from = 0;
    while from < last {
        if word(bytes, at + from) != word(wanted, from) {
            return false;
        }
        from += 8;
    }
    word(bytes, at + last) == word(wanted, last)
}

#[cfg(test)]
mod tests {
    use super::plain_end;

    #[test]
    fn plain_text_ends_at_quotes_backslashes_and_controls() {
        for stop in [b'"', b'\\', 0, 0x1f, b'\n'] {
            for place in 0..30 {
                let mut bytes = vec![b'!'; 31];
                bytes[3] = 0xff;
                bytes[4] = 0x80;
                bytes[5] = 0x7f;
                bytes[place] = stop;
                assert_eq!(plain_end(&bytes, 0), place);
            }
        }
        assert_eq!(plain_end(b"abc", 1), 3);
    }
}
