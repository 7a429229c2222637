//! How one field of an event is read.

use crate::json::{ReadError, Slice};
use crate::number::Number;
use crate::text::{concat, join, json};
use crate::time::Millis;
use crate::word::{Vocabulary, Word};

/// Any JSON value, byte for byte: `error` and `trace` have no shape that could be relied on.
#[derive(Clone, Debug, PartialEq)]
pub struct Json(pub Box<str>);

impl Json {
    /// The text as it came.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A type that stands in a field.
pub(super) trait Field: Sized {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError>;

    /// The value as JSON; `None` where there is none.
    fn write(&self) -> Option<String>;

    /// What a missing field means, if it may be missing.
    fn missing() -> Option<Self> {
        None
    }
}

impl Field for String {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        slice.read_text()
    }

    fn write(&self) -> Option<String> {
        Some(json(self))
    }
}

impl Field for u32 {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        slice.read_small()
    }

    fn write(&self) -> Option<String> {
        Some(Number(f64::from(*self)).to_text())
    }
}

impl Field for Number {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        slice.read_number().map(Number)
    }

    fn write(&self) -> Option<String> {
        Some(self.to_text())
    }
}

impl Field for Millis {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        slice.read_number().map(Millis)
    }

    fn write(&self) -> Option<String> {
        Some(Number(self.0).to_text())
    }
}

impl Field for bool {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        match slice.json() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(slice.expected("true or false")),
        }
    }

    fn write(&self) -> Option<String> {
        Some(if *self { "true" } else { "false" }.to_owned())
    }
}

impl Field for Vec<String> {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        slice.read_texts()
    }

    fn write(&self) -> Option<String> {
        let texts: Vec<String> = self.iter().map(|text| json(text)).collect();
        let parts: Vec<&str> = texts.iter().map(String::as_str).collect();
        Some(concat(&["[", &join(&parts, ","), "]"]))
    }
}

impl Field for Json {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        Ok(Self(slice.json().into()))
    }

    fn write(&self) -> Option<String> {
        Some(self.0.to_string())
    }
}

impl<V: Vocabulary> Field for Word<V> {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        slice.read_word()
    }

    fn write(&self) -> Option<String> {
        Some(json(self.as_str()))
    }
}

impl<T: Field> Field for Option<T> {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        if slice.json() == "null" { Ok(None) } else { T::read(slice).map(Some) }
    }

    fn write(&self) -> Option<String> {
        self.as_ref().and_then(T::write)
    }

    fn missing() -> Option<Self> {
        Some(None)
    }
}

/// A field of an object; an error where it is missing and may not be.
pub(super) fn read<T: Field>(
    object: Slice<'_>,
    name: &str,
    field: Option<Slice<'_>>,
) -> Result<T, ReadError> {
    match (field, T::missing()) {
        (Some(field), _) => T::read(field),
        (None, Some(missing)) => Ok(missing),
        (None, None) => object.need(name, None).and_then(T::read),
    }
}
