//! The traffic of the inspected page: what was looked at, and what is missing.

mod notes;
mod screen;

pub(crate) use notes::TrafficNotes;
pub(crate) use screen::TrafficScreen;

use leptos::prelude::*;
use runstate::viewer::TrafficStatus;

use crate::store::Store;

/// How much was looked at, under the list of runs.
#[component]
pub(crate) fn LookedAt() -> impl IntoView {
    let store = expect_context::<Store>();
    let counts = part(store, |traffic| traffic.counts.clone());
    view! {
        <Show when=move || store.shows_traffic()>
            <p data-field="looked-at">{counts}</p>
        </Show>
    }
}

/// A part of what is said of the traffic, which changes only when that part does.
fn part<T>(store: Store, read: fn(&TrafficStatus) -> T) -> Memo<T>
where
    T: Default + PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| store.status.with(|status| status.traffic.as_deref().map(read).unwrap_or_default()))
}
