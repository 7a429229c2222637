//! Functions of the developer tools around the panel; `www/extension/page.js` and `www/extension/theme.js` define them.

use js_sys::{JsString, Reflect};
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen::{JsCast, JsValue};

#[wasm_bindgen]
extern "C" {
    /// Delivers the collected traffic, then new entries. `preserve` as in [`preserve`].
    #[wasm_bindgen(js_namespace = runstateTraffic)]
    fn subscribe(receive: &JsValue, preserve: bool);

    /// Stops the subscription.
    #[wasm_bindgen(js_namespace = runstateTraffic, js_name = subscribe)]
    fn unsubscribe();

    /// Sets whether entries are kept when the page is reloaded or navigates. The browser keeps the setting.
    #[wasm_bindgen(js_namespace = runstateTraffic)]
    pub(crate) fn preserve(preserve: bool);

    /// The setting of an earlier panel.
    #[wasm_bindgen(js_namespace = runstateTraffic)]
    fn preserves() -> bool;

    /// Keeps the theme that a person has chosen, `light` or `dark`, for the present theme of the developer tools.
    #[wasm_bindgen(js_namespace = runstateTheme, js_name = keep)]
    pub(crate) fn keep_theme(theme: &str);

    /// Calls `end` once the browser has updated or removed the extension.
    #[wasm_bindgen(js_namespace = runstateTraffic, js_name = onEnd)]
    fn on_end(end: &JsValue);

    /// Discards the collected entries.
    #[wasm_bindgen(js_namespace = runstateTraffic)]
    pub(crate) fn clear();

    /// Reloads the inspected page.
    #[wasm_bindgen(js_namespace = runstateTraffic)]
    pub(crate) fn reload();
}

/// Whether the panel is in developer tools that deliver the page's traffic.
pub(crate) fn is_available() -> bool {
    Reflect::has(&js_sys::global(), &JsString::from("runstateTraffic")).unwrap_or(false)
}

/// Whether entries are kept when the page is reloaded or navigates, as set in an earlier panel.
pub(crate) fn preserves_log() -> bool {
    is_available() && preserves()
}

/// Calls `end` once the browser has updated or removed the extension: the panel then receives nothing more.
pub(crate) fn when_extension_ends(end: impl FnOnce() + 'static) {
    on_end(&Closure::once_into_js(end));
}

/// A subscription to the page's traffic; a new one replaces it.
pub(crate) struct TrafficSubscription {
    _receive: Closure<dyn FnMut(JsValue)>,
}

impl TrafficSubscription {
    /// Subscribes. `receive` gets the entries and returns `false` to unsubscribe; `preserve` as in [`preserve`].
    pub(crate) fn new(preserve: bool, receive: impl Fn(JsValue) -> bool + 'static) -> Self {
        let receive = Closure::<dyn FnMut(JsValue)>::new(move |entries: JsValue| {
            if !receive(entries) {
                unsubscribe();
            }
        });
        subscribe(receive.as_ref().unchecked_ref(), preserve);
        Self { _receive: receive }
    }
}
