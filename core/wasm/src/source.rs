//! JavaScript values as the core reads arguments.
//!
//! Named properties alone are read, so a row may carry anything else, and getters and class instances work as they
//! do for code that reads properties.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, Reflect};
use runstate::smithers::{InvalidInput, Kind, Source};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::error::invalid_input;
use crate::text;

#[wasm_bindgen]
extern "C" {
    // Of a proxy that was revoked it throws, and what is thrown through Rust's frames leaves them as they were.
    #[wasm_bindgen(js_namespace = Array, js_name = isArray, catch)]
    fn is_array(value: &JsValue) -> Result<bool, JsValue>;
}

/// A value of the caller's.
pub(crate) struct Js {
    value: JsValue,
    /// What a getter threw; shared by all that was read from one argument.
    thrown: Rc<RefCell<Option<JsValue>>>,
}

impl Js {
    pub(crate) fn new(value: &JsValue) -> Self {
        Self { value: value.clone(), thrown: Rc::default() }
    }

    /// Ends reading: what a getter threw counts more than what it seemed to say.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Self) -> Result<T, InvalidInput>) -> Result<T, JsValue> {
        let found = read(self);
        match self.thrown.take() {
            Some(thrown) => Err(thrown),
            None => found.map_err(|refused| invalid_input(&refused)),
        }
    }

    /// A property that is a function or left out; `path` is how the caller calls it.
    pub(crate) fn function(&self, name: &str, path: &str) -> Result<Option<Function>, JsValue> {
        self.read(|object| {
            let found = object.field(name);
            match found.value.dyn_into::<Function>() {
                Ok(function) => Ok(Some(function)),
                Err(value) if value.is_undefined() => Ok(None),
                Err(value) => Err(refused(path, "a function or nothing", &Js::new(&value))),
            }
        })
    }

    /// The value itself, where it is a list.
    pub(crate) fn list(&self) -> Option<&JsValue> {
        Some(&self.value).filter(|_| self.is_list())
    }

    fn is_list(&self) -> bool {
        is_array(&self.value).unwrap_or_else(|thrown| {
            self.note(thrown);
            false
        })
    }

    /// The first that is thrown is what JavaScript would have stopped at.
    fn note(&self, thrown: JsValue) -> JsValue {
        self.thrown.borrow_mut().get_or_insert(thrown);
        JsValue::UNDEFINED
    }

    fn part(&self, value: Result<JsValue, JsValue>) -> Self {
        let value = value.unwrap_or_else(|thrown| self.note(thrown));
        Self { value, thrown: self.thrown.clone() }
    }

    /// Whether there is no value.
    pub(crate) fn is_undefined(&self) -> bool {
        self.value.is_undefined()
    }

    /// A property that is a text or left out.
    pub(crate) fn option_text(&self, name: &str, path: &str) -> Result<Option<String>, InvalidInput> {
        let found = self.field(name);
        let text = text::read(&found.value);
        if text.is_some() || found.is_undefined() {
            Ok(text)
        } else {
            Err(refused(path, "a text or nothing", &found))
        }
    }

    /// A property that is a number or left out.
    pub(crate) fn option_number(&self, name: &str, path: &str) -> Result<Option<f64>, InvalidInput> {
        let found = self.field(name);
        let number = found.value.as_f64();
        if number.is_some() || found.is_undefined() {
            Ok(number)
        } else {
            Err(refused(path, "a number or nothing", &found))
        }
    }

    /// A property that is true, false or left out.
    pub(crate) fn option_flag(&self, name: &str, path: &str) -> Result<Option<bool>, InvalidInput> {
        let found = self.field(name);
        let flag = found.value.as_bool();
        if flag.is_some() || found.is_undefined() {
            Ok(flag)
        } else {
            Err(refused(path, "true, false or nothing", &found))
        }
    }

    /// Whether it has properties.
    pub(crate) fn is_object(&self) -> bool {
        self.value.is_object()
    }

    /// A number.
    pub(crate) fn number(&self, path: &str) -> Result<f64, JsValue> {
        self.value.as_f64().ok_or_else(|| invalid_input(&refused(path, "a number", self)))
    }

    /// A text.
    pub(crate) fn text(&self, path: &str) -> Result<String, JsValue> {
        match self.kind() {
            Kind::Text(text) => Ok(text),
            Kind::Undefined
            | Kind::Null
            | Kind::Bool(_)
            | Kind::Number(_)
            | Kind::List
            | Kind::Object
            | Kind::Other => Err(invalid_input(&refused(path, "a text", self))),
        }
    }
}

/// The refusal of a value that does not fit.
pub(crate) fn refused(path: &str, expected: &'static str, found: &Js) -> InvalidInput {
    InvalidInput { path: path.to_owned(), expected, found: found.kind().to_string() }
}

impl Source for Js {
    fn kind(&self) -> Kind {
        let value = &self.value;
        if value.is_undefined() {
            Kind::Undefined
        } else if value.is_null() {
            Kind::Null
        } else if let Some(number) = value.as_f64() {
            Kind::Number(number)
        } else if let Some(text) = text::read(value) {
            Kind::Text(text)
        } else if let Some(flag) = value.as_bool() {
            Kind::Bool(flag)
        } else if self.is_list() {
            Kind::List
        } else if value.is_object() {
            Kind::Object
        } else {
            Kind::Other
        }
    }

    fn field(&self, name: &str) -> Self {
        self.part(Reflect::get(&self.value, &text::word(name)))
    }

    fn items(&self) -> Vec<Self> {
        if !self.is_list() {
            return Vec::new();
        }
        // A list is no longer than a number of 32 bits tells.
        let length = self.field("length").value.as_f64().unwrap_or_default() as u32;
        let mut items = Vec::new();
        for place in 0..length {
            items.push(self.part(Reflect::get_u32(&self.value, place)));
            if self.thrown.borrow().is_some() {
                break;
            }
        }
        items
    }
}
