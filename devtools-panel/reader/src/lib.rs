//! The panel's reader of documents.
//!
//! It is a WebAssembly module of its own and runs in a worker, so that a document of any size neither weighs on the
//! panel's download nor holds up the page. What was opened stays here; texts about it go out, which the panel reads with
//! the core's own `from_json`.

mod recording;

use js_sys::{Array, Uint8Array};
use runstate::document::{Document, DocumentError, File, open};
use runstate::time::Millis;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

/// A smaller allocator than the standard library's.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// How many nodes of a tree go out in one text: some ten milliseconds of reading for whoever takes it.
const PIECE: usize = 2_000;

/// What was opened.
#[wasm_bindgen(skip_typescript)]
#[derive(Debug)]
pub struct Opened(Document);

#[wasm_bindgen]
impl Opened {
    /// Opens files: a list of pairs of a name, `null` where there is none, and bytes.
    ///
    /// # Errors
    /// A `DocumentError` as JSON where nothing of them can be read.
    #[wasm_bindgen(constructor)]
    pub fn new(files: &Array, now: f64) -> Result<Opened, JsValue> {
        let read: Vec<(Option<String>, Vec<u8>)> = files.iter().map(|file| pair(&file)).collect();
        let files: Vec<File<'_>> =
            read.iter().map(|(name, bytes)| File { name: name.as_deref(), bytes }).collect();
        open(&files, Millis(now)).map(Self).map_err(|error| JsValue::from_str(&error.to_json()))
    }

    /// Opens the built-in recording.
    ///
    /// # Errors
    /// Never with a recording that our tests read.
    pub fn recording(now: f64) -> Result<Opened, JsValue> {
        match recording::read(Millis(now)) {
            Ok(document) => Ok(Self(document)),
            Err(error) => Err(JsValue::from_str(&DocumentError::from(error).to_json())),
        }
    }

    /// What it is and what is in it to choose from: a `Summary` as JSON.
    pub fn summary(&self) -> String {
        self.0.summary().to_json()
    }

    /// The `Header` of the run, or of a row of the list, as JSON; nothing where there is no such run.
    pub fn header(&self, row: Option<u32>, now: f64) -> Option<String> {
        Some(self.0.header(row.map(|row| row as usize), Millis(now))?.to_json())
    }

    /// The tree of the run, or of a row of the list: the rows that were joined onto the nodes, then the pieces.
    pub fn tree(&self, row: Option<u32>) -> Vec<String> {
        let Some(tree) = self.0.tree(row.map(|row| row as usize)) else { return Vec::new() };
        let mut texts = vec![tree.joined_rows()];
        texts.extend(tree.pieces(PIECE));
        texts
    }
}

fn pair(file: &JsValue) -> (Option<String>, Vec<u8>) {
    let file: &Array = file.unchecked_ref();
    (file.get(0).as_string(), file.get(1).unchecked_ref::<Uint8Array>().to_vec())
}
