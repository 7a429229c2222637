//! The page that contains the panel: its kind, theme and clipboard, printing, and saving files.

use std::path::Path;

use gloo_net::http::Request;
use gloo_timers::future::TimeoutFuture;
use js_sys::{Array, JsString, Reflect, Uint8Array};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, ClipboardEvent, Element, HtmlAnchorElement, HtmlDocument, Url, VisibilityState,
};

use crate::devtools;
use crate::session::protocol::Problem;

/// How long a saved file stays available to the browser, ms.
const REVOKE_AFTER_MS: u32 = 60_000;

#[wasm_bindgen]
extern "C" {
    /// The text of the panel's single file. The page's `boot.js` defines it, because it knows where the file is.
    #[wasm_bindgen(catch, js_name = runstatePage)]
    async fn runstate_page() -> Result<JsValue, JsValue>;
}

/// The kind of page that contains the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// The panel's own page.
    Dashboard,
    /// A panel of the browser's developer tools.
    DevTools,
    /// A single file from disk.
    File,
    /// An element of a host page.
    Embedded,
}

impl Host {
    /// Reads the page's `data-host`.
    pub(crate) fn from_page() -> Self {
        let name = document().document_element().and_then(|root| root.get_attribute("data-host"));
        match name.as_deref() {
            Some("devtools") => Self::DevTools,
            Some("file") => Self::File,
            Some(_) | None => Self::Dashboard,
        }
    }

    /// Whether the panel uses the page's title, fragment and clipboard events.
    pub(crate) fn owns_page(self) -> bool {
        self != Self::Embedded
    }

    /// Whether the panel can print its page. Developer tools cannot print.
    pub(crate) fn can_print(self) -> bool {
        match self {
            Self::Dashboard | Self::File => true,
            Self::DevTools | Self::Embedded => false,
        }
    }
}

/// The Gateway that the dashboard's server suggests in `gateway.json`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SuggestedGateway {
    /// The address.
    pub(crate) url: String,
    /// The token. It is a separate field because an address must not contain one.
    pub(crate) token: Option<String>,
    /// The run to watch.
    pub(crate) run_id: Option<String>,
}

/// Whether the page is the panel's own.
pub(crate) fn is_panel_page() -> bool {
    document().body().is_some_and(|body| body.has_attribute("data-runstate"))
}

/// The document inside an exported page; `None` in other pages.
pub(crate) fn exported_document() -> Option<JsString> {
    let element = document().get_element_by_id("document")?;
    // Read as a property, so that the text stays in JavaScript's memory.
    let text = Reflect::get(&element, &JsValue::from_str("textContent")).ok()?;
    text.dyn_into::<JsString>().ok().filter(|text| text.trim().length() > 0)
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

/// Prints the page.
pub(crate) fn print() {
    // Fails only in a sandboxed frame; the browser reports that itself.
    let _ = window().print();
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

/// The address of the Gateway that serves this page. `runstate/gateway` adds it to the page.
pub(crate) fn serving_gateway() -> Option<String> {
    let mark = document().query_selector("meta[name=runstate-gateway]").ok().flatten()?;
    let url = Url::new_with_base(&mark.get_attribute("content")?, &window().location().href().ok()?).ok()?;
    Some(url.href().trim_end_matches('/').to_owned())
}

/// Whether the page is visible.
pub(crate) fn is_visible() -> bool {
    document().visibility_state() == VisibilityState::Visible
}

/// Switches between light and dark, starting from the current theme: the whole page, or only an embedded panel. The developer
/// tools keep the choice.
pub(crate) fn toggle_theme(button: &Element) {
    let embedded = button.closest("[data-embedded]").ok().flatten();
    let Some(root) = embedded.or_else(|| document().document_element()) else { return };
    let is_dark = root.get_attribute("data-theme").map_or_else(|| is_dark(&root), |theme| theme == "dark");
    let theme = if is_dark { "light" } else { "dark" };
    // Setting an attribute with a constant name cannot fail.
    let _ = root.set_attribute("data-theme", theme);
    if devtools::is_available() {
        devtools::keep_theme(theme);
    }
}

/// Whether an element is shown dark: by its colour scheme, which an element of a host page inherits, or by the system's
/// preference if the scheme allows both.
fn is_dark(element: &Element) -> bool {
    let style = window().get_computed_style(element).ok().flatten();
    let scheme = style.and_then(|style| style.get_property_value("color-scheme").ok()).unwrap_or_default();
    match (scheme.contains("light"), scheme.contains("dark")) {
        (true, true) => window()
            .match_media("(prefers-color-scheme: dark)")
            .ok()
            .flatten()
            .is_some_and(|query| query.matches()),
        (_, is_dark) => is_dark,
    }
}

/// The clipboard; `None` outside secure contexts.
pub(crate) fn clipboard() -> Option<web_sys::Clipboard> {
    let clipboard = window().navigator().clipboard();
    (!clipboard.is_undefined()).then_some(clipboard)
}

/// Writes a text to the clipboard, while a person's click permits it. Returns whether the text was written.
pub(crate) async fn copy(text: &str) -> bool {
    let is_written = match clipboard() {
        Some(clipboard) => JsFuture::from(clipboard.write_text(text)).await.is_ok(),
        None => false,
    };
    is_written || copy_by_command(text)
}

/// Copies with the older `execCommand`, which the policy of the page around a frame cannot forbid.
fn copy_by_command(text: &str) -> bool {
    let text = text.to_owned();
    let on_copy = Closure::<dyn FnMut(ClipboardEvent)>::new(move |event: ClipboardEvent| {
        event.prevent_default();
        event.stop_immediate_propagation();
        // Fails only if the command fails as well.
        let _ = event.clipboard_data().map(|data| data.set_data("text/plain", &text));
    });
    let (document, listener) = (document(), on_copy.as_ref().unchecked_ref());
    // Adding and removing a listener cannot fail.
    let _ = document.add_event_listener_with_callback_and_bool("copy", listener, true);
    let is_copied = document.unchecked_ref::<HtmlDocument>().exec_command("copy").unwrap_or(false);
    let _ = document.remove_event_listener_with_callback_and_bool("copy", listener, true);
    is_copied
}

/// Requests `gateway.json` from the page's own server.
pub(crate) async fn suggested_gateway() -> Result<SuggestedGateway, gloo_net::Error> {
    Request::get("gateway.json").send().await?.json().await
}

/// Saves bytes as a file called `name`.
///
/// # Errors
/// [`Problem`] if the browser refuses.
pub(crate) fn save_file(name: &str, bytes: &Uint8Array) -> Result<(), Problem> {
    click_download(name, bytes).map_err(|_| Problem::new("NOT_SAVED", "The browser did not save the file."))
}

fn click_download(name: &str, bytes: &Uint8Array) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    let is_page = Path::new(name).extension().is_some_and(|extension| extension == "html");
    options.set_type(if is_page { "text/html" } else { "application/json" });
    let blob = Blob::new_with_u8_array_sequence_and_options(&Array::of1(bytes), &options)?;
    let url = Url::create_object_url_with_blob(&blob)?;
    let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    // The download may start later, for instance after the browser asked for a folder.
    spawn_local(async move {
        TimeoutFuture::new(REVOKE_AFTER_MS).await;
        // Revoking a URL twice is harmless, and it cannot fail otherwise.
        let _ = Url::revoke_object_url(&url);
    });
    Ok(())
}
