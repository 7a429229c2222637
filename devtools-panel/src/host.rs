//! What the panel asks of the page that carries it: clock, clipboard, theme.

use std::pin::Pin;

use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use runstate::time::Millis;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen_futures::JsFuture;

use crate::el::Ref;

/// Now on this machine's monotonic clock, anchored once to its wall clock: it never jumps while the page lives.
pub(crate) fn local_now() -> Millis {
    window().performance().map_or_else(
        || Millis(js_sys::Date::now()),
        |performance| Millis(performance.time_origin() + performance.now()),
    )
}

/// Runs a task beside everything else; boxed, so that the machinery around it is compiled once.
pub(crate) fn spawn(task: impl Future<Output = ()> + 'static) {
    wasm_bindgen_futures::spawn_local(Box::pin(task) as Pin<Box<dyn Future<Output = ()>>>);
}

/// Whether a person can see the page.
pub(crate) fn is_visible() -> bool {
    document().visibility_state() == web_sys::VisibilityState::Visible
}

/// The clipboard; pages that did not come over a secure way have none.
pub(crate) fn clipboard() -> Option<web_sys::Clipboard> {
    let clipboard = window().navigator().clipboard();
    (!clipboard.is_undefined()).then_some(clipboard)
}

/// Copies text; a refusal of the browser is silent, the text stays on screen to be selected.
pub(crate) fn copy(text: String) {
    let Some(clipboard) = clipboard() else { return };
    spawn(async move {
        if JsFuture::from(clipboard.write_text(&text)).await.is_err() {
            leptos::logging::warn!("the browser refused to copy");
        }
    });
}

/// Switches between light and dark, starting from what is shown now.
pub(crate) fn toggle_theme() {
    let Some(root) = document().document_element() else { return };
    let dark = root.get_attribute("data-theme").map_or_else(prefers_dark, |theme| theme == "dark");
    // An attribute of a constant name on an element of ours cannot be refused.
    let _ = root.set_attribute("data-theme", if dark { "light" } else { "dark" });
}

fn prefers_dark() -> bool {
    window().match_media("(prefers-color-scheme: dark)").ok().flatten().is_some_and(|query| query.matches())
}

/// The page's fragment, without `#`.
pub(crate) fn fragment() -> String {
    window().location().hash().unwrap_or_default().trim_start_matches('#').to_owned()
}

/// The height of one list row in CSS pixels: `--row` is 1.5 rem, so it follows the reader's font size.
pub(crate) fn row_height() -> f64 {
    const REMS: f64 = 1.5;
    const USUAL_REM: f64 = 16.0;
    let size = document()
        .document_element()
        .and_then(|root| window().get_computed_style(&root).ok().flatten())
        .and_then(|style| style.get_property_value("font-size").ok())
        .map(|size| js_sys::parse_float(&size))
        .filter(|size| size.is_finite());
    size.unwrap_or(USUAL_REM) * REMS
}

/// Calls `changed` once the element is on the page and whenever its size changes, until the component is gone.
pub(crate) fn on_resize(element: Ref, changed: impl Fn() + Copy + 'static) {
    let callback = Closure::<dyn Fn()>::new(changed);
    let Ok(observer) = web_sys::ResizeObserver::new(callback.as_ref().unchecked_ref()) else { return };
    let watched = observer.clone();
    element.on_load(move |element| watched.observe(&element));
    // The closure must outlive the observer's last call, and nothing of it may run once its signals are gone.
    let kept = StoredValue::new_local((observer, callback));
    on_cleanup(move || {
        kept.try_with_value(|(observer, _)| observer.disconnect());
    });
}

/// Moves the keyboard to the first match once the page has been drawn anew.
pub(crate) fn focus_later(selector: &'static str) {
    Timeout::new(0, move || {
        let found = document().query_selector(selector).ok().flatten();
        if let Some(element) = found.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
            // Focus can only fail on an element that is not on the page any more.
            let _ = element.focus();
        }
    })
    .forget();
}

/// Whether an event came from a field that takes text itself.
pub(crate) fn is_in_text_field(target: Option<web_sys::EventTarget>) -> bool {
    let element = target.and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    element
        .is_some_and(|element| element.closest("input, textarea, [contenteditable]").ok().flatten().is_some())
}

/// The page that carries the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Host {
    /// A page of its own.
    Dashboard,
    /// A panel of the browser's developer tools.
    DevTools,
    /// One file from disk.
    File,
}

impl Host {
    /// Reads `data-host` of the page.
    pub(crate) fn of_page() -> Self {
        let named = document().document_element().and_then(|root| root.get_attribute("data-host"));
        match named.as_deref() {
            Some("devtools") => Self::DevTools,
            Some("file") => Self::File,
            Some(_) | None => Self::Dashboard,
        }
    }
}

/// Sends a request and reads the whole answer. `None` where the browser does not let the page read it.
pub(crate) async fn fetch(url: &str, request: &web_sys::RequestInit) -> Option<String> {
    let answer = JsFuture::from(window().fetch_with_str_and_init(url, request)).await.ok()?;
    let text = answer.dyn_into::<web_sys::Response>().ok()?.text().ok()?;
    JsFuture::from(text).await.ok()?.as_string()
}

/// Asks the page's own server which Gateway to connect to, as `cargo xtask run --gateway` serves it beside the page; the
/// token never stands in an address.
pub(crate) fn fetch_gateway(connect: impl FnOnce(String, Option<String>, Option<String>) + 'static) {
    spawn(async move {
        let Some(text) = fetch("gateway.json", &web_sys::RequestInit::new()).await else { return };
        let file = js_sys::JSON::parse(&text).unwrap_or_default();
        let field = |name: &str| js_sys::Reflect::get(&file, &name.into()).ok()?.as_string();
        match field("url") {
            Some(url) => connect(url, field("token"), field("runId")),
            None => leptos::logging::warn!("gateway.json names no url"),
        }
    });
}
