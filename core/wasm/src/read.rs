//! Arguments from JavaScript, read field by field.
//!
//! Named fields alone are read, so a row may carry anything else, and getters and class instances work as they do
//! for code that reads properties. Written by hand instead of through serde, which would more than double the module.

use js_sys::{Array, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use crate::error::invalid_input;
use crate::text;

/// A value and the way to it: `input.run.runId`. Refusals are thrown as they are, ready-made errors.
pub(crate) struct At<'a> {
    value: JsValue,
    path: Path<'a>,
}

enum Path<'a> {
    Argument(&'a str),
    Field(&'a Path<'a>, &'static str),
    Element(&'a Path<'a>, u32),
}

impl Path<'_> {
    fn write(&self, path: &mut String) {
        match self {
            Self::Argument(name) => path.push_str(name),
            Self::Field(parent, name) => {
                parent.write(path);
                path.push('.');
                path.push_str(name);
            }
            Self::Element(parent, index) => {
                parent.write(path);
                path.push('[');
                path.push_str(&index.to_string());
                path.push(']');
            }
        }
    }
}

impl<'a> At<'a> {
    /// An argument, by the name that its caller knows.
    pub(crate) fn argument(value: &JsValue, name: &'a str) -> Self {
        Self { value: value.clone(), path: Path::Argument(name) }
    }

    /// A field of this object; absent fields are `undefined`.
    pub(crate) fn field(&'a self, name: &'static str) -> Result<Self, JsValue> {
        if !self.value.is_object() || Array::is_array(&self.value) {
            return Err(self.refuse("an object"));
        }
        let value = Reflect::get(&self.value, &text::key(name))?;
        Ok(Self { value, path: Path::Field(&self.path, name) })
    }

    /// A text.
    pub(crate) fn text(&self) -> Result<String, JsValue> {
        text::read(&self.value).ok_or_else(|| self.refuse("text"))
    }

    /// A number, finite or not.
    pub(crate) fn number(&self) -> Result<f64, JsValue> {
        self.value.as_f64().ok_or_else(|| self.refuse("a number"))
    }

    /// The text, if this is one.
    pub(crate) fn text_or_none(&self) -> Option<String> {
        text::read(&self.value)
    }

    /// The number, if this is one.
    pub(crate) fn number_or_none(&self) -> Option<f64> {
        self.value.as_f64()
    }

    /// A function, if it is given.
    pub(crate) fn function(&self) -> Result<Option<js_sys::Function>, JsValue> {
        match self.value.dyn_ref::<js_sys::Function>() {
            Some(function) => Ok(Some(function.clone())),
            None if self.value.is_undefined() => Ok(None),
            None => Err(self.refuse("a function")),
        }
    }

    /// `None` for `undefined` and `null`, else what `read` makes of the value.
    pub(crate) fn optional<T>(
        &self,
        read: impl FnOnce(&Self) -> Result<T, JsValue>,
    ) -> Result<Option<T>, JsValue> {
        if self.value.is_undefined() || self.value.is_null() { Ok(None) } else { read(self).map(Some) }
    }

    /// `None` for `undefined`, else what `read` makes of the value: `null` counts as given.
    pub(crate) fn given<T>(
        &self,
        read: impl FnOnce(&Self) -> Result<T, JsValue>,
    ) -> Result<Option<T>, JsValue> {
        if self.value.is_undefined() { Ok(None) } else { read(self).map(Some) }
    }

    /// Every element of this array; a hole is `undefined`.
    pub(crate) fn each<T>(
        &self,
        mut read: impl FnMut(&At<'_>) -> Result<T, JsValue>,
    ) -> Result<Vec<T>, JsValue> {
        let array: &Array = self.value.dyn_ref().ok_or_else(|| self.refuse("an array"))?;
        (0..array.length())
            .map(|index| read(&At { value: array.get(index), path: Path::Element(&self.path, index) }))
            .collect()
    }

    /// The error that says what was expected here and what was found.
    pub(crate) fn refuse(&self, expected: &str) -> JsValue {
        let mut path = String::new();
        self.path.write(&mut path);
        invalid_input(&format!("expected {expected}, found {}", found(&self.value)), &path)
    }
}

fn found(value: &JsValue) -> String {
    if let Some(found) = text::read(value) {
        return format!("the text {}", text::quoted(&found));
    }
    if let Some(number) = value.as_f64() {
        return format!("the number {}", text::number(number));
    }
    let name = match value.js_typeof().as_string() {
        _ if value.is_null() => "null",
        _ if Array::is_array(value) => "an array",
        Some(kind) if kind == "undefined" => "nothing",
        Some(kind) if kind == "object" => "an object",
        Some(kind) => return format!("a {kind}"),
        None => "nothing",
    };
    name.to_owned()
}
