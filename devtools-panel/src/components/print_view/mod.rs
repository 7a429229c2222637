//! The printout of a run, which is in the page only while the page prints.

mod events;
mod nodes;
mod printout;

use leptos::mount::{UnmountHandle, mount_to};
use leptos::prelude::*;
use leptos::tachys::view::any_view::AnyViewState;
use leptos::{ev, html};
use leptos_use::{use_document, use_event_listener, use_window};
use runstate::header::Header;
use runstate::viewer::{Link, Screen};
use web_sys::{HtmlElement, KeyboardEvent};

use crate::store::Store;
use printout::Printout;

/// The largest tree, in nodes, whose rows are requested before printing. The browser's own menu prints at once, so a
/// larger tree is then printed with the rows on screen; the panel's button waits for all rows.
const PREPARED_NODES: usize = 5_000;

/// The printout, while the page prints.
#[component]
pub(crate) fn PrintView() -> impl IntoView {
    let store = expect_context::<Store>();
    let container = NodeRef::<html::Div>::new();
    let printout = StoredValue::new_local(None);
    let _stop_on_unmount = (
        // Drawn synchronously: Firefox copies the page before an effect would run.
        use_event_listener(use_window(), ev::Custom::new("beforeprint"), move |_: web_sys::Event| {
            let drawn = container.get_untracked().zip(untrack(|| shown_header(store)));
            printout.set_value(drawn.map(|(container, header)| draw(store, container.into(), header)));
        }),
        use_event_listener(use_window(), ev::Custom::new("afterprint"), move |_: web_sys::Event| {
            printout.set_value(None);
        }),
        use_event_listener(use_document(), ev::keydown, move |event| on_keydown(store, &event)),
    );
    prepare(store);
    view! { <div class="print" node_ref=container></div> }
}

/// The header of the run on screen.
fn shown_header(store: Store) -> Option<Header> {
    let is_run = store.status(|status| status.screen == Screen::Run);
    if is_run { store.header(|header| Some(header?.clone())) } else { None }
}

/// Draws the printout into an element, until the handle is dropped.
fn draw(store: Store, container: HtmlElement, header: Header) -> UnmountHandle<AnyViewState> {
    mount_to(container, move || {
        provide_context(store);
        view! { <Printout header info=untrack(|| store.export_info()) /> }.into_any()
    })
}

/// Handles the shortcut for printing: like the button, it waits for the rows that are not on screen.
fn on_keydown(store: Store, event: &KeyboardEvent) {
    let is_shortcut = (event.ctrl_key() || event.meta_key()) && !event.shift_key() && !event.alt_key();
    if is_shortcut && event.key() == "p" {
        event.prevent_default();
        store.print();
    }
}

/// Requests the rows and events of a printout when the run of a document appears or its tree grows.
fn prepare(store: Store) {
    let shown = Memo::new(move |_| {
        let nodes = store.tree(|tree| tree.map_or(0, |tree| tree.nodes));
        let run = store.header(|header| header.map(|header| (header.name.clone(), header.state.clone())));
        let is_document = store.status(|status| status.link == Link::Document);
        run.filter(|_| is_document && nodes <= PREPARED_NODES).map(|run| (nodes, run))
    });
    Effect::new(move |_| {
        if shown.with(Option::is_some) {
            store.request_printout();
        }
    });
}
