//! The first connection is being made.

use leptos::prelude::*;

use super::super::ProblemCard;
use super::Screen;
use crate::store::Store;

/// Which Gateway is asked, when the next attempt is, and what may be wrong.
#[component]
pub(crate) fn ConnectingScreen() -> impl IntoView {
    let store = expect_context::<Store>();
    let address = move || store.status.with(|status| status.source.clone());
    let waiting = move || {
        let retry_in = store.status.with(|status| status.retry_in.clone())?;
        Some(format!(
            "No answer yet; next try in {retry_in}. Is the Gateway running, and is the address right?"
        ))
    };
    let is_http = move || store.status.with(|status| status.source.starts_with("http"));
    view! {
        <Screen name="connecting" heading="Connecting">
            <ProblemCard />
            <p class="lead">"Asking " <span class="code">{address}</span> ". " {waiting}</p>
            <Show when=is_http>
                <p class="lead">
                    "Over HTTP the answer can only be read when this page comes from the Gateway's own origin: it sends no CORS header. The WebSocket address (ws://…) works from anywhere."
                </p>
            </Show>
            <p class="acts">
                <button type="button" class="btn" data-action="retry" on:click=move |_| store.reconnect()>
                    "Try now"
                </button>
                <button type="button" class="btn" data-action="change" on:click=move |_| store.choose_source()>
                    "Change Gateway"
                </button>
            </p>
        </Screen>
    }
}
