//! What a part of the detail lacks.

use leptos::prelude::*;
use runstate::viewer::{NodeAction, PaneAction};

use crate::store::{CurrentSession, ScreenState, SessionData, select};
use crate::text::bounded;

/// What the part lacks, as sentences, and the button that asks again.
#[component]
pub(super) fn Lacking() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let (session, state) = (expect_context::<CurrentSession>(), expect_context::<ScreenState>());
    let missing = select(data.node, |node| node.body.missing.clone());
    let can_ask_again = select(data.node, |node| node.body.can_ask_again);
    view! {
        <ul class="missing" data-field="missing" hidden=move || missing.with(Vec::is_empty)>
            {move || missing.get().into_iter().map(|sentence| view! { <li>{bounded(&sentence)}</li> }).collect_view()}
        </ul>
        <button
            type="button"
            class="btn btn-small"
            data-action="ask-again"
            hidden=move || !can_ask_again.get()
            on:click=move |_| {
                session.act(PaneAction::Node(NodeAction::AskAgain));
                // The button goes.
                state.takes_node_focus.set(true);
            }
        >
            "Try again"
        </button>
    }
}
