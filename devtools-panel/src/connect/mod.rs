//! Screens without a run: choosing a source, waiting for it, and what to do when it says no.

mod form;
mod problem;
mod refusal;

use leptos::prelude::*;

use crate::host;
use crate::pill::IconOf;
use crate::source::{example, file, gateway};
use crate::store::{Held, Screen, Store};
use form::GatewayForm;

pub(crate) use problem::Problem;
pub(crate) use refusal::RefusalScreen;

/// Every way to a run.
#[component]
pub(crate) fn ConnectScreen() -> impl IntoView {
    let store = Store::use_context();
    let holds_something = store.with_held(|held| !matches!(held, Held::Nothing));
    view! {
        <section class="screen" data-screen="connect" aria-labelledby="connect-name">
            <h2 id="connect-name" tabindex="-1">"Choose a run to look at"</h2>
            <Problem/>
            <div class="ways">
                <div class="way">
                    <IconOf outline=icondata_lu::LuPlug/>
                    <h3>"Connect to a Gateway"</h3>
                    <div><GatewayForm/></div>
                </div>
                <div class="way">
                    <IconOf outline=icondata_lu::LuClipboardPaste/>
                    <h3>"Open or paste"</h3>
                    <div><PasteForm/></div>
                </div>
                <div class="way">
                    <IconOf outline=icondata_lu::LuHistory/>
                    <h3>"Look around first"</h3>
                    <div>
                        "A recording of a real run is built in. It is old, and says so."
                        <p class="acts">
                            <button class="btn btn-s" type="button" data-action="example" on:click=move |_| example::open(store)>
                                "Open the recording"
                            </button>
                        </p>
                    </div>
                </div>
            </div>
            {holds_something.then(|| view! {
                <p class="acts">
                    <button class="btn" type="button" data-action="close" on:click=move |_| {
                        store.problem.set(None);
                        store.screen.set(Screen::Held);
                        host::focus_later("#snapshot-name, .screen h2");
                    }>"Back to the run"</button>
                </p>
            })}
        </section>
    }
}

#[component]
fn PasteForm() -> impl IntoView {
    let store = Store::use_context();
    let text = NodeRef::<leptos::html::Textarea>::new();
    let chooser = NodeRef::<leptos::html::Input>::new();
    let read = move |_| {
        if let Some(text) = text.get_untracked() {
            file::open_bytes(store, text.value().as_bytes(), None);
        }
    };
    let pasted = move |event: web_sys::ClipboardEvent| {
        if event.clipboard_data().is_some_and(|transfer| file::open_long_paste(store, &transfer)) {
            event.prevent_default();
        }
    };
    let chosen = move |_| {
        let file = chooser.get_untracked().and_then(|input| input.files()).and_then(|files| files.get(0));
        if let Some(file) = file {
            file::open_file(store, file);
        }
    };
    let choose = move |_| {
        if let Some(input) = chooser.get_untracked() {
            input.set_value("");
            input.click();
        }
    };
    view! {
        <p>"Snapshot, Gateway response, run row or the output of "<code>"smithers inspect --json"</code>". It is read on this machine only; drop it anywhere, or paste it here."</p>
        <label class="fld paste">
            "Text to read"
            <textarea name="paste" rows="4" spellcheck="false" node_ref=text on:paste=pasted></textarea>
        </label>
        <p class="acts">
            <button class="btn btn-primary" type="button" data-action="read" on:click=read>"Read"</button>
            <button class="btn" type="button" data-action="paste" on:click=move |_| file::paste(store)>
                <IconOf outline=icondata_lu::LuClipboardPaste/>
                "Paste"
            </button>
            <button class="btn" type="button" data-action="choose" on:click=choose>
                <IconOf outline=icondata_lu::LuFolderOpen/>
                "Open file…"
            </button>
            <input class="vh" type="file" name="file" tabindex="-1" aria-label="File to read" node_ref=chooser on:change=chosen/>
        </p>
    }
}

/// The first connection is being made.
#[component]
pub(crate) fn ConnectingScreen() -> impl IntoView {
    let store = Store::use_context();
    let url = move || {
        store.header.track();
        store.with_held(|held| match held {
            Held::Live { url, .. } => url.clone(),
            Held::Nothing | Held::Document { .. } => String::new(),
        })
    };
    let waiting = move || {
        store.header.track();
        store.tick.track();
        store.retry_in()
    };
    view! {
        <section class="screen" data-screen="connecting" aria-labelledby="connecting-name">
            <h2 id="connecting-name" tabindex="-1">"Connecting"</h2>
            <p class="lead">
                "Asking "<span class="code">{url}</span>". "
                {move || waiting().map(|text| format!("No answer yet; next try in {text}. Is the Gateway running, and is the address right?"))}
            </p>
            {move || store.is_http().then(|| view! {
                <p class="lead">"Over HTTP the answer can only be read when this page comes from the Gateway's own origin: it sends no CORS header. The WebSocket address (ws://…) works from anywhere."</p>
            })}
            <p class="acts">
                <button class="btn" type="button" on:click=move |_| gateway::reconnect(store)>"Try now"</button>
                <button class="btn" type="button" on:click=move |_| store.screen.set(Screen::Connect)>"Change Gateway"</button>
            </p>
        </section>
    }
}
