//! The panel's only live region.

use leptos::prelude::*;

use crate::store::Store;

/// A visually hidden status region, empty at first. It announces changes of state, never ages or countdowns.
#[component]
pub(crate) fn Announcer() -> impl IntoView {
    let store = expect_context::<Store>();
    view! { <div class="visually-hidden" role="status">{move || store.announcement()}</div> }
}
