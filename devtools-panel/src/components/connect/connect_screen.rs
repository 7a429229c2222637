//! The screen that offers every source of a run.

use leptos::prelude::*;

use super::super::ProblemCard;
use super::Screen;
use super::source_card::{GatewayCard, PasteCard, RecordingCard, TrafficCard};
use crate::browser::devtools;
use crate::store::Store;

/// The screen with a card for each source.
#[component]
pub(crate) fn ConnectScreen() -> impl IntoView {
    let store = expect_context::<Store>();
    let back = move || {
        view! {
            <p class="actions">
                <button type="button" class="btn" data-action="close" on:click=move |_| store.back_to_session()>
                    {move || if store.shows_traffic() { "Back to this page’s traffic" } else { "Back" }}
                </button>
            </p>
        }
    };
    view! {
        <Screen name="connect" heading="Choose a run">
            <ProblemCard />
            <div class="source-cards">
                <Show when=move || devtools::is_available() && !store.shows_traffic()>
                    <TrafficCard />
                </Show>
                <GatewayCard />
                <PasteCard />
                <RecordingCard />
            </div>
            <Show when=move || store.has_session()>{back()}</Show>
        </Screen>
    }
}
