//! Reads a [`Slice`] with serde, so that a record is a struct with `#[derive(Deserialize)]`.
//!
//! Records do not use serde's `flatten`, `tag`, `untagged` and `content`: these copy a value first, and the copy has neither
//! positions nor tolerance.

use std::fmt::{self, Display};
use std::marker::PhantomData;

use serde::de::{self, Deserialize, DeserializeSeed, Expected, IntoDeserializer, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::fields::second_key;
use super::text::Text;
use super::{Items, ReadError, Reader, Slice, Token, items};
use crate::text::concat;

impl<'a> Slice<'a> {
    /// Reads a value of any type that serde can read.
    pub(crate) fn read<T: Deserialize<'a>>(self) -> Result<T, ReadError> {
        T::deserialize(self).map_err(|fault| fault.at(self))
    }
}

/// Why a value was not read. Serde makes errors without a position, and [`at`](Self::at) adds it.
#[derive(Debug)]
pub(crate) enum Fault {
    At(ReadError),
    /// What is expected instead of the value.
    Expected(String),
    /// The last key occurs twice.
    SecondKey,
    Other(String),
}

impl Fault {
    /// The error about this value, unless it is already about a value inside.
    fn at(self, value: Slice<'_>) -> ReadError {
        match self {
            Self::At(error) => error,
            Self::Expected(what) => value.expected(&what),
            Self::SecondKey => value.refuse("A key occurs twice."),
            Self::Other(message) => value.refuse(message),
        }
    }
}

impl From<ReadError> for Fault {
    fn from(error: ReadError) -> Self {
        Self::At(error)
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: Display>(message: T) -> Self {
        Self::Other(message.to_string())
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Expected(expected.to_string())
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Expected(expected.to_string())
    }

    fn missing_field(field: &'static str) -> Self {
        Self::Other(concat(&["The field `", field, "` is missing."]))
    }

    fn duplicate_field(_: &'static str) -> Self {
        Self::SecondKey
    }
}

impl<'de> de::Deserializer<'de> for Slice<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.token()? {
            Token::ObjectStart => self.deserialize_map(visitor),
            Token::ArrayStart => self.deserialize_seq(visitor),
            Token::Number(_) => visitor.visit_f64(self.read_number()?),
            Token::Bool => visitor.visit_bool(self.json() == "true"),
            Token::Key(text) | Token::String(text) => visitor.visit_str(&text.decode()),
            Token::Null | Token::ObjectEnd | Token::ArrayEnd => visitor.visit_unit(),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.token()? {
            Token::Bool => visitor.visit_bool(self.json() == "true"),
            _ => Err(self.expected("true or false").into()),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_f64(self.read_number()?)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_u64(self.read_count()?)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_u32(self.read_small()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_string(self.read_text()?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.json() == "null" { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let mut list = items(self)?;
        let value = visitor.visit_seq(&mut list)?;
        list.end()?;
        Ok(value)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let mut members = Members { slice: self, reader: self.reader(), key: None };
        if !matches!(members.reader.token()?, Token::ObjectStart) {
            return Err(self.expected("an object").into());
        }
        let value = visitor.visit_map(&mut members).map_err(|fault| match (fault, members.key) {
            (Fault::SecondKey, Some((key, at))) => second_key(&key.decode(), at).into(),
            (fault, _) => fault,
        })?;
        self.end_at(members.reader.at())?;
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_map(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match name {
            LENIENT => visitor.visit_seq(Once(self)),
            "Millis" => visitor.visit_newtype_struct(self.read_time()?.into_deserializer()),
            "Seconds" => visitor.visit_newtype_struct(self.read_seconds()?.into_deserializer()),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u128 f32 char str bytes byte_buf unit unit_struct tuple tuple_struct enum identifier
    }
}

struct Members<'a> {
    slice: Slice<'a>,
    reader: Reader<'a>,
    /// The last key, and the byte where it begins.
    key: Option<(Text<'a>, usize)>,
}

impl<'a> de::MapAccess<'a> for Members<'a> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let Token::Key(key) = self.reader.token()? else { return Ok(None) };
        self.key = Some((key, self.reader.start()));
        seed.deserialize(key.decode().into_deserializer()).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'a>>(&mut self, seed: S) -> Result<S::Value, Fault> {
        let value = self.slice.skip_part(&mut self.reader)?;
        seed.deserialize(value).map_err(|fault| fault.at(value).into())
    }
}

impl<'a> de::SeqAccess<'a> for Items<'a> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'a>>(&mut self, seed: S) -> Result<Option<S::Value>, Fault> {
        let Some(item) = self.next().transpose()? else { return Ok(None) };
        seed.deserialize(item).map(Some).map_err(|fault| fault.at(item).into())
    }
}

/// An optional field that decides the state: in a [`record!`](record), a value of another type refuses the record.
pub(crate) type Decisive<T> = Option<T>;

/// The name with which [`lenient`] asks for a value that may be absent.
const LENIENT: &str = "$runstate::lenient";

/// Reads an optional field, for `#[serde(default, deserialize_with = "lenient")]`: null counts as absent, and so does a
/// value of another type if the document is read tolerantly.
pub(crate) fn lenient<'de, D, T>(reader: D) -> Result<T, D::Error>
where
    D: de::Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    reader.deserialize_newtype_struct(LENIENT, Lenient(PhantomData))
}

struct Lenient<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Default> Visitor<'de> for Lenient<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut once: A) -> Result<T, A::Error> {
        once.next_element().map(Option::unwrap_or_default)
    }

