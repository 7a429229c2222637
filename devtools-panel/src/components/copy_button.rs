//! A button that copies a text and confirms it.

use leptos::prelude::*;

use super::Icon;
use crate::store::Copying;

/// A button that copies a text. It needs an `aria-label`, because its label changes while it confirms.
#[component]
pub(crate) fn CopyButton(
    /// The classes of the button.
    class: &'static str,
    /// The text to copy.
    text: String,
    /// The label of the button; without it, the button has only an icon.
    #[prop(optional, into)]
    label: String,
    /// Called before copying; returns whether to copy.
    #[prop(optional)]
    before_copy: Option<Callback<(), bool>>,
) -> impl IntoView {
    let copying = expect_context::<Copying>();
    let text = StoredValue::new(text);
    let is_copied = Memo::new(move |_| {
        copying.copied.with(|copied| text.with_value(|text| copied.as_ref() == Some(text)))
    });
    let on_click = move |_| {
        if before_copy.is_none_or(|before_copy| before_copy.run(())) {
            copying.copy(text.get_value());
        }
    };
    view! {
        <button type="button" class=class data-copied=move || is_copied.get().then_some("") on:click=on_click>
            {move || {
                let outline = if is_copied.get() { icondata_lu::LuCheck.data } else { icondata_lu::LuCopy.data };
                view! { <Icon outline /> }
            }}
            {move || {
                if is_copied.get() { "Copied".to_owned() } else { label.clone() }
            }}
        </button>
    }
}
