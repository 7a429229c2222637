//! The Runstate panel: one page for the dashboard, the `DevTools` panel and the offline file.

#![allow(unreachable_pub, reason = "leptos writes the props of a component as pub items of a private module")]

mod announcer;
mod app;
mod connect;
mod header;
mod host;
mod pill;
mod runs;
mod source;
mod store;
mod toolbar;
mod tree;
mod trouble;

fn main() {
    console_error_panic_hook::set_once();
    leptos::mount::mount_to_body(app::App);
}
