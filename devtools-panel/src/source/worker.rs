//! The working parts beside the page (`www/worker-host.js`): they read, connect and derive; here their word is taken in.

use js_sys::{Array, Promise, Reflect};
use runstate::document::DocumentError;
use runstate::header::Header;
use runstate::session::{Status, read_rows};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen_futures::JsFuture;

use crate::host;
use crate::store::Store;
use crate::trouble::Trouble;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = runstateWorker, js_name = ask)]
    fn ask_worker(wish: &str, given: &Array) -> Promise;
    #[wasm_bindgen(js_namespace = runstateWorker)]
    fn listen(heard: &Closure<dyn Fn(String, JsValue)>);
}

/// Takes in what the part says that holds what is on screen, for as long as the page lives.
pub(crate) fn attend(store: Store) {
    let heard =
        Closure::<dyn Fn(String, JsValue)>::new(move |kind: String, value| hear(store, &kind, &value));
    listen(&heard);
    heard.forget();
}

fn hear(store: Store, kind: &str, value: &JsValue) {
    let text = value.as_string();
    match (kind, text) {
        ("status", Some(json)) => match Status::from_json(&json) {
            Ok(status) => store.set_status(status),
            Err(error) => store.problem.set(Some(broken(&error.message))),
        },
        ("rows", Some(json)) => match read_rows(&json) {
            Ok(rows) => store.rows.set(rows),
            Err(error) => store.problem.set(Some(broken(&error.message))),
        },
        ("header", json) => match json.map(|json| Header::from_json(&json)).transpose() {
            Ok(header) => store.set_header(header),
            Err(error) => store.problem.set(Some(broken(&error.message))),
        },
        ("tree", first) => store.copy.replace(first.as_deref()),
        ("treePiece", Some(json)) => store.copy.grow(json),
        ("treeDelta", Some(json)) => store.copy.change(json),
        ("treeRows", Some(json)) => store.copy.join(json),
        ("say", Some(words)) => store.spoken.set(words),
        ("broken", why) => store.worker_broke(broken(&why.unwrap_or_default())),
        (_, _) => {}
    }
}

/// Asks for something. What it does to what is held is heard; here is the answer itself, where there is one.
pub(crate) async fn ask(wish: &str, given: &[JsValue]) -> Result<JsValue, Trouble> {
    let answer = JsFuture::from(ask_worker(wish, &given.iter().collect())).await;
    answer.map_err(|refused| {
        let Some(refusal) = refused.as_string() else {
            let why = Reflect::get(&refused, &"message".into()).ok().and_then(|why| why.as_string());
            return broken(&why.unwrap_or_default());
        };
        DocumentError::from_json(&refusal).map_or_else(|error| broken(&error.message), Trouble::from)
    })
}

/// Asks for something that cannot be refused.
pub(crate) fn wish(store: Store, wish: &'static str, given: Vec<JsValue>) {
    host::spawn(async move {
        if let Err(problem) = ask(wish, &given).await {
            store.problem.set(Some(problem));
        }
    });
}

/// The worker itself failed: its memory ran out, or the browser did not start it.
fn broken(why: &str) -> Trouble {
    Trouble {
        hint: Some("Open it again; a document may be too large for this browser's memory.".to_owned()),
        ..Trouble::new("WORKER_FAILED", format!("The panel's worker stopped: {why}."))
    }
}
