//! Removes secrets from texts: from an export, and from the messages of an inspected page.
//!
//! Secrets are the values of keys that name them, and what is recognised in running text: by a name before it, by its own
//! characters (`rules.rs`, from the rules of gitleaks), or by the syntax around it. JSON inside a text is read as JSON.

mod calls;
mod codes;
mod commands;
mod descriptions;
mod elements;
mod encoded;
mod events;
mod fields;
mod form;
mod forms;
mod group;
mod http;
mod json_table;
mod keys;
mod lists;
mod literals;
mod logins;
mod members;
mod name_value;
mod named;
mod options;
mod parts;
mod paths;
mod patterns;
mod private_keys;
mod prose;
mod protocols;
mod redactor;
mod replacement;
mod rules;
mod scanner;
mod shell_line;
mod siblings;
mod spelling;
#[cfg(test)]
mod steps;
mod streams;
mod tables;
mod values;
#[cfg(test)]
mod work;

pub(crate) use keys::{Keys, Rule, Shape};
pub(crate) use paths::PathRule;
pub(crate) use redactor::Redactor;
pub(crate) use replacement::{REDACTED, is_redacted};

use crate::json::Slice;

/// Returns a message of a server, JSON or not, without its secrets; `None` if it has none. Paths are kept: unlike an export, the
/// message stays on the machine.
///
/// ```
/// use runstate::redact::redact_message;
///
/// let clean = redact_message(r#"{"runId": "r1", "error": "password=sesame", "token": "t-1"}"#);
/// assert_eq!(clean.as_deref(), Some(r#"{"runId":"r1","error":"password=[redacted]","token":"[redacted]"}"#));
/// assert_eq!(redact_message(r#"{"runId": "r1", "cwd": "/srv/app"}"#), None);
/// ```
pub fn redact_message(text: &str) -> Option<String> {
    StreamRedactor::default().redact(text)
}

/// Whether an export hides the whole value of a key.
pub(crate) fn is_hidden(key: &str, value: Slice<'_>) -> bool {
    Keys::default().rule(key, Shape::from_token(value.token().ok())) != Rule::Keep
}

/// Removes the secrets of the messages of one stream, in their order. A private key can have its lines in several messages, and
/// a password can be in the message after the one that asks for it.
///
/// ```
/// use runstate::redact::StreamRedactor;
///
/// let mut stream = StreamRedactor::default();
/// assert_eq!(stream.redact(r#"{"text":"Password:"}"#), None);
/// assert_eq!(stream.redact(r#"{"text":"hunter2"}"#).as_deref(), Some(r#"{"text":"[redacted]"}"#));
/// assert_eq!(stream.redact(r#"{"text":"hunter2"}"#), None);
/// ```
pub struct StreamRedactor(Redactor);

impl Default for StreamRedactor {
    fn default() -> Self {
        Self(Redactor::new(&[], PathRule::Keep))
    }
}

impl StreamRedactor {
    /// Returns the next message without its secrets; `None` if it has none.
    pub fn redact(&mut self, message: &str) -> Option<String> {
        let before = self.0.new_count;
        self.0.forget_numbers();
        self.0.use_numbers(message.as_bytes());
        let clean = match Slice::from_text(message) {
            Ok(value) => self.0.json(value),
            Err(_) => self.0.text(message),
        };
        (self.0.new_count > before).then_some(clean)
    }
}

#[cfg(test)]
mod tests {
    use super::StreamRedactor;

    #[test]
    fn keys_are_numbered_in_each_message_anew() {
        let mut stream = StreamRedactor::default();
        for user in ["ann", "mira"] {
            let message = format!(r#"{{"token {user}1: password=x7{user}y":1}}"#);
            let clean = stream.redact(&message).unwrap();
            assert!(clean.contains("password=[redacted]"), "{clean}");
        }
    }
}
