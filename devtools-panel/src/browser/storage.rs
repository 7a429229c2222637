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
fn get(name: &str) -> Option<String> {
    storage()?.get_item(name).ok().flatten()
}

/// Keeps a value, if the browser allows it; otherwise it lasts as long as the page.
fn set(name: &str, value: &str) {
    if let Some(storage) = storage() {
        // It fails if the storage is full or not allowed: the setting is then forgotten.
        let _ = storage.set_item(name, value);
    }
}

/// Sets a choice to the kept one, and keeps it once it changes; `words` are written for yes and no.
pub(crate) fn remember(choice: RwSignal<bool>, name: &'static str, words: [&'static str; 2]) {
    let [yes, no] = words;
    let read = |kept: &str| words.contains(&kept).then_some(kept == yes);
    remember_value(choice, name, read, move |is_chosen| if is_chosen { yes } else { no }.to_owned());
}

/// Sets a value to the kept one if `read` accepts its text, and keeps the text that `write` gives it once it changes.
pub(crate) fn remember_value<T: Copy + PartialEq + Send + Sync + 'static>(
    value: RwSignal<T>,
    name: &'static str,
    read: impl Fn(&str) -> Option<T>,
    write: impl Fn(T) -> String + 'static,
) {
    if let Some(kept) = get(name).and_then(|kept| read(&kept)) {
        value.set(kept);
    }
    Effect::new(move |before: Option<T>| {
        let now = value.get();
        if before.is_some_and(|before| before != now) {
            set(name, &write(now));
        }
        now
    });
}
