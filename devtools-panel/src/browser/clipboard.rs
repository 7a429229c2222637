//! The clipboard.

use js_sys::JsString;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ClipboardEvent, HtmlDocument};

#[wasm_bindgen]
extern "C" {
    /// What a person has selected. web-sys has it behind a feature with which Leptos would be compiled again.
    type Selection;
    #[wasm_bindgen(js_name = getSelection)]
    fn get_selection() -> Option<Selection>;
    #[wasm_bindgen(method, js_name = toString)]
    fn text(this: &Selection) -> String;
}

/// Whether a person has selected text, which the browser copies.
pub(crate) fn has_selected_text() -> bool {
    get_selection().is_some_and(|selection| !selection.text().is_empty())
}

/// The clipboard; `None` outside secure contexts.
fn clipboard() -> Option<web_sys::Clipboard> {
    let clipboard = window().navigator().clipboard();
    (!clipboard.is_undefined()).then_some(clipboard)
}

/// The text on the clipboard; `None` if the browser does not permit the page to read it.
pub(crate) async fn read() -> Option<JsString> {
    JsFuture::from(clipboard()?.read_text()).await.ok()?.dyn_into().ok()
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
