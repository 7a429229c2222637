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
mod form;
mod forms;
mod group;
mod http;
mod keys;
mod lists;
mod literals;
mod members;
mod name_value;
mod named;
mod options;
mod parts;
mod paths;
mod patterns;
mod private_keys;
mod prose;
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
pub(crate) use replacement::REDACTED;

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
    let mut redactor = Redactor::new(&[], PathRule::Keep);
    let clean = match Slice::from_text(text) {
        Ok(value) => redactor.json(value),
        Err(_) => redactor.text(text),
    };
    (redactor.new_count > 0).then_some(clean)
}
