//! Documents: pasted, dropped or opened. They are read on this machine only.

use js_sys::{Array, JsString, Object, Reflect};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::worker;
use crate::host;
use crate::store::Store;
use crate::trouble::Trouble;

/// Documents above this size are refused before they are read, bytes.
const MAX_BYTES: f64 = 512.0 * 1024.0 * 1024.0;

/// A pasted text longer than this is read at once instead of going through the text field, UTF-16 units. A field lays out
/// every character it holds: 2 MB take a third of a second, 50 MB half a minute.
const LONG_PASTE: u32 = 256 * 1024;

#[wasm_bindgen]
extern "C" {
    /// What a paste or a drop carries; its text stays JavaScript's, because a long one is not ours to copy.
    type Transfer;
    #[wasm_bindgen(method, js_name = getData)]
    fn text(this: &Transfer, format: &str) -> JsString;
}

/// Opens something; when nothing of it can be read, what is on screen stays and the reason stands beside it.
fn open(store: Store, wish: &'static str, given: Vec<JsValue>, origin: String) {
    open_then(store, wish, given, origin, || host::focus_later("#snapshot-name, .screen h2"));
}

fn open_then(
    store: Store,
    wish: &'static str,
    given: Vec<JsValue>,
    origin: String,
    then: impl FnOnce() + 'static,
) {
    store.reading.set(Some(origin));
    host::spawn(async move {
        let read = worker::ask(wish, &given).await;
        store.reading.set(None);
        match read {
            // What was asked for after it came first, and stays.
            Ok(shown) if shown.as_bool() == Some(false) => {}
            Ok(_) => {
                store.look();
                then();
            }
            Err(problem) => store.problem.set(Some(problem)),
        }
    });
}

/// Shows the built-in recording as the first thing: nobody's focus moves, and no form is seen before it.
pub(crate) fn begin_with_recording(store: Store) {
    store.look();
    open_then(store, "recording", Vec::new(), "the recording".into(), || {});
}

/// Shows the built-in recording.
pub(crate) fn open_recording(store: Store) {
    open(store, "recording", Vec::new(), "the recording".into());
}

/// Shows a row of the list that is held, or the list again.
pub(crate) fn choose(store: Store, row: Option<usize>) {
    let row = row.map_or(JsValue::UNDEFINED, |row| JsValue::from_f64(row as f64));
    host::spawn(async move {
        match worker::ask("choose", &[row]).await {
            Ok(_) => {
                store.look();
                host::focus_later("#snapshot-name, .screen h2");
            }
            Err(problem) => store.problem.set(Some(problem)),
        }
    });
}

/// Reads a text that somebody typed or pasted.
pub(crate) fn open_text(store: Store, text: &JsString) {
    open_all(store, vec![file(None, text)], "pasted text".into());
}

fn open_all(store: Store, files: Vec<JsValue>, origin: String) {
    let files: Array = files.into_iter().collect();
    open(store, "open", vec![files.into(), origin.as_str().into()], origin);
}

/// A file for the worker: its name and its content, a text or a `Blob`.
fn file(name: Option<&str>, content: &JsValue) -> JsValue {
    let file = Object::new();
    // A plain object takes any property.
    let _ = Reflect::set(&file, &"name".into(), &name.map_or(JsValue::NULL, JsValue::from_str));
    let _ = Reflect::set(&file, &"content".into(), content);
    file.into()
}

/// Reads files that were dropped or chosen together: they are one document.
pub(crate) fn open_files(store: Store, list: &web_sys::FileList) {
    let files: Vec<_> = (0..list.length()).filter_map(|index| list.get(index)).collect();
    let size: f64 = files.iter().map(|file| file.size()).sum();
    let Some(first) = files.first() else { return };
    if size > MAX_BYTES {
        let found = (size / 1e6) as u64;
        let message = format!("Expected at most 512 MB, found {found} MB in {}.", first.name());
        store.problem.set(Some(Trouble::new("TOO_LARGE", message)));
        return;
    }
    let origin = match files.len() {
        1 => first.name(),
        count => format!("{} and {} more", first.name(), count - 1),
    };
    open_all(store, files.iter().map(|one| file(Some(&path(one)), one)).collect(), origin);
}

/// The path inside a chosen folder, else the name.
fn path(file: &web_sys::File) -> String {
    let path = Reflect::get(file, &"webkitRelativePath".into()).ok().and_then(|path| path.as_string());
    path.filter(|path| !path.is_empty()).unwrap_or_else(|| file.name())
}

fn text_of(transfer: &web_sys::DataTransfer) -> JsString {
    transfer.unchecked_ref::<Transfer>().text("text/plain")
}

/// Opens whatever a paste or a drop carries: files first, else text. Returns whether there was something.
pub(crate) fn open_transfer(store: Store, transfer: &web_sys::DataTransfer) -> bool {
    if let Some(files) = transfer.files().filter(|files| files.length() > 0) {
        open_files(store, &files);
        return true;
    }
    let text = text_of(transfer);
    let some = text.trim().length() > 0;
    if some {
        open_text(store, &text);
    }
    some
}

/// Opens a text that is pasted into the text field, if it is too long for one. Returns whether it was.
pub(crate) fn open_long_paste(store: Store, transfer: &web_sys::DataTransfer) -> bool {
    let text = text_of(transfer);
    let long = text.length() > LONG_PASTE;
    if long {
        open_text(store, &text);
    }
    long
}

/// Reads the clipboard, where the browser lets a page do so.
pub(crate) fn paste(store: Store) {
    host::spawn(async move {
        let read = match host::clipboard() {
            Some(clipboard) => JsFuture::from(clipboard.read_text()).await.ok(),
            None => None,
        };
        match read.map(JsValue::dyn_into::<JsString>) {
            Some(Ok(text)) => open_text(store, &text),
            Some(Err(_)) | None => store.problem.set(Some(Trouble::new(
                "CLIPBOARD_REFUSED",
                "The browser does not let this page read the clipboard. Paste into the text field instead."
                    .to_owned(),
            ))),
        }
    });
}
