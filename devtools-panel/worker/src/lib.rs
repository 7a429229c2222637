//! The part of the panel that works beside the page.
//!
//! It is a WebAssembly module of its own and runs in a worker: it reads documents, speaks with the Gateway and derives,
//! so that none of it weighs on the panel's download or holds up the page. What is held stays here; what changed is told
//! as the core's [`Update`]s, which the panel reads with the core's own `from_json`.

mod gateway;
mod recording;
mod rpc;
mod scope;
mod socket;

use std::cell::RefCell;

use js_sys::{Array, Function, Uint8Array};
use runstate::document::{Document, DocumentError, File, open as open_files};
use runstate::feed::{Input, Token};
use runstate::session::{Session, Update};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

/// A smaller allocator than the standard library's.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

thread_local! {
    static SESSION: RefCell<Session> = RefCell::default();
    static TELL: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Tells the page through `tell(kind, value)` from now on.
#[wasm_bindgen(skip_typescript)]
pub fn start(tell: Function) {
    TELL.set(Some(tell));
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
    let document = open_files(&files, scope::now()).map_err(|error| refused(&error))?;
    hold(document, origin);
    Ok(())
}

/// Opens the built-in recording.
///
/// # Errors
/// Never with a recording that our tests read.
#[wasm_bindgen(skip_typescript)]
pub fn recording() -> Result<(), JsValue> {
    let document = recording::read(scope::now()).map_err(|error| refused(&DocumentError::from(error)))?;
    hold(document, "built-in recording".into());
    Ok(())
}

fn refused(error: &DocumentError) -> JsValue {
    JsValue::from_str(&error.to_json())
}

fn hold(document: Document, origin: String) {
    gateway::disconnect();
    SESSION.with_borrow_mut(|session| session.open(document, origin));
    tell();
}

fn pair(file: &JsValue) -> (Option<String>, Vec<u8>) {
    let file: &Array = file.unchecked_ref();
    (file.get(0).as_string(), file.get(1).unchecked_ref::<Uint8Array>().to_vec())
}

/// Shows a row of the list that is held, or the list again.
#[wasm_bindgen(skip_typescript)]
pub fn choose(row: Option<u32>) {
    SESSION.with_borrow_mut(|session| session.choose(row.map(|row| row as usize)));
    tell();
}

/// Connects to a Gateway whose address begins with `ws:`, `wss:`, `http:` or `https:`.
#[wasm_bindgen(skip_typescript)]
pub fn connect(address: &str, token: Option<String>, run_id: Option<String>) {
    gateway::connect(address, token, run_id);
}

/// Connects again at once.
#[wasm_bindgen(skip_typescript)]
pub fn reconnect() {
    gateway::drive(Some(Input::ReconnectNow));
}

/// Watches a run of the Gateway.
#[wasm_bindgen(skip_typescript)]
pub fn watch(run_id: &str) {
    gateway::drive(Some(Input::Watch(run_id)));
}

/// Goes back to the Gateway's list of runs.
#[wasm_bindgen(skip_typescript)]
pub fn list() {
    gateway::drive(Some(Input::List));
}

/// Tries again with another token.
#[wasm_bindgen(skip_typescript)]
pub fn authorise(token: String) {
    gateway::use_token(&token);
    gateway::drive(Some(Input::Authorise(Some(Token::new(token)))));
}

/// The page can be seen again.
#[wasm_bindgen(skip_typescript)]
pub fn woke() {
    gateway::drive(Some(Input::Woke));
}

/// Time went on: ages, countdowns and what was held back.
#[wasm_bindgen(skip_typescript)]
pub fn tick() {
    tell();
}

/// Tells the page what changed.
fn tell() {
    let updates = SESSION.with_borrow_mut(|session| session.updates(scope::now()));
    TELL.with_borrow(|tell| {
        let Some(tell) = tell else { return };
        for (kind, value) in updates.into_iter().flat_map(messages) {
            // The page's side of this only hands the message on.
            let _ = tell.call2(&JsValue::NULL, &kind.into(), &value);
        }
    });
}

/// One message for each piece of a tree, so that the page takes in a large one bit by bit; the rows come at last.
fn messages(update: Update) -> Vec<(&'static str, JsValue)> {
    match update {
        Update::Status(json) => vec![("status", json.into())],
        Update::Header(json) => vec![("header", json.into())],
        Update::Tree(texts) => {
            let mut texts = texts.into_iter();
            let (rows, first) = (texts.next(), texts.next());
            let mut messages = vec![("tree", first.into())];
            messages.extend(texts.map(|piece| ("treePiece", piece.into())));
            messages.extend(rows.map(|rows| ("treeRows", rows.into())));
            messages
        }
        Update::TreeDelta(json) => vec![("treeDelta", json.into())],
        Update::TreeRows(json) => vec![("treeRows", json.into())],
        Update::Say(text) => vec![("say", text.into())],
    }
}
