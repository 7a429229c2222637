//! The core's answers as plain JavaScript objects.

use js_sys::Array;
use js_sys::{Object, Reflect};
use runstate::time::Millis;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::text;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = JSON, js_name = parse, catch)]
    fn parse(text: &JsValue) -> Result<JsValue, JsValue>;
}

/// A plain object in the making; its keys keep the order in which they are written.
pub(crate) struct Writer(Object);

impl Writer {
    pub(crate) fn new() -> Self {
        Self(Object::new())
    }

    /// Writes on into an object that was made here.
    pub(crate) fn of(object: JsValue) -> Self {
        Self(object.into())
    }

    pub(crate) fn value(&mut self, key: &'static str, value: &JsValue) {
        set(&self.0, key, value);
    }

    pub(crate) fn text(&mut self, key: &'static str, value: &str) {
        self.value(key, &text::to_js(value));
    }

    /// A word of ours: one of few, and without escapes.
    pub(crate) fn word(&mut self, key: &'static str, value: &'static str) {
        self.value(key, &text::word(value));
    }

    pub(crate) fn number(&mut self, key: &'static str, value: f64) {
        self.value(key, &value.into());
    }

    pub(crate) fn flag(&mut self, key: &'static str, value: bool) {
        self.value(key, &value.into());
    }

    pub(crate) fn finish(self) -> JsValue {
        self.0.into()
    }
}

impl Writer {
    pub(crate) fn texts(&mut self, key: &'static str, values: &[String]) {
        self.value(key, &list(values.iter().map(|value| text::to_js(value))));
    }

    /// Writes nothing where there is nothing.
    pub(crate) fn optional(&mut self, key: &'static str, value: Option<JsValue>) {
        if let Some(value) = value {
            self.value(key, &value);
        }
    }

    pub(crate) fn optional_text(&mut self, key: &'static str, value: Option<&str>) {
        self.optional(key, value.map(text::to_js));
    }

    pub(crate) fn time(&mut self, key: &'static str, value: Option<Millis>) {
        self.optional(key, value.map(|time| time.0.into()));
    }
}

/// An array of these values.
pub(crate) fn list(values: impl Iterator<Item = JsValue>) -> JsValue {
    let array = Array::new();
    values.for_each(|value| {
        array.push(&value);
    });
    array.into()
}

/// Sets a property of an object that was made here.
pub(crate) fn set(object: &JsValue, key: &'static str, value: &JsValue) {
    // Fails on frozen objects and throwing setters only, and the object is our own.
    let _ = Reflect::set(object, &text::word(key), value);
}

/// An object with keys that came from a document.
pub(crate) fn map_of_numbers<'a>(entries: impl Iterator<Item = (&'a str, f64)>) -> JsValue {
    let pairs = entries.map(|(key, number)| Array::of2(&text::to_js(key), &number.into()).into());
    let pairs = list(pairs);
    // Fails on what is no list of pairs, which this is.
    Object::from_entries(&pairs).map_or(JsValue::UNDEFINED, JsValue::from)
}

/// The core's own JSON text as a value.
pub(crate) fn value_of(json: &str) -> JsValue {
    kept_json(json)
}

/// JSON that was kept as it came; what cannot be read stays text.
pub(crate) fn kept_json(json: &str) -> JsValue {
    let text = text::to_js(json);
    parse(&text).unwrap_or(text)
}
