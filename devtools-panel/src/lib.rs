//! The Runstate panel: one page for the dashboard, the `DevTools` panel and the offline file.
//!
//! The page and the workers of its sessions run the same WebAssembly module. On a page, [`start`] mounts the panel on the
//! body, or the page's own script calls [`mount`]; in a worker, [`start`] serves one session.

#![allow(
    unreachable_pub,
    reason = "`#[component]` expands to a public function, whatever the visibility of the component"
)]
#![allow(clippy::needless_pass_by_value, reason = "component props are passed by value even when only read")]

mod address;
mod app;
mod browser;
pub mod components;
mod embed;
pub mod problem;
pub mod session;
mod sources;
pub mod store;
#[cfg(test)]
mod tests;
mod text;

pub use app::App;
pub use browser::host::Host;
pub use embed::{Mounted, Settings, mount};
pub use store::PanelView;

use leptos::mount::mount_to_body;
use leptos::prelude::*;

#[cfg(test)]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

/// In a worker, serves one session; on the panel's own page, mounts the panel.
pub fn start() {
    console_error_panic_hook::set_once();
    if web_sys::window().is_none() {
        session::run();
    } else if browser::page::is_panel_page() {
        mount_to_body(|| view! { <App store=store::Store::new() host=Host::from_page() /> });
    }
}
