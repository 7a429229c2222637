//! The printout of a run, which is in the page only while the page prints.

mod events;
mod field_text;
mod node;
mod nodes;
mod printout;
mod secrets;

use leptos::mount::{UnmountHandle, mount_to};
use leptos::prelude::*;
use leptos::tachys::view::any_view::AnyViewState;
use leptos::{ev, html};
use leptos_use::{use_document, use_event_listener, use_window};
use runstate::header::Header;
use runstate::viewer::{Link, Screen};
use web_sys::{HtmlElement, KeyboardEvent};

use crate::store::{CurrentSession, Exports, Panel, SessionData, select};
use printout::Printout;

/// The largest tree, in nodes, whose rows are requested before printing. The browser's own menu prints at once, so a
/// larger tree is then printed with the rows on screen; the panel's button waits for all rows. Few, because they are sent
/// with every document, whether it is printed or not.
const PREPARED_NODES: usize = 500;

/// The printout, while the page prints.
#[component]
pub(crate) fn PrintView() -> impl IntoView {
    let (data, exports) = (expect_context::<SessionData>(), expect_context::<Exports>());
    let (panel, session) = (expect_context::<Panel>(), expect_context::<CurrentSession>());
    let container = NodeRef::<html::Div>::new();
    let printout = StoredValue::new_local(None);
    let _stop_on_unmount = (
        // Drawn synchronously: Firefox copies the page before an effect would run.
        use_event_listener(use_window(), ev::Custom::new("beforeprint"), move |_: web_sys::Event| {
            let drawn = container.get_untracked().zip(shown_header(data));
            printout.set_value(
                drawn.map(|(container, header)| draw(data, panel, session, container.into(), header)),
            );
        }),
        use_event_listener(use_window(), ev::Custom::new("afterprint"), move |_: web_sys::Event| {
            printout.set_value(None);
        }),
        use_event_listener(use_document(), ev::keydown, move |event| on_keydown(exports, &event)),
    );
    prepare(data, exports);
    view! { <div class="print" node_ref=container></div> }
}

/// The header of the run on screen.
fn shown_header(data: SessionData) -> Option<Header> {
    let is_run = data.status.with_untracked(|status| status.screen == Screen::Run);
    if is_run { data.header.get_untracked() } else { None }
}

/// Draws the printout into an element, until the handle is dropped.
fn draw(
    data: SessionData,
    panel: Panel,
    session: CurrentSession,
    container: HtmlElement,
    header: Header,
) -> UnmountHandle<AnyViewState> {
    mount_to(container, move || {
        provide_context(data);
        provide_context(panel);
        provide_context(session);
        view! { <Printout header info=data.export_info.get_untracked() /> }.into_any()
    })
}

/// Handles the shortcut for printing: like the button, it waits for the rows that are not on screen.
fn on_keydown(exports: Exports, event: &KeyboardEvent) {
    let is_shortcut = (event.ctrl_key() || event.meta_key()) && !event.shift_key() && !event.alt_key();
    if is_shortcut && event.key() == "p" {
        event.prevent_default();
        exports.print();
    }
}

/// Requests the rows and events of a printout when the run of a document appears or its tree grows.
fn prepare(data: SessionData, exports: Exports) {
    let nodes = select(data.tree, |tree| tree.nodes);
    let run = select(data.header, |header| Some((header.name.clone(), header.state.clone())));
    let shown = Memo::new(move |_| {
        let is_document = data.status.with(|status| status.link == Link::Document);
        run.get().filter(|_| is_document && nodes.get() <= PREPARED_NODES).map(|run| (nodes.get(), run))
    });
    Effect::new(move |_| {
        if shown.with(Option::is_some) {
            exports.request_printout();
        }
    });
}
