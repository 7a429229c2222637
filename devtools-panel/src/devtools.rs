//! What the panel asks of the developer tools around it; `www/extension/page.js` defines it.

use js_sys::{JsString, Reflect};
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen::{JsCast, JsValue};

#[wasm_bindgen]
extern "C" {
    /// Hands over what was collected of the page's traffic, and then what is new; `null` ends that.
    #[wasm_bindgen(js_namespace = runstateTraffic, js_name = subscribe)]
    fn subscribe(receive: &JsValue);

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
    /// `receive` takes what was collected; it returns whether it still wants more.
    pub(crate) fn new(receive: impl Fn(JsValue) -> bool + 'static) -> Self {
        let receive = Closure::<dyn FnMut(JsValue)>::new(move |entries: JsValue| {
            if !receive(entries) {
                subscribe(&JsValue::NULL);
            }
        });
        subscribe(receive.as_ref().unchecked_ref());
        Self { _receive: receive }
    }
}
