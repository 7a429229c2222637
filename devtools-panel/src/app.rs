//! The panel as a whole: which view is shown, and what happens anywhere in it.

use gloo_timers::callback::Interval;
use leptos::prelude::*;
use runstate::session::Showing;
use wasm_bindgen::JsCast;

use crate::announcer::announcer;
use crate::connect::{connect_screen, connecting_screen, problem, refusal_screen};
use crate::el::{El, each, el_of, when};
use crate::export::export_form;
use crate::header::{self, header};
use crate::host::{self, Host};
use crate::kept::{Kept, Slot, kept};
use crate::runs::runs_screen;
use crate::source::{file, gateway, worker};
use crate::store::Store;
use crate::toolbar::{can_export, toolbar};
use crate::tree::tree_pane;

/// How often ages are told anew, ms: a countdown that is looked at is then right within a second.
const TICK_MS: u32 = 250;

/// The panel.
pub(crate) fn app() -> AnyView {
    let store = Store::new();
    let current = header::current(store);
    let view = kept(move || store.showing());
    let running = move || view.get() == Showing::Run;
    let (dropping, exporting) = (Slot::new(false), Slot::new(false));
    worker::attend(store);
    tick(store);
    start(store);
    title(current, view);
    take_pastes(store);
    let shell = el_of("DIV", "shell").view(when(running, move || header(store, current).done())).with(
        el_of("MAIN", "work")
            .view(when(move || !running(), || el_of("H1", "vh").say("Runstate").done()))
            .with(toolbar(store, view, exporting))
            .view(when(move || exporting.get() && can_export(store, view), move || export_form(store).done()))
            .view(each(
                move || vec![(String::new(), view.get() as u32)],
                move |_| main_view(store, view.get()),
            )),
    );
    let panel = el_of("DIV", "panel")
        .live_attr("data-view", move || Some(if running() { "tree" } else { "screen" }.to_owned()))
        .attr("data-cursor", "live")
        .live_attr("data-dropping", move || dropping.get().then(String::new))
        .with(shell)
        .with(
            el_of("DIV", "drop-hint")
                .attr("aria-hidden", "true")
                .say("Drop it here. It is read on this machine only."),
        )
        .with(announcer(store));
    take_drops(store, dropping, panel).done()
}

fn main_view(store: Store, view: Showing) -> AnyView {
    match view {
        Showing::Nothing => {
            el_of("DIV", "scroll").view(when(move || !store.begins(), move || connect_screen(store).done()))
        }
        Showing::Connecting => el_of("DIV", "scroll").with(connecting_screen(store)),
        Showing::Refusal => el_of("DIV", "scroll").view(refusal_screen(store)),
        Showing::Runs => el_of("DIV", "scroll").view(problem(store)).with(runs_screen(store)),
        Showing::Run => el_of("DIV", "run-view").view(problem(store)).with(tree_pane(store)),
    }
    .done()
}

/// Whatever is dropped on the panel is opened.
fn take_drops(store: Store, dropping: Slot<bool>, panel: El) -> El {
    panel
        .on("dragover", move |event| {
            event.prevent_default();
            dropping.set(true);
        })
        .on("dragleave", move |event| {
            let event = event.dyn_into::<web_sys::DragEvent>();
            dropping.set(event.is_ok_and(|event| event.related_target().is_some()));
        })
        .on("drop", move |event| {
            event.prevent_default();
            dropping.set(false);
            let event = event.dyn_into::<web_sys::DragEvent>();
            if let Some(transfer) = event.ok().and_then(|event| event.data_transfer()) {
                file::open_transfer(store, &transfer);
            }
        })
}

/// Ages tick while somebody can see them; coming back asks the feed to look first.
fn tick(store: Store) {
    let advance = move || {
        store.tick.update(|n| *n += 1);
        // Who holds nothing needs no worker.
        if store.holds_something() {
            worker::wish(store, "tick", Vec::new());
        }
    };
    Interval::new(TICK_MS, move || {
        if host::is_visible() {
            advance();
        }
    })
    .forget();
    window_event_listener_untyped("visibilitychange", move |_| {
        if host::is_visible() && store.holds_something() {
            worker::wish(store, "woke", Vec::new());
            advance();
        }
    });
}

/// What is shown first: what the page's fragment asks for (`#gateway`, whose address comes from the page's own server,
/// or `#connect`), else the built-in recording on a page of its own. A developer looking at a page, or a person with a
/// file in hand, is not shown somebody else's run.
fn start(store: Store) {
    match (host::fragment().as_str(), Host::of_page()) {
        ("gateway", Host::Dashboard) => {
            host::fetch_gateway(move |url, token, run| gateway::connect(store, &url, token, run));
        }
        ("connect", _) | (_, Host::DevTools | Host::File) => {}
        (_, Host::Dashboard) => file::begin_with_recording(store),
    }
}

/// The tab says what the header says.
fn title(current: Kept<Option<runstate::header::Header>>, view: Kept<Showing>) {
    Effect::new(move |_| {
        let state = current.with(|current| current.as_ref().map(|current| header::title(&current.answer)));
        let text = match (view.get(), state) {
            (Showing::Run, Some(state)) => format!("{state} · Runstate"),
            (_, _) => "Runstate".to_owned(),
        };
        if document().title() != text {
            document().set_title(&text);
        }
    });
}

/// A paste anywhere outside a text field opens what it carries.
fn take_pastes(store: Store) {
    window_event_listener(leptos::ev::paste, move |event| {
        if host::is_in_text_field(event.target()) {
            return;
        }
        if let Some(transfer) = event.clipboard_data()
            && file::open_transfer(store, &transfer)
        {
            event.prevent_default();
        }
    });
}
