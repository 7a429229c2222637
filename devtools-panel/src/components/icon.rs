//! Icons: Lucide outlines in the colour of the text around them.

use leptos::prelude::*;

/// A decorative icon; the word next to it says the same.
#[component]
pub fn Icon(
    /// The content of the `svg` element.
    outline: &'static str,
) -> impl IntoView {
    view! { <svg class="i" viewBox="0 0 24 24" aria-hidden="true" focusable="false" inner_html=outline></svg> }
}
