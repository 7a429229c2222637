//! Documents: pasted, dropped or opened. They are read on this machine only.

use runstate::document;
use wasm_bindgen_futures::JsFuture;

use crate::host;
use crate::source::gateway;
use crate::store::{Held, Store};
use crate::trouble::Trouble;

/// Documents above this size are refused before they are copied into memory, bytes.
const MAX_BYTES: f64 = 512.0 * 1024.0 * 1024.0;

/// A pasted text longer than this is read at once instead of going through the text field, bytes. A field lays out every
/// character it holds: 2 MB take a third of a second, 50 MB half a minute.
const LONG_PASTE: usize = 256 * 1024;

/// Reads a document and shows it; when it cannot be read, what is on screen stays and the reason stands beside it.
pub(crate) fn open_bytes(store: Store, bytes: &[u8], name: Option<&str>) {
    match document::inspect(bytes, name, host::local_now()) {
        Ok(inspection) => {
            gateway::disconnect(store);
            let origin = name.unwrap_or("pasted text").to_owned();
            store.hold(Held::Document { inspection: Box::new(inspection), origin, chosen: None });
            host::focus_later("#snapshot-name, .screen h2");
        }
        Err(problem) => store.problem.set(Some(problem.into())),
    }
}

/// Reads a file that was dropped or chosen.
pub(crate) fn open_file(store: Store, file: web_sys::File) {
    let name = file.name();
    if file.size() > MAX_BYTES {
        store.problem.set(Some(Trouble::new(
            "TOO_LARGE",
            format!(
                "Expected a file of at most 512 MB, found {name} with {} MB.",
                (file.size() / 1e6) as u64
            ),
        )));
        return;
    }
    host::spawn(async move {
        match JsFuture::from(file.array_buffer()).await {
            Ok(buffer) => open_bytes(store, &js_sys::Uint8Array::new(&buffer).to_vec(), Some(&name)),
            Err(_) => store.problem.set(Some(Trouble::new(
                "UNREADABLE",
                format!(
                    "The browser could not read {name}. It may have been moved or changed; choose it again."
                ),
            ))),
        }
    });
}

/// Opens whatever a paste or a drop carries: files first, else text. Returns whether there was something.
pub(crate) fn open_transfer(store: Store, transfer: &web_sys::DataTransfer) -> bool {
    if let Some(file) = transfer.files().and_then(|files| files.get(0)) {
        open_file(store, file);
        return true;
    }
    let text = transfer.get_data("text/plain").unwrap_or_default();
    if text.trim().is_empty() {
        return false;
    }
    open_bytes(store, text.as_bytes(), None);
    true
}

/// Opens a text that is pasted into the text field, if it is too long for one. Returns whether it was.
pub(crate) fn open_long_paste(store: Store, transfer: &web_sys::DataTransfer) -> bool {
    let text = transfer.get_data("text/plain").unwrap_or_default();
    let long = text.len() > LONG_PASTE;
    if long {
        open_bytes(store, text.as_bytes(), None);
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
        match read.and_then(|text| text.as_string()) {
            Some(text) => open_bytes(store, text.as_bytes(), None),
            None => store.problem.set(Some(Trouble::new(
                "CLIPBOARD_REFUSED",
                "The browser does not let this page read the clipboard. Paste into the text field instead."
                    .to_owned(),
            ))),
        }
    });
}
