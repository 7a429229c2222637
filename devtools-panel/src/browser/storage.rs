//! What a person has set, kept for the next visit of the page. Data and tokens are never kept.

use js_sys::Reflect;
use leptos::prelude::*;
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

/// Sets a choice to the kept one, and keeps it once it changes; `words` are written for yes and no.
pub(crate) fn remember(choice: RwSignal<bool>, name: &'static str, words: [&'static str; 2]) {
    let [yes, no] = words;
    match get(name) {
        Some(kept) if kept == yes => choice.set(true),
        Some(kept) if kept == no => choice.set(false),
        Some(_) | None => {}
    }
    Effect::new(move |before: Option<bool>| {
        let is_chosen = choice.get();
        if before.is_some_and(|before| before != is_chosen) {
            set(name, if is_chosen { yes } else { no });
        }
        is_chosen
    });
}
