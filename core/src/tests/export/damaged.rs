//! Exports of damaged files: each opens again to the same answer, or neither the files nor an export of them opens.

use runstate::file::File;
use runstate::ingest::open;
use serde_json::json;

use super::{Files, LATER, NOW, OPTIONS, again, cases, exported, files, said, without_paths, write};

/// The number of parts of a file, between which it is cut.
const PLACES: usize = 12;
/// The number of lines that are tried of each file.
const LINES: usize = 6;

/// Whether the files open: then their export opens to the same answer, and is exported to the same bytes.
pub(super) fn opens_again(case: &str, entries: &Files) -> bool {
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
        ("an event after what is no JSON", "events.txt", format!("not JSON\n{event}")),
        ("an event in Markdown", "events.md", format!("Here:\n```json\n{event}\n```\n")),
        (
            "an event in the log of a container",
            "events.log",
            format!("{}\n", json!({"log": event, "stream": "stdout", "time": "t"})),
        ),
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
    assert_eq!(opened, 12);
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

/// Records of the three systems in one text, in each order and layout. What decides the system is not which of the values stand on lines
/// of their own: an export writes a line for each.
#[test]
fn records_of_several_systems_open_again_to_the_same_answer() {
    let smithers = r#"{"runId":"r1","status":"failed"}"#;
    let lionagi = r#"{"session_id":"s1","status":"completed","invocation_kind":"agent"}"#;
    let status = r#"{"run_id":"c1","workflow_id":"w","lifecycle_state":"running","updated_at":"2026-11-21T14:00:00Z"}"#;
    let event =
        r#"{"run_id":"c1","step_id":"a","event_type":"step_started","timestamp":"2026-11-21T14:00:00Z"}"#;
    let metadata = r#"{"run_id":"c1","workflow_id":"w","workflow_version":1,"entry_step":"a"}"#;
    // Of which system it is depends on who is asked first.
    let ambiguous = r#"{"run_id":"c1","lifecycle_state":"running","runId":"r2","status":"failed"}"#;
    let smithers_event =
        r#"{"type":"NodeStarted","runId":"r1","nodeId":"a","iteration":0,"attempt":1,"timestampMs":9000}"#;
    let records = [smithers, lionagi, status, event, metadata, ambiguous, smithers_event];
    let pairs = records.iter().flat_map(|first| records.map(|second| vec![*first, second]));
    let mut orders: Vec<Vec<&str>> = pairs.collect();
    for conductor in [status, event] {
        let [a, b, c] = [smithers, lionagi, conductor];
        orders.extend([[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]].map(Vec::from));
    }
    orders.push(vec![ambiguous]);
    let mut opened = 0;
    for order in &orders {
        for (layout, text) in layouts(order) {
            let entries = vec![("pasted".to_owned(), text.clone().into_bytes())];
            opened += u32::from(opens_again(&format!("{layout}: {text}"), &entries));
        }
    }
    assert!(opened > 500, "{opened} of {}", orders.len());
}

/// Ways in which records stand in a text.
pub(super) fn layouts(records: &[&str]) -> [(&'static str, String); 15] {
    let each = |write: &dyn Fn(&str) -> String| {
        records.iter().map(|record| write(record)).collect::<Vec<_>>().join("\n")
    };
    let glued = records.concat();
    let listed = records.join(",");
    [
        ("glued", glued.clone()),
        ("with blanks", records.join(" ")),
        ("on lines", records.join("\n")),
        ("with text around", format!("answers: {glued} done")),
        ("after a line of text", format!("not JSON\n{glued}")),
        ("in a list", format!("[{listed}]")),
        ("in a list after a line of text", format!("not JSON\n[{listed}]")),
        ("in a list in a fence", format!("Here:\n```json\n[{listed}]\n```\n")),
        ("in a list that is damaged", format!("[{listed},{{\"runId\":}}]")),
        ("in a list before a record", format!("[{listed}]{}", records[0])),
        ("in a list that breaks off", format!("[{listed},{{\"runId\":")),
        ("before one that breaks off", format!("{glued}{{\"runId\":\"r")),
        ("in a fence", format!("Here:\n```json\n{glued}\n```\n")),
        (
            "in lines of Docker",
            each(&|record| json!({"log": record, "stream": "stdout", "time": "t"}).to_string()),
        ),
        ("behind a prefix", each(&|record| format!("12:00 out {record}"))),
    ]
}
