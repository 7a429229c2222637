//! The screen that is shown until the first connection is open.

use leptos::prelude::*;
use runstate::gateway::OpenFailure;
use runstate::viewer::{ConnectionHelp, Link, OTHER_ORIGIN_HINT};
use runstate::word::Vocabulary;

use super::super::ProblemCard;
use super::Screen;
use crate::browser::page;
use crate::store::{CurrentSession, ScreenState, SessionData};

/// The Gateway's address, the time of the next attempt, and the current failure.
#[component]
pub(crate) fn ConnectingScreen() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let state = expect_context::<ScreenState>();
    let session = expect_context::<CurrentSession>();
    let address = move || data.status.with(|status| status.source.clone());
    let attempt = Memo::new(move |_| {
        data.status.with(|status| match &status.link {
            Link::Connecting { failure, retry_in } => (*failure, retry_in.clone()),
            Link::Document | Link::Traffic(_) | Link::Connected | Link::Lost => (None, None),
        })
    });
    let failure = Memo::new(move |_| attempt.with(|(failure, _)| *failure));
    let is_blocked = move || failure.get() == Some(OpenFailure::ContentPolicy);
    let heading = Signal::derive(move || if is_blocked() { "Not connected" } else { "Connecting" });
    let progress = move || if is_blocked() { "Not connected to " } else { "Connecting to " };
    let waiting = move || {
        let retry_in = attempt.with(|(_, retry_in)| retry_in.clone())?;
        Some(match failure.get() {
            Some(OpenFailure::SocketRefused | OpenFailure::AnswerUnreadable | OpenFailure::ContentPolicy) => {
                format!("Next try in {retry_in}.")
            }
            Some(OpenFailure::NoAnswer) | None => format!("No response yet; next try in {retry_in}."),
        })
    };
    let help = move || {
        let failure = failure.get()?;
        let help = ConnectionHelp::new(failure, &address(), &page::origin());
        Some(view! {
            <p class="lead" data-field="failure" data-value=failure.as_str()>
                {help.message}
                " "
                {help.hint}
            </p>
        })
    };
    // Shown at once, before any request has failed.
    let is_unreadable =
        move || failure.get().is_none() && address().starts_with("http") && !page::is_own_origin(&address());
    view! {
        <Screen name="connecting" heading>
            <ProblemCard />
            <p class="lead">{progress} <span class="code">{address}</span> ". " {waiting}</p>
            {help}
            <Show when=is_unreadable>
                <p class="lead">{OTHER_ORIGIN_HINT}</p>
            </Show>
            <p class="actions">
                <button type="button" class="btn" data-action="retry" on:click=move |_| session.reconnect()>
                    "Try now"
                </button>
                <button type="button" class="btn" data-action="change" on:click=move |_| state.choose_source()>
                    "Change Gateway"
                </button>
            </p>
        </Screen>
    }
}
