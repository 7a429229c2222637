//! The choice between the tree and the events of a run.

use leptos::prelude::*;

use super::super::roving::roving;
use crate::store::ScreenState;

/// Two buttons, of which one is pressed. They stay on screen with either view, so the focus does too.
#[component]
pub(crate) fn ViewSwitch() -> impl IntoView {
    let ScreenState { shows_events, chosen_events, .. } = expect_context();
    let controls = roving();
    let button = move |is_events: bool, label: &'static str| {
        view! {
            <button
                type="button"
                data-view-switch=label.to_ascii_lowercase()
                aria-pressed=move || (shows_events.get() == is_events).to_string()
                on:click=move |_| chosen_events.set(Some(is_events))
            >
                {label}
            </button>
        }
    };
    view! {
        <div class="segmented view-switch" role="group" aria-label="View of the run" node_ref=controls>
            {button(false, "Tree")}
            {button(true, "Events")}
        </div>
    }
}
