//! The cards of the connect screen: one for each source.

use leptos::prelude::*;
use runstate::viewer::Place;

use super::super::Icon;
use super::gateway_form::GatewayForm;
use super::paste_form::PasteForm;
use crate::store::Sessions;

/// The form that connects to a Gateway, with its heading.
#[component]
pub(crate) fn GatewayCard() -> impl IntoView {
    view! {
        <SourceCard outline=icondata_lu::LuPlug.data heading="Connect to a Gateway">
            <GatewayForm />
        </SourceCard>
    }
}

/// The form that opens files and pasted text, with its heading.
#[component]
pub(crate) fn PasteCard() -> impl IntoView {
    view! {
        <SourceCard outline=icondata_lu::LuClipboardPaste.data heading="Open or paste">
            <PasteForm />
        </SourceCard>
    }
}

/// The button that returns to the traffic of the inspected page.
#[component]
pub(super) fn TrafficCard() -> impl IntoView {
    let sessions = expect_context::<Sessions>();
    view! {
        <SourceCard outline=icondata_lu::LuEye.data heading="Show this page’s traffic">
            "Runs that appear in the inspected page’s traffic with a Gateway or Studio. Runstate sends no requests."
            <p class="actions">
                <button type="button" class="btn btn-small" data-action="traffic" on:click=move |_| sessions.open_traffic()>
                    "Show the page’s runs"
                </button>
            </p>
        </SourceCard>
    }
}

/// The button that opens the built-in recording.
#[component]
pub(super) fn RecordingCard() -> impl IntoView {
    let sessions = expect_context::<Sessions>();
    view! {
        <SourceCard outline=icondata_lu::LuHistory.data heading="See an example">
            "A recorded run, included."
            <p class="actions">
                <button type="button" class="btn btn-small" data-action="example" on:click=move |_| sessions.open_recording(Place::default())>
                    "See an example"
                </button>
            </p>
        </SourceCard>
    }
}

/// A card with an icon and a heading.
#[component]
fn SourceCard(
    /// The icon.
    outline: &'static str,
    /// The heading.
    heading: &'static str,
    /// The content of the card.
    children: Children,
) -> impl IntoView {
    view! {
        <div class="source-card">
            <Icon outline />
            <h3>{heading}</h3>
            <div>{children()}</div>
        </div>
    }
}
