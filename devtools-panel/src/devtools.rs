//! What the panel asks of the developer tools around it; `www/extension/page.js` defines it.

use js_sys::{JsString, Reflect};
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen::{JsCast, JsValue};

#[wasm_bindgen]
extern "C" {
    /// Hands over what was collected of the page's traffic, and then what is new. `preserve` as in [`preserve`].
    #[wasm_bindgen(js_namespace = runstateTraffic)]
    fn subscribe(receive: &JsValue, preserve: bool);

    /// Ends that.
    #[wasm_bindgen(js_namespace = runstateTraffic, js_name = subscribe)]
    fn unsubscribe();

    /// Keeps what was collected when the page is reloaded or goes elsewhere.
    #[wasm_bindgen(js_namespace = runstateTraffic)]
    pub(crate) fn preserve(preserve: bool);

    /// Forgets what was collected.
    #[wasm_bindgen(js_namespace = runstateTraffic)]
    pub(crate) fn clear();

    /// Reloads the inspected page.
    #[wasm_bindgen(js_namespace = runstateTraffic)]
    pub(crate) fn reload();
}

/// Whether there are developer tools around the panel that hand over the page's traffic.
pub(crate) fn is_available() -> bool {
    Reflect::has(&js_sys::global(), &JsString::from("runstateTraffic")).unwrap_or(false)
}

/// What brings the traffic of the inspected page. Dropping it ends that.
pub(crate) struct Feed {
    _receive: Closure<dyn FnMut(JsValue)>,
}

impl Feed {
    /// `receive` takes what was collected; it returns whether it still wants more. `preserve` as in [`preserve`].
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
