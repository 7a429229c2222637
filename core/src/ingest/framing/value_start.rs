//! Where a value may begin amid text, and where reading continues behind a failure.

use memchr::memchr;

use super::noise::noise_length;

/// Where reading continues behind a failure: two bytes before it, if the quote there belongs to a glued value and closed
/// the string of the value that was cut off.
pub(super) fn resume_at(bytes: &[u8], at: usize, fault_at: usize) -> usize {
    match fault_at.checked_sub(2).filter(|begin| *begin > at).and_then(|begin| bytes.get(begin..fault_at)) {
        Some(b"{\"") => fault_at - 2,
        Some(_) | None => fault_at.max(at + 1),
    }
}

/// The first key of an object, as it is written.
pub(super) fn first_key(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let rest = bytes.get(at + 1..)?.trim_ascii_start().strip_prefix(b"\"")?;
    let rest = rest.get(..rest.len().min(64))?;
    rest.get(..memchr(b'"', rest)?)
}

/// Whether a value may begin at `at`: an object with a key, or a list. Amid text, brackets often mean something else.
pub(super) fn may_begin(bytes: &[u8], at: usize, is_line_start: bool) -> bool {
    let object = bytes.get(at) == Some(&b'{');
    if !object && bytes.get(at) != Some(&b'[') {
        return false;
    }
    let mut next = at + 1;
    loop {
        match bytes.get(next) {
            // Behind a prefix, the next line begins with one, too.
            Some(b'\n') if !is_line_start => return true,
            Some(b' ' | b'\n' | b'\r' | b'\t') => next += 1,
            Some(b'"') if object => return true,
            Some(b'}') if object => return is_line_start,
            Some(b'{') if !object => return true,
            Some(b'[' | b']' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') if !object => {
                return is_line_start;
            }
            Some(_) => match noise_length(bytes, next) {
                0 => return false,
                length => next += length,
            },
            None => return object && is_line_start,
        }
    }
}
