//! The core's answers as plain JavaScript objects.

use js_sys::{Array, Object, Reflect};
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

    pub(crate) fn value(&mut self, key: &str, value: &JsValue) {
        set(&self.0, key, value);
    }

    pub(crate) fn text(&mut self, key: &str, value: &str) {
        self.value(key, &text::to_js(value));
    }

    pub(crate) fn number(&mut self, key: &str, value: f64) {
        self.value(key, &value.into());
    }

    pub(crate) fn flag(&mut self, key: &str, value: bool) {
        self.value(key, &value.into());
    }

    pub(crate) fn texts(&mut self, key: &str, values: &[String]) {
        self.value(key, &list(values.iter().map(|value| text::to_js(value))));
    }

    /// Writes nothing where there is nothing.
    pub(crate) fn optional(&mut self, key: &str, value: Option<JsValue>) {
        if let Some(value) = value {
            self.value(key, &value);
        }
    }

    pub(crate) fn optional_text(&mut self, key: &str, value: Option<&str>) {
        self.optional(key, value.map(text::to_js));
    }

    pub(crate) fn time(&mut self, key: &str, value: Option<Millis>) {
        self.optional(key, value.map(|time| time.0.into()));
    }

    pub(crate) fn finish(self) -> JsValue {
        self.0.into()
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
pub(crate) fn set(object: &JsValue, key: &str, value: &JsValue) {
    // Fails on frozen objects and throwing setters only, and the object is our own.
    let _ = Reflect::set(object, &JsValue::from_str(key), value);
}

/// JSON that was kept as it came; what cannot be read stays text.
pub(crate) fn kept_json(json: &str) -> JsValue {
    let text = text::to_js(json);
    parse(&text).unwrap_or(text)
}
