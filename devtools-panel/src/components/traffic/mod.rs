//! The traffic of the inspected page: the amount read, and the missing parts.

mod notes;
mod screen;

pub(crate) use notes::{ConnectToRun, TrafficNotes};
pub(crate) use screen::TrafficScreen;

use leptos::prelude::*;

use crate::store::{SessionData, select};

/// The amount of traffic read, under the list of runs.
#[component]
pub(crate) fn TrafficCounts() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let counts = select(data.traffic, |traffic| traffic.counts.clone());
    view! {
        <Show when=move || data.traffic.with(Option::is_some)>
            <p data-field="traffic-counts">{counts}</p>
        </Show>
    }
}
