//! JavaScript values as input for the core's own types.
//!
//! Named fields alone are read, so a row may carry anything else, and getters and class instances work as they do
//! for code that reads properties. Strings that are not well-formed UTF-16 come through unchanged (see [`text`]).

use std::fmt;

use js_sys::{Array, JsString, Object, Reflect};
use serde::de::{self, DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use wasm_bindgen::{JsCast, JsValue};

use crate::text;

/// Reads `value` as a `T`; `name` is how the caller calls the value (`input`, `run`).
///
/// # Errors
/// [`Refused`] with the place of the first field that is not what it should be.
pub(crate) fn from_js<T: DeserializeOwned>(value: &JsValue, name: &str) -> Result<T, Refused> {
    T::deserialize(Js(value.clone())).map_err(|error| error.inside(name))
}

/// A JavaScript value that is not what was expected, or a getter that threw.
#[derive(Debug)]
pub(crate) struct Refused {
    /// What was expected and what was found.
    pub(crate) message: String,
    /// The way to the value, outermost first: `input.run.runId`.
    pub(crate) path: String,
    /// What a getter or proxy threw, to be thrown on as it is.
    pub(crate) thrown: Option<JsValue>,
}

impl Refused {
    fn new(message: String) -> Self {
        Self { message, path: String::new(), thrown: None }
    }

    /// A refusal of the value that the caller calls `name`.
    pub(crate) fn at(name: &str, message: String) -> Self {
        Self::new(message).inside(name)
    }

    fn thrown(value: JsValue) -> Self {
        Self { thrown: Some(value), ..Self::new(String::new()) }
    }

    fn inside(mut self, key: &str) -> Self {
        let joint = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{key}{joint}{}", self.path);
        self
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.message, self.path)
    }
}

impl std::error::Error for Refused {}

impl de::Error for Refused {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string())
    }

    fn invalid_type(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new(format!("expected {expected}, found {}", Found(found)))
    }

    fn invalid_value(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new(format!("expected {expected}, found {}", Found(found)))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new("expected a value, found nothing".to_owned()).inside(field)
    }
}

/// What was found, in JavaScript's words.
struct Found<'a>(de::Unexpected<'a>);

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use de::Unexpected::{
            Bool, Bytes, Char, Enum, Float, Map, NewtypeStruct, NewtypeVariant, Option, Other, Seq, Signed, Str,
            StructVariant, TupleVariant, Unit, UnitVariant, Unsigned,
        };
        match self.0 {
            Unit | Option => f.write_str("nothing"),
            Bool(flag) => write!(f, "{flag}"),
            Signed(number) => write!(f, "the number {number}"),
            Unsigned(number) => write!(f, "the number {number}"),
            Float(number) => write!(f, "the number {}", text::number(number)),
            Str(found) => write!(f, "the text {}", text::quoted(found)),
            Char(found) => write!(f, "the text {}", text::quoted(found.encode_utf8(&mut [0; 4]))),
            Seq | Bytes(_) => f.write_str("an array"),
            Map | NewtypeStruct => f.write_str("an object"),
            Enum | UnitVariant | NewtypeVariant | TupleVariant | StructVariant => f.write_str("a variant"),
            Other(found) => f.write_str(found),
        }
    }
}

/// Whole numbers up to here are the same number as an integer.
const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

struct Js(JsValue);

impl Js {
    fn is_nothing(&self) -> bool {
        self.0.is_undefined() || self.0.is_null()
    }

    fn refuse<T>(found: &str, expected: &dyn de::Expected) -> Result<T, Refused> {
        Err(Refused::new(format!("expected {expected}, found {found}")))
    }
}

impl<'de> Deserializer<'de> for Js {
    type Error = Refused;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        let value = self.0;
        if value.is_undefined() || value.is_null() {
            visitor.visit_unit()
        } else if let Some(number) = value.as_f64() {
            let whole = number.fract() == 0.0 && number.abs() <= MAX_SAFE;
            let minus_zero = number == 0.0 && number.is_sign_negative();
            if whole && !minus_zero { visitor.visit_i64(number as i64) } else { visitor.visit_f64(number) }
        } else if let Some(flag) = value.as_bool() {
            visitor.visit_bool(flag)
        } else if let Some(string) = value.dyn_ref::<JsString>() {
            visitor.visit_string(text::from_js(string))
        } else if Array::is_array(&value) {
            visitor.visit_seq(Elements { array: value.unchecked_into(), next: 0 })
        } else if value.is_function() {
            Self::refuse("a function", &visitor)
        } else if value.is_object() {
            let object: Object = value.unchecked_into();
            visitor.visit_map(Members { keys: Object::keys(&object), object, next: 0, value: None })
        } else if value.is_symbol() {
            Self::refuse("a symbol", &visitor)
        } else {
            Self::refuse("a BigInt", &visitor)
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        if self.is_nothing() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refused> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        if !self.0.is_object() || Array::is_array(&self.0) {
            return self.deserialize_any(visitor);
        }
        visitor.visit_map(Fields { object: self.0, fields: fields.iter(), value: None })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq
        tuple tuple_struct map enum identifier
    }
}

/// The named fields of an object, inherited ones and getters included; `undefined` counts as absent.
struct Fields {
    object: JsValue,
    fields: std::slice::Iter<'static, &'static str>,
    value: Option<(&'static str, JsValue)>,
}

impl<'de> de::MapAccess<'de> for Fields {
    type Error = Refused;

    fn next_key_seed<K: de::DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Refused> {
        for field in self.fields.by_ref() {
            let value = Reflect::get(&self.object, &text::key(field)).map_err(Refused::thrown)?;
            if !value.is_undefined() {
                self.value = Some((field, value));
                return seed.deserialize(IntoDeserializer::<Refused>::into_deserializer(*field)).map(Some);
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: de::DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Refused> {
        let (field, value) = self.value.take().unwrap_or(("", JsValue::UNDEFINED));
        seed.deserialize(Js(value)).map_err(|error| error.inside(field))
    }
}

/// The own members of an object whose fields are not known beforehand.
struct Members {
    object: Object,
    keys: Array,
    next: u32,
    value: Option<(String, JsValue)>,
}

impl<'de> de::MapAccess<'de> for Members {
    type Error = Refused;

    fn next_key_seed<K: de::DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Refused> {
        if self.next >= self.keys.length() {
            return Ok(None);
        }
        let key = self.keys.get(self.next);
        self.next += 1;
        let value = Reflect::get(&self.object, &key).map_err(Refused::thrown)?;
        let name = text::from_js(key.unchecked_ref());
        self.value = Some((name.clone(), value));
        seed.deserialize(IntoDeserializer::<Refused>::into_deserializer(name)).map(Some)
    }

    fn next_value_seed<V: de::DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Refused> {
        let (key, value) = self.value.take().unwrap_or_default();
        seed.deserialize(Js(value)).map_err(|error| error.inside(&key))
    }
}

/// The elements of an array; a hole is `undefined`.
struct Elements {
    array: Array,
    next: u32,
}

impl<'de> de::SeqAccess<'de> for Elements {
    type Error = Refused;

    fn next_element_seed<T: de::DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refused> {
        if self.next >= self.array.length() {
            return Ok(None);
        }
        let index = self.next;
        self.next += 1;
        seed.deserialize(Js(self.array.get(index))).map(Some).map_err(|error| error.inside(&format!("[{index}]")))
    }

    fn size_hint(&self) -> Option<usize> {
        Some((self.array.length() - self.next) as usize)
    }
}
