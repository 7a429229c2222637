//! The Runstate panel: one page for the dashboard, the `DevTools` panel and the offline file.

mod announcer;
mod app;
mod connect;
mod copy;
mod el;
mod export;
mod header;
mod host;
mod kept;
mod pill;
mod runs;
mod source;
mod store;
mod toolbar;
mod tree;
mod trouble;

// Its exports are the worker's side of this module.
use runstate_live as _;

fn main() {
    // In the live part's worker there is nothing to draw on; it is asked for its exports.
    if web_sys::window().is_none() {
        return;
    }
    leptos::mount::mount_to_body(app::app);
}
