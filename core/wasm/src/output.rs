//! Results as plain JavaScript objects.

use js_sys::JSON;
use runstate::time::Millis;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_wasm_bindgen::Serializer;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsValue;

use crate::error::Error;

/// A value as a plain object: fields in their order, maps as objects, `None` as `null`.
pub(crate) fn to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, serde_wasm_bindgen::Error> {
    value.serialize(&Serializer::new().serialize_maps_as_objects(true).serialize_missing_as_null(true))
}

/// A value as a plain object, with its TypeScript type.
pub(crate) fn typed<T: Serialize + Tsify>(value: &T) -> Result<Ts<T>, Error> {
    Ok(Ts::new_unchecked(to_js(value)?))
}

/// JSON that the core wrote, as a JavaScript value.
pub(crate) fn parse_own(json: &str) -> Result<JsValue, Error> {
    JSON::parse(json).map_err(|error| Error::internal(&format!("{error:?}")))
}

/// JSON that the core wrote, as the type that the module declares for it.
pub(crate) fn read_own<T: DeserializeOwned>(json: &str) -> Result<T, Error> {
    Ok(serde_json::from_str(json)?)
}

/// A time as milliseconds since 1970.
pub(crate) fn millis(at: Option<Millis>) -> Option<f64> {
    at.map(|at| at.0)
}

/// Any JSON value. JavaScript reads its text, so that keys keep their order and numbers their digits.
#[derive(Serialize)]
#[serde(transparent)]
pub struct Json(#[serde(with = "serde_wasm_bindgen::preserve")] JsValue);

impl Json {
    /// Parses JSON; a text that is not JSON becomes a string.
    pub(crate) fn parse(text: &str) -> Self {
        Self(JSON::parse(text).unwrap_or_else(|_| JsValue::from_str(text)))
    }
}

impl From<JsValue> for Json {
    fn from(value: JsValue) -> Self {
        Self(value)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::parse(Box::<RawValue>::deserialize(deserializer)?.get()))
    }
}
