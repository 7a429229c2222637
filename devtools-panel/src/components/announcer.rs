//! The panel's only live region.

use leptos::prelude::*;

use crate::store::Announcements;
use crate::text::plain_text;

/// A visually hidden status region, empty at first. It announces changes of state, never ages or countdowns.
#[component]
pub(crate) fn Announcer() -> impl IntoView {
    let announcements = expect_context::<Announcements>();
    view! { <div class="visually-hidden" role="status">{move || plain_text(&announcements.text.get())}</div> }
}
