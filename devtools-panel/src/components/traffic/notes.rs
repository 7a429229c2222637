//! What is missing of the traffic, why, and what can be done.

use leptos::prelude::*;
use runstate::word::Vocabulary as _;

use super::super::Icon;
use super::part;
use crate::devtools;
use crate::store::Store;

/// One line for each note.
#[component]
pub(crate) fn TrafficNotes() -> impl IntoView {
    let store = expect_context::<Store>();
    let notes = part(store, |traffic| traffic.notes.clone());
    view! {
        <Show when=move || notes.with(|notes| !notes.is_empty())>
            <ul class="traffic-notes" aria-label="Missing traffic">
                <For each=move || notes.get() key=|note| (note.kind, note.text.clone()) let:note>
                    <li class="note" data-field="traffic-note" data-value=note.kind.as_str()>
                        <Icon outline=icondata_lu::LuInfo.data />
                        <span>{note.text}</span>
                        {note.reload.then(|| view! { <ReloadButton /> })}
                        {note.connect.then(|| view! { <ConnectButton /> })}
                    </li>
                </For>
            </ul>
        </Show>
    }
}

/// Reloads the inspected page.
#[component]
pub(super) fn ReloadButton() -> impl IntoView {
    view! {
        <button type="button" class="btn btn-s" data-action="reload-page" on:click=|_| devtools::reload()>
            <Icon outline=icondata_lu::LuRotateCw.data />
            "Reload page"
        </button>
    }
}

/// Opens the screen with the form that connects to a Gateway.
#[component]
fn ConnectButton() -> impl IntoView {
    let store = expect_context::<Store>();
    view! {
        <button type="button" class="btn btn-s" data-action="choose-source" on:click=move |_| store.choose_source()>
            <Icon outline=icondata_lu::LuPlug.data />
            "Connect…"
        </button>
    }
}
