//! Documents: pasted, dropped or opened. They are read on this machine only.

use gloo_timers::future::TimeoutFuture;
use js_sys::JsString;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::host;
use crate::source::gateway;
use crate::source::reader::{self, Files, Pieces};
use crate::store::{Held, Store};
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

/// Opens files, or the recording where there are none; when nothing of them can be read, what is on screen stays and the reason stands beside it.
fn open(store: Store, files: Option<Files>, origin: String) {
    store.reading.set(Some(origin.clone()));
    host::spawn(async move {
        let read = match &files {
            Some(files) => reader::open(files).await,
            None => reader::recording().await,
        };
        store.reading.set(None);
        match read {
            Ok((document, pieces)) => {
                gateway::disconnect(store);
                store.hold(Held::Document { document: Box::new(document), origin, chosen: None });
                host::focus_later("#snapshot-name, .screen h2");
                grow(store, pieces).await;
            }
            Err(problem) => store.problem.set(Some(problem)),
        }
    });
}

/// Shows a row of the list that is held.
pub(crate) fn choose(store: Store, row: Option<usize>) {
    host::spawn(async move {
        match reader::show(row).await {
            Ok((shown, pieces)) => {
                store.choose(row, shown);
                host::focus_later("#snapshot-name, .screen h2");
                grow(store, pieces).await;
            }
            Err(problem) => store.problem.set(Some(problem)),
        }
    });
}

/// Takes in the rest of a tree piece by piece, as long as it is still the one on screen.
async fn grow(store: Store, pieces: Option<Pieces>) {
    let Some(mut pieces) = pieces else { return };
    let held = store.opened();
    while store.opened() == held && store.with_tree_mut(|tree| pieces.read_into(tree)) == Some(true) {
        TimeoutFuture::new(0).await;
    }
}

/// Asks for the header again, so that its ages go on.
pub(crate) fn refresh(store: Store) {
    if !store.shows_document() {
        return;
    }
    let (row, held) = (store.chosen(), store.opened());
    host::spawn(async move {
        if let Some(header) = reader::header(row).await
            && store.opened() == held
        {
            store.set_document_header(header);
        }
    });
}

/// Shows the built-in recording.
pub(crate) fn open_recording(store: Store) {
    open(store, None, "built-in recording".into());
}

/// Reads a text that somebody typed or pasted.
pub(crate) fn open_text(store: Store, text: &JsString) {
    let files = Files::new();
    files.add(None, text);
    open(store, Some(files), "pasted text".into());
}

/// Reads files that were dropped or chosen together: they are one document.
pub(crate) fn open_files(store: Store, list: &web_sys::FileList) {
    let files = Files::new();
    let mut size = 0.0;
    for file in (0..list.length()).filter_map(|index| list.get(index)) {
        size += file.size();
        files.add(Some(&path(&file)), &file);
    }
    if size > MAX_BYTES {
        let found = (size / 1e6) as u64;
        let message = format!("Expected at most 512 MB, found {found} MB.");
        store.problem.set(Some(Trouble::new("TOO_LARGE", message)));
    } else if !files.is_empty() {
        let first = list.get(0).map(|file| file.name()).unwrap_or_default();
        let more = list.length() - 1;
        open(store, Some(files), if more > 0 { format!("{first} and {more} more") } else { first });
    }
}

/// The path inside a chosen folder, else the name.
fn path(file: &web_sys::File) -> String {
    let path =
        js_sys::Reflect::get(file, &"webkitRelativePath".into()).ok().and_then(|path| path.as_string());
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
