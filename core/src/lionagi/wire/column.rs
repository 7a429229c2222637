//! Columns of rows, and the problems of those that cannot be read.

use super::Seconds;
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

pub(crate) fn read_seconds(slice: Slice<'_>) -> Result<Seconds, ReadError> {
    slice.read_number().map(Seconds)
}

pub(crate) fn read_bool(slice: Slice<'_>) -> Result<bool, ReadError> {
    match slice.json() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(slice.expected("true or false")),
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
