//! Defines the format of exports: its version, first key, hash and counts.

use sha2::{Digest, Sha256};

use crate::text::concat;

/// Version of the format.
pub(crate) const VERSION: u32 = 1;

/// The first key of an export, which identifies it.
pub(crate) const KEY: &str = "runstateExport";

/// Returns the hash of the content in the form of the header.
pub(crate) fn hash(content: &str) -> String {
    let mut hex = String::new();
    for byte in Sha256::digest(content.as_bytes()) {
        for half in [byte >> 4, byte & 15] {
            hex.extend(char::from_digit(u32::from(half), 16));
        }
    }
    concat(&["sha256:", &hex])
}

/// The numbers of changed and omitted parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// The number of omitted heartbeats.
    pub(crate) thinned: u64,
    /// The number of unreadable lines.
    pub(crate) unread: u64,
}

impl Counts {
    /// Adds the counts of another export.
    pub(crate) fn add(&mut self, other: Self) {
        self.thinned += other.thinned;
        self.unread += other.unread;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_export_names_its_version() -> Result<(), Box<dyn std::error::Error>> {
        use crate::export::{ExportOptions, VERSION, export};
        use crate::file::File;
        use crate::time::Millis;
        let run = br#"{"runId":"r1","status":"failed"}"#;
        let options = ExportOptions { now: Millis(0.0), redact: &[] };
        let exported = export(&[File { name: None, bytes: run }], &options)?;
        assert!(exported.bytes.starts_with(format!(r#"{{"runstateExport":{VERSION},"#).as_bytes()));
        Ok(())
    }
}
