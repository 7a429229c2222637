//! The messages of a page that are kept.

use crate::time::Millis;

/// An answer and its request.
#[derive(Clone, Copy)]
pub(super) struct Exchange<'a> {
    pub(super) at: Millis,
    pub(super) started: Millis,
    pub(super) url: &'a str,
    pub(super) method: &'a str,
    pub(super) request: Option<&'a str>,
    pub(super) status: Option<u16>,
    pub(super) body: &'a str,
}

/// A kept answer.
#[derive(Clone, Debug)]
pub(crate) struct StoredAnswer {
    pub(crate) at: Millis,
    pub(crate) method: String,
    pub(crate) url: String,
    pub(crate) request: Option<String>,
    pub(crate) status: Option<u16>,
    pub(crate) body: String,
}

/// A frame for an export.
pub(crate) struct Frame {
    pub(crate) at: Millis,
    pub(crate) sent: bool,
    pub(crate) text: String,
}
