//! A button that copies from the value in the worker, and confirms it.

use leptos::prelude::*;
use leptos::task::spawn_local;
use runstate::viewer::NodeCopy;

use super::super::Icon;
use crate::store::{Copying, CurrentSession};

/// The button. The worker removes the secrets from the copy.
#[component]
pub(super) fn CopyValue(
    /// What is copied.
    what: NodeCopy,
    /// The name of the button for tools.
    name: &'static str,
    /// The label of the button.
    label: &'static str,
    /// Whether there is nothing to copy.
    #[prop(optional, into)]
    is_disabled: Signal<bool>,
) -> impl IntoView {
    let (session, copying) = (expect_context::<CurrentSession>(), expect_context::<Copying>());
    let last = RwSignal::new(None::<String>);
    let is_copied = Memo::new(move |_| {
        copying.copied.with(|copied| copied.is_some() && last.with(|last| copied == last))
    });
    let on_click = move |_| {
        if let Some(text) = session.copy_from_node(what) {
            spawn_local(async move {
                if let Some(text) = text.await {
                    // Fails only after the button has been removed.
                    let _ = last.try_set(Some(text.clone()));
                    copying.copy(text);
                }
            });
        }
    };
    view! {
        <button
            type="button"
            class="btn btn-small"
            data-action=format!("copy-{name}")
            data-copied=move || is_copied.get().then_some("")
            disabled=move || is_disabled.get()
            on:click=on_click
        >
            {move || {
                let outline = if is_copied.get() { icondata_lu::LuCheck.data } else { icondata_lu::LuCopy.data };
                view! { <Icon outline /> }
            }}
            {move || if is_copied.get() { "Copied" } else { label }}
        </button>
    }
}
