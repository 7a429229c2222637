//! How one field of a record is read and written.

use crate::json::{ReadError, ReadErrorKind, Slice, Token};
use crate::number::Number;
use crate::text::{concat, join, json, quoted};
use crate::time::Millis;
use crate::word::{Vocabulary, Word};

/// Any JSON value, byte for byte: `error` and `trace` have no shape that could be relied on.
///
/// ```
/// use runstate::smithers::wire::RunResult;
///
/// let result = RunResult::from_json(r#"{"runId":"r","status":"finished","output":{ "n" : 1.0 }}"#)?;
/// // Byte for byte: a reader of another system may care about the spelling.
/// assert_eq!(result.output.unwrap().as_str(), r#"{ "n" : 1.0 }"#);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Json(pub Box<str>);

impl Json {
    /// The text as it came.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A type that stands in a field.
pub(crate) trait Field: Sized {
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

impl<T: Field> Field for Vec<T> {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        slice.read_items(T::read)
    }

    fn write(&self) -> Option<String> {
        let items: Vec<String> = self.iter().filter_map(T::write).collect();
        let parts: Vec<&str> = items.iter().map(String::as_str).collect();
        Some(concat(&["[", &join(&parts, ","), "]"]))
    }
}

/// How many names an object may have whose names are compared with each other.
const MAX_ENTRIES: usize = 10_000;

/// Names and what they stand for, in the order of the text.
///
/// ```
/// use runstate::smithers::wire::Entries;
///
/// let needs = Entries(vec![("plan".to_owned(), "make-plan".to_owned())]);
/// assert_eq!(needs.get("plan").map(String::as_str), Some("make-plan"));
/// assert_eq!(needs.get("review"), None);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Entries<T>(pub Vec<(String, T)>);

impl<T> Entries<T> {
    /// What a name stands for.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

impl<T: Field> Field for Entries<T> {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let mut reader = slice.reader();
        if !slice.is_object() {
            return Err(slice.expected("an object"));
        }
        reader.token()?;
        let mut found: Vec<(String, T)> = Vec::new();
        while let Token::Key(key) = reader.token()? {
            let (at, name) = (reader.start(), key.decode().into_owned());
            let value = slice.part(reader.skip_value()?);
            if found.len() >= MAX_ENTRIES {
                return Err(ReadError::new(
                    ReadErrorKind::TooLarge,
                    at,
                    "The object has more than 10,000 keys.",
                ));
            }
            if found.iter().any(|(known, _)| *known == name) {
                let message = concat(&["The key ", &quoted(&name), " is here twice."]);
                return Err(ReadError::new(ReadErrorKind::DuplicateKey, at, message));
            }
            found.push((name, T::read(value)?));
        }
        Ok(Self(found))
    }

    fn write(&self) -> Option<String> {
        let fields = self.0.iter().filter_map(|(name, value)| Some((name.as_str(), value.write()?)));
        Some(object(&fields.collect::<Vec<_>>()))
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
pub(crate) fn read<T: Field>(
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

/// An object with these fields, each value written already.
pub(crate) fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<String> = fields.iter().map(|(name, value)| concat(&[&json(name), ":", value])).collect();
    let parts: Vec<&str> = fields.iter().map(String::as_str).collect();
    concat(&["{", &join(&parts, ","), "}"])
}
