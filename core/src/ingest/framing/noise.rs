//! Bytes between values and tokens that stand for nothing: escape sequences, byte order marks, NUL bytes.

/// The maximum length of an escape sequence that is searched for its end.
const MAX_ESCAPE: usize = 512;

/// The length of the noise at this offset; 0 if there is none.
pub(super) fn noise_length(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..).unwrap_or_default() {
        // NUL, the separator of a JSON text sequence, and an escape sequence that is cut off.
        [0 | 0x1e, ..] | [0x1b] => 1,
        // A byte order mark, zero-width characters, and marks of the direction of text.
        [0xef, 0xbb, 0xbf, ..] | [0xe2, 0x80, 0x8b..=0x8f | 0xaa..=0xae, ..] | [0xe2, 0x81, 0xa0, ..] => 3,
        [0x1b, b'[', parameters @ ..] => {
            let rest = parameters.iter().take(MAX_ESCAPE);
            let length = rest.clone().take_while(|byte| matches!(byte, 0x20..=0x3f)).count();
            let has_end = matches!(parameters.get(length), Some(0x40..=0x7e));
            2 + length + usize::from(has_end)
        }
        // A command for the terminal, such as its title, ends with BEL.
        [0x1b, b']', command @ ..] => {
            let end = command.iter().take(MAX_ESCAPE).position(|byte| matches!(byte, 7 | b'\n'));
            end.map_or(2, |end| 2 + end + usize::from(command[end] == 7))
        }
        // Another escape sequence, and a no-break space.
        [0x1b, _, ..] | [0xc2, 0xa0, ..] => 2,
        _ => 0,
    }
}
