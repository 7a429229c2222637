//! The Runstate panel: one page for the dashboard, the `DevTools` panel and the offline file.

mod announcer;
mod app;
mod connect;
mod copy;
mod el;
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

/// A smaller allocator than the standard library's, as in the JavaScript module.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

fn main() {
    console_error_panic_hook::set_once();
    leptos::mount::mount_to_body(app::app);
}
