use arbitrary::Unstructured;
use runstate::export::{ExportOptions, export as write};
use runstate::file::File;
use runstate::ingest::{Document, open};
use runstate::time::Millis;

use super::input::{self, SECRET};

const NOW: Millis = Millis(1_795_300_000_000.0);
const LATER: Millis = Millis(1_795_400_000_000.0);

/// An export opens again to the same states, exports to the same bytes, and contains no secret.
pub fn export(data: &[u8]) {
    if let Ok(text) = input::document(&mut Unstructured::new(data)) {
        survives_its_export(text.as_bytes());
    }
}

pub(super) fn survives_its_export(bytes: &[u8]) {
    let file = |bytes| [File { name: None, bytes }];
    let (document, exported) = (open(&file(bytes), NOW), write(&file(bytes), &ExportOptions::new(NOW)));
    let (document, exported) = match (document, exported) {
        (Ok(document), Ok(exported)) => (document, exported),
        (Err(opened), Err(_)) => return assert!(!opened.message.is_empty()),
        (document, exported) => panic!("opened: {}, exported: {}", document.is_ok(), exported.is_ok()),
    };
    let text = String::from_utf8_lossy(&exported.bytes);
    assert!(!text.contains(SECRET), "{text}");
    let again = open(&file(&exported.bytes), LATER).unwrap_or_else(|error| panic!("{error}: {text}"));
    let (states, expected) = (states(&again), states(&document));
    // A secret in the place of a state is redacted like any other.
    let is_same = states == expected || exported.redacted > 0 && states.len() == expected.len();
    assert!(is_same, "{states:?} for {expected:?}: {text}");
    let second = write(&file(&exported.bytes), &ExportOptions::new(LATER))
        .unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(String::from_utf8_lossy(&second.bytes), text);
}

/// The states that a document shows.
fn states(document: &Document) -> Vec<Option<String>> {
    let rows = std::iter::once(None).chain((0..document.rows().len()).map(Some));
    rows.map(|row| document.header(row, LATER).and_then(|header| header.state)).collect()
}
