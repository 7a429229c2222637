//! Text with the matches of a search.

use std::ops::Range;

use leptos::prelude::*;

use super::Isolated;
use crate::text::bounded_name;

/// Text with search matches marked; very long text is shortened first.
pub(super) fn marked(text: &str, hits: &[Range<usize>]) -> AnyView {
    let shown = bounded_name(text);
    if hits.is_empty() || shown != text {
        return view! { <Isolated text=shown /> }.into_any();
    }
    let mut pieces = Vec::new();
    let mut end = 0;
    for hit in hits {
        pieces.push(view! { <Isolated text=text[end..hit.start].to_owned() /> }.into_any());
        pieces.push(view! { <mark><Isolated text=text[hit.clone()].to_owned() /></mark> }.into_any());
        end = hit.end;
    }
    pieces.push(view! { <Isolated text=text[end..].to_owned() /> }.into_any());
    pieces.into_any()
}
