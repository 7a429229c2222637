//! `exportRun`: writes documents as one file that Runstate can open.

use runstate::export;
use runstate::time::Millis;
use serde::Deserialize;
use tsify::Tsify;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::arguments::{Unchecked, read_object, refused};
use crate::error::Error;
use crate::names::{fields, refuse_seconds, refuse_unknown};
use crate::opened_document::{borrowed, files};

/// The options of `exportRun`.
#[derive(Deserialize, Tsify)]
pub struct ExportOptions {
    /// The time when the files were read, in milliseconds since 1970. When the export is opened, states are derived for this
    /// time.
    #[tsify(type = "number")]
    now: Unchecked,
    /// The name of the file.
    #[serde(default)]
    #[tsify(type = "string")]
    name: Unchecked,
    /// Additional keys whose values are secret.
    #[serde(default)]
    #[tsify(type = "readonly string[]")]
    redact: Unchecked,
}

/// Returns the text of one file that contains all documents and that `inspect` and the panel can open. Secrets (tokens,
/// auth headers, `configJson`, the server's paths and the values of the keys in `redact`) are replaced by `[redacted]`.
/// White space is omitted; so are, in logs without sequence numbers, the heartbeats between the first and the last of an
/// attempt. Equal files and options give equal bytes, and an export of an export is identical to it.
///
/// # Errors
/// `INVALID_INPUT` if an argument does not match its type; the errors of `inspect`, with their code, hint and position, if a
/// document cannot be read.
#[wasm_bindgen(js_name = exportRun)]
pub fn export_run(
    #[wasm_bindgen(unchecked_param_type = "Files")] document: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "ExportOptions")] options: &JsValue,
) -> Result<String, Error> {
    refuse_unknown(options, "options", &[fields::<ExportOptions>()])?;
    let options: ExportOptions = read_object(options, "options")?;
    let now: f64 = options.now.read("options.now")?;
    refuse_seconds(Some(now), "options.now")?;
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
