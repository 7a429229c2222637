use runstate::file::File;
use runstate::ingest::{DocumentError, inspect, open};
use runstate::time::Millis;
use runstate::viewer::{DocumentSource, Viewer};

const NOW: Millis = Millis(1_795_300_000_000.0);

/// Anything that a person drops: by itself, and cut into two files.
pub fn document(data: &[u8]) {
    if let Err(error) = inspect(data, Some("dropped"), NOW) {
        assert!(!error.message.is_empty());
        if !is_container(data) {
            place_is_inside(&error, data);
        }
    }
    look(&[File { name: None, bytes: data }]);
    let (first, second) = data.split_at(data.len() / 2);
    look(&[File { name: Some("a.json"), bytes: first }, File { name: Some("status.json"), bytes: second }]);
}

fn look(files: &[File<'_>]) {
    let document = match open(files, NOW) {
        Ok(document) => document,
        Err(error) => return assert!(!error.message.is_empty()),
    };
    assert!(!document.kind().is_empty());
    for row in std::iter::once(None).chain((0..document.rows().len()).map(Some)) {
        document.header(row, NOW);
    }
    assert!(!Viewer::new(DocumentSource::new(document, "dropped")).updates(NOW).is_empty());
}

/// Whether positions are those of a document inside: in a compressed file, or in an export or a recording.
fn is_container(data: &[u8]) -> bool {
    let has = |part: &[u8]| data.windows(part.len()).any(|window| window == part);
    data.starts_with(&[0x1f, 0x8b]) || has(b"runstateExport") || has(b"\"log\"")
}

fn place_is_inside(error: &DocumentError, data: &[u8]) {
    if let Some(position) = &error.position {
        let lines = data.split(|byte| *byte == b'\n').count();
        assert!((1..=lines).contains(&position.line), "line {} of {lines}", position.line);
    }
}
