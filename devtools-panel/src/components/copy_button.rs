//! A button that copies a text.

use leptos::prelude::*;
use leptos_use::{UseClipboardReturn, use_clipboard};

use super::Icon;

/// Copies a text. A refusal of the browser is silent: the text is on screen and can be selected.
#[component]
pub(crate) fn CopyButton(
    /// The classes of the button.
    class: &'static str,
    /// What is copied.
    text: String,
    /// The button's words; an icon alone without them.
    #[prop(optional)]
    label: &'static str,
    /// Asked first whether the text is to be copied.
    #[prop(optional)]
    goes_on: Option<Callback<(), bool>>,
) -> impl IntoView {
    let UseClipboardReturn { copy, .. } = use_clipboard();
    let on_click = move |_| {
        if goes_on.is_none_or(|goes_on| goes_on.run(())) {
            copy(&text);
        }
    };
    view! {
        <button type="button" class=class on:click=on_click>
            <Icon outline=icondata_lu::LuCopy.data />
            {label}
        </button>
    }
}
