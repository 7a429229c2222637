//! Documents that a person pastes, drops or opens. Their content stays in JavaScript's memory until the worker reads it.

use js_sys::{JsString, Reflect};
use leptos::task::spawn_local;
use runstate::error_code::ErrorCode;
use runstate::word::Vocabulary;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DataTransfer, FileList};

use crate::browser::clipboard;
use crate::problem::Problem;
use crate::session::protocol::InputFile;
use crate::store::Sessions;

/// Documents above this size, in bytes, are refused before they are read.
const MAX_BYTES: f64 = 512.0 * 1024.0 * 1024.0;

/// Pasted texts above this length, in UTF-16 units, are opened at once instead of filling the text field. A field lays
/// out every character: 2 MB take a third of a second, 50 MB half a minute.
const LONG_PASTE: u32 = 256 * 1024;

#[wasm_bindgen]
extern "C" {
    /// A `DataTransfer` whose text stays a JavaScript string.
    type Transfer;
    #[wasm_bindgen(method, js_name = getData)]
    fn text(this: &Transfer, format: &str) -> JsString;
}

/// Opens a text.
pub(crate) fn open_text(sessions: &Sessions, text: JsString) {
    sessions.open_or_add(vec![InputFile { name: None, content: text.into() }], "pasted text".to_owned());
}

/// Opens files that were dropped or chosen together as one document.
pub(crate) fn open_files(sessions: &Sessions, list: &FileList) {
    let files: Vec<_> = (0..list.length()).filter_map(|index| list.get(index)).collect();
    let Some(first) = files.first() else { return };
    let size: f64 = files.iter().map(|file| file.size()).sum();
    if let Err(problem) = check_size(size, &first.name()) {
        sessions.report(problem);
        return;
    }
    let name = match files.len() {
        1 => first.name(),
        count => format!("{} and {} more", first.name(), count - 1),
    };
    let files = files.into_iter().map(|file| InputFile { name: Some(path(&file)), content: file.into() });
    sessions.open_or_add(files.collect(), name);
}

/// Refuses a document that is too large; `size` is in bytes.
///
/// # Errors
/// `TOO_LARGE`.
pub(crate) fn check_size(size: f64, name: &str) -> Result<(), Problem> {
    if size <= MAX_BYTES {
        return Ok(());
    }
    let found = (size / 1e6) as u64;
    Err(Problem::new(
        ErrorCode::TooLarge.as_str(),
        format!("Expected at most 512 MB, found {found} MB in {name}."),
    ))
}

/// Opens the files of a paste or a drop, or its text if it has no files. Returns whether it has any content.
pub(crate) fn open_transfer(sessions: &Sessions, transfer: &DataTransfer) -> bool {
    if let Some(files) = transfer.files().filter(|files| files.length() > 0) {
        open_files(sessions, &files);
        return true;
    }
    let text = transfer_text(transfer);
    let has_text = text.trim().length() > 0;
    if has_text {
        open_text(sessions, text);
    }
    has_text
}

/// Whether what is dragged can be opened: files, or a text that is not a link.
pub(crate) fn can_open(transfer: &DataTransfer) -> bool {
    let types = transfer.types();
    let has = |name: &str| types.includes(&JsValue::from_str(name), 0);
    has("Files") || (has("text/plain") && !has("text/uri-list"))
}

/// Opens a text pasted into the text field if it is too long for the field. Returns whether the text was opened.
pub(crate) fn open_long_paste(sessions: &Sessions, transfer: &DataTransfer) -> bool {
    let text = transfer_text(transfer);
    let is_long = text.length() > LONG_PASTE;
    if is_long {
        open_text(sessions, text);
    }
    is_long
}

/// Opens the text on the clipboard, if the browser permits the page to read it.
pub(crate) fn open_clipboard(sessions: &Sessions) {
    let sessions = *sessions;
    spawn_local(async move {
        match clipboard::read().await {
            Some(text) => open_text(&sessions, text),
            None => sessions.report(Problem::new(
                "CLIPBOARD_REFUSED",
                "The browser does not let this page read the clipboard. Paste into the text field instead.",
            )),
        }
    });
}

fn transfer_text(transfer: &DataTransfer) -> JsString {
    transfer.unchecked_ref::<Transfer>().text("text/plain")
}

/// A file's path inside a chosen folder, or its name.
fn path(file: &web_sys::File) -> String {
    let path =
        Reflect::get(file, &JsValue::from_str("webkitRelativePath")).ok().and_then(|path| path.as_string());
    path.filter(|path| !path.is_empty()).unwrap_or_else(|| file.name())
}
