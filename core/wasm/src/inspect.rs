//! `inspect`: recognises documents and returns their runs.

use js_sys::Array;
use runstate::clock::Reading;
use runstate::file::File;
use runstate::ingest::{Document, open};
use runstate::refusal;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use tsify::Tsify;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::arguments::{Unchecked, bytes, read, read_options};
use crate::conductor::ConductorInspection;
use crate::error::Error;
use crate::header::remember;
use crate::log::moment;
use crate::output::to_js;
use crate::run::SmithersInspection;
use crate::run_row::error_ms;
use crate::session::LionagiInspection;

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

/// The content of a document, or of several files that belong together; `system` distinguishes the three types.
#[derive(Serialize, Tsify)]
#[serde(untagged)]
pub enum Inspection {
    Smithers(Box<SmithersInspection>),
    Lionagi(Box<LionagiInspection>),
    Conductor(Box<ConductorInspection>),
}

/// An error that a server returned. It is not a state.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
pub struct Refusal {
    code: String,
    message: String,
    method: Option<String>,
}

/// Returns the runs of a document of any of the three systems. The type of the document is recognised by its content: run
/// states, rows, snapshots, responses and errors of servers, event logs, HAR files, WebSocket captures, run directories, and
/// gzip files with any of them. Several files are read together. A document may have up to 128 MiB.
///
/// # Errors
/// `INVALID_INPUT` if an argument does not match its type. If the document cannot be read, the code of its error
/// (`NOT_JSON`, `NOT_RECOGNISED`, …) with a position, and a hint if something can be done about it.
#[wasm_bindgen(unchecked_return_type = "Inspection")]
pub fn inspect(
    #[wasm_bindgen(unchecked_param_type = "Files")] document: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "InspectOptions")] options: &JsValue,
) -> Result<JsValue, Error> {
    let opened = OpenedDocument::new(document, options)?;
    let inspection = to_js(&opened.inspection()?)?;
    remember(&inspection, opened);
    Ok(inspection)
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
        let now = self.now.optional("options.now")?.or(clock.map(|clock| clock.now.0));
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

    fn inspection(&self) -> Result<Inspection, Error> {
        let (document, problems) = (&self.document, &self.document.problems().texts());
        if let Some(inspection) = document.smithers() {
            let inspection =
                SmithersInspection::new(inspection, problems, self.viewed_at.clock, self.viewed_at.live);
            return Ok(Inspection::Smithers(Box::new(inspection)));
        }
        if let Some(inspection) = document.lionagi() {
            return Ok(Inspection::Lionagi(Box::new(LionagiInspection::new(inspection, problems)?)));
        }
        let runs = document.conductor_runs();
        Ok(Inspection::Conductor(Box::new(ConductorInspection::new(runs, document.kind(), problems)?)))
    }
}

/// A file: its name, if it has one, and its content.
pub(crate) type Named = (Option<String>, Vec<u8>);

/// The files of an argument: those of a list, or the one document with its name.
pub(crate) fn files(document: &JsValue, name: Option<String>) -> Result<Vec<Named>, Error> {
    if !Array::is_array(document) {
        return Ok(vec![(name, bytes(document, "document")?)]);
    }
    let files = Array::from(document);
    if files.length() == 0 {
        let expected = "a text, a Uint8Array or an ArrayBuffer, or a list of files";
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

impl From<&refusal::Refusal> for Refusal {
    fn from(refusal: &refusal::Refusal) -> Self {
        Self { code: refusal.code.clone(), message: refusal.message.clone(), method: refusal.method.clone() }
    }
}
