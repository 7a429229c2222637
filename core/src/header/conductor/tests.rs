mod evidence;

use super::run_header;
use crate::conductor::derive::ConductorRun;
use crate::conductor::read_run_directory;
use crate::file::File;
use crate::freshness::Freshness;
use crate::header::{Field, FieldValue, Header};
use crate::pill::Tone;
use crate::summary::{AnswerPill, text};
use crate::time::Millis;

const NOW: &str = "2026-11-21T14:06:09.060Z";

fn at(text: &str) -> Millis {
    Millis::parse_iso(text).unwrap()
}

/// A status with some of its fields, the rest null.
fn status(fields: &str) -> String {
    format!(
        r#"{{"run_id":"20261121T131503Z","workflow_id":"review-loop","started_at":"2026-11-21T13:15:03Z",{fields}}}"#
    )
}

fn read(files: &[(&str, &str)], now: &str) -> ConductorRun {
    let files: Vec<File<'_>> =
        files.iter().map(|(name, text)| File { name: Some(name), bytes: text.as_bytes() }).collect();
    read_run_directory(&files, at(now), None).unwrap()
}

fn live(files: &[(&str, &str)]) -> Header {
    let now = at(NOW);
    run_header(&read(files, NOW), &Freshness::Live { read_at: now }, now)
}

fn status_header(fields: &str) -> Header {
    live(&[("status.json", &status(fields))])
}

fn pill(header: &Header) -> (&str, &str, Tone) {
    match &header.answer.pill {
        AnswerPill::Pill { pill, value, .. } => (value, &pill.label, header.answer.tone),
        AnswerPill::Absent => ("", "", header.answer.tone),
    }
}

fn sentences(header: &Header) -> [String; 3] {
    [&header.answer.sentence, &header.answer.meta, &header.answer.because].map(|parts| text(parts))
}

fn notes(header: &Header) -> Vec<String> {
    header.answer.notes.iter().map(|note| text(note)).collect()
}

fn identity(header: &Header) -> String {
    let value = |field: &Field| match &field.value {
        FieldValue::Id(text)
        | FieldValue::Text(text)
        | FieldValue::Code(text)
        | FieldValue::Time { text, .. } => text.clone(),
    };
    header
        .fields
        .iter()
        .map(|field| format!("{} {}", field.label, value(field)))
        .collect::<Vec<_>>()
        .join(" · ")
}

const GATE: &str = r#""updated_at":"2026-11-21T13:44:10.000Z","lifecycle_state":"waiting",
    "current_step_id":"release-approval","active_opcode":"GATE""#;
const REQUEST: &str = r#"{"gate":"human","timeout_seconds":3600}"#;
const ASKED: &str = concat!(
    r#"{"run_id":"20261121T131503Z","step_id":"release-approval","event_type":"gate_requested","#,
    r#""timestamp":"2026-11-21T13:44:09.500Z"}"#,
    "\n"
);

#[test]
fn waiting_at_a_gate() {
    let header = live(&[
        ("status.json", &status(GATE)),
        ("events.ndjson", ASKED),
        ("artifacts/release-approval/gate_request.json", REQUEST),
    ]);
    assert_eq!(pill(&header), ("waiting", "Waiting at gate", Tone::Review));
    assert_eq!(
        sentences(&header),
        [
            "Waiting for a decision at gate release-approval.",
            "Asked 21 min 59 s ago, 13:44:09Z. Gate kind human, time limit 3600 s, kept by the approver.",
            "Why: lifecycle_state is waiting and active_opcode is GATE (status.json, 14:06:09Z)",
        ]
    );
    assert_eq!(notes(&header), ["No heartbeat is written at a gate. A dead process would look the same."]);
    assert_eq!(
        identity(&header),
        "Run 20261121T131503Z · Workflow review-loop · Step release-approval · Opcode GATE · Raw waiting · \
         Written 13:44:10Z · Source status.json"
    );
    assert_eq!(
        (header.state.as_deref(), header.blocked.as_deref()),
        (Some("waiting-approval"), Some("approval"))
    );
}

