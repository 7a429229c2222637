//! The text that replaces a secret.

use std::collections::HashMap;

use memchr::memmem;

use crate::text::concat;

/// The replacement of a secret.
pub(crate) const REDACTED: &str = "[redacted]";

/// The beginning of a replacement with a number: `[redacted-2]`.
pub(super) const REDACTED_START: &str = "[redacted";

/// Maximum length of the number of a replacement, with its `-`.
const MAX_NUMBER: usize = 12;

/// Whether this is an earlier redaction, with or without a number.
pub(crate) fn is_redacted(secret: &str) -> bool {
    let number = secret.strip_prefix(REDACTED_START).and_then(|rest| rest.strip_suffix(']'));
    number.is_some_and(|number| number.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()))
}

/// The length of an earlier redaction at the beginning of a text, with or without a number.
pub(super) fn redaction_length(text: &str) -> Option<usize> {
    let rest = text.strip_prefix(REDACTED_START)?;
    let number =
        rest.bytes().take(MAX_NUMBER).take_while(|byte| *byte == b'-' || byte.is_ascii_digit()).count();
    rest.get(number..)?.starts_with(']').then_some(REDACTED_START.len() + number + 1)
}

/// Maximum number of digits of an earlier number after which others are counted, so that a replacement stays one.
const MAX_DIGITS: usize = 9;

/// The secrets in keys and ids, and their numbers. With numbers, the keys of an object and the ids of a document stay different.
#[derive(Default)]
pub(super) struct NumberedSecrets {
    numbers: HashMap<String, u64>,
    /// The last number of an earlier redaction of the same texts.
    used: u64,
}

impl NumberedSecrets {
    /// Leaves out the numbers of the earlier redactions in a text.
    pub(super) fn use_numbers(&mut self, text: &[u8]) {
        let start = REDACTED_START.as_bytes();
        for at in memmem::find_iter(text, start) {
            let rest = &text[at + start.len()..];
            self.used = self.used.max(earlier_number(rest).unwrap_or_default());
        }
    }

    /// The replacement of a secret in a key or an id. The first secret has no number.
    pub(super) fn replacement(&mut self, secret: &str) -> String {
        let next = self.used + self.numbers.len() as u64 + 1;
        match *self.numbers.entry(secret.to_owned()).or_insert(next) {
            1 => REDACTED.to_owned(),
            number => concat(&[REDACTED_START, "-", &number.to_string(), "]"]),
        }
    }
}

/// The number of an earlier redaction, after its beginning.
fn earlier_number(rest: &[u8]) -> Option<u64> {
    if rest.first() == Some(&b']') {
        return Some(1);
    }
    let digits = rest.strip_prefix(b"-")?;
    let length = digits.iter().take(MAX_DIGITS + 1).take_while(|byte| byte.is_ascii_digit()).count();
    let is_number = length <= MAX_DIGITS && digits.get(length) == Some(&b']');
    str::from_utf8(&digits[..length]).ok().filter(|_| is_number)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{NumberedSecrets, is_redacted, redaction_length};

    #[test]
    fn numbers_continue_after_earlier_ones() {
        for (text, expected) in [
            ("", "[redacted]"),
            ("a [redacted] b", "[redacted-2]"),
            ("[redacted-7] [redacted-3]", "[redacted-8]"),
            ("[redacted-x] [redacted", "[redacted]"),
            ("[redacted-9999999999]", "[redacted]"),
            ("[redacted-999999999]", "[redacted-1000000000]"),
        ] {
            let mut secrets = NumberedSecrets::default();
            secrets.use_numbers(text.as_bytes());
            let replacement = secrets.replacement("sesame");
            assert_eq!(replacement, expected, "{text}");
            assert!(is_redacted(&replacement) && redaction_length(&replacement).is_some());
        }
    }
}
