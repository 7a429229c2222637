//! The panel embedded in a host page: options, methods and events.

use std::cell::OnceCell;
use std::rc::Rc;

use js_sys::Function;
use leptos::mount::{UnmountHandle, mount_to};
use leptos::prelude::*;
use leptos::tachys::view::any_view::AnyViewState;
use runstate::viewer::{ConnectionHelp, Link, Place};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, HtmlElement};

use crate::address::checked_gateway;
use crate::app::App;
use crate::browser::host::Host;
use crate::browser::page;
use crate::problem::Problem;
use crate::session::protocol::InputFile;
use crate::sources::files;
use crate::store::{HostEvent, HostPage, PanelView, ScreenContent, Sessions, Store};

#[wasm_bindgen]
extern "C" {
    /// The options of the host page.
    #[derive(Clone)]
    pub type Settings;
    /// Starts a worker of this module.
    #[wasm_bindgen(method, getter, js_name = startWorker)]
    fn start_worker(this: &Settings) -> Function;
    /// Receives events. For `action`, returning `false` stops the panel from performing it.
    #[wasm_bindgen(method, getter, js_name = onReport)]
    fn on_report(this: &Settings) -> Function;
    /// Which parts of the panel are shown: `full`, `header` or `tree`.
    #[wasm_bindgen(method, getter)]
    fn view(this: &Settings) -> Option<String>;
}

/// The panel's callbacks to the host page.
fn host_page(settings: Settings) -> HostPage {
    let worker_settings = settings.clone();
    HostPage {
        report: UnsyncCallback::new(move |event| report(&settings, &event)),
        start_worker: UnsyncCallback::new(move |()| {
            worker_settings.start_worker().call0(&JsValue::NULL)?.dyn_into()
        }),
    }
}

/// Reports an event to the host page. Returns whether the panel should perform the action; the host page may have done it.
fn report(settings: &Settings, event: &HostEvent) -> bool {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    let message = match event.serialize(&serializer) {
        Ok(message) => message,
        Err(error) => {
            leptos::logging::error!("an event cannot be written: {error}");
            return true;
        }
    };
    let answer = settings.on_report().call1(&JsValue::NULL, &message);
    // The element logs exceptions from the host page's handler.
    answer.ok().and_then(|answer| answer.as_bool()).unwrap_or(true)
}

/// A mounted panel. Dropping it (`unmount` or `free` in JavaScript) removes everything that the panel added to the page.
#[wasm_bindgen]
pub struct Mounted {
    store: Store,
    _handle: UnmountHandle<AnyViewState>,
}

/// Mounts a panel in an element of a host page, which may be inside a shadow root. The panel is as high as the
/// element.
///
/// # Errors
/// Only if the panel was not drawn.
#[wasm_bindgen]
pub fn mount(root: HtmlElement, settings: Settings) -> Result<Mounted, JsValue> {
    let store = Rc::new(OnceCell::new());
    let handle = mount_to(root, {
        let store = Rc::clone(&store);
        move || {
            let view = PanelView::parse(settings.view().as_deref());
            let embedded = store.get_or_init(|| Store::embedded(host_page(settings)));
            embedded.sessions.panel.show(view);
            report_screen(&embedded.sessions);
            report_place(&embedded.sessions);
            view! { <App store=embedded.clone() host=Host::Embedded /> }.into_any()
        }
    });
    let store = store.get().cloned().ok_or("the panel was not drawn")?;
    Ok(Mounted { store, _handle: handle })
}

#[wasm_bindgen]
impl Mounted {
    /// Removes the panel from the page and ends its sessions.
    pub fn unmount(self) {
        drop(self);
    }

    /// Opens files, which together are one document called `name`: `{ name, content }[]` with strings or blobs. `place` is
    /// what to show of it.
    ///
    /// # Errors
    /// `{ code, message, hint }` if they cannot be opened.
    pub fn open(&self, files: JsValue, name: String, place: &str) -> Result<(), JsValue> {
        let files: Vec<InputFile> = serde_wasm_bindgen::from_value(files)?;
        let size = files.iter().filter_map(|file| Some(file.content.dyn_ref::<Blob>()?.size())).sum();
        files::check_size(size, &name).map_err(|problem| to_js_object(&problem))?;
        self.store.sessions.open(files, name, read_place(place));
        Ok(())
    }