#[test]
fn a_gate_without_its_request() {
    let header = status_header(GATE);
    assert_eq!(sentences(&header)[1], "Asked about 21 min 59 s ago, 13:44:10Z, by the time of the status.");
    assert!(sentences(&header)[2].contains("active_opcode is GATE; no events given ("), "{header:?}");
}

#[test]
fn between_steps_failed_is_about_the_step() {
    let fields = r#""updated_at":"2026-11-21T14:06:09.000Z","lifecycle_state":"failed","current_step_id":"fix",
        "last_completed_step_id":"implement","last_route_target":"fix","termination":"error""#;
    let header = live(&[("status.json", &status(fields)), ("events.ndjson", "")]);
    assert_eq!(pill(&header), ("between-steps", "Running, between steps", Tone::Running));
    assert_eq!(
        sentences(&header),
        [
            "Step implement ended with error. Next: fix.",
            "Route chosen 60 ms ago, 14:06:09Z.",
            "Why: last_route_target is set, so failed describes the step (status.json, 14:06:09Z)",
        ]
    );
    assert!(
        identity(&header)
            .contains("Step fix · Opcode none · Raw failed · Last route implement (error) → fix · ")
    );
}

const ENDED: &str = r#""updated_at":"2026-11-21T14:01:09.000Z","lifecycle_state":"completed",
    "current_step_id":"STOP","last_completed_step_id":"STOP","termination":"completed""#;
const LAST: &str = concat!(
    r#"{"run_id":"20261121T131503Z","step_id":"run-tests","event_type":"step_failed","next_step_id":"STOP"}"#,
    "\n"
);

fn completed(opcode: &str, outcome: &str) -> Header {
    let manifest = format!(
        r#"{{"step_id":"run-tests","opcode":"{opcode}","termination":"{outcome}","evidence_summary":{{}},"artifacts":[]}}"#
    );
    live(&[
        ("status.json", &status(ENDED)),
        ("events.ndjson", LAST),
        ("artifacts/run-tests/manifest.json", &manifest),
    ])
}

#[test]
fn completed_with_an_unclean_exit() {
    let header = completed("RUN_VALIDATION", "error");
    assert_eq!(pill(&header), ("completed-unclean", "Completed, unclean exit", Tone::Warning));
    assert_eq!(
        sentences(&header),
        [
            "Reached STOP after run-tests ended with error.",
            "Ended 5 min ago, 14:01:09Z, after 46 min 06 s. Completed means STOP was reached, not success.",
            "Why: declared completed; exit outcome error (artifacts/run-tests/manifest.json)",
        ]
    );
    assert!(
        identity(&header)
            .contains("Step run-tests · Opcode none · Raw completed / completed · Written 14:01:09Z")
    );
}

#[test]
fn only_a_clean_exit_has_the_tone_of_success() {
    let clean = completed("RUN_VALIDATION", "completed");
    assert_eq!(pill(&clean), ("completed", "Completed", Tone::Success));
    assert_eq!(sentences(&clean)[0], "Reached STOP after run-tests ended with completed.");
    let rollback = completed("ROLLBACK", "completed");
    assert_eq!(pill(&rollback).2, Tone::Warning);
    assert_eq!(sentences(&rollback)[0], "Reached STOP after the rollback run-tests ended with completed.");
    let foreign = completed("EVALUATE", "mostly_done");
    assert_eq!(pill(&foreign).0, "completed-exit-unknown");
    assert_eq!(
        sentences(&foreign)[0],
        "Reached STOP after run-tests ended with mostly_done, a word that Runstate does not know."
    );
}

#[test]
fn completed_with_an_unknown_exit() {
    let header = status_header(ENDED);
    assert_eq!(pill(&header), ("completed-exit-unknown", "Completed, exit not known", Tone::Neutral));
    let [sentence, _, because] = sentences(&header);
    assert_eq!(sentence, "Reached STOP. How the last step ended is not in these files.");
    assert_eq!(because, "Why: declared completed; no events given (status.json)");
    let no_manifest = live(&[("status.json", &status(ENDED)), ("events.ndjson", LAST)]);
    let [sentence, _, because] = sentences(&no_manifest);
    assert_eq!(sentence, "Reached STOP after run-tests. How that step ended is not in these files.");
    assert_eq!(because, "Why: declared completed; no manifest of the last step given (status.json)");
}

