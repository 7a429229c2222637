//! What could not be read of a row that loads.

use crate::json::ReadError;
use crate::text::concat;

/// What is to be said of rows that load: where, and what.
#[derive(Default)]
pub(crate) struct Notes(Vec<(ReadError, String)>);

impl Notes {
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

    /// The first thing that was left out, for who wants the whole row or none.
    pub(crate) fn refusal(self) -> Option<ReadError> {
        self.0.into_iter().next().map(|(error, _)| error)
    }

    /// A column beside the row's state: what it holds, or nothing where it holds what it cannot hold. The row stays.
    pub(crate) fn column<T>(&mut self, name: &str, read: Result<Option<T>, ReadError>) -> Option<T> {
        read.unwrap_or_else(|error| {
            self.push(error, concat(&[" The column ", name, " is left out."]));
            None
        })
    }
}
