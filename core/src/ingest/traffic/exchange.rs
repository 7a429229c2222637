//! The messages of a page that are kept.

use super::sender::Sender;
use crate::time::Millis;

/// An answer and its request.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    pub(crate) at: Millis,
    pub(crate) started: Millis,
    pub(crate) url: String,
    pub(crate) method: String,
    pub(crate) request: Option<String>,
    pub(crate) status: Option<u16>,
    /// Whether a service worker of the page answered.
    pub(crate) service_worker: bool,
    pub(crate) body: String,
}

impl Exchange {
    /// Returns who answered.
    pub(super) fn sender(&self) -> Sender {
        Sender::at(&self.url, self.service_worker)
    }
}

/// A frame for an export.
pub(crate) struct Frame {
    pub(crate) at: Millis,
    pub(crate) sent: bool,
    pub(crate) text: String,
}
