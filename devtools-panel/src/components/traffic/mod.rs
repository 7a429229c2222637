//! The traffic of the inspected page: the amount read, and the missing parts.

mod notes;
mod screen;

pub(crate) use notes::{ConnectToRun, TrafficNotes};
pub(crate) use screen::TrafficScreen;

use leptos::prelude::*;
use runstate::viewer::TrafficStatus;

use crate::store::Store;

/// The amount of traffic read, under the list of runs.
#[component]
pub(crate) fn TrafficCounts() -> impl IntoView {
    let store = expect_context::<Store>();
    let counts = traffic_memo(store, |traffic| traffic.counts.clone());
    view! {
        <Show when=move || store.shows_traffic()>
            <p data-field="traffic-counts">{counts}</p>
        </Show>
    }
}

/// A value of the traffic's status; it changes only when that value does.
fn traffic_memo<T>(store: Store, read: fn(&TrafficStatus) -> T) -> Memo<T>
where
    T: Default + PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| store.status(|status| status.link.traffic().map(read).unwrap_or_default()))
}
