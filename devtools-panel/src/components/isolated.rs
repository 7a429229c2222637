//! Text in which words of scripts that run from right to left do not reorder the words and numbers around them.

use leptos::prelude::*;

use crate::text::right_to_left_words;

/// A text that may have data inside a sentence. It is shown as it is, with each sequence of right-to-left words in an element that
/// isolates its direction.
#[component]
pub(crate) fn Isolated(
    /// The text.
    text: String,
) -> impl IntoView {
    let mut pieces = Vec::new();
    let mut end = 0;
    for word in right_to_left_words(&text) {
        pieces.push(text[end..word.start].to_owned().into_any());
        pieces.push(view! { <bdi>{text[word.clone()].to_owned()}</bdi> }.into_any());
        end = word.end;
    }
    if pieces.is_empty() {
        return text.into_any();
    }
    pieces.push(text[end..].to_owned().into_any());
    pieces.into_any()
}