    /// Connects to a Gateway. `place` is what to show of it; it precedes `run`.
    ///
    /// # Errors
    /// `{ code, message, hint }` if the address or the token cannot be used.
    pub fn connect(
        &self,
        url: &str,
        token: Option<String>,
        run: Option<String>,
        place: &str,
    ) -> Result<(), JsValue> {
        let (address, token) = checked_gateway(url, token).map_err(|problem| to_js_object(&problem))?;
        let mut place = read_place(place);
        place.run = place.run.or(run.filter(|run| !run.is_empty()));
        self.store.sessions.connect(address, token, place);
        Ok(())
    }

    /// Shows why the host page could not load a document, as for a document that cannot be opened.
    pub fn refuse(&self, code: &str, message: String, hint: Option<String>) {
        self.store.sessions.refuse(Problem { hint, ..Problem::new(code, message) });
    }

    /// Shows a place of the source that is being opened, else of the one on screen: what the event `place` reported, of this
    /// panel or of another one. Parts that mean nothing are ignored, with a warning.
    pub fn go(&self, place: &str) {
        self.store.sessions.go_in_newest(read_place(place));
    }

    /// Ends the session and clears its data.
    pub fn disconnect(&self) {
        self.store.sessions.close();
    }

    /// Requests one redacted file of the document or run on screen; the event `export` or `export-failed` follows. Returns
    /// whether there is anything to export.
    pub fn export(&self, keys: Vec<String>) -> bool {
        self.store.sessions.exports.write_for_host_page(keys)
    }

    /// Copies a text for a person, and confirms it on its button.
    pub fn copy(&self, text: String) {
        self.store.copying.copy(text);
    }

    /// Shows `full`, `header` or `tree`.
    #[wasm_bindgen(js_name = setView)]
    pub fn set_view(&self, view: Option<String>) {
        self.store.sessions.panel.show(PanelView::parse(view.as_deref()));
    }
}

/// Reports the content of the screen whenever it changes.
fn report_screen(sessions: &Sessions) {
    let Sessions { panel, data, state, session, .. } = *sessions;
    let shown = Memo::new(move |_| {
        let (screen, live, refusal, open_failure) = data.status.with(|status| {
            let link = &status.link;
            (status.screen, link.is_gateway(), status.refusal.clone(), open_failure(link, &status.source))
        });
        let key = data.focus.with(|focus| Some(focus.selection.as_ref()?.key.as_ref()?.node_id.clone()));
        let title = data.tree.with(|tree| {
            let tree = tree.as_ref()?;
            tree.rows.iter().find(|row| Some(row.id) == tree.selected).map(|row| row.title.clone())
        });
        let selected = key.or(title);
        let problem = session.problem.problem.with(Option::is_some);
        ScreenContent { screen, live, refusal, open_failure, problem, header: data.header.get(), selected }
    });
    Effect::new(move |_| {
        let shown = shown.get();
        // The screen is blank for a moment between two documents.
        if !state.is_blank.get() {
            panel.report(HostEvent::Shown(Box::new(shown)));
        }
    });
}

/// Reads a place, and warns about the parts that mean nothing.
fn read_place(text: &str) -> Place {
    let (place, ignored) = Place::parse(text);
    page::warn_ignored("place", &ignored);
    place
}

/// Reports the place on screen whenever it changes.
fn report_place(sessions: &Sessions) {
    let sessions = *sessions;
    let place = Memo::new(move |_| sessions.place().map(|place| place.to_string()));
    Effect::new(move |_| {
        if let Some(place) = place.get() {
            sessions.panel.report(HostEvent::Place(place));
        }
    });
}

/// Why the Gateway at an address cannot be reached.
fn open_failure(link: &Link, address: &str) -> Option<Problem> {
    match link {
        Link::Connecting { failure, .. } => failure.map(|failure| {
            let help = ConnectionHelp::new(failure, address, &page::origin());
            Problem::new(help.code, help.message).with_hint(help.hint)
        }),
        Link::Document | Link::Traffic(_) | Link::Connected | Link::Lost => None,
    }
}

/// Converts a problem to a JavaScript object.
fn to_js_object(problem: &Problem) -> JsValue {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    problem.serialize(&serializer).unwrap_or_else(Into::into)
}
