//! What a person has set, kept for the next visit of the page. Data and tokens are never kept.

use js_sys::Reflect;
use leptos::prelude::window;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Storage)]
    type Storage;

    #[wasm_bindgen(method, catch, js_name = getItem)]
    fn get_item(this: &Storage, name: &str) -> Result<Option<String>, JsValue>;

    #[wasm_bindgen(method, catch, js_name = setItem)]
    fn set_item(this: &Storage, name: &str, value: &str) -> Result<(), JsValue>;
}

/// The storage of the page; `None` where the browser allows none, as in some sandboxed frames.
fn storage() -> Option<Storage> {
    let found = Reflect::get(&window(), &"localStorage".into()).ok()?;
    found.is_object().then(|| found.unchecked_into())
}

/// The value that was kept.
pub(crate) fn get(name: &str) -> Option<String> {
    storage()?.get_item(name).ok().flatten()
}

/// Keeps a value, if the browser allows it; otherwise it lasts as long as the page.
pub(crate) fn set(name: &str, value: &str) {
    if let Some(storage) = storage() {
        // It fails if the storage is full or not allowed: the setting is then forgotten.
        let _ = storage.set_item(name, value);
    }
}
