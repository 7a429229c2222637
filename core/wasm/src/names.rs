//! Finds names that nothing reads: unknown options, and misspelt fields of rows that may have any columns.

use std::cell::Cell;

use js_sys::{Array, Object};
use serde::Deserialize;
use serde::de::value::Error as NamesOnly;
use serde::de::{Error as _, Visitor};
use wasm_bindgen::{JsCast, JsValue};

use crate::arguments::describe;
use crate::error::Error;

/// Refuses an option that is none of these fields. Without this, it would have no effect.
pub(crate) fn refuse_unknown(options: &JsValue, path: &str, fields: &[&[&str]]) -> Result<(), Error> {
    let known = fields.concat();
    let unknown = own_names(options).into_iter().find(|name| !known.contains(&name.as_str()));
    let Some(name) = unknown else { return Ok(()) };
    let expected = match known.iter().find(|field| is_misspelt(&name, field)) {
        Some(field) => format!("the option {field}"),
        None => format!("an option that exists ({})", known.join(", ")),
    };
    Err(Error::invalid_input(&format!("{path}.{name}"), &expected, &format!("the unknown option {name}")))
}

/// Refuses a column whose name resembles that of a missing field. Any other column is allowed.
pub(crate) fn refuse_misspelt(row: &JsValue, path: &str, fields: &[&str]) -> Result<(), Error> {
    let names = own_names(row);
    let is_read = |name: &str| names.iter().any(|found| found == name);
    for name in names.iter().filter(|name| !fields.contains(&name.as_str())) {
        if let Some(field) = fields.iter().find(|field| is_misspelt(name, field) && !is_read(field)) {
            let (path, expected) = (format!("{path}.{name}"), format!("the field {field}"));
            return Err(Error::invalid_input(&path, &expected, &format!("the unknown field {name}")));
        }
    }
    Ok(())
}

fn own_names(value: &JsValue) -> Vec<String> {
    if !value.is_object() || Array::is_array(value) {
        return Vec::new();
    }
    Object::keys(value.unchecked_ref::<Object>()).iter().filter_map(|name| name.as_string()).collect()
}

/// Whether a name was probably meant to be that of the field: the same letters in another notation, or up to two letters
/// wrong. Short names, which resemble each other, are only compared letter by letter.
fn is_misspelt(name: &str, field: &str) -> bool {
    let letters = |text: &str| text.replace(['_', '-'], "").to_ascii_lowercase().into_bytes();
    let (name, field) = (letters(name), letters(field));
    let allowed = match field.len() {
        0..=2 => 0,
        3..=7 => 1,
        _ => 2,
    };
    let is_swapped = name.len() == field.len() && {
        let (mut a, mut b) = (name.clone(), field.clone());
        a.sort_unstable();
        b.sort_unstable();
        a == b
    };
    is_swapped || distance(&name, &field) <= allowed
}

/// The number of letters to add, remove or replace.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (from, left) in a.iter().enumerate() {
        let mut diagonal = from;
        let mut before = from + 1;
        for (cell, right) in row.iter_mut().skip(1).zip(b) {
            let replaced = diagonal + usize::from(left != right);
            diagonal = *cell;
            *cell = replaced.min(diagonal + 1).min(before + 1);
            before = *cell;
        }
        if let Some(first) = row.first_mut() {
            *first = from + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

/// Refuses a time in the wrong unit. From 2001 to 2286, seconds since 1970 have ten digits and milliseconds twelve or more,
/// so that ten digits are a moment in the first four months of 1970.
pub(crate) fn refuse_seconds(ms: Option<f64>, path: &str) -> Result<(), Error> {
    let Some(ms) = ms.filter(|ms| (1e9..1e10).contains(ms)) else { return Ok(()) };
    let found = format!("{ms}. Is it in seconds? Then multiply it by 1000");
    Err(Error::invalid_input(path, "milliseconds since 1970", &found))
}

/// Refuses milliseconds where lionagi has seconds: as seconds they would be a moment after the year 5000.
pub(crate) fn refuse_milliseconds(value: &JsValue, path: &str) -> Result<(), Error> {
    if !value.as_f64().is_some_and(|seconds| seconds.is_finite() && seconds.abs() >= 1e11) {
        return Ok(());
    }
    let found = format!("{}. Is it in milliseconds? Then divide it by 1000", describe(value));
    Err(Error::invalid_input(path, "seconds since 1970", &found))
}

/// The names of a struct's fields, as serde reads them.
pub(crate) fn fields<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    let names: Cell<&'static [&'static str]> = Cell::new(&[]);
    // It always fails: there are no values, only names.
    drop(T::deserialize(FieldNames(&names)));
    names.get()
}

/// A deserializer that keeps the names of the fields for which a struct asks.
struct FieldNames<'a>(&'a Cell<&'static [&'static str]>);

impl<'de> serde::Deserializer<'de> for FieldNames<'_> {
    type Error = NamesOnly;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, NamesOnly> {
        Err(NamesOnly::custom("names only"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NamesOnly> {
        self.0.set(fields);
        self.deserialize_any(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
