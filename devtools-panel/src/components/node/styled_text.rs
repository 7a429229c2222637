//! Texts with the colours of a terminal.

use leptos::prelude::*;
use runstate::format::visible;
use runstate::redact::redact_message;
use runstate::viewer::{AttemptText, StyledSpan};

use super::super::CopyButton;

/// The parts of a text, each with its style as a class.
pub(super) fn styled_text(spans: &[StyledSpan]) -> impl IntoView + use<> {
    let span = |span: &StyledSpan| {
        let text = visible(&span.text).into_owned();
        let style = span.style;
        if style == runstate::viewer::TextStyle::default() {
            return text.into_any();
        }
        let colour = style.colour.map(|colour| format!("ansi-{colour}"));
        view! { <span class=colour class:ansi-bold=style.is_bold class:ansi-underlined=style.is_underlined>{text}</span> }.into_any()
    };
    spans.iter().map(span).collect_view()
}

/// A whole text with a scroll bar of its own. The copy is without secrets.
#[component]
pub(super) fn TextBlock(
    /// What the text is.
    label: &'static str,
    /// The name of the text for tools.
    name: &'static str,
    /// The text.
    text: AttemptText,
) -> impl IntoView {
    let AttemptText { spans, rest, .. } = text;
    let plain: String = spans.iter().map(|span| &*span.text).collect();
    let copied = redact_message(&plain).unwrap_or(plain);
    view! {
        <div class="error-body" data-field=name>
            <pre tabindex="0" role="group" aria-label=label>{styled_text(&spans)}</pre>
            <CopyButton class="btn btn-small" text=copied label="Copy" attr:data-action=format!("copy-{name}") attr:aria-label=format!("Copy: {label}") />
        </div>
        {rest.map(|rest| view! { <p class="secondary-text">{rest}</p> })}
    }
}
