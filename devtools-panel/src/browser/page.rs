//! The page around the panel: its address, its visibility, printing, and the text of the panel's single file.

use leptos::prelude::*;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Url, VisibilityState};

use crate::problem::Problem;

#[wasm_bindgen]
extern "C" {
    /// The text of the panel's single file. The page's `boot.js` defines it, because it knows where the file is.
    #[wasm_bindgen(catch, js_name = runstatePage)]
    async fn runstate_page() -> Result<JsValue, JsValue>;
}

/// Whether the page is the panel's own.
pub(crate) fn is_panel_page() -> bool {
    document().body().is_some_and(|body| body.has_attribute("data-runstate"))
}

/// The page's fragment, without `#`.
pub(crate) fn fragment() -> String {
    window().location().hash().unwrap_or_default().trim_start_matches('#').to_owned()
}

/// The page's origin, as a server sees it.
pub(crate) fn origin() -> String {
    window().location().origin().unwrap_or_default()
}

/// Whether an HTTP address has the page's origin.
pub(crate) fn is_own_origin(address: &str) -> bool {
    Url::new(address).is_ok_and(|url| url.origin() == origin())
}

/// Whether an address of a Gateway, over HTTP or a WebSocket, is on the page's own origin.
pub(crate) fn has_own_host(address: &str) -> bool {
    let is_socket = address.get(..2).is_some_and(|scheme| scheme.eq_ignore_ascii_case("ws"));
    let http = if is_socket { format!("http{}", &address[2..]) } else { address.to_owned() };
    is_own_origin(&http)
}

/// Warns about parts of a text that mean nothing.
pub(crate) fn warn_ignored(text: &str, names: &[String]) {
    if !names.is_empty() {
        leptos::logging::warn!("These parts of the {text} were ignored: {}", names.join(", "));
    }
}

/// Whether the page is inside another one.
pub(crate) fn is_framed() -> bool {
    // A page that is denied access to the one around it is framed as well.
    window().parent().ok().flatten().is_none_or(|parent| parent != window())
}

/// Whether the browser runs on Windows.
pub(crate) fn is_windows() -> bool {
    window().navigator().platform().is_ok_and(|platform| platform.starts_with("Win"))
}

/// Whether the page is visible.
pub(crate) fn is_visible() -> bool {
    document().visibility_state() == VisibilityState::Visible
}

/// Prints the page.
pub(crate) fn print() {
    // Fails only in a sandboxed frame; the browser reports that itself.
    let _ = window().print();
}

/// The text of the panel's single file.
///
/// # Errors
/// [`Problem`] if this page cannot load it.
pub(crate) async fn single_file() -> Result<JsValue, Problem> {
    runstate_page().await.map_err(|error| {
        let reason = error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
        let reason = reason.unwrap_or_else(|| "no reason was given".to_owned());
        Problem::new(
            "NO_SINGLE_FILE",
            format!("The template for exported pages could not be loaded: {reason}."),
        )
        .with_hint("Choose Save file instead; every Runstate panel can open the saved file.")
    })
}
