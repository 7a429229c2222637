//! What a session was opened from.

use crate::session::protocol::Source;

/// The source of a session, as far as an address can name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Opened {
    /// The built-in recording.
    Recording,
    /// The Gateway with this address.
    Gateway(String),
    /// A source that only this load of the page has: files, a pasted text, a page's traffic.
    Other,
}

impl From<&Source> for Opened {
    fn from(source: &Source) -> Self {
        match source {
            Source::Recording => Self::Recording,
            Source::Gateway { address, .. } => Self::Gateway(address.clone()),
            Source::Files { .. } | Source::ExportedPage(_) | Source::Traffic => Self::Other,
        }
    }
}
