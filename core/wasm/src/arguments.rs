//! Reads arguments: text, bytes and options.

use js_sys::{Array, ArrayBuffer, JSON, JsString, Number, Reflect, Uint8Array};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_path_to_error::{Path, Segment};
use serde_wasm_bindgen::Deserializer;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::error::Error;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** The content of a document: its text, its bytes, or the object that its JSON describes. */
export type Content = string | Uint8Array | ArrayBuffer | (object & { then?: never }) | { readonly [key: string]: unknown };

/** One document, or several files that are read together. */
export type Files = Content | readonly { name?: string; bytes: Content }[];
";

/// The longest part of a value that an error quotes.
const QUOTED: u32 = 60;

/// What a document may be.
const CONTENT: &str = "a text, a Uint8Array, an ArrayBuffer or an object of JSON";

/// Reads a value; the error says at which path of the argument which kind of value was expected.
pub(crate) fn read<T: DeserializeOwned>(value: &JsValue, path: &str) -> Result<T, Error> {
    let found = serde_path_to_error::deserialize(Deserializer::from(value.clone()));
    found.map_err(|error| {
        let inner = match error.path().to_string() {
            none if none == "." => String::new(),
            item if item.starts_with('[') => item,
            field => format!(".{field}"),
        };
        misread(&format!("{path}{inner}"), &error.inner().to_string(), at(value, error.path()).as_ref())
    })
}

/// The value at a path; `None` if a getter throws.
fn at(value: &JsValue, path: &Path) -> Option<JsValue> {
    path.iter().try_fold(value.clone(), |value, segment| match segment {
        Segment::Seq { index } => Reflect::get_u32(&value, *index as u32).ok(),
        Segment::Map { key } => Reflect::get(&value, &key.into()).ok(),
        // The word of an enum has no path of its own.
        Segment::Enum { .. } | Segment::Unknown => Some(value),
    })
}

/// Rewrites serde's message in this module's wording.
fn misread(path: &str, message: &str, value: Option<&JsValue>) -> Error {
    let message = message.trim_start_matches("Error: ");
    if let Some(field) = message.strip_prefix("missing field `") {
        return Error::invalid_input(
            &format!("{path}.{}", field.trim_end_matches('`')),
            "a value",
            "nothing",
        );
    }
    let (_, expected) = message.split_once(", expected ").unwrap_or((message, "another value"));
    let expected = match expected {
        "f64" => "a number".to_owned(),
        "u32" | "usize" | "i64" | "u64" => "a whole number".to_owned(),
        "a sequence" => "a list".to_owned(),
        other if other.starts_with("struct ") || other == "a map" => "an object".to_owned(),
        other if other.starts_with("enum ") => "a known word".to_owned(),
        other => other.replace('`', "\""),
    };
    Error::invalid_input(path, &expected, &value.map_or("another value".to_owned(), describe))
}

/// A value in the words of an error: its kind, and its text if that is short.
pub(crate) fn describe(value: &JsValue) -> String {
    if let Some(text) = value.dyn_ref::<JsString>() {
        let rest = if text.length() > QUOTED { "…" } else { "" };
        return format!("the text \"{}{rest}\"", String::from(text.slice(0, QUOTED)));
    }
    if value.is_undefined() {
        return "nothing".to_owned();
    }
    if let Some(number) = value.as_f64() {
        return Number::from(number)
            .to_string_with_radix(10)
            .map_or_else(|_| number.to_string(), String::from);
    }
    if value.is_null() {
        return "null".to_owned();
    }
    if let Some(is_true) = value.as_bool() {
        return is_true.to_string();
    }
    if Array::is_array(value) {
        return "a list".to_owned();
    }
    if value.is_function() {
        return "a function".to_owned();
    }
    match class_of(value) {
        None => "an object".to_owned(),
        Some(class) if class == "Date" => "a Date; pass its number, date.getTime()".to_owned(),
        Some(class) if class == "Promise" => "a Promise; await it first".to_owned(),
        Some(class) => format!("an object of the class {class}"),
    }
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

/// The name of an object's class; `None` for a plain object and for what is no object.
fn class_of(value: &JsValue) -> Option<String> {
    let prototype = Reflect::get_prototype_of(value).ok()?;
    let constructor = Reflect::get(&prototype, &"constructor".into()).ok()?;
    let name = Reflect::get(&constructor, &"name".into()).ok()?.as_string()?;
    (name != "Object").then_some(name)
}

/// Whether a value is an object or a list that JSON can hold, not an instance of a class.
pub(crate) fn is_plain(value: &JsValue) -> bool {
    Array::is_array(value) || value.is_object() && class_of(value).is_none()
}

/// The bytes of a document; an object is written as JSON.
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
        None if is_plain(value) => json(value, path).map(String::into_bytes),
        None => Err(refused(path, CONTENT, value)),
    }
}

/// The error for a value of another type.
pub(crate) fn refused(path: &str, expected: &str, value: &JsValue) -> Error {
    Error::invalid_input(path, expected, &describe(value))
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