#[test]
fn failed_has_its_reason() {
    let fields = r#""updated_at":"2026-11-21T14:01:09Z","lifecycle_state":"failed","current_step_id":"run-tests",
        "last_completed_step_id":"run-tests","termination":"error""#;
    let manifest = r#"{"step_id":"run-tests","opcode":"RUN_VALIDATION","termination":"error",
        "evidence_summary":{"notes":["policy: x","No route for outcome 'error' in step: run-tests"]},"artifacts":[]}"#;
    let header = live(&[
        ("status.json", &status(fields)),
        ("events.ndjson", &LAST.replace("\"STOP\"", "null")),
        ("artifacts/run-tests/manifest.json", manifest),
    ]);
    assert_eq!(pill(&header), ("failed", "Failed", Tone::Error));
    assert_eq!(
        sentences(&header)[0],
        "Failed at run-tests: No route for outcome 'error' in step: run-tests."
    );
    assert_eq!(sentences(&status_header(fields))[0], "Failed at run-tests.");
}

const RUNNING: &str = r#""updated_at":"2026-11-21T14:05:59Z","lifecycle_state":"running",
    "current_step_id":"build","active_opcode":"RUN_AGENT","active_runner_family":"codex_cli""#;

#[test]
fn running_and_its_attempt() {
    let started = concat!(
        r#"{"run_id":"20261121T131503Z","step_id":"build","event_type":"step_started","timestamp":"2026-11-21T14:00:00Z"}"#,
        "\n"
    );
    let ended = started.replace("step_started", "step_completed");
    let events = format!("{started}{ended}{}", started.replace("14:00:00", "14:05:08"));
    let header = live(&[("status.json", &status(RUNNING)), ("events.ndjson", &events)]);
    assert_eq!(pill(&header), ("running", "Running", Tone::Running));
    assert_eq!(
        sentences(&header),
        [
            "Running build, attempt 2.",
            "Started 1 min 01 s ago, 14:05:08Z. The agent is codex_cli.",
            "Why: lifecycle_state is running and the status was written 10 s ago, limit 1 min 15 s \
             (status.json, 14:06:09Z)",
        ]
    );
    let planner = status_header(&RUNNING.replace("RUN_AGENT", "EVALUATE"));
    assert_eq!(notes(&planner), ["No heartbeat is known of EVALUATE. A dead process would look the same."]);
    let because = "Why: lifecycle_state is running and active_opcode is EVALUATE; no events given";
    assert!(sentences(&planner)[2].starts_with(because), "{planner:?}");
}

#[test]
fn a_recording_is_described_in_the_past_tense() {
    let run = read(&[("status.json", &status(RUNNING))], NOW);
    let later = at("2026-11-24T14:06:09.060Z");
    let header = run_header(&run, &Freshness::Recorded { at: run.updated_at }, later);
    let AnswerPill::Pill { as_of, .. } = &header.answer.pill else { panic!("no pill") };
    assert_eq!((sentences(&header)[0].as_str(), as_of.as_deref()), ("Was running build.", Some("on 21 Nov")));
    let lost = Freshness::Lost { as_of: at(NOW), attempt: 1, retry_at: None, silence_limit_ms: None };
    let header = run_header(&run, &lost, at("2026-11-21T14:06:56.060Z"));
    let AnswerPill::Pill { pill, as_of, .. } = &header.answer.pill else { panic!("no pill") };
    assert_eq!((pill.tone, header.answer.tone), (Tone::Neutral, Tone::Stale));
    assert_eq!(as_of.as_deref(), Some("as of 47 s ago"));
}

