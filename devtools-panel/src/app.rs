//! The whole panel: the current screen and the events that apply to every screen.

use leptos::ev;
use leptos::prelude::*;
use leptos_use::{use_document, use_document_visibility, use_event_listener, use_window};
use runstate::viewer::{PaneKind, Screen, ViewCommand};
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, DragEvent, Element, Event, KeyboardEvent, Node, VisibilityState};

use crate::browser::host::Host;
use crate::components::{
    Announcer, ConnectScreen, ConnectingScreen, ExampleStrip, ExportForm, ExportedPageStrip, KeyBar,
    KeyDialog, KeyList, LogElement, PaneWidths, PrintView, ProblemCard, RefusalScreen, RunPanes, RunsPane,
    SingleKeys, SizedPane, SnapshotHeader, Splitter, Toolbar, TrafficScreen, TreeElement, on_pane_key,
    on_search_key, title,
};
use crate::session::protocol::Command;
use crate::sources::files;
use crate::sources::start;
use crate::store::{
    CurrentSession, Export, Exports, Panel, PanelView, ScreenState, SessionData, Sessions, Store,
};
use crate::text::plain_text;

/// The panel.
#[component]
pub fn App(
    /// The state.
    store: Store,
    /// The kind of page that contains the panel.
    host: Host,
) -> impl IntoView {
    store.provide();
    provide_context(host);
    provide_context(TreeElement::default());
    provide_context(LogElement::default());
    let (sessions, data) = (expect_context::<Sessions>(), expect_context::<SessionData>());
    let (panel, state) = (expect_context::<Panel>(), expect_context::<ScreenState>());
    start(host, &sessions);
    send_visibility(expect_context());
    send_panes(expect_context(), panel, state, data);
    let keys = KeyDialog::default();
    provide_context(keys);
    let single_keys = SingleKeys::default();
    provide_context(single_keys);
    let widths = PaneWidths::default();
    provide_context(widths);
    if host.owns_page() {
        set_title(data, state);
        state.remember_fields();
        single_keys.remember();
        widths.remember();
        let _stop_on_unmount = use_event_listener(use_document(), ev::keydown, move |event| {
            keys.on_key(&event, single_keys);
            // The panel is the page.
            if let Some(page) = document().document_element() {
                on_pane_key(&page, &event);
                on_search_key(&page, &event, single_keys);
            }
        });
        let _stop_on_unmount =
            use_event_listener(use_document(), ev::paste, move |event| on_paste(&sessions, &event));
    }
    let on_panel_paste = move |event: ClipboardEvent| {
        if !host.owns_page() {
            on_paste(&sessions, &event);
        }
    };
    let on_panel_key = move |event: KeyboardEvent| {
        if !host.owns_page() {
            keys.on_key(&event, single_keys);
            if let Some(panel) = event.current_target().and_then(|panel| panel.dyn_into::<Element>().ok()) {
                on_pane_key(&panel, &event);
                on_search_key(&panel, &event, single_keys);
            }
        }
    };
    let is_run = move || state.screen.get() == Screen::Run;
    let shows_header = move || {
        let has_header = is_run() && data.header.with(Option::is_some);
        match panel.view.get() {
            PanelView::Full | PanelView::Header => has_header,
            PanelView::Tree | PanelView::Node | PanelView::Log => false,
        }
    };
    let work = || view! { <Work /> };
    let is_dropping = RwSignal::new(false);
    view! {
        <div
            class="panel"
            data-view=move || if is_run() { "tree" } else { "screen" }
            data-panel-view=move || panel.view.get().as_str()
            data-embedded=(!host.owns_page()).then_some("")
            data-dropping=move || is_dropping.get().then_some("")
            style=("--runs-width", move || widths.style(SizedPane::Runs))
            style=("--node-width", move || widths.style(SizedPane::Node))
            on:paste=on_panel_paste
            on:keydown=on_panel_key
            on:dragover=move |event| is_dropping.set(accepts_drag(host, &event))
            on:dragleave=move |event| {
                if leaves_panel(&event) {
                    is_dropping.set(false);
                }
            }
            on:drop=move |event| {
                is_dropping.set(false);
                on_drop(&sessions, &event);
            }
        >
            <div class="shell">
                {host.owns_page().then(|| view! { <ExportedPageStrip /> })}
                <Show when=move || panel.view.get() == PanelView::Full>
                    <ExampleStrip />
                </Show>
                <Show when=shows_header>
                    <SnapshotHeader />
                </Show>
                // A host page has its own `<main>`.
                {if host.owns_page() {
                    view! { <main class="work">{work()}</main> }.into_any()
                } else {
                    view! { <div class="work">{work()}</div> }.into_any()
                }}
                <KeyBar />
            </div>
            <div class="drop-hint" aria-hidden="true">
                "Drop files here. They are read on this device only."
            </div>
            <KeyList />
            <Announcer />
            {host.can_print().then(|| view! { <PrintView /> })}
        </div>
    }
}

