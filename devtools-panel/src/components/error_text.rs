//! A whole error text, to read and to copy.

use leptos::prelude::*;
use runstate::format::visible;
use runstate::redact::redact_message;

use super::CopyButton;
use crate::text::long_text;

/// The text with a scroll bar of its own. The copy is as long as the text, without secrets.
#[component]
pub(crate) fn ErrorText(
    /// The error.
    error: String,
) -> impl IntoView {
    let shown = long_text(&error);
    let whole = visible(&error).into_owned();
    let copied = redact_message(&whole).unwrap_or(whole);
    view! {
        <div class="error-body">
            <pre tabindex="0" role="group" aria-label="Error">{shown}</pre>
            <CopyButton
                class="btn btn-small"
                text=copied
                label="Copy error"
                attr:data-action="copy-error"
                attr:aria-label="Copy error"
            />
        </div>
    }
}
