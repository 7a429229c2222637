//! The Runstate panel: one page for the dashboard, the `DevTools` panel and the offline file.
//!
//! The page and the workers of its sessions run the same WebAssembly module. On a page, [`start`] mounts the panel on the
//! body, or the page's own script calls [`mount`]; in a worker, [`start`] serves one session.

#![allow(
    unreachable_pub,
    reason = "`#[component]` expands to a public function, whatever the visibility of the component"
)]
#![allow(
    clippy::needless_pass_by_value,
    reason = "the properties of a component are values, also where it only reads them"
)]

mod address;
mod app;
pub mod components;
mod files;
mod host;
pub mod session;
mod start;
pub mod store;

pub use app::App;
pub use host::Host;

use leptos::mount::{UnmountHandle, mount_to, mount_to_body};
use leptos::prelude::*;
use leptos::tachys::view::any_view::AnyViewState;
use wasm_bindgen::prelude::wasm_bindgen;

/// Starts what this module is for here: the panel of a page that is made for it, or the session of a worker.
pub fn start() {
    console_error_panic_hook::set_once();
    if web_sys::window().is_none() {
        session::worker::run();
    } else if host::is_page_of_panel() {
        mount_to_body(|| view! { <App host=Host::of_page() /> });
    }
}

/// A mounted panel. Dropping it (`unmount` or `free` in JavaScript) removes everything that the panel added to the page.
#[wasm_bindgen]
pub struct Mounted {
    _handle: UnmountHandle<AnyViewState>,
}

#[wasm_bindgen]
impl Mounted {
    /// Removes the panel from the page and ends its sessions.
    pub fn unmount(self) {
        drop(self);
    }
}

/// Mounts a panel in an element of somebody else's page, which may be inside a shadow root. The panel is as high as the
/// element.
#[wasm_bindgen]
pub fn mount(root: web_sys::HtmlElement) -> Mounted {
    Mounted { _handle: mount_to(root, || view! { <App host=Host::Embedded /> }.into_any()) }
}
