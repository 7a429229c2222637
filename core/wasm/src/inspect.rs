//! `inspect`: recognises documents and returns their runs.

use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::conductor::ConductorInspection;
use crate::error::Error;
use crate::names::{fields, refuse_unknown};
use crate::opened_document::{InspectOptions, OpenedDocument, remember};
use crate::output::to_js;
use crate::run::SmithersInspection;
use crate::session::LionagiInspection;

/// The content of a document, or of several files that belong together; `system` distinguishes the three types.
#[derive(Serialize, Tsify)]
#[serde(untagged)]
pub enum Inspection {
    Smithers(Box<SmithersInspection>),
    Lionagi(Box<LionagiInspection>),
    Conductor(Box<ConductorInspection>),
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
    refuse_unknown(options, "options", &[fields::<InspectOptions>()])?;
    let opened = OpenedDocument::new(document, options)?;
    let inspection = to_js(&inspection(&opened)?)?;
    remember(&inspection, opened);
    Ok(inspection)
}

fn inspection(opened: &OpenedDocument) -> Result<Inspection, Error> {
    let (document, problems) = (&opened.document, &opened.document.problems().texts());
    if let Some(inspection) = document.smithers() {
        let inspection = SmithersInspection::new(inspection, document, problems, opened.viewed_at)?;
        return Ok(Inspection::Smithers(Box::new(inspection)));
    }
    if let Some(inspection) = document.lionagi() {
        return Ok(Inspection::Lionagi(Box::new(LionagiInspection::new(inspection, problems))));
    }
    let runs = document.conductor_runs();
    Ok(Inspection::Conductor(Box::new(ConductorInspection::new(runs, document.kind(), problems)?)))
}
