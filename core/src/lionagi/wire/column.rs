//! Columns of rows, and the problems of those that cannot be read.

use serde::{Deserialize, Deserializer};

use crate::json::{ReadError, Slice};
use crate::text::concat;

/// The problems of a row, each as an error with a position and a sentence about the consequence.
#[derive(Default)]
pub(crate) struct RowProblems(Vec<(ReadError, String)>);

impl RowProblems {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn push(&mut self, error: ReadError, sentence: String) {
        self.0.push((error, sentence));
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&ReadError, &str)> {
        self.0.iter().map(|(error, sentence)| (error, sentence.as_str()))
    }

    /// The first problem, for a caller that needs the complete row.
    pub(crate) fn into_first(self) -> Option<ReadError> {
        self.0.into_iter().next().map(|(error, _)| error)
    }

    /// The value of a column that the row's state does not depend on. If it cannot be read, that is a problem of the row,
    /// and the value is `None`.
    pub(crate) fn column<T>(&mut self, name: &str, read: Result<Option<T>, ReadError>) -> Option<T> {
        read.unwrap_or_else(|error| {
            self.push(error, concat(&["The column ", name, " is omitted."]));
            None
        })
    }
}

/// A column whose absence differs from null. A value of another type counts as absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Column<T> {
    #[default]
    Absent,
    Null,
    Value(T),
}

impl<T> Column<T> {
    /// The value of the first of two columns that has one; null if one is null.
    pub(crate) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Value(value), _) | (_, Self::Value(value)) => Self::Value(value),
            (Self::Absent, Self::Absent) => Self::Absent,
            (_, _) => Self::Null,
        }
    }

    pub(crate) fn value(self) -> Option<T> {
        match self {
            Self::Absent | Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Column<T> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(reader)?.map_or(Self::Null, Self::Value))
    }
}

/// Reads a JSON column, which is an object on some routes and text containing the object on others. Empty text and
/// `null` have the default value.
pub(crate) fn with_object<T: Default>(
    slice: Slice<'_>,
    read: impl Fn(Slice<'_>) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let Some(text) = slice.text() else { return read(slice.strict()) };
    if matches!(text.trim_ascii(), "" | "null") {
        return Ok(T::default());
    }
    let inner = Slice::from_text(&text).and_then(read);
    // The position within the text would not be a position in the document.
    inner.map_err(|error| slice.refuse(error.message))
}
