//! `exportRun`: writes the opened files as one file that opens again.

use runstate::export;
use runstate::time::Millis;
use serde::Deserialize;
use tsify::Tsify;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::arguments::{Unchecked, read_object, refused};
use crate::error::Error;
use crate::inspect::{borrowed, files};

/// How a document is exported.
#[derive(Deserialize, Tsify)]
pub struct ExportOptions {
    /// The moment at which the files were read, milliseconds since 1970: rows are derived for it whenever the export is
    /// opened.
    #[tsify(type = "number")]
    now: Unchecked,
    /// The name of the file.
    #[serde(default)]
    #[tsify(type = "string")]
    name: Unchecked,
    /// Further keys whose values are secret.
    #[serde(default)]
    #[tsify(type = "readonly string[]")]
    redact: Unchecked,
}

/// What was opened, as one file that opens again: the same bytes for the same files and options. White space is gone,
/// secrets (tokens, auth headers, `configJson`, paths of the server, and the keys of `redact`) are `[redacted]`, and
/// heartbeats between the first and the last of one attempt are left out of logs without sequence numbers. Exporting an
/// export changes nothing.
///
/// # Errors
/// `INVALID_INPUT` if an argument does not match its type, else the code, hint and position of what is wrong with the files.
#[wasm_bindgen(js_name = exportRun)]
pub fn export_run(
    #[wasm_bindgen(unchecked_param_type = "Files")] document: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "ExportOptions")] options: &JsValue,
) -> Result<String, Error> {
    let options: ExportOptions = read_object(options, "options")?;
    let now: f64 = options.now.read("options.now")?;
    // JSON has only finite numbers: an export with any other number could not be opened again.
    if !now.is_finite() {
        return Err(refused("options.now", "milliseconds since 1970", options.now.value()));
    }
    let redact: Vec<String> = options.redact.optional("options.redact")?.unwrap_or_default();
    let redact: Vec<&str> = redact.iter().map(String::as_str).collect();
    let files = files(document, options.name.optional("options.name")?)?;
    let mut options = export::ExportOptions::new(Millis(now));
    options.redact = &redact;
    let exported = export::export(&borrowed(&files), &options)?;
    Ok(String::from_utf8_lossy(&exported.bytes).into_owned())
}
