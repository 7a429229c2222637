//! What every export has in common: its version, its first key, its hash, and what it counts.

use sha2::{Digest, Sha256};

use crate::text::concat;

/// The version of the form.
///
/// ```
/// use runstate::file::File;
/// use runstate::export::{ExportOptions, VERSION, write};
/// use runstate::time::Millis;
///
/// let run = br#"{"runId":"r1","status":"failed"}"#;
/// let options = ExportOptions { now: Millis(0.0), redact: &[] };
/// let exported = write(&[File { name: None, bytes: run }], &options)?;
/// assert!(exported.starts_with(format!(r#"{{"runstateExport":{VERSION},"#).as_bytes()));
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
pub const VERSION: u32 = 1;

/// The first key of an export: what it is known by.
pub(crate) const KEY: &str = "runstateExport";

/// The hash of a content, as the header has it.
pub(crate) fn hash(content: &str) -> String {
    let mut hex = String::new();
    for byte in Sha256::digest(content.as_bytes()) {
        for half in [byte >> 4, byte & 15] {
            hex.extend(char::from_digit(u32::from(half), 16));
        }
    }
    concat(&["sha256:", &hex])
}

/// How much of the content is not as it came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Heartbeats that were left out.
    pub(crate) thinned: u64,
    /// Lines that could not be read.
    pub(crate) unread: u64,
}

impl Counts {
    /// Adds another export's.
    pub(crate) fn add(&mut self, other: Self) {
        self.thinned += other.thinned;
        self.unread += other.unread;
    }
}
