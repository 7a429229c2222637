use arbitrary::Unstructured;
use runstate::export::{ExportFacts, ExportOptions, export};
use runstate::file::File;
use runstate::ingest::{ExportedPage, open};
use runstate::time::Millis;

use super::input;

const NOW: Millis = Millis(1_795_300_000_000.0);
const OPEN: &str = r#"<!doctype html><script type="application/json" id="document" data-part>"#;

/// An exported page: whole, it opens like its document; with other bytes in it, it is opened or refused.
pub fn page(data: &[u8]) {
    let foreign = [OPEN.as_bytes(), data, b"</script>"].concat();
    if let Err(error) = open(&[File { name: None, bytes: &foreign }], NOW) {
        assert!(!error.message.is_empty());
    }
    let Ok(text) = input::document(&mut Unstructured::new(data)) else { return };
    let files = [File { name: None, bytes: text.as_bytes() }];
    let Ok(exported) = export(&files, &ExportOptions::new(NOW)) else { return };
    let document = String::from_utf8(exported.bytes).unwrap_or_default();
    let facts = ExportFacts::read(&document).unwrap_or_else(|| panic!("no facts of {document}"));
    assert!(facts.hash_matches, "{document}");
    let json = serde_json::json!({ "runstatePage": 1, "exportedAt": 0, "document": document });
    let html = format!("{OPEN}{}</script>", json.to_string().replace('<', "\\u003c"));
    let read = ExportedPage::from_html(html.as_bytes()).unwrap_or_else(|| panic!("no page: {html}"));
    assert_eq!(read.document, document);
    let kind = |bytes: &[u8]| {
        open(&[File { name: None, bytes }], NOW).map(|document| document.kind().to_owned()).ok()
    };
    assert_eq!(kind(html.as_bytes()), kind(document.as_bytes()), "{document}");
}