/// The toolbar and the screen below the header.
#[component]
fn Work() -> impl IntoView {
    let (data, exports) = (expect_context::<SessionData>(), expect_context::<Exports>());
    let ScreenState { screen, .. } = expect_context();
    let Panel { view, .. } = expect_context();
    let is_run = move || screen.get() == Screen::Run;
    let shows_export = move || exports.form.with(|form| *form != Export::Closed) && exports.can_export.get();
    let has_list = move || has_run_list(data, view.get(), screen.get());
    // A part of the panel has no connect screen: without a run, it shows only why there is none.
    let problem_alone = move || match view.get() {
        PanelView::Full => false,
        PanelView::Header => is_run() || screen.get() == Screen::Nothing,
        PanelView::Tree | PanelView::Node | PanelView::Log => screen.get() == Screen::Nothing,
    };
    view! {
        <Show when=move || !is_run()>
            <h1 class="visually-hidden">"Runstate"</h1>
        </Show>
        <Show when=move || view.get() == PanelView::Full>
            <Toolbar />
            <Show when=shows_export>
                <ExportForm />
            </Show>
        </Show>
        <div class="panes">
            <Show when=has_list>
                <RunsPane />
                <Splitter pane=SizedPane::Runs />
            </Show>
            {move || {
                if problem_alone() { view! { <ProblemCard /> }.into_any() } else { view! { <MainView screen=screen.get() /> }.into_any() }
            }}
        </div>
    }
}

/// The screen below the toolbar.
#[component]
fn MainView(
    /// The screen.
    screen: Screen,
) -> impl IntoView {
    let state = expect_context::<ScreenState>();
    match screen {
        Screen::Run => {
            view! { <div class="run-view"><RunPanes /></div> }.into_any()
        }
        // The run list is a separate pane and fills the panel.
        Screen::Runs => ().into_any(),
        Screen::Connecting => view! { <div class="scroll"><ConnectingScreen /></div> }.into_any(),
        Screen::Refusal => view! { <div class="scroll"><RefusalScreen /><LastState /></div> }.into_any(),
        Screen::Traffic => view! { <div class="scroll"><TrafficScreen /></div> }.into_any(),
        Screen::Nothing => {
            view! { <div class="scroll"><Show when=move || !state.is_blank.get()><ConnectScreen /></Show></div> }
                .into_any()
        }
    }
}

/// The last state of a run that the server no longer has.
#[component]
fn LastState() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let is_known = Memo::new(move |_| data.header.with(Option::is_some));
    view! { <Show when=move || is_known.get()><SnapshotHeader /></Show> }
}

/// Whether the run list is visible, as the screen or beside a run.
fn has_run_list(data: SessionData, view: PanelView, screen: Screen) -> bool {
    match screen {
        Screen::Runs => true,
        Screen::Run | Screen::Connecting | Screen::Refusal => {
            view == PanelView::Full && data.runs.with(Option::is_some)
        }
        Screen::Nothing | Screen::Traffic => false,
    }
}

/// Tells the worker whether the page is visible; ticking and fast polling need that. When the network is back, a visible page
/// reads everything again, as one that is shown again does.
fn send_visibility(session: CurrentSession) {
    let visibility = use_document_visibility();
    let online = Trigger::new();
    let _ = use_event_listener(use_window(), ev::online, move |_| online.notify());
    Effect::new(move |_| {
        online.track();
        session.send(&Command::Visible(visibility.get() == VisibilityState::Visible));
    });
}

/// Tells the worker which panes are on screen; it computes no others.
fn send_panes(session: CurrentSession, panel: Panel, state: ScreenState, data: SessionData) {
    let shown = Memo::new(move |_| {
        let screen = data.status.with(|status| status.screen);
        let mut kinds = panel.view.get().panes(screen, state.shows_events.get());
        kinds.retain(|kind| *kind != PaneKind::Node || state.shows_node.get());
        kinds
    });
    Effect::new(move |_| {
        let shown = shown.get();
        if !shown.contains(&PaneKind::Log) {
            data.clear_log();
        }
        session.send(&Command::View(ViewCommand::Panes(shown)));
    });
}

/// Sets the page title from the header.
fn set_title(data: SessionData, state: ScreenState) {
    Effect::new(move |_| {
        let run_state = data.header.with(|header| header.as_ref().map(|header| title(&header.answer)));
        let text = match run_state {
            Some(run_state) if state.screen.get() == Screen::Run => {
                plain_text(&format!("{run_state} · Runstate"))
            }
            Some(_) | None => "Runstate".to_owned(),
        };
        if document().title() != text {
            document().set_title(&text);
        }
    });
}

/// Opens pasted content, unless the paste goes into a text field.
fn on_paste(sessions: &Sessions, event: &ClipboardEvent) {
    let Some(transfer) = event.clipboard_data().filter(|_| !is_in_text_field(event)) else { return };
    if files::open_transfer(sessions, &transfer) {
        event.prevent_default();
    }
}

/// Accepts a drag of what can be opened. On the panel's own page anything else is refused, because a dropped link would replace
/// the page; in a host page it is left to that page.
fn accepts_drag(host: Host, event: &DragEvent) -> bool {
    let Some(transfer) = event.data_transfer() else { return false };
    let can_open = files::can_open(&transfer);
    if can_open || host.owns_page() {
        event.prevent_default();
    }
    if !can_open && host.owns_page() {
        transfer.set_drop_effect("none");
    }
    can_open
}

/// Whether a drag leaves the panel, not only one of its elements for another.
fn leaves_panel(event: &DragEvent) -> bool {
    let panel = event.current_target().and_then(|panel| panel.dyn_into::<Node>().ok());
    let entered = event.related_target().and_then(|entered| entered.dyn_into::<Node>().ok());
    !panel.zip(entered).is_some_and(|(panel, entered)| panel.contains(Some(&entered)))
}

/// Opens content that is dropped on the panel.
fn on_drop(sessions: &Sessions, event: &DragEvent) {
    if let Some(transfer) = event.data_transfer().filter(files::can_open) {
        event.prevent_default();
        files::open_transfer(sessions, &transfer);
    }
}

/// Whether an event comes from a text field, which handles the event itself.
fn is_in_text_field(event: &Event) -> bool {
    let element = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    element
        .is_some_and(|element| element.closest("input, textarea, [contenteditable]").ok().flatten().is_some())
}
