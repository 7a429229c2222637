//! What the panel's working parts share.
//!
//! Two parts work beside the page, each in a worker of its own: `runstate-live` speaks with the Gateway, and
//! `runstate-documents` reads what is opened. What is held stays there; what changed is told as the core's [`Update`]s,
//! which the panel reads with the core's own `from_json`.

use std::cell::RefCell;
use std::thread::LocalKey;

use js_sys::JsString;
use runstate::session::{Held, Session, Update};
use runstate::time::Millis;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::WorkerGlobalScope;

/// Where a part keeps what it holds.
pub type Place<H> = LocalKey<RefCell<Session<H>>>;

#[wasm_bindgen]
extern "C" {
    /// Sends the page a message; `www/worker.js` defines it.
    #[wasm_bindgen(js_name = runstateTell)]
    fn send(kind: &str, value: &JsValue);
}

/// The worker that this runs in.
pub fn scope() -> WorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Now on this machine's monotonic clock, anchored once to its wall clock: it never jumps while the worker lives.
pub fn now() -> Millis {
    scope().performance().map_or_else(
        || Millis(js_sys::Date::now()),
        |performance| Millis(performance.time_origin() + performance.now()),
    )
}

/// Holds something from now on. The page hears of that before anything of it, and forgets what another part told.
pub fn hold<H: Held>(place: &'static Place<H>, held: H) {
    place.with_borrow_mut(|session| session.hold(held));
    send("held", &JsValue::NULL);
}

/// Tells the page what changed.
pub fn tell<H: Held>(place: &'static Place<H>) {
    let updates = place.with_borrow_mut(|session| session.updates(now()));
    updates.into_iter().for_each(send_update);
}

/// One message for each piece of a tree, so that the page takes in a large one bit by bit; the rows come at last.
fn send_update(update: Update) {
    match update {
        Update::Status(json) => send_text("status", Some(&json)),
        Update::Rows(json) => send_text("rows", Some(&json)),
        Update::Header(json) => send_text("header", json.as_deref()),
        Update::Tree(texts) => {
            let (rows, pieces) = texts.split_first().unzip();
            let (first, more) = pieces.and_then(|pieces: &[String]| pieces.split_first()).unzip();
            send_text("tree", first.map(String::as_str));
            for piece in more.into_iter().flatten() {
                send_text("treePiece", Some(piece));
            }
            if let Some(rows) = rows {
                send_text("treeRows", Some(rows));
            }
        }
        Update::TreeDelta(json) => send_text("treeDelta", Some(&json)),
        Update::TreeRows(json) => send_text("treeRows", Some(&json)),
        Update::Say(text) => send_text("say", Some(&text)),
    }
}

fn send_text(kind: &str, text: Option<&str>) {
    send(kind, &text.map_or(JsValue::NULL, |text| JsString::from(text).into()));
}
