//! Fields whose values have another type: they count as absent, and each becomes one problem.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::{ReadError, ReadErrorKind};

/// The number of fields that are described; further ones are only counted.
const MAX_DESCRIBED: usize = 20;

/// The fields of one document that count as absent because their values have another type.
///
/// A document is read tolerantly if its [`Slice`](super::Slice) has such a collection, and strictly otherwise: then a value
/// of another type is an error.
#[derive(Debug, Default)]
pub(crate) struct TypeMismatches {
    /// What was expected and found, by the offset of the value. A field that is read twice is one problem.
    messages: RefCell<BTreeMap<usize, String>>,
}

impl TypeMismatches {
    /// Records the error of a field. Returns the error if it is about the grammar and not about one value.
    pub(super) fn add(&self, error: ReadError) -> Result<(), ReadError> {
        if error.kind != ReadErrorKind::Invalid {
            return Err(error);
        }
        let mut messages = self.messages.borrow_mut();
        let message = if messages.len() < MAX_DESCRIBED { error.message } else { String::new() };
        messages.entry(error.offset).or_insert(message);
        Ok(())
    }

    /// Whether the value that begins at this byte counts as absent.
    pub(crate) fn contains(&self, offset: usize) -> bool {
        self.messages.borrow().contains_key(&offset)
    }

    /// Forgets all fields, before another reader tries the document.
    pub(crate) fn clear(&self) {
        self.messages.borrow_mut().clear();
    }

    /// The fields by their offsets in the text of the document, with what was expected and found.
    pub(crate) fn into_messages(self) -> BTreeMap<usize, String> {
        self.messages.into_inner()
    }
}
