//! Screens without a run: choosing a source, waiting for it, and what to do when it says no.

mod form;
mod problem;
mod refusal;

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::el::{El, Ref, button, el, el_of, live};
use crate::host;
use crate::pill::icon_of;
use crate::source::{file, gateway};
use crate::store::{Screen, Store};
use form::gateway_form;

pub(crate) use problem::problem;
pub(crate) use refusal::refusal_screen;

/// A screen named by its heading, which the keyboard can be moved to.
pub(crate) fn screen(name: &'static str, heading_id: &'static str, heading: &'static str) -> El {
    screen_with(name, heading_id, |h2| h2.say(heading))
}

/// A screen whose heading `heading` completes.
pub(crate) fn screen_with(
    name: &'static str,
    heading_id: &'static str,
    heading: impl FnOnce(El) -> El,
) -> El {
    el_of("SECTION", "screen")
        .attr("data-screen", name)
        .attr("aria-labelledby", heading_id)
        .with(heading(el("H2").attr("id", heading_id).attr("tabindex", "-1")))
}

/// Every way to a run.
pub(crate) fn connect_screen(store: Store) -> El {
    let holds_something = store.holds_something();
    let back = move || {
        store.problem.set(None);
        store.screen.set(Screen::Held);
        host::focus_later("#snapshot-name, .screen h2");
    };
    let recording = button("btn btn-s", move || file::open_recording(store))
        .attr("data-action", "example")
        .say("Open the recording");
    let recording = el("DIV")
        .say("A recording of a real run is built in. It is old, and says so.")
        .with(el_of("P", "acts").with(recording));
    let close = || button("btn", back).attr("data-action", "close").say("Back to the run");
    screen("connect", "connect-name", "Choose a run to look at")
        .view(problem(store))
        .with(
            el_of("DIV", "ways")
                .with(way(
                    icondata_lu::LuPlug.data,
                    "Connect to a Gateway",
                    el("DIV").with(gateway_form(store)),
                ))
                .with(way(icondata_lu::LuClipboardPaste.data, "Open or paste", paste_form(store)))
                .with(way(icondata_lu::LuHistory.data, "Look around first", recording)),
        )
        .maybe(holds_something.then(|| el_of("P", "acts").with(close())))
}

fn way(outline: &'static str, heading: &'static str, content: El) -> El {
    el_of("DIV", "way").view(icon_of(outline)).with(el("H3").say(heading)).with(content)
}

fn paste_form(store: Store) -> El {
    let (text, chooser) = (Ref::new(), Ref::new());
    let pasted = move |event: web_sys::Event| {
        let transfer = event.dyn_ref().and_then(web_sys::ClipboardEvent::clipboard_data);
        if transfer.is_some_and(|transfer| file::open_long_paste(store, &transfer)) {
            event.prevent_default();
        }
    };
    el("DIV")
        .with(
            el("P").say("Snapshot, Gateway response, event log, HAR, output of a command, session of lionagi, run directory of tnh-conductor, or a Runstate file. It is read on this machine only; drop it anywhere, or paste it here."),
        )
        .with(
            el_of("LABEL", "fld paste").say("Text to read").with(
                el("TEXTAREA")
                    .attr("name", "paste")
                    .attr("rows", "4")
                    .attr("spellcheck", "false")
                    .reached_by(text)
                    .on("paste", pasted),
            ),
        )
        .with(paste_actions(store, text, chooser))
}

fn paste_actions(store: Store, text: Ref, chooser: Ref) -> El {
    let read = move || {
        let text = text.get_untracked().and_then(|text| text.dyn_into::<web_sys::HtmlTextAreaElement>().ok());
        if let Some(text) = text {
            file::open_text(store, &text.value().into());
        }
    };
    let input =
        move || chooser.get_untracked().and_then(|input| input.dyn_into::<web_sys::HtmlInputElement>().ok());
    let chosen = move |_| {
        if let Some(files) = input().and_then(|input| input.files()) {
            file::open_files(store, &files);
        }
    };
    let choose = move || {
        if let Some(input) = input() {
            input.set_value("");
            input.click();
        }
    };
    el_of("P", "acts")
        .with(button("btn btn-primary", read).attr("data-action", "read").say("Read"))
        .with(
            button("btn", move || file::paste(store))
                .attr("data-action", "paste")
                .view(icon_of(icondata_lu::LuClipboardPaste.data))
                .say("Paste"),
        )
        .with(
            button("btn", choose)
                .attr("data-action", "choose")
                .view(icon_of(icondata_lu::LuFolderOpen.data))
                .say("Open files…"),
        )
        .with(
            el_of("INPUT", "vh")
                .attr("type", "file")
                .attr("multiple", "")
                .attr("name", "file")
                .attr("tabindex", "-1")
                .attr("aria-label", "Files to read")
                .reached_by(chooser)
                .on("change", chosen),
        )
}

/// The first connection is being made.
pub(crate) fn connecting_screen(store: Store) -> El {
    let url = move || store.status.with(|status| status.source.clone());
    let waiting = move || {
        store.status.with(|status| status.retry_in.clone()).map_or_else(String::new, |text| {
            format!("No answer yet; next try in {text}. Is the Gateway running, and is the address right?")
        })
    };
    let is_http = move || store.status.with(|status| status.source.starts_with("http"));
    let over_http = || {
        el_of("P", "lead").say("Over HTTP the answer can only be read when this page comes from the Gateway's own origin: it sends no CORS header. The WebSocket address (ws://…) works from anywhere.")
    };
    screen("connecting", "connecting-name", "Connecting")
        .with(
            el_of("P", "lead")
                .say("Asking ")
                .with(el_of("SPAN", "code").live_text(url))
                .say(". ")
                .live_text(waiting),
        )
        .view(live(move || if is_http() { over_http().done() } else { ().into_any() }))
        .with(
            el_of("P", "acts")
                .with(button("btn", move || gateway::reconnect(store)).say("Try now"))
                .with(button("btn", move || store.screen.set(Screen::Connect)).say("Change Gateway")),
        )
}
