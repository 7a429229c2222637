//! Texts of the printout without their secrets: unlike the screen, paper is given to others.

use runstate::redact::redact_message;
use runstate::summary::{Answer, Span};

/// The text without its secrets.
pub(super) fn without_secrets(text: String) -> String {
    redact_message(&text).unwrap_or(text)
}

/// Removes the secrets from the sentences of an answer.
pub(super) fn clean_answer(answer: &mut Answer) {
    let Answer { sentence, meta, because, notes, .. } = answer;
    for part in [sentence, meta, because].into_iter().chain(notes).flatten() {
        if let Span::Text { text } | Span::Code { text } = part {
            *text = without_secrets(std::mem::take(text));
        }
    }
}
