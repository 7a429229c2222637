//! The panel's only live region.

use leptos::prelude::*;

use crate::store::Announcements;

/// A visually hidden status region, empty at first. It announces changes of state, never ages or countdowns.
#[component]
pub(crate) fn Announcer() -> impl IntoView {
    let announcements = expect_context::<Announcements>();
    view! { <div class="visually-hidden" role="status">{move || announcements.text.get()}</div> }
}
