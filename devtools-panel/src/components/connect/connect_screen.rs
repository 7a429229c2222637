//! The screen that offers every source of a run.

use leptos::prelude::*;
use runstate::viewer;

use super::super::ProblemCard;
use super::Screen;
use super::source_card::{GatewayCard, PasteCard, RecordingCard, TrafficCard};
use crate::browser::devtools;
use crate::store::{SessionData, Sessions};

/// The screen with a card for each source.
#[component]
pub(crate) fn ConnectScreen() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let sessions = expect_context::<Sessions>();
    // The connect screen is open in front of a session, even if its worker has stopped.
    let has_session = move || data.status.with(|status| status.screen != viewer::Screen::Nothing);
    let back = move || {
        view! {
            <p class="actions">
                <button type="button" class="btn" data-action="close" on:click=move |_| sessions.back_to_session()>
                    {move || if data.traffic.with(Option::is_some) { "Back to this page’s traffic" } else { "Back" }}
                </button>
            </p>
        }
    };
    view! {
        <Screen name="connect" heading="Open a run">
            <ProblemCard />
            <div class="source-cards">
                <Show when=move || devtools::is_available() && !data.traffic.with(Option::is_some)>
                    <TrafficCard />
                </Show>
                <GatewayCard />
                <PasteCard />
                <RecordingCard />
            </div>
            <Show when=has_session>{back()}</Show>
        </Screen>
    }
}
