//! The panel's reader of documents: what a person pastes, drops or opens, of all three systems.
//!
//! It is a WebAssembly module of its own, loaded with the first document, and runs in a worker: no document, however large,
//! holds up the page.

use std::cell::RefCell;

use js_sys::{Array, Uint8Array};
use runstate::document::{DocumentError, File, open as open_files};
use runstate::session::{Opened, Session};
use runstate_worker::{hold, now, tell};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

/// A smaller allocator than the standard library's.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

thread_local! {
    static SESSION: RefCell<Session<Opened>> = RefCell::default();
}

/// Opens files: a list of pairs of a name, `null` where there is none, and bytes. `origin` is what they are called.
///
/// # Errors
/// A `DocumentError` as JSON where nothing of them can be read; what was held is then still held.
#[wasm_bindgen(skip_typescript)]
pub fn open(files: &Array, origin: String) -> Result<(), JsValue> {
    let read: Vec<(Option<String>, Vec<u8>)> = files.iter().map(|file| pair(&file)).collect();
    let files: Vec<File<'_>> =
        read.iter().map(|(name, bytes)| File { name: name.as_deref(), bytes }).collect();
    let document = open_files(&files, now()).map_err(|error| refused(&error))?;
    hold(&SESSION, Opened::new(document, origin));
    tell(&SESSION);
    Ok(())
}

fn refused(error: &DocumentError) -> JsValue {
    JsValue::from_str(&error.to_json())
}

fn pair(file: &JsValue) -> (Option<String>, Vec<u8>) {
    let file: &Array = file.unchecked_ref();
    (file.get(0).as_string(), file.get(1).unchecked_ref::<Uint8Array>().to_vec())
}

/// Shows a row of the list that is held, or the list again.
///
/// # Errors
/// A `DocumentError` as JSON where nothing is held: the worker that held it stopped.
#[wasm_bindgen(skip_typescript)]
pub fn choose(row: Option<u32>) -> Result<(), JsValue> {
    let chosen = SESSION.with_borrow_mut(|session| {
        let held = session.held()?;
        held.choose(row.map(|row| row as usize));
        Some(())
    });
    chosen.ok_or_else(|| refused(&DocumentError::gone()))?;
    tell(&SESSION);
    Ok(())
}

/// Time went on: ages.
#[wasm_bindgen(skip_typescript)]
pub fn tick() {
    tell(&SESSION);
}

/// Another part holds what is on screen: lets go of the document and tells nothing any more.
#[wasm_bindgen(skip_typescript)]
pub fn leave() {
    SESSION.with_borrow_mut(Session::let_go);
}
