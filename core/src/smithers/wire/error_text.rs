//! The text of an error, the same for rows, answers and events.

use crate::json::{Slice, fields, optional, optionals};
use crate::text::concat;

/// The text of the server's error: the summary or message, and the message of its cause. `None` if the JSON is not an
/// error: the same column may contain a quota's numbers.
pub(crate) fn error_text(json: &str) -> Option<String> {
    let Ok(value) = Slice::from_text(json) else {
        return (!json.trim_ascii().is_empty()).then(|| json.to_owned());
    };
    if let Some(text) = value.text() {
        return not_blank(Some(text));
    }
    let [name, message, summary, cause] = fields(value, ["name", "message", "summary", "cause"]).ok()?;
    let [name, message, summary] = optionals([name, message, summary], Slice::read_text).ok()?;
    let [name, message, summary] = [name, message, summary].map(not_blank);
    let text = summary.or(message.map(without_link)).or(name);
    let cause =
        cause.and_then(|cause| optional(fields(cause, ["message"]).ok()?[0], Slice::read_text).ok()?);
    match (text, not_blank(cause).map(without_link)) {
        (Some(text), Some(cause)) if !text.contains(&cause) => Some(concat(&[&text, ": ", &cause])),
        (text, cause) => text.or(cause),
    }
}

fn not_blank(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
}

/// Removes the link that Smithers appends to an error's message, as the summary of seed 002 does.
pub(crate) fn without_link(message: String) -> String {
    match message.rsplit_once(" See https://smithers.sh/") {
        Some((summary, link)) if !link.contains(' ') => summary.to_owned(),
        Some(_) | None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::error_text;

    #[test]
    fn errors_become_words() {
        for (json, text) in [
            (
                r#"{"name":"E","message":"m See u","summary":"m","cause":{"message":"disk is full"}}"#,
                Some("m: disk is full"),
            ),
            (r#"{"name":"E","message":"disk is full","cause":{"message":"full"}}"#, Some("disk is full")),
            (r#"{"name":"E","cause":7}"#, Some("E")),
            (r#"{"message":"disk full","cause":{"message":""}}"#, Some("disk full")),
            (
                r#"{"message":"Task failed: write See https://smithers.sh/reference/errors."}"#,
                Some("Task failed: write"),
            ),
            (
                r#"{"message":"a See https://smithers.sh/x and more"}"#,
                Some("a See https://smithers.sh/x and more"),
            ),
            (
                r#"{"message":"Task failed: sub","cause":{"message":"no output See https://smithers.sh/reference/errors"}}"#,
                Some("Task failed: sub: no output"),
            ),
            (r#""just text""#, Some("just text")),
            ("not json", Some("not json")),
            (r#"{"quotaBlockedCount":2}"#, None),
            (r#"{"message":7}"#, None),
            (r#"{"message":" "}"#, None),
            (r#"{"name":"TypeError","message":"","summary":""}"#, Some("TypeError")),
            (r#""""#, None),
            ("null", None),
            (" ", None),
        ] {
            assert_eq!(error_text(json).as_deref(), text, "{json}");
        }
    }
}
