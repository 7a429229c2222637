//! Reads arguments: text, bytes and options.

use js_sys::{Array, ArrayBuffer, JSON, Uint8Array};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Deserializer;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::error::Error;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** A document: its text or its bytes. */
export type Bytes = string | Uint8Array | ArrayBuffer;

/** One document, or several files that are read together. */
export type Files = Bytes | readonly { name?: string; bytes: Bytes }[];
";

/// The longest part of a value that an error quotes.
const QUOTED: usize = 60;

/// Reads a value; the error says at which path of the argument which kind of value was expected.
pub(crate) fn read<T: DeserializeOwned>(value: &JsValue, path: &str) -> Result<T, Error> {
    let found = serde_path_to_error::deserialize(Deserializer::from(value.clone()));
    found.map_err(|error| {
        let inner = match error.path().to_string() {
            none if none == "." => String::new(),
            item if item.starts_with('[') => item,
            field => format!(".{field}"),
        };
        misread(&format!("{path}{inner}"), &error.inner().to_string())
    })
}

/// Rewrites serde's message in this module's wording.
fn misread(path: &str, message: &str) -> Error {
    let message = message.trim_start_matches("Error: ");
    if let Some(field) = message.strip_prefix("missing field `") {
        return Error::invalid_input(
            &format!("{path}.{}", field.trim_end_matches('`')),
            "a value",
            "nothing",
        );
    }
    let (found, expected) = message.split_once(", expected ").unwrap_or((message, "another value"));
    let found = match found.trim_start_matches("invalid type: ").trim_start_matches("invalid value: ") {
        "unit value" => "nothing",
        other => other,
    };
    let expected = match expected {
        "f64" | "u32" => "a number",
        other if other.starts_with("struct ") => "an object",
        other => other,
    };
    Error::invalid_input(path, expected, &found.chars().take(QUOTED).collect::<String>())
}

/// Reads an object.
pub(crate) fn read_object<T: DeserializeOwned>(value: &JsValue, path: &str) -> Result<T, Error> {
    if value.is_object() && !Array::is_array(value) {
        return read(value, path);
    }
    Err(refused(path, "an object", value))
}

/// Reads optional options.
pub(crate) fn read_options<T: DeserializeOwned + Default>(value: &JsValue, path: &str) -> Result<T, Error> {
    if value.is_undefined() { Ok(T::default()) } else { read_object(value, path) }
}

/// A value that is checked only if the result depends on it.
#[derive(Default, Deserialize)]
#[serde(transparent)]
pub struct Unchecked(#[serde(with = "serde_wasm_bindgen::preserve")] JsValue);

impl Unchecked {
    /// The value as it was passed.
    pub(crate) fn value(&self) -> &JsValue {
        &self.0
    }

    /// Reads a required value.
    pub(crate) fn read<T: DeserializeOwned>(&self, path: &str) -> Result<T, Error> {
        read(&self.0, path)
    }

    /// Reads an optional value; `null` is refused.
    pub(crate) fn optional<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>, Error> {
        if self.0.is_undefined() { Ok(None) } else { self.read(path).map(Some) }
    }
}

/// The bytes of a document.
pub(crate) fn bytes(value: &JsValue, path: &str) -> Result<Vec<u8>, Error> {
    if let Some(text) = value.as_string() {
        return Ok(text.into_bytes());
    }
    if let Some(array) = value.dyn_ref::<Uint8Array>() {
        // A detached buffer has length 0 and cannot be copied.
        return Ok(if array.length() == 0 { Vec::new() } else { array.to_vec() });
    }
    match value.dyn_ref::<ArrayBuffer>() {
        Some(buffer) if buffer.byte_length() == 0 => Ok(Vec::new()),
        Some(buffer) => Ok(Uint8Array::new(buffer).to_vec()),
        None => Err(refused(path, "a text, a Uint8Array or an ArrayBuffer", value)),
    }
}

/// The error for a value of another type.
pub(crate) fn refused(path: &str, expected: &str, value: &JsValue) -> Error {
    let found = if value.is_undefined() {
        "nothing".to_owned()
    } else if value.is_null() {
        "null".to_owned()
    } else if Array::is_array(value) {
        "a list".to_owned()
    } else {
        format!("a value of type {}", value.js_typeof().as_string().unwrap_or_default())
    };
    Error::invalid_input(path, expected, &found)
}

/// The text of a document, without a byte order mark.
pub(crate) fn text(value: &JsValue, path: &str) -> Result<String, Error> {
    let bytes = bytes(value, path)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(error.as_bytes().get(..valid).unwrap_or_default());
        Error::unreadable(path, "The text is not UTF-8.", Some((&before, valid)))
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// A value as JSON text, for the readers of the core that keep unknown fields.
pub(crate) fn json(value: &JsValue, path: &str) -> Result<String, Error> {
    let text = if value.is_function() {
        None
    } else {
        JSON::stringify(value).ok().and_then(|text| text.as_string())
    };
    text.ok_or_else(|| refused(path, "a value that JSON can hold", value))
}
