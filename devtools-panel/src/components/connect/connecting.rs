//! The screen of a Gateway that is not connected and shows nothing.

use leptos::prelude::*;
use runstate::gateway::OpenFailure;
use runstate::viewer::{ConnectionHelp, Link, OTHER_ORIGIN_HINT, Place};
use runstate::word::Vocabulary;

use super::super::{Isolated, ProblemCard};
use super::Screen;
use crate::address::socket_address;
use crate::browser::page;
use crate::store::{CurrentSession, ScreenState, SessionData, Sessions};
use crate::text::{bounded, bounded_name};

/// The Gateway's address, the time of the next attempt, and the current failure.
#[component]
pub(crate) fn ConnectingScreen() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let state = expect_context::<ScreenState>();
    let session = expect_context::<CurrentSession>();
    let sessions = expect_context::<Sessions>();
    let address = move || data.status.with(|status| status.source.clone());
    let attempt = Memo::new(move |_| {
        data.status.with(|status| match &status.link {
            Link::Connecting { has_answered, failure, retry_in } => {
                (*has_answered, *failure, retry_in.clone())
            }
            Link::Document | Link::Traffic(_) | Link::Connected | Link::Lost => (false, None, None),
        })
    });
    let failure = Memo::new(move |_| attempt.with(|(_, failure, _)| *failure));
    let has_answered = Memo::new(move |_| attempt.with(|(has_answered, ..)| *has_answered));
    let words = move || match (failure.get(), has_answered.get()) {
        (Some(OpenFailure::ContentPolicy | OpenFailure::Redirected), _) => {
            ("Not connected", "Not connected to ")
        }
        (_, true) => ("Reconnecting", "The connection was lost. Reconnecting to "),
        (_, false) => ("Connecting", "Connecting to "),
    };
    let heading = Signal::derive(move || words().0);
    let progress = move || words().1;
    let waiting = move || {
        let retry_in = attempt.with(|(_, _, retry_in)| retry_in.clone())?;
        Some(match failure.get() {
            Some(OpenFailure::NoAnswer) | None if !has_answered.get() => {
                format!("No response yet; next try in {retry_in}.")
            }
            Some(
                OpenFailure::SocketRefused
                | OpenFailure::AnswerUnreadable
                | OpenFailure::ContentPolicy
                | OpenFailure::NoAnswer
                | OpenFailure::Redirected,
            )
            | None => format!("Next try in {retry_in}."),
        })
    };
    let help = move || {
        let failure = failure.get()?;
        let help = ConnectionHelp::new(failure, &address(), &page::origin());
        Some(view! {
            <p class="lead" data-field="failure" data-value=failure.as_str()>
                <Isolated text=bounded(&help.message) />
                " "
                <Isolated text=bounded(&help.hint) />
            </p>
        })
    };
    // Shown at once, before any request has failed.
    let is_unreadable =
        move || failure.get().is_none() && address().starts_with("http") && !page::is_own_origin(&address());
    // A page of another origin can read a Gateway only over a WebSocket.
    let socket = Memo::new(move |_| {
        let address = address();
        socket_address(&address).filter(|_| !page::is_own_origin(&address) && !has_answered.get())
    });
    let connect_to_socket = move |_| {
        if let Some(address) = socket.get_untracked() {
            let run = data.status.with_untracked(|status| status.run.clone());
            sessions.connect(address, None, Place::of_run(run));
        }
    };
    view! {
        <Screen name="connecting" heading>
            <ProblemCard />
            <p class="lead">{progress} <span class="code">{move || bounded_name(&address())}</span> ". " {waiting}</p>
            {help}
            <Show when=is_unreadable>
                <p class="lead">{OTHER_ORIGIN_HINT}</p>
            </Show>
            <p class="actions">
                <Show when=move || socket.with(Option::is_some)>
                    <button type="button" class="btn btn-primary" data-action="use-socket" on:click=connect_to_socket>
                        {move || format!("Connect to {}", bounded_name(&socket.get().unwrap_or_default()))}
                    </button>
                </Show>
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
