//! The origin of a value, for the evidence.

use crate::clock::Reading;
use crate::text::concat;

/// The origin of a value.
pub(super) struct Origin<'a> {
    /// The requested method or path, if recorded.
    pub(super) method: Option<String>,
    pub(super) name: Option<&'a str>,
    pub(super) clock: Reading,
}

impl Origin<'_> {
    /// Returns the source for the evidence: the method, else the part of the document.
    pub(super) fn read_from(&self, part: &str) -> String {
        match (&self.method, self.name) {
            (Some(method), _) => method.clone(),
            (None, Some(name)) => concat(&[part, " in ", name]),
            (None, None) => part.to_owned(),
        }
    }
}
