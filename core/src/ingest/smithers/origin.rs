//! The origin of a value, for the evidence.

use crate::clock::Reading;
use crate::ingest::request::Request;

/// The origin of a value.
pub(super) struct Origin<'a> {
    pub(super) request: &'a Request,
    pub(super) name: Option<&'a str>,
    pub(super) clock: Reading,
}

impl Origin<'_> {
    /// Returns the source for the evidence: the method, else the part of the document.
    pub(super) fn read_from(&self, part: &str) -> String {
        self.request.read_from(self.name, part)
    }
}
