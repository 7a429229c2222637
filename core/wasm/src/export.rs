//! `exportRun`: what was opened, as one file that opens again.

use js_sys::Array;
use runstate::export::{Options, write};
use runstate::smithers::Source as _;
use runstate::time::Millis;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::documents::{borrowed, files_of};
use crate::error::{document_error, invalid_input};
use crate::source::{Js, refused};
use crate::text;

/// The text of the export: the same for the same files and options.
///
/// # Errors
/// `INVALID_INPUT` where an argument is not what its type says, else the code, hint and position of what is wrong with
/// the files.
#[wasm_bindgen(js_name = exportRun, skip_typescript)]
pub fn export_run(document: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    if !options.is_object() {
        return Err(invalid_input(&refused("options", "an object", &Js::new(options))));
    }
    let (now, name, redact) = Js::new(options).read(|options| {
        // A time that JSON cannot hold would be written as null and could not be read back.
        let now = options.option_number("now", "options.now")?.filter(|now| now.is_finite());
        let now =
            now.ok_or_else(|| refused("options.now", "milliseconds since 1970", &options.field("now")))?;
        Ok((Millis(now), options.option_text("name", "options.name")?, options.field("redact")))
    })?;
    let redact = keys(&redact)?;
    let redact: Vec<&str> = redact.iter().map(String::as_str).collect();
    let files = files_of(document, name)?;
    let exported = write(&borrowed(&files), &Options { now, redact: &redact });
    let exported = exported.map_err(|error| document_error(&error))?;
    // An export is text.
    Ok(text::to_js(&String::from_utf8_lossy(&exported)))
}

/// The keys that are left out besides the usual ones.
fn keys(redact: &Js) -> Result<Vec<String>, JsValue> {
    if redact.is_undefined() {
        return Ok(Vec::new());
    }
    let refuse = || invalid_input(&refused("options.redact", "a list of keys or nothing", redact));
    let list = redact.list().ok_or_else(refuse)?;
    Array::from(list).iter().map(|key| text::read(&key).ok_or_else(refuse)).collect()
}
