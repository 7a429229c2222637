//! Inflates gzip with a limit on the size.

use std::io::Read;

use flate2::bufread::MultiGzDecoder;

use crate::error_code::ErrorCode;
use crate::ingest::{DocumentError, MAX_BYTES};

/// The content of a gzip file.
pub(crate) struct GzipContent {
    pub(crate) bytes: Vec<u8>,
    /// The error at the end of the file.
    pub(crate) problem: Option<&'static str>,
}

/// Inflates a gzip file; `None` if the bytes are not gzip.
///
/// Content before damage is kept: a log that is still being compressed has no end marker.
pub(crate) fn inflate(bytes: &[u8]) -> Option<Result<GzipContent, DocumentError>> {
    bytes.starts_with(&[0x1f, 0x8b]).then(|| read(bytes))
}

fn read(bytes: &[u8]) -> Result<GzipContent, DocumentError> {
    let mut out = Vec::new();
    let limit = MAX_BYTES as u64 + 1;
    let problem = MultiGzDecoder::new(bytes).take(limit).read_to_end(&mut out).err();
    if out.len() > MAX_BYTES {
        let limit = MAX_BYTES / (1024 * 1024);
        let message = format!("The gzip file holds more than the {limit} MiB that Runstate reads.");
        return Err(DocumentError::new(ErrorCode::TooLarge, message));
    }
    if out.is_empty() && problem.is_some() {
        let message = "The gzip file is damaged: none of it can be unpacked.";
        return Err(DocumentError::new(ErrorCode::NotJson, message));
    }
    let problem =
        problem.map(|_| "The gzip file is damaged or cut off; everything before the damage was read.");
    Ok(GzipContent { bytes: out, problem })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::inflate;
    use crate::error_code::ErrorCode;

    /// Returns a gzip file of some members, each containing one MiB of spaces.
    fn gzip(members: usize) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&vec![b' '; 1024 * 1024]).unwrap();
        encoder.finish().unwrap().repeat(members)
    }

    #[test]
    fn a_gibibyte_in_a_small_file_is_refused() {
        let bomb = gzip(1024);
        assert!(bomb.len() < 16 * 1024 * 1024, "{}", bomb.len());
        let refused = inflate(&bomb).unwrap().err().unwrap();
        assert_eq!(refused.code, ErrorCode::TooLarge);
        assert_eq!(refused.message, "The gzip file holds more than the 128 MiB that Runstate reads.");
    }
}