    /// Another format than [`Slice`].
    fn visit_newtype_struct<D: de::Deserializer<'de>>(self, reader: D) -> Result<T, D::Error> {
        T::deserialize(reader)
    }
}

/// One value, or none if it is of another type.
struct Once<'a>(Slice<'a>);

impl<'a> de::SeqAccess<'a> for Once<'a> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'a>>(&mut self, seed: S) -> Result<Option<S::Value>, Fault> {
        match seed.deserialize(self.0) {
            Ok(value) => Ok(Some(value)),
            Err(_) if self.0.json() == "null" => Ok(None),
            Err(fault) => Ok(self.0.lose(fault.at(self.0))?),
        }
    }
}

/// Declares a record that serde reads. A field of the type `Option` is read with [`lenient`]; every other field is required
/// unless it has a `#[serde(default)]`.
macro_rules! record {
    (@fields $head:tt [$($read:tt)*] $(#[$meta:meta])* $vis:vis $field:ident: Option<$type:ty>, $($rest:tt)*) => {
        $crate::json::record! {
            @fields $head
            [
                $($read)*
                $(#[$meta])*
                #[serde(default, deserialize_with = "crate::json::lenient")]
                $vis $field: Option<$type>,
            ]
            $($rest)*
        }
    };
    (@fields $head:tt [$($read:tt)*] $(#[$meta:meta])* $vis:vis $field:ident: $type:ty, $($rest:tt)*) => {
        $crate::json::record! { @fields $head [$($read)* $(#[$meta])* $vis $field: $type,] $($rest)* }
    };
    (@fields [$($head:tt)*] [$($read:tt)*]) => {
        #[derive(serde::Deserialize)]
        $($head)* { $($read)* }
    };
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($fields:tt)* }) => {
        $crate::json::record! { @fields [$(#[$meta])* $vis struct $name] [] $($fields)* }
    };
}
pub(crate) use record;

#[cfg(test)]
mod tests {
    use crate::json::{ReadError, ReadErrorKind, Slice, TypeMismatches};

    record! {
        #[derive(Debug, Default, PartialEq)]
        #[serde(rename_all = "camelCase")]
        struct Visit {
            #[serde(alias = "step_id")]
            step_id: String,
            attempt: Option<u32>,
            #[serde(default, deserialize_with = "super::lenient")]
            iteration: u32,
            is_done: Option<bool>,
            labels: Option<Vec<String>>,
            inner: Option<Box<Visit>>,
        }
    }

    fn read(text: &str) -> Result<Visit, ReadError> {
        Slice::from_text(text)?.read()
    }

    /// The record, and what was expected and found by the offset of each lost value.
    fn read_tolerantly(text: &str) -> Result<(Visit, Vec<(usize, String)>), ReadError> {
        let lost = TypeMismatches::default();
        let visit = Slice::from_text(text)?.tolerant(&lost).read()?;
        Ok((visit, lost.into_messages().into_iter().collect()))
    }

    fn visit(step_id: &str) -> Visit {
        Visit { step_id: step_id.to_owned(), ..Visit::default() }
    }

    #[test]
    fn fields_may_be_null_absent_unknown_or_of_another_spelling() {
        for text in [
            r#"{"stepId":"a"}"#,
            r#" { "step_id" : "\u0061", "attempt": null, "iteration":null } "#,
            r#"{"other":[{"stepId":7}],"stepId":"a"}"#,
        ] {
            assert_eq!(read(text), Ok(visit("a")), "{text}");
        }
    }

    #[test]
    fn an_error_names_the_innermost_value() {
        for (text, at, message) in [
            ("7", "7", "Expected an object, found the number 7."),
            (r#"{"attempt":1}"#, "{", "The field `stepId` is missing."),
            (r#"{"stepId":null}"#, "null", "Expected text, found null."),
            (r#"{"stepId":"a","attempt":-1}"#, "-1", "Expected a whole number from 0, found the number -1."),
            (
                r#"{"stepId":"a","attempt":4294967296}"#,
                "42",
                "Expected a whole number below 2^32, found the number 4294967296.",
            ),
            (r#"{"stepId":"a","labels":["b",7]}"#, "7", "Expected text, found the number 7."),
            (r#"{"stepId":"a","labels":{}}"#, "{}", "Expected a list, found an object."),
            (r#"{"stepId":"a","inner":{"x":1}}"#, r#"{"x"#, "The field `stepId` is missing."),
            (r#"{"stepId":"a","isDone":"no"}"#, r#""no"#, "Expected true or false, found text \"no\"."),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!((error.offset, error.message.as_str()), (text.find(at).unwrap(), message), "{text}");
            assert_eq!(error.kind, ReadErrorKind::Invalid, "{text}");
        }
    }

    #[test]
    fn a_key_that_occurs_twice_is_refused_in_either_spelling() {
        let text = r#"{"stepId":"a","step_id":"a"}"#;
        let error = read_tolerantly(text).unwrap_err();
        assert_eq!((error.kind, error.offset), (ReadErrorKind::DuplicateKey, 14));
        assert_eq!(error.message, r#"The key "step_id" occurs twice."#);
        // An unknown key is not compared.
        assert_eq!(read(r#"{"x":1,"x":2,"stepId":"a"}"#), Ok(visit("a")));
    }

    #[test]
    fn an_optional_field_of_another_type_is_absent_and_named_once() {
        let text = r#"{"attempt":"soon","stepId":"a","labels":[7,8],"inner":{"attempt":"1","isDone":3}}"#;
        let (found, lost) = read_tolerantly(text).unwrap();
        assert_eq!(found, visit("a"));
        let expected = [
            ("\"soon", "Expected a whole number from 0, found text \"soon\"."),
            ("7,", "Expected text, found the number 7."),
            ("3}", "Expected true or false, found the number 3."),
            ("{\"attempt\":\"1", "The field `stepId` is missing."),
        ];
        let mut expected = expected.map(|(at, message)| (text.find(at).unwrap(), message.to_owned()));
        expected.sort();
        assert_eq!(lost, expected);
    }

    #[test]
    fn grammar_and_required_fields_are_not_tolerated() {
        for text in [r#"{"stepId":"a""#, r#"{"stepId":"a","attempt":x}"#, r#"{"stepId":7}"#, "{} 1", "[]"] {
            assert!(read_tolerantly(text).is_err(), "{text}");
        }
    }

    #[test]
    fn another_format_reads_a_record_strictly() {
        assert_eq!(serde_json::from_str::<Visit>(r#"{"stepId":"a"}"#).unwrap(), visit("a"));
        assert!(serde_json::from_str::<Visit>(r#"{"stepId":"a","attempt":"soon"}"#).is_err());
    }
}
