//! Screens without a run: choosing a source, waiting for it, and what to do when it refuses.

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
use crate::store::Store;
pub(crate) use connecting::ConnectingScreen;
use gateway_form::GatewayForm;
use paste_form::PasteForm;
pub(crate) use refusal::RefusalScreen;

/// Every way to a run.
#[component]
pub(crate) fn ConnectScreen() -> impl IntoView {
    let store = expect_context::<Store>();
    let back = move || {
        view! {
            <p class="acts">
                <button type="button" class="btn" data-action="close" on:click=move |_| store.back_to_session()>
                    "Back to the run"
                </button>
            </p>
        }
    };
    view! {
        <Screen name="connect" heading="Choose a run to look at">
            <ProblemCard />
            <div class="ways">
                <Way outline=icondata_lu::LuPlug.data heading="Connect to a Gateway">
                    <GatewayForm />
                </Way>
                <Way outline=icondata_lu::LuClipboardPaste.data heading="Open or paste">
                    <PasteForm />
                </Way>
                <Way outline=icondata_lu::LuHistory.data heading="Look around first">
                    "A recording of a real run is built in. It is old, and says so."
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

/// A screen named by its heading, which can take the focus.
#[component]
fn Screen(
    /// The screen's `data-screen`.
    name: &'static str,
    /// The heading.
    heading: &'static str,
    /// The code of a refusal, for tools.
    #[prop(optional_no_strip)]
    code: Option<String>,
    /// What is under the heading.
    children: Children,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let heading_id = store.element_id(&format!("{name}-name"));
    let heading_element = heading_focus::<html::H2>();
    view! {
        <section class="screen" data-screen=name aria-labelledby=heading_id.clone() data-code=code>
            <h2 id=heading_id.clone() tabindex="-1" node_ref=heading_element>
                {heading}
            </h2>
            {children()}
        </section>
    }
}

/// One way to a run.
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
