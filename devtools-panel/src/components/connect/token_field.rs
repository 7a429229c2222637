//! The field for a token. Only the field and the connection store the token.

use leptos::html;
use leptos::prelude::*;

use crate::address;
use crate::problem::Problem;

/// A labelled field whose text is never shown.
#[component]
pub(super) fn TokenField(
    /// The label.
    label: &'static str,
    /// The input.
    input: NodeRef<html::Input>,
) -> impl IntoView {
    view! {
        <label class="form-field">
            {label} <input type="password" name="token" autocomplete="off" node_ref=input />
        </label>
    }
}

/// The token in a field; `None` for an empty field.
pub(super) fn field_token(input: NodeRef<html::Input>) -> Result<Option<String>, Problem> {
    address::token(&field_text(input))
}

/// The text in a field.
pub(super) fn field_text(input: NodeRef<html::Input>) -> String {
    input.get_untracked().map(|input| input.value()).unwrap_or_default()
}

/// Writes a text into a field.
pub(super) fn set_field(input: NodeRef<html::Input>, text: &str) {
    if let Some(input) = input.get_untracked() {
        input.set_value(text);
    }
}
