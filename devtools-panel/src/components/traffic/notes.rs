//! The missing parts of the traffic, their causes, and the possible remedies.

use leptos::prelude::*;
use runstate::viewer::{ConnectTarget, TrafficNote};
use runstate::word::Vocabulary as _;

use super::super::{Icon, Isolated};
use crate::browser::devtools;
use crate::store::{ScreenState, SessionData, Sessions, select};
use crate::text::bounded;

/// One line per note.
#[component]
pub(crate) fn TrafficNotes() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let notes = select(data.traffic, |traffic| traffic.notes.clone());
    view! {
        <Show when=move || notes.with(|notes| !notes.is_empty())>
            <ul class="traffic-notes" aria-label="Missing traffic">
                <For each=move || notes.get() key=|note| note.kind let:note>
                    <Note note=note notes=notes />
                </For>
            </ul>
        </Show>
    }
}

/// A note with its buttons, which stay while its text changes.
#[component]
fn Note(
    /// The note when it was first drawn.
    note: TrafficNote,
    /// All current notes.
    notes: Memo<Vec<TrafficNote>>,
) -> impl IntoView {
    let kind = note.kind;
    let text = Memo::new(move |before: Option<&String>| {
        let now =
            notes.with(|notes| notes.iter().find(|each| each.kind == kind).map(|each| each.text.clone()));
        now.or_else(|| before.cloned()).unwrap_or_default()
    });
    let target = Memo::new(move |_| {
        notes.with(|notes| notes.iter().find(|each| each.kind == kind).and_then(|each| each.connect.clone()))
    });
    view! {
        <li class="note" data-field="traffic-note" data-value=kind.as_str()>
            <Icon outline=icondata_lu::LuInfo.data />
            <span>{move || view! { <Isolated text=bounded(&text.get()) /> }}</span>
            {note.reload.then(|| view! { <ReloadButton /> })}
            <Show when=move || target.with(Option::is_some)>
                <ConnectButton target=target />
            </Show>
        </li>
    }
}

/// The button that connects to the Gateway of the run on screen, for a page's traffic.
#[component]
pub(crate) fn ConnectToRun() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let target = select(data.traffic, |traffic| traffic.connect.clone());
    view! {
        <Show when=move || target.with(Option::is_some)>
            <ConnectButton target=target />
        </Show>
    }
}

/// The button that reloads the inspected page.
#[component]
pub(super) fn ReloadButton() -> impl IntoView {
    view! {
        <button type="button" class="btn btn-small" data-action="reload-page" on:click=|_| devtools::reload()>
            <Icon outline=icondata_lu::LuRotateCw.data />
            "Reload page"
        </button>
    }
}

/// The button that opens the form to connect to a Gateway, filled in.
#[component]
fn ConnectButton(
    /// The address and the run to fill in.
    target: Memo<Option<ConnectTarget>>,
) -> impl IntoView {
    let sessions = expect_context::<Sessions>();
    let state = expect_context::<ScreenState>();
    let connect = move |_| {
        let ConnectTarget { address, run_id, .. } = target.get_untracked().unwrap_or_default();
        sessions.fill_in_gateway(address, run_id);
        state.choose_source();
    };
    view! {
        <button type="button" class="btn btn-small" data-action="choose-source" on:click=connect>
            <Icon outline=icondata_lu::LuPlug.data />
            "Connect…"
        </button>
    }
}
