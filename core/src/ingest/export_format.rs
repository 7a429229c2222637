//! The format of exports: its version, its first key, its hash, and its counts.

use sha2::{Digest, Sha256};

use crate::text::concat;

/// The version of the format.
pub(crate) const VERSION: u32 = 1;

/// The first key of an export, which identifies it.
pub(crate) const KEY: &str = "runstateExport";

/// The hash of the content in the form of the header.
pub(crate) fn hash(content: &str) -> String {
    let mut hex = String::new();
    for byte in Sha256::digest(content.as_bytes()) {
        for half in [byte >> 4, byte & 15] {
            hex.extend(char::from_digit(u32::from(half), 16));
        }
    }
    concat(&["sha256:", &hex])
}

/// Counts what was changed or left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Heartbeats that were left out.
    pub(crate) thinned: u64,
    /// Lines that could not be read.
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
