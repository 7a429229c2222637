//! Screens without a run: choosing a source, waiting for it, and a refusal.

mod advice;
mod connecting;
mod gateway_form;
mod insecure;
mod paste_form;
mod refusal;
mod token_field;

use leptos::html;
use leptos::prelude::*;

use super::heading::heading_focus;
use super::{Icon, ProblemCard};
use crate::devtools;
use crate::store::Store;
pub(crate) use connecting::ConnectingScreen;
use gateway_form::GatewayForm;
use paste_form::PasteForm;
pub(crate) use refusal::RefusalScreen;

/// The screen with every way to open a run.
#[component]
pub(crate) fn ConnectScreen() -> impl IntoView {
    let store = expect_context::<Store>();
    let back = move || {
        view! {
            <p class="acts">
                <button type="button" class="btn" data-action="close" on:click=move |_| store.back_to_session()>
                    {move || if store.shows_traffic() { "Back to this page’s traffic" } else { "Back" }}
                </button>
            </p>
        }
    };
    view! {
        <Screen name="connect" heading="Choose a run">
            <ProblemCard />
            <div class="ways">
                <Show when=move || devtools::is_available() && !store.shows_traffic()>
                    <TrafficWay />
                </Show>
                <GatewayWay />
                <PasteWay />
                <Way outline=icondata_lu::LuHistory.data heading="Try a recorded run">
                    "Opens the included recording of a real run and shows its age."
                    <p class="acts">
                        <button type="button" class="btn btn-s" data-action="example" on:click=move |_| store.open_recording()>
                            "Open the recording"
                        </button>
                    </p>
                </Way>
            </div>
            <Show when=move || store.has_session()>{back()}</Show>
        </Screen>
    }
}

/// The form that connects to a Gateway, with its heading.
#[component]
pub(crate) fn GatewayWay() -> impl IntoView {
    view! {
        <Way outline=icondata_lu::LuPlug.data heading="Connect to a Gateway">
            <GatewayForm />
        </Way>
    }
}

/// The form that opens files and pasted text, with its heading.
#[component]
pub(crate) fn PasteWay() -> impl IntoView {
    view! {
        <Way outline=icondata_lu::LuClipboardPaste.data heading="Open or paste">
            <PasteForm />
        </Way>
    }
}

/// The button that returns to the traffic of the inspected page.
#[component]
fn TrafficWay() -> impl IntoView {
    let store = expect_context::<Store>();
    view! {
        <Way outline=icondata_lu::LuEye.data heading="Show this page’s traffic">
            "Runs that appear in the inspected page’s traffic with a Gateway or Studio. Runstate sends no requests."
            <p class="acts">
                <button type="button" class="btn btn-s" data-action="traffic" on:click=move |_| store.open_traffic()>
                    "Show the page’s runs"
                </button>
            </p>
        </Way>
    }
}

/// A screen named by its heading, which can take the focus.
#[component]
fn Screen(
    /// The screen's `data-screen`.
    name: &'static str,
    /// The heading.
    #[prop(into)]
    heading: Signal<&'static str>,
    /// The code of a refusal, for tools.
    #[prop(optional_no_strip)]
    code: Option<String>,
    /// The content below the heading.
    children: Children,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let heading_id = store.element_id(&format!("{name}-name"));
    let heading_element = heading_focus::<html::H2>();
    view! {
        <section role=store.section_role() class="screen" data-screen=name aria-labelledby=heading_id.clone() data-code=code>
            <h2 id=heading_id.clone() tabindex="-1" node_ref=heading_element>
                {heading}
            </h2>
            {children()}
        </section>
    }
}

/// One way to open a run.
#[component]
fn Way(
    /// The icon.
    outline: &'static str,
    /// The heading.
    heading: &'static str,
    /// The form.
    children: Children,
) -> impl IntoView {
    view! {
        <div class="way">
            <Icon outline />
            <h3>{heading}</h3>
            <div>{children()}</div>
        </div>
    }
}
