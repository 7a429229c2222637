//! The screen for traffic without runs: the recognised servers, the amount of traffic read, and the other sources.

use leptos::html;
use leptos::prelude::*;
use runstate::viewer::TrafficStatus;

use super::super::connect::{GatewayCard, PasteCard};
use super::super::heading::heading_focus;
use super::super::{Icon, ProblemCard};
use super::notes::{ReloadButton, TrafficNotes};
use crate::store::{Panel, SessionData, select};

/// The screen that is shown while the page's traffic contains no run.
#[component]
pub(crate) fn TrafficScreen() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let panel = expect_context::<Panel>();
    let heading_id = panel.element_id("traffic-name");
    let heading = heading_focus::<html::H2>();
    let title = select(data.traffic, |traffic| traffic.heading.clone());
    let lead = select(data.traffic, |traffic| traffic.lead.clone());
    let counts = select(data.traffic, |traffic| traffic.counts.clone());
    let needs_reload_button = select(data.traffic, TrafficStatus::needs_reload_button);
    view! {
        <section class="screen screen-columns" data-screen="traffic" aria-labelledby=heading_id.clone()>
            <div class="column">
                <h2 id=heading_id.clone() tabindex="-1" node_ref=heading>
                    {title}
                </h2>
                <p class="lead">{lead}</p>
                <ProblemCard />
                <TrafficNotes />
                <RecognisedServers />
                <p class="secondary-text">
                    "Extensions cannot see the requests of shared workers. In Firefox they also cannot see the requests of service workers or WebSocket messages."
                </p>
                <p class="secondary-text" data-field="traffic-counts">
                    {counts}
                </p>
                <Show when=move || needs_reload_button.get()>
                    <p class="actions">
                        <ReloadButton />
                    </p>
                </Show>
            </div>
            <div class="source-cards">
                <GatewayCard />
                <PasteCard />
            </div>
        </section>
    }
}

/// The recognised servers.
#[component]
fn RecognisedServers() -> impl IntoView {
    view! {
        <h3>"Recognised servers"</h3>
        <ul class="recognised-servers">
            <li>
                <Icon outline=icondata_lu::LuServer.data />
                <span>
                    <b>"Smithers Gateway"</b>
                    ": responses to "
                    <code>"getRun"</code>
                    ", "
                    <code>"listRuns"</code>
                    ", "
                    <code>"listNodeStates"</code>
                    ", and the WebSockets that carry its events"
                </span>
            </li>
            <li>
                <Icon outline=icondata_lu::LuLayers.data />
                <span>
                    <b>"lionagi Studio"</b>
                    ": responses under "
                    <code>"/api/runs"</code>
                    " and "
                    <code>"/api/sessions"</code>
                    ", and their event streams"
                </span>
            </li>
        </ul>
    }
}
