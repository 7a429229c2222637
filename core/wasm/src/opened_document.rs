//! Opens documents for `inspect` and `header`, and keeps them for as long as their inspections exist.

use js_sys::{Array, Reflect, WeakMap};
use runstate::clock::Reading;
use runstate::file::File;
use runstate::ingest::{Document, open};
use serde::Deserialize;
use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::arguments::{Unchecked, bytes, is_plain, read, read_options};
use crate::error::Error;
use crate::log::moment;
use crate::names::refuse_seconds;
use crate::run_row::error_ms;

/// The options of `inspect`.
#[derive(Default, Deserialize, Tsify)]
#[serde(rename_all = "camelCase", default)]
pub struct InspectOptions {
    /// The name of the file.
    #[tsify(type = "string")]
    name: Unchecked,
    /// The time for which states are derived, in milliseconds since 1970; by default the local clock's.
    #[tsify(type = "number")]
    now: Unchecked,
    /// The maximum error of `now` in milliseconds, by default 0; `Infinity` if it is not bounded.
    #[tsify(type = "number")]
    error_ms: Unchecked,
    /// Whether the document was received just now and describes the present; by default it describes the time when it was
    /// written.
    #[tsify(type = "boolean")]
    live: Unchecked,
}

/// The time for which a document is read, and whether it describes the present.
#[derive(Clone, Copy)]
pub(crate) struct ViewedAt {
    pub(crate) clock: Reading,
    pub(crate) live: bool,
}

impl InspectOptions {
    /// The time of the options; missing options are those of `default`, else the local clock's time without an error.
    pub(crate) fn viewed_at(&self, default: Option<ViewedAt>) -> Result<ViewedAt, Error> {
        let clock = default.map(|default| default.clock);
        let given: Option<f64> = self.now.optional("options.now")?;
        refuse_seconds(given, "options.now")?;
        let now = given.or(clock.map(|clock| clock.now.0));
        let error_ms = error_ms(&self.error_ms, "options")?.or(clock.map(|clock| clock.error_ms));
        let live = self.live.optional("options.live")?.or(default.map(|default| default.live));
        let clock = Reading::new(moment(now)?, error_ms.unwrap_or_default());
        Ok(ViewedAt { clock, live: live.unwrap_or_default() })
    }
}

/// A document that was opened.
#[wasm_bindgen(skip_typescript)]
pub struct OpenedDocument {
    pub(crate) document: Document,
    pub(crate) viewed_at: ViewedAt,
}

impl OpenedDocument {
    pub(crate) fn new(document: &JsValue, options: &JsValue) -> Result<Self, Error> {
        let options: InspectOptions = read_options(options, "options")?;
        let viewed_at = options.viewed_at(None)?;
        let files = files(document, options.name.optional("options.name")?)?;
        Ok(Self { document: open(&borrowed(&files), viewed_at.clock)?, viewed_at })
    }
}

thread_local! {
    /// The opened document of each inspection, for as long as the inspection exists.
    static OPENED: WeakMap = WeakMap::new();
}

/// Keeps the document of an inspection, so that the inspection can be passed to `header`.
pub(crate) fn remember(inspection: &JsValue, opened: OpenedDocument) {
    OPENED.with(|documents| documents.set(inspection.unchecked_ref(), &opened.into()));
}

/// The document of an inspection; `undefined` for any other value.
pub(crate) fn remembered(inspection: &JsValue) -> JsValue {
    if !inspection.is_object() {
        return JsValue::UNDEFINED;
    }
    OPENED.with(|documents| documents.get(inspection.unchecked_ref()))
}

/// A file: its name, if it has one, and its content.
pub(crate) type Named = (Option<String>, Vec<u8>);

/// The files of an argument: those of a list, or the one document with its name.
pub(crate) fn files(document: &JsValue, name: Option<String>) -> Result<Vec<Named>, Error> {
    if !Array::is_array(document) || is_list_of_rows(&Array::from(document)) {
        return Ok(vec![(name, bytes(document, "document")?)]);
    }
    let files = Array::from(document);
    if files.length() == 0 {
        let expected = "a text, a Uint8Array, an ArrayBuffer, an object or a list of files";
        return Err(Error::invalid_input("document", expected, "an empty list"));
    }
    let files = files.iter().enumerate().map(|(place, file)| {
        let path = format!("document[{place}]");
        let file: NamedFile = read(&file, &path)?;
        let name = file.name.optional(&format!("{path}.name"))?;
        Ok((name, bytes(file.bytes.value(), &format!("{path}.bytes"))?))
    });
    files.collect()
}

/// Whether a list is a document of its own, such as a list of runs: its items are objects, and none is a file.
fn is_list_of_rows(list: &Array) -> bool {
    let is_file = |item: &JsValue| Reflect::has(item, &"bytes".into()).unwrap_or(true);
    list.length() > 0 && list.iter().all(|item| is_plain(&item) && !is_file(&item))
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NamedFile {
    name: Unchecked,
    bytes: Unchecked,
}

/// Files as the core reads them.
pub(crate) fn borrowed(files: &[Named]) -> Vec<File<'_>> {
    files.iter().map(|(name, bytes)| File { name: name.as_deref(), bytes }).collect()
}
