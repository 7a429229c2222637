//! A search field.

use leptos::html;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

use super::Icon;
use super::keys::{Shortcut, SingleKeys};

/// A search field, which a key of the panel focuses.
#[component]
pub(super) fn SearchBox(
    /// The name of the field, for tests and tools.
    name: &'static str,
    /// The accessible name.
    label: &'static str,
    /// The text while the field is empty.
    placeholder: &'static str,
    /// What a search finds, if the placeholder does not say all.
    #[prop(optional)]
    help: &'static str,
    /// The ids of the elements that describe the field.
    #[prop(optional, into)]
    described_by: Option<String>,
    /// The field, for code that focuses it.
    #[prop(optional)]
    field: NodeRef<html::Input>,
    /// The text.
    #[prop(into)]
    value: Signal<String>,
    /// Receives the text when a person changes it.
    on_search: impl Fn(String) + 'static,
    /// Receives the keys.
    on_key: impl Fn(KeyboardEvent) + 'static,
) -> impl IntoView {
    let single_keys = expect_context::<SingleKeys>();
    view! {
        <label class="search">
            <Icon outline=icondata_lu::LuSearch.data />
            <span class="visually-hidden">{label}</span>
            <input
                type="search"
                name=name
                placeholder=placeholder
                autocomplete="off"
                spellcheck="false"
                title=(!help.is_empty()).then_some(help)
                aria-describedby=described_by
                aria-keyshortcuts=move || single_keys.key(Shortcut::Search)
                node_ref=field
                prop:value=value
                on:input=move |event| on_search(event_target_value(&event))
                on:keydown=move |event| {
                    if !event.is_composing() {
                        on_key(event);
                    }
                }
            />
            {move || single_keys.key(Shortcut::Search).map(|key| view! { <kbd aria-hidden="true">{key}</kbd> })}
        </label>
    }
}
