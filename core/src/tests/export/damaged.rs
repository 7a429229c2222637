//! Exports of damaged files: each opens again to the same answer, or neither the files nor an export of them opens.

use runstate::file::File;
use runstate::ingest::open;

use super::{Files, LATER, NOW, OPTIONS, again, cases, exported, files, said, without_paths, write};

/// The number of parts of a file, between which it is cut.
const PLACES: usize = 12;
/// The number of lines that are tried of each file.
const LINES: usize = 6;

/// Whether the files open: then their export opens to the same answer, and is exported to the same bytes.
fn opens_again(case: &str, entries: &Files) -> bool {
    let Ok(document) = open(&files(entries), NOW) else {
        assert!(write(&files(entries), &OPTIONS).is_err(), "{case}");
        return false;
    };
    let bytes = exported(entries);
    let text = String::from_utf8_lossy(&bytes);
    let opened = open(&[File { name: Some("x.json"), bytes: &bytes }], LATER)
        .unwrap_or_else(|error| panic!("{case}: {error} in {text}"));
    assert_eq!(said(&opened).to_string(), without_paths(&said(&document).to_string()), "{case}: {text}");
    assert_eq!(String::from_utf8_lossy(&again(&bytes, LATER)), text, "{case}");
    true
}

#[test]
fn what_is_left_of_damaged_files_opens_again_to_the_same_states() {
    let row = r#"{"runId":"r1","status":"failed"}"#;
    let answer = format!(r#"{{"type":"res","id":"1","ok":true,"apiVersion":"v1","payload":{row}}}"#);
    let frame = format!(r#"{{"t":1795296590000,"dir":"in","data":{answer}}}"#);
    let event =
        r#"{"type":"NodeStarted","runId":"r1","nodeId":"a","iteration":0,"attempt":1,"timestampMs":9000}"#;
    let metadata =
        r#"{"run_id":"2026-run","status":"failed","created_at":"2026-11-21T14:00:00Z","goal":"a long one""#;
    let summary = r#"{"run_id":"2026-run","workflow_id":"fix","workflow_version":1"#;
    let cases = [
        ("one frame of a recording", "ws.ndjson", format!("{frame}\n{{\"t\":17952")),
        ("one frame before what is no JSON", "ws.ndjson", format!("{frame}\nnot JSON\n")),
        ("one row of several", "rows.ndjson", format!("{row}\n{{\"runId\":")),
        ("one event", "events.ndjson", format!("{event}\n{{\"type\":\"Node")),
        ("a list that breaks off in its first row", "rows.json", r#"[{"runId":"#.to_owned()),
        ("a list that is damaged in its only row", "rows.json", r#"[{"runId":}]"#.to_owned()),
        ("a list that breaks off in its second row", "rows.json", format!("[{row},{{\"runId\":")),
        ("a row that breaks off", "run.json", row[..row.len() - 2].to_owned()),
        ("metadata that break off", "metadata.json", metadata.to_owned()),
        ("a summary that breaks off after a number", "run/summary.json", format!("{summary},")),
        ("a summary that breaks off before the comma", "run/summary.json", format!("{summary}\n")),
        ("a summary that breaks off in a number", "run/summary.json", summary.to_owned()),
        (
            "a status that breaks off in its object",
            "status.json",
            r#"{"run_id":"r","workflow_id":"w","#.to_owned(),
        ),
    ];
    let mut opened = 0;
    for (case, name, text) in cases {
        let entries = vec![(name.to_owned(), text.into_bytes())];
        opened += u32::from(opens_again(case, &entries));
    }
    assert_eq!(opened, 8);
}

/// The only readable line of several.
#[test]
fn a_single_readable_line_opens_again_to_the_same_answer() {
    let mut opened = 0;
    for (id, entries) in cases() {
        let [(name, whole)] = entries.as_slice() else { continue };
        let text = String::from_utf8_lossy(whole);
        for line in text.lines().take(LINES) {
            let damaged = format!("{{\"t\":17952\n{line}\n{{\"t\":1");
            let entries = vec![(name.clone(), damaged.into_bytes())];
            opened += u32::from(opens_again(&format!("{id}: {line}"), &entries));
        }
    }
    assert!(opened > 100, "{opened}");
}

/// A file that breaks off, such as the metadata of a run directory that is being written, is kept as far as it could be read. Each
/// file is cut at another of its twelfths.
#[test]
fn what_breaks_off_anywhere_opens_again_to_the_same_answer() {
    let (mut opened, mut place) = (0, 0);
    for (id, entries) in cases() {
        for (changed, (name, whole)) in entries.iter().enumerate() {
            place = place % (PLACES - 1) + 1;
            let mut cut = entries.clone();
            cut[changed].1.truncate(whole.len() * place / PLACES);
            opened += u32::from(opens_again(&format!("{id}: {name} up to {place}/{PLACES}"), &cut));
        }
    }
    assert!(opened > 300, "{opened}");
}
