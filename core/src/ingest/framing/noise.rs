//! Bytes between values and tokens that stand for nothing: escape sequences, byte order marks, NUL bytes.

use crate::text::escape_sequence_length;

/// The length of the noise at this offset; 0 if there is none.
pub(super) fn noise_length(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..).unwrap_or_default() {
        // NUL, and the separator of a JSON text sequence.
        [0 | 0x1e, ..] => 1,
        // A byte order mark, zero-width characters, and marks of the direction of text.
        [0xef, 0xbb, 0xbf, ..] | [0xe2, 0x80, 0x8b..=0x8f | 0xaa..=0xae, ..] | [0xe2, 0x81, 0xa0, ..] => 3,
        // A no-break space.
        [0xc2, 0xa0, ..] => 2,
        rest => escape_sequence_length(rest),
    }
}
