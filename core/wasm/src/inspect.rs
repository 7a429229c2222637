//! `inspect` of the most common case: one document of Smithers, as it came.

use js_sys::{Array, Date};
use runstate::clock::Reading;
use runstate::document::{inspect_by_clock, may_be_smithers};
use runstate::smithers::input::read_error_ms;
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
    let options = Options::read(options)?;
    if several(document) {
        return Ok(JsValue::UNDEFINED);
    }
    let bytes = bytes(document, "document")?;
    if !may_be_smithers(&bytes) {
        return Ok(JsValue::UNDEFINED);
    }
    let found = inspect_by_clock(&bytes, options.name.as_deref(), options.clock);
    let inspection = found.map_err(|error| document_error(&error))?;
    Ok(smithers_to_js(&inspection, &inspection.problems, &options))
}

/// How a document is read.
pub(crate) struct Options {
    /// The file's name.
    pub(crate) name: Option<String>,
    /// The moment for answers that are derived, and how far it may be off.
    pub(crate) clock: Reading,
    /// Whether the document was heard just now.
    pub(crate) live: bool,
}

impl Options {
    pub(crate) fn read(options: &JsValue) -> Result<Self, JsValue> {
        let given = |options: &Js| {
            if options.is_undefined() {
                return Ok((None, None, None, None));
            }
            Ok((
                options.option_text("name", "options.name")?,
                options.option_number("now", "options.now")?,
                read_error_ms(options, "options")?,
                options.option_flag("live", "options.live")?,
            ))
        };
        let (name, now, error_ms, live) = Js::new(options).read(given)?;
        let clock =
            Reading { now: Millis(now.unwrap_or_else(Date::now)), error_ms: error_ms.unwrap_or_default() };
        Ok(Self { name, clock, live: live.unwrap_or_default() })
    }
}

/// Whether these are files that are one document.
pub(crate) fn several(document: &JsValue) -> bool {
    Array::is_array(document) && Array::from(document).length() > 0
}
