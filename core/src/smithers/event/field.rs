//! How one field of an event is read.

use crate::json::{ReadError, Slice};
use crate::number::Number;
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

    /// What a missing field means, if it may be missing.
    fn missing() -> Option<Self> {
        None
    }
}

impl Field for String {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        slice.read_text()
    }
}

impl Field for u32 {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        slice.read_small()
    }
}

impl Field for Number {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        slice.read_number().map(Number)
    }
}

impl Field for Millis {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        slice.read_number().map(Millis)
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
}

impl Field for Vec<String> {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        slice.read_texts()
    }
}

impl Field for Json {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        Ok(Self(slice.json().into()))
    }
}

impl<V: Vocabulary> Field for Word<V> {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        slice.read_word()
    }
}

impl<T: Field> Field for Option<T> {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        if slice.json() == "null" { Ok(None) } else { T::read(slice).map(Some) }
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
