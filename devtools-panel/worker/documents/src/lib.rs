//! The panel's reader of documents: what a person pastes, drops or opens, of all three systems.
//!
//! It is a WebAssembly module of its own, loaded with the first document, and runs in a worker: no document, however large,
//! holds up the page.

use std::cell::RefCell;

use js_sys::{Array, Uint8Array};
use runstate::document::{DocumentError, File, Incoming, open as open_files};
use runstate::export::{Options, export, file_name};
use runstate::session::{Opened, Session};
use runstate::time::Millis;
use runstate_worker::{hold, now, tell};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

thread_local! {
    static SESSION: RefCell<Session<Opened>> = RefCell::default();
}

/// Opens files: a list of pairs of a name, `null` where there is none, and bytes. `origin` is what they are called. Answers
/// with the moment at which they were opened.
///
/// # Errors
/// A `DocumentError` as JSON where nothing of them can be read; what was held is then still held.
#[wasm_bindgen(skip_typescript)]
pub fn open(files: &Array, origin: String) -> Result<f64, JsValue> {
    let now = now();
    let document = with_files(files, |files| open_files(files, now))?;
    hold(&SESSION, Opened::new(document, origin));
    tell(&SESSION);
    Ok(now.0)
}

/// Begins with the `first` bytes of a file that has `size` of them, if they tell that it is an event log. Answers with the moment at
/// which it was begun, or with nothing: then the file is opened as a whole.
#[wasm_bindgen(skip_typescript)]
pub fn begin(name: &str, first: &Uint8Array, size: f64, origin: String) -> Option<f64> {
    let now = now();
    let log = Incoming::begin(Some(name), &first.to_vec(), size as u64, now)?;
    hold(&SESSION, Opened::incoming(log, origin));
    tell(&SESSION);
    grow(size);
    Some(now.0)
}

/// Grows the memory at once by what a log of this size takes: growing it bit by bit takes a fifth of the time in which the log is read.
/// What nobody writes to takes no room. Where there is not as much, the log is read until there is none.
fn grow(size: f64) {
    let mut room: Vec<u8> = Vec::new();
    // An event takes less beside its text than a fourth of that.
    let _ = room.try_reserve_exact((size * 1.25) as usize);
    std::hint::black_box(&mut room);
}

/// Goes on with the log that was begun at a moment: its next bytes, or nothing where they cannot be read. Answers whether more of it
/// is wanted: something else may be held by now, whose bytes these are not.
#[wasm_bindgen(skip_typescript)]
pub fn go_on(began: f64, bytes: Option<Uint8Array>) -> bool {
    let bytes = bytes.map(|bytes| bytes.to_vec());
    let more = SESSION.with_borrow_mut(|session| {
        session.held().is_some_and(|held| held.go_on(Millis(began), bytes.as_deref()))
    });
    tell(&SESSION);
    more
}

/// Writes files that were opened `at` a moment, or the draft of a live run, as one file without secrets: its name, its bytes,
/// and what is not in it, in words. `keys` are those whose values are left out besides, between commas or white space.
///
/// # Errors
/// A `DocumentError` as JSON where nothing of them can be read.
#[wasm_bindgen(skip_typescript)]
pub fn save(files: &Array, at: Option<f64>, keys: &str) -> Result<Array, JsValue> {
    let now = now();
    let redact: Vec<&str> = keys.split([',', ' ', '\n', '\t']).collect();
    let options = Options { now: at.map_or(now, Millis), redact: &redact };
    let exported = with_files(files, |files| export(files, &options))?;
    let name = named_by(&exported.bytes, now);
    let bytes = Uint8Array::from(exported.bytes.as_slice());
    let words = exported.summary();
    Ok(Array::of3(&name.into(), &bytes.into(), &words.into()))
}

/// The name of an export, by what is still in it: what was left out of the file is not in its name either. Where so much was
/// left out that it cannot be read, it has a name all the same.
fn named_by(exported: &[u8], now: Millis) -> String {
    let document = open_files(&[File { name: None, bytes: exported }], now).ok();
    file_name(document.and_then(|document| document.header(None, now)).as_ref(), now)
}

fn with_files<T>(
    files: &Array,
    read: impl FnOnce(&[File<'_>]) -> Result<T, DocumentError>,
) -> Result<T, JsValue> {
    let pairs: Vec<(Option<String>, Vec<u8>)> = files.iter().map(|file| pair(&file)).collect();
    let files: Vec<File<'_>> =
        pairs.iter().map(|(name, bytes)| File { name: name.as_deref(), bytes }).collect();
    read(&files).map_err(|error| refused(&error))
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