#[test]
fn stale_has_its_age() {
    let header = status_header(&RUNNING.replace("14:05:59", "14:04:09"));
    assert_eq!(pill(&header), ("stale", "Stale", Tone::Stale));
    assert_eq!(
        sentences(&header),
        [
            "The run has not written its status for 2 min. It may still be working.",
            "Last seen in build.",
            "Why: the status was written 2 min ago, limit 1 min 15 s; no events given (\
             status.json, 14:06:09Z)",
        ]
    );
    assert_eq!(header.unhealthy.as_deref(), Some("engine-heartbeat-stale"));
}

#[test]
fn unknown_has_its_reason() {
    let cases = [
        (
            status_header(&RUNNING.replace("\"running\"", "\"paused\"")),
            "paused",
            "The run wrote the word paused. Runstate does not know it.",
        ),
        (
            status_header(&RUNNING.replace("\"lifecycle_state\"", "\"x\"")),
            "unknown",
            "status.json does not say what it must: lifecycle_state.",
        ),
        (
            status_header(&RUNNING.replace("\"running\"", "\"completed\"")),
            "unknown",
            "status.json contradicts itself: lifecycle_state is completed, active_opcode is RUN_AGENT.",
        ),
        (
            status_header(&RUNNING.replace("RUN_AGENT", "EVALUATE").replace("14:05", "13:25")),
            "unknown",
            "Nothing has been written for 40 min 10 s, and such a step writes no heartbeat.",
        ),
        (live(&[("status.json", "")]), "unknown", "status.json is empty or cut off: it was being written."),
        (live(&[("status.json", "[]")]), "unknown", "status.json is not the object that it should be."),
        (live(&[]), "unknown", "There is no status.json, so no state can be named."),
    ];
    for (header, word, sentence) in cases {
        assert_eq!(
            (pill(&header).0, pill(&header).2, &*sentences(&header)[0]),
            (word, Tone::Neutral, sentence)
        );
        assert_eq!(header.state.as_deref(), Some("unknown"));
    }
}

#[test]
fn an_end_in_another_file_is_noted() {
    let metadata = r#"{"run_id":"20261121T131503Z","workflow_id":"review-loop","entry_step":"a",
        "ended_at":"2026-11-21T14:01:09Z","last_step_id":"STOP","termination":"completed"}"#;
    let header = live(&[("metadata.json", metadata)]);
    assert_eq!(notes(&header), ["metadata.json says that the run ended with completed at STOP."]);
    let header =
        live(&[("metadata.json", metadata), ("status.json", &status(&RUNNING.replace("14:05", "14:00")))]);
    assert_eq!(
        notes(&header),
        ["status.json still says running and is out of date. The end is recorded in metadata.json."]
    );
    assert_eq!(pill(&header).0, "completed-exit-unknown");
    let ending = metadata.replace("14:01:09", "14:06:08");
    let header = live(&[("metadata.json", &ending), ("status.json", &status(RUNNING))]);
    assert_eq!(pill(&header).0, "running");
    assert_eq!(notes(&header).len(), 1);
}

#[test]
fn a_wrong_clock_is_noted() {
    for (time, state, note) in [
        (
            "2026-11-21T14:15:09Z",
            "unknown",
            "The status is dated 8 min 59 s ahead of this clock. How old it is, is not known.",
        ),
        (
            "2001-01-01T00:00:00Z",
            "running",
            "The status is dated before the start of the run. How old it is, is not known.",
        ),
        (
            "2026-11-21T12:00:00",
            "running",
            "The time of the status has no zone. How old it is, is not known.",
        ),
    ] {
        let header = status_header(&RUNNING.replace("2026-11-21T14:05:59Z", time));
        assert_eq!((pill(&header).0, notes(&header)), (state, vec![note.to_owned()]), "{time}");
    }
}

#[test]
fn a_header_is_the_same_after_serialisation() {
    for header in [status_header(GATE), status_header(ENDED), status_header(RUNNING), live(&[])] {
        assert_eq!(serde_json::from_str::<Header>(&serde_json::to_string(&header).unwrap()).unwrap(), header);
    }
}
