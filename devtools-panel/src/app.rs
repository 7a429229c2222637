//! The panel as a whole: which view is shown, and what happens anywhere in it.

use gloo_timers::callback::Interval;
use leptos::prelude::*;

use crate::announcer::Announcer;
use crate::connect::{ConnectScreen, ConnectingScreen, Problem, RefusalScreen};
use crate::header::{self, Header};
use crate::host::{self, Host};
use crate::runs::RunsScreen;
use crate::source::{example, file, gateway};
use crate::store::{Store, View};
use crate::toolbar::Toolbar;
use crate::tree::TreePane;

/// How often ages are told anew, ms: a countdown that is looked at is then right within a second.
const TICK_MS: u32 = 250;

/// The panel.
#[component]
pub(crate) fn App() -> impl IntoView {
    let store = Store::new();
    provide_context(store);
    let answer = header::current_answer(store);
    let view = Memo::new(move |_| store.view());
    let running = move || view.get() == View::Run;
    let dropping = RwSignal::new(false);
    tick(store);
    start(store);
    title(answer, view);
    take_pastes(store);
    view! {
        <div
            class="panel"
            data-view=move || if running() { "tree" } else { "screen" }
            data-cursor="live"
            data-dropping=move || dropping.get().then_some("")
            on:dragover=move |event| {
                event.prevent_default();
                dropping.set(true);
            }
            on:dragleave=move |event| dropping.set(event.related_target().is_some())
            on:drop=move |event| {
                event.prevent_default();
                dropping.set(false);
                if let Some(transfer) = event.data_transfer() {
                    file::open_transfer(store, &transfer);
                }
            }
        >
            <div class="shell">
                <Show when=running><Header answer=answer/></Show>
                <main class="work">
                    <Show when=move || !running()><h1 class="vh">"Runstate"</h1></Show>
                    <Toolbar/>
                    {move || match view.get() {
                        View::Connect => view! { <div class="scroll"><ConnectScreen/></div> }.into_any(),
                        View::Connecting => view! { <div class="scroll"><ConnectingScreen/></div> }.into_any(),
                        View::Refusal => view! { <div class="scroll"><RefusalScreen/></div> }.into_any(),
                        View::Runs => view! { <div class="scroll"><Problem/><RunsScreen/></div> }.into_any(),
                        View::Run => view! { <div class="run-view"><Problem/><TreePane/></div> }.into_any(),
                    }}
                </main>
            </div>
            <div class="drop-hint" aria-hidden="true">"Drop it here. It is read on this machine only."</div>
            <Announcer/>
        </div>
    }
}

/// Ages tick while somebody can see them; coming back asks the feed to look first.
fn tick(store: Store) {
    let advance = move || store.tick.update(|n| *n += 1);
    Interval::new(TICK_MS, move || {
        if host::is_visible() {
            advance();
        }
    })
    .forget();
    window_event_listener_untyped("visibilitychange", move |_| {
        if host::is_visible() {
            gateway::woke(store);
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
        (_, Host::Dashboard) => example::open(store),
    }
}

/// The tab says what the header says.
fn title(answer: Memo<Option<runstate::answer::Answer>>, view: Memo<View>) {
    Effect::new(move |_| {
        let state = answer.with(|answer| answer.as_ref().map(header::title));
        let text = match (view.get(), state) {
            (View::Run, Some(state)) => format!("{state} · Runstate"),
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
