//! Icons: Lucide outlines in the colour of the surrounding text.

use leptos::prelude::*;

/// A decorative icon; the text next to it has the same meaning.
#[component]
pub fn Icon(
    /// The content of the `svg` element.
    outline: &'static str,
) -> impl IntoView {
    view! { <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false" inner_html=outline></svg> }
}
