//! Asking the reader of documents, which works beside the page (`www/reader.js`).

use js_sys::{Array, Object, Promise, Reflect};
use runstate::document::{DocumentError, Summary};
use runstate::header::Header;
use runstate::smithers::read_node_states;
use runstate::time::Millis;
use runstate::tree::Tree;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::host;
use crate::trouble::Trouble;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = runstateReader)]
    fn ask(request: &JsValue) -> Promise;
}

/// A document that the reader holds, and what it told so far.
#[derive(Debug)]
pub(crate) struct Opened {
    /// What it is and what is in it to choose from.
    pub(crate) summary: Summary,
    /// What is shown of it.
    pub(crate) shown: Shown,
}

/// One run of a document.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    /// Its header at the moment it was asked for.
    pub(crate) header: Option<Header>,
    /// Its tree, as far as it has been read.
    pub(crate) tree: Option<Tree>,
}

/// The texts of a tree that are still to be read.
pub(crate) struct Pieces {
    rows: String,
    rest: std::vec::IntoIter<JsValue>,
}

/// Files to open: each with its name and its content, a text or a `Blob`.
pub(crate) struct Files(Array);

impl Files {
    pub(crate) fn new() -> Self {
        Self(Array::new())
    }

    pub(crate) fn add(&self, name: Option<&str>, content: &JsValue) {
        let file = Object::new();
        set(&file, "name", &name.map_or(JsValue::NULL, JsValue::from_str));
        set(&file, "content", content);
        self.0.push(&file);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.length() == 0
    }
}

/// Opens files. What was opened before is gone only when these could be read.
pub(crate) async fn open(files: &Files) -> Result<(Opened, Option<Pieces>), Trouble> {
    opened(&answer("open", None, Some(&files.0)).await?)
}

/// Opens the built-in recording.
pub(crate) async fn recording() -> Result<(Opened, Option<Pieces>), Trouble> {
    opened(&answer("recording", None, None).await?)
}

fn opened(answer: &JsValue) -> Result<(Opened, Option<Pieces>), Trouble> {
    let summary = text(answer, "summary").unwrap_or_default();
    let summary = Summary::from_json(&summary).map_err(|error| broken(&error.message))?;
    let (shown, pieces) = shown(answer)?;
    Ok((Opened { summary, shown }, pieces))
}

/// Shows the run of the document, or a row of its list.
pub(crate) async fn show(row: Option<usize>) -> Result<(Shown, Option<Pieces>), Trouble> {
    shown(&answer("show", row, None).await?)
}

/// The header again: its ages go on.
pub(crate) async fn header(row: Option<usize>) -> Option<Header> {
    let answer = answer("header", row, None).await.ok()?;
    Header::from_json(&text(&answer, "header")?).ok()
}

impl Pieces {
    /// Reads on. The page draws between two calls, so a large tree comes in without holding it up.
    pub(crate) fn read_into(&mut self, tree: &mut Tree) -> bool {
        let next = self.rest.next().and_then(|piece| piece.as_string());
        let more = next.is_some_and(|piece| tree.add_piece(&piece).is_ok());
        if !more && let Ok(rows) = read_node_states(&self.rows) {
            tree.join(&rows);
        }
        more
    }
}

fn shown(answer: &JsValue) -> Result<(Shown, Option<Pieces>), Trouble> {
    let header = text(answer, "header").map(|header| Header::from_json(&header)).transpose();
    let header = header.map_err(|error| broken(&error.message))?;
    let texts = Reflect::get(answer, &"tree".into()).unwrap_or_default();
    let mut texts = texts.dyn_into::<Array>().unwrap_or_default().to_vec().into_iter();
    let (rows, first) = (texts.next(), texts.next());
    let Some((rows, first)) =
        rows.and_then(|rows| rows.as_string()).zip(first.and_then(|first| first.as_string()))
    else {
        return Ok((Shown { header, tree: None }, None));
    };
    let tree = Tree::from_json(&first).map_err(|error| broken(&error.message))?;
    Ok((Shown { header, tree: Some(tree) }, Some(Pieces { rows, rest: texts })))
}

async fn answer(question: &str, row: Option<usize>, files: Option<&Array>) -> Result<JsValue, Trouble> {
    let request = Object::new();
    set(&request, "ask", &question.into());
    set(&request, "row", &row.map_or(JsValue::UNDEFINED, |row| JsValue::from_f64(row as f64)));
    let Millis(now) = host::local_now();
    set(&request, "now", &now.into());
    if let Some(files) = files {
        set(&request, "files", files);
    }
    JsFuture::from(ask(&request)).await.map_err(|refused| match refused.as_string() {
        Some(refusal) => {
            DocumentError::from_json(&refusal).map_or_else(|error| broken(&error.message), Trouble::from)
        }
        None => broken(&text(&refused, "message").unwrap_or_default()),
    })
}

/// The reader itself failed: its memory ran out, or the browser did not start it.
fn broken(why: &str) -> Trouble {
    Trouble {
        hint: Some("Try a smaller part of the document. What is on screen stays.".to_owned()),
        ..Trouble::new("READER_FAILED", format!("The reader of documents stopped: {why}."))
    }
}

fn text(object: &JsValue, key: &str) -> Option<String> {
    Reflect::get(object, &key.into()).ok()?.as_string()
}

fn set(object: &Object, key: &str, value: &JsValue) {
    // A plain object takes any property.
    let _ = Reflect::set(object, &key.into(), value);
}
