//! Ids that differ only inside a secret, or inside a name of a home directory, stay different, and so do references to them.

use super::{LATER, NOW, OPTIONS, again, write};

use runstate::export::ExportOptions;
use runstate::file::File;
use runstate::ingest::{Document, open};
use runstate::tree::Tree;

/// The export of some files, and how it opens. Exported again, it is the same.
fn survive(files: &[(&str, &str)], options: &ExportOptions<'_>) -> (String, Document) {
    let files: Vec<File<'_>> =
        files.iter().map(|(name, text)| File { name: Some(name), bytes: text.as_bytes() }).collect();
    let before = open(&files, NOW).unwrap();
    let bytes = write(&files, options).unwrap();
    assert_eq!(again(&bytes, LATER), bytes);
    let after = open(&[File { name: None, bytes: &bytes }], LATER).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert_eq!(after.rows().len(), before.rows().len(), "{text}");
    let size = |document: &Document| document.tree(None).map(Tree::len);
    assert_eq!(size(&after), size(&before), "{text}");
    (text, after)
}

fn ids(document: &Document) -> Vec<String> {
    document.rows().into_iter().map(|row| row.id).collect()
}

/// A list of runs with these ids.
fn runs(ids: &[&str]) -> String {
    let rows: Vec<String> =
        ids.iter().map(|id| format!(r#"{{"runId":"{id}","status":"failed","workflowName":"w"}}"#)).collect();
    format!("[{}]", rows.join(","))
}

#[test]
fn three_runs_stay_three() {
    let list = runs(&["a?token=k1k1k1", "a?token=k2k2k2", "a?token=k3k3k3", "b"]);
    let (_, document) = survive(&[("listRuns.json", &list)], &OPTIONS);
    let expected = ["a?token=[redacted]", "a?token=[redacted-2]", "a?token=[redacted-3]", "b"];
    assert_eq!(ids(&document), expected);
    let homes = runs(&["/home/ann/flow", "/home/mira/flow"]);
    let (_, document) = survive(&[("listRuns.json", &homes)], &OPTIONS);
    assert_eq!(ids(&document), ["/home/[redacted]/flow", "/home/[redacted-2]/flow"]);
}

#[test]
fn references_have_the_number_of_their_id() {
    let rows = r#"[{"runId":"a?token=k1k1k1","status":"continued","workflowName":"w"},
        {"runId":"a?token=k2k2k2","parentRunId":"a?token=k1k1k1","status":"failed","workflowName":"w"}]"#;
    let (text, _) = survive(&[("listRuns.json", rows)], &OPTIONS);
    assert!(text.contains(r#""runId":"a?token=[redacted-2]","parentRunId":"a?token=[redacted]""#), "{text}");
    let run = r#"{"runId":"r1","status":"failed","workflowName":"w"}"#;
    let nodes = r#"[{"nodeId":"n?token=k1k1k1","iteration":0,"state":"finished"},{"nodeId":"n?token=k2k2k2","iteration":0,"state":"failed"}]"#;
    let events = r#"{"type":"NodeStarted","runId":"r1","nodeId":"n?token=k2k2k2","iteration":0,"attempt":1,"timestampMs":9000}
{"type":"NodeFinished","runId":"r1","nodeId":"n?token=k1k1k1","iteration":0,"attempt":1,"timestampMs":9001}"#;
    let tree = r#"{"version":1,"runId":"r1","frameNo":3,"seq":3,"root":{"id":1,"type":"sequence","name":"s","props":{"id":"s"},"children":[
        {"id":2,"type":"task","name":"n","props":{"id":"n?token=k1k1k1"},"task":{"nodeId":"n?token=k1k1k1","kind":"agent"},"children":[]},
        {"id":3,"type":"task","name":"n","props":{"id":"n?token=k2k2k2","dependsOn":["n?token=k1k1k1"]},"task":{"nodeId":"n?token=k2k2k2","kind":"agent"},"children":[]}]}}"#;
    let (text, _) = survive(
        &[("run.json", run), ("nodes.json", nodes), ("z-events.ndjson", events), ("tree.json", tree)],
        &OPTIONS,
    );
    for part in [
        r#""nodeId":"n?token=[redacted]","iteration":0,"state":"finished""#,
        r#""nodeId":"n?token=[redacted-2]","iteration":0,"state":"failed""#,
        r#""type":"NodeStarted","runId":"r1","nodeId":"n?token=[redacted-2]""#,
        r#""task":{"nodeId":"n?token=[redacted-2]""#,
        r#""dependsOn":["n?token=[redacted]"]"#,
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn sessions_and_run_directories_stay_different() {
    let session = |id: &str| {
        format!(r#"{{"session_id":"{id}","status":"completed","invocation_kind":"agent","label":"l"}}"#)
    };
    let list = format!("[{},{}]", session("s?token=k1k1k1"), session("s?token=k2k2k2"));
    let (_, document) = survive(&[("sessions.json", &list)], &OPTIONS);
    assert_eq!(ids(&document), ["s?token=[redacted]", "s?token=[redacted-2]"]);
    let status = |id: &str, step: &str| {
        format!(
            r#"{{"run_id":"{id}","workflow_id":"fix","started_at":"2026-11-21T20:40:38Z","updated_at":"2026-11-21T20:40:38Z",
                "lifecycle_state":"running","current_step_id":"{step}"}}"#
        )
    };
    let [first, second] =
        ["k1k1k1", "k2k2k2"].map(|key| status(&format!("c?token={key}"), &format!("x?token={key}")));
    let files = [("runs/c1/status.json", first.as_str()), ("runs/c2/status.json", &second)];
    let (text, document) = survive(&files, &OPTIONS);
    assert_eq!(ids(&document), ["c?token=[redacted]", "c?token=[redacted-2]"]);
    assert!(text.contains(r#""current_step_id":"x?token=[redacted-2]""#), "{text}");
}

#[test]
fn numbers_of_earlier_redactions_are_not_used_again() {
    let list = runs(&["a?token=[redacted-2]", "a?token=k1k1k1", "a?token=[redacted]", "a?token=k2k2k2"]);
    let (_, document) = survive(&[("listRuns.json", &list)], &OPTIONS);
    let expected =
        ["a?token=[redacted-2]", "a?token=[redacted-3]", "a?token=[redacted]", "a?token=[redacted-4]"];
    assert_eq!(ids(&document), expected);
}

#[test]
fn hidden_ids_stay_different() {
    let mut options = OPTIONS;
    options.redact = &["runId"];
    let (_, document) = survive(&[("listRuns.json", &runs(&["a", "b", "c"]))], &options);
    assert_eq!(ids(&document), ["[redacted]", "[redacted-2]", "[redacted-3]"]);
}
