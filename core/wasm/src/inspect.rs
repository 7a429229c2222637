//! `inspect` of the most common case: one document of Smithers, as it came.

use js_sys::{Array, Date};
use runstate::document::{inspect, may_be_smithers};
use runstate::time::Millis;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::argument::bytes;
use crate::error::document_error;
use crate::inspection::smithers_to_js;
use crate::source::Js;

/// Reads a document; `undefined` where it is of another system or there are several files.
///
/// # Errors
/// `INVALID_INPUT` where an argument is not what its type says, else the code, hint and position of what is wrong with
/// the document.
#[cfg(feature = "inspect")]
#[wasm_bindgen(js_name = inspect, skip_typescript)]
pub fn inspect_alone(document: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    let (name, now) = options_of(options)?;
    if several(document) {
        return Ok(JsValue::UNDEFINED);
    }
    let bytes = bytes(document, "document")?;
    if !may_be_smithers(&bytes) {
        return Ok(JsValue::UNDEFINED);
    }
    let inspection = inspect(&bytes, name.as_deref(), now).map_err(|error| document_error(&error))?;
    Ok(smithers_to_js(&inspection, &inspection.problems))
}

/// The file's name, and the moment for answers that are derived.
pub(crate) fn options_of(options: &JsValue) -> Result<(Option<String>, Millis), JsValue> {
    let (name, now) = Js::new(options).read(|options| {
        if options.is_undefined() {
            return Ok((None, None));
        }
        Ok((options.option_text("name", "options.name")?, options.option_number("now", "options.now")?))
    })?;
    Ok((name, Millis(now.unwrap_or_else(Date::now))))
}

/// Whether these are files that are one document.
pub(crate) fn several(document: &JsValue) -> bool {
    Array::is_array(document) && Array::from(document).length() > 0
}
