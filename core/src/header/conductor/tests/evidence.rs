//! The files that the lines of the evidence name.

use super::{live, status};
use crate::header::Header;

/// The lines of the evidence, as `NAME VALUE: FILE`.
fn origins(header: &Header) -> Vec<String> {
    let lines = header.evidence.iter();
    lines.map(|line| format!("{} {}: {}", line.name, line.value, line.read_from)).collect()
}

const STEP_ENDED: &str = concat!(
    r#"{"run_id":"20261121T131503Z","step_id":"validate","event_type":"step_completed","next_step_id":"done","#,
    r#""timestamp":"2026-11-21T13:44:09.500Z"}"#,
    "\n"
);
const MANIFEST: &str = r#"{"step_id":"validate","opcode":"RUN_VALIDATION","termination":"completed"}"#;

#[test]
fn every_line_of_the_evidence_names_the_file_that_it_was_read_from() {
    let completed = status(
        r#""updated_at":"2026-11-21T13:44:10.000Z","lifecycle_state":"completed","termination":"completed","current_step_id":"done""#,
    );
    let header = live(&[
        ("status.json", &completed),
        ("events.ndjson", STEP_ENDED),
        ("artifacts/validate/manifest.json", MANIFEST),
    ]);
    let written = "status written 2026-11-21T13:44:10.000Z: status.json";
    let manifest = "artifacts/validate/manifest.json";
    let expected = [
        "lifecycle_state completed: status.json",
        "last_route_target none: status.json",
        "active_opcode none: status.json",
        "termination completed: status.json",
        written,
        "exit step validate: events.ndjson",
        &format!("exit opcode RUN_VALIDATION: {manifest}"),
        &format!("exit outcome completed: {manifest}"),
    ];
    assert_eq!(origins(&header), expected);

    let running = status(
        r#""updated_at":"2026-11-21T13:44:10.000Z","lifecycle_state":"running","current_step_id":"validate""#,
    );
    let header = live(&[
        ("status.json", &running),
        ("events.ndjson", STEP_ENDED),
        ("artifacts/validate/manifest.json", MANIFEST),
        ("final-state.txt", "completed:done\n"),
    ]);
    let lines = origins(&header);
    assert!(lines.contains(&"lifecycle_state running: status.json".to_owned()), "{lines:?}");
    assert!(lines.contains(&written.to_owned()), "{lines:?}");
    assert!(lines.contains(&format!("exit outcome completed: {manifest}")), "{lines:?}");
    assert!(lines.contains(&"end of the run completed: final-state.txt".to_owned()), "{lines:?}");

    // Without a manifest and events, nothing says how the last step ended.
    let lines = origins(&live(&[("status.json", &completed)]));
    assert_eq!(lines[5..], ["exit step none: ", "exit opcode none: ", "exit outcome none: "]);
}
