//! A name that is shortened in the middle by the layout.

use leptos::prelude::*;

use crate::text::bounded_name;

/// Characters at the end of a long name that stay visible in a narrow column.
const SUFFIX_LEN: usize = 8;

/// A name that is shortened in the middle if space is short: long names differ at their ends.
#[component]
pub(crate) fn MiddleEllipsis(
    /// The name.
    text: String,
    /// Names of up to this many characters are not shortened.
    short: usize,
) -> impl IntoView {
    let text = bounded_name(&text);
    let is_long = text.chars().count() > short;
    let cut =
        text.char_indices().rev().nth(SUFFIX_LEN - 1).filter(|_| is_long).map_or(text.len(), |(at, _)| at);
    let mut head = text;
    let tail = head.split_off(cut);
    let tail = (!tail.is_empty()).then(|| view! { <span class="middle-cut-end">{tail}</span> });
    view! { <span class="middle-cut"><span class="middle-cut-start">{head}</span>{tail}</span> }
}
