//! The text that replaces a secret.

use std::collections::HashMap;

use crate::text::concat;

/// The replacement of a secret.
pub(crate) const REDACTED: &str = "[redacted]";

/// The beginning of a replacement with a number: `[redacted-2]`.
pub(super) const REDACTED_START: &str = "[redacted";

/// Maximum length of the number of a replacement, with its `-`.
const MAX_NUMBER: usize = 12;

/// Whether this is an earlier redaction, with or without a number.
pub(super) fn is_redacted(secret: &str) -> bool {
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

/// The secrets in keys, and their numbers. With numbers, the keys of an object stay different.
#[derive(Default)]
pub(super) struct NumberedSecrets(HashMap<String, usize>);

impl NumberedSecrets {
    /// The replacement of a secret in a key. The first secret has no number.
    pub(super) fn replacement(&mut self, secret: &str) -> String {
        let next = self.0.len() + 1;
        match *self.0.entry(secret.to_owned()).or_insert(next) {
            1 => REDACTED.to_owned(),
            number => concat(&[REDACTED_START, "-", &number.to_string(), "]"]),
        }
    }
}
