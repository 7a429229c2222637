//! The sentences, pills and fields of the catalogue, one case each.

use super::session_header;
use crate::freshness::Freshness;
use crate::header::{FieldValue, Header};
use crate::ingest::lionagi;
use crate::ingest::lionagi::read;
use crate::lionagi::wire::PlayStatus;
use crate::pill::Tone;
use crate::run::lionagi::SessionInspection;
use crate::summary::{AnswerPill, text};
use crate::time::Millis;
use crate::word::Vocabulary;

/// 14:06:09Z of a day.
const NOW: Millis = Millis(1_795_269_969_000.0);
const NOW_S: f64 = 1_795_269_969.0;

fn session(json: &str) -> SessionInspection {
    read(json, "/api/runs", NOW).unwrap().session.unwrap()
}

fn live(json: &str) -> Header {
    session_header(&session(json), &Freshness::Live { read_at: NOW }, NOW)
}

fn row(rest: &str) -> String {
    format!(
        r#"{{"session_id":"4f1c88e2","invocation_kind":"flow","name":"triage","message_count":212,"status_reason_code":null,{rest}}}"#
    )
}

fn pill(header: &Header) -> (&str, &str, Tone) {
    match &header.answer.pill {
        AnswerPill::Pill { pill, value, .. } => (&pill.label, value, pill.tone),
        AnswerPill::Absent => ("", "", Tone::Neutral),
    }
}

fn axes(header: &Header) -> Vec<(String, String)> {
    let shown = header.axes.iter().map(|axis| match &axis.pill {
        AnswerPill::Pill { pill, .. } => (axis.field.to_string(), pill.label.to_string()),
        AnswerPill::Absent => (axis.field.to_string(), String::new()),
    });
    shown.collect()
}

fn field(header: &Header, name: &str) -> Option<String> {
    header.fields.iter().find(|field| field.field == name).map(|field| match &field.value {
        FieldValue::Id(text)
        | FieldValue::Text(text)
        | FieldValue::Code(text)
        | FieldValue::Time { text, .. } => text.clone(),
    })
}

fn sentences(header: &Header) -> (String, String, String) {
    let answer = &header.answer;
    (text(&answer.sentence), text(&answer.meta), text(&answer.because))
}

#[test]
fn a_dead_process_is_stale_running() {
    let quiet = NOW_S - 22_320.0;
    let header = live(&row(&format!(
        r#""status":"running","effective_health":"stale","last_message_at":{quiet},"artifact_contract_json":{{"expected":[{{"id":"a"}}]}}"#
    )));
    assert_eq!(pill(&header), ("Stale running", "stale running", Tone::Stale));
    assert_eq!(header.state.as_deref(), Some("stale running"), "the word of the pill");
    assert_eq!((&*header.label, header.unhealthy.as_deref()), ("State", Some("stale")));
    let (sentence, meta, because) = sentences(&header);
    assert_eq!(sentence, "No activity for 6 h 12 min. The process is gone.");
    assert_eq!(meta, "Limit for a flow: 12 h. Confirmed dead counts before the limit.");
    assert_eq!(
        because,
        "Why: the server says stale, by the server's rules the process is not alive, last activity 6 h 12 min ago, limit 12 h (/api/runs, 14:06:09Z)"
    );
    assert_eq!(
        axes(&header),
        [("health", "Stale"), ("delivery", "Unknown")].map(|(a, b)| (a.into(), b.into()))
    );
    assert_eq!(field(&header, "status").as_deref(), Some("running"));
    assert_eq!(field(&header, "reasonCode").as_deref(), Some("not set"));
}

#[test]
fn a_healthy_session_is_working() {
    let header = live(&row(&format!(
        r#""status":"running","effective_health":"healthy","last_message_at":{},"artifact_contract_json":null"#,
        NOW_S - 4.0
    )));
    assert_eq!(pill(&header), ("Running", "running", Tone::Running));
    assert_eq!((&*header.label, header.unhealthy.as_deref()), ("Status", None));
    assert_eq!(sentences(&header).0, "Working. Last message 4 s ago.");
    let shown = [("health", "Healthy"), ("delivery", "Not expected")];
    assert_eq!(axes(&header), shown.map(|(a, b)| (a.into(), b.into())));
    assert_eq!(field(&header, "status"), None);
    assert_eq!(field(&header, "messages").as_deref(), Some("212"));
}

#[test]
fn a_timeout_is_shown_or_reported_as_missing() {
    let header = live(&row(
        r#""status":"timed_out","node_metadata":"{\"timeout_seconds\":900,\"timeout_elapsed\":900.4}","ended_at":1795269000.0,
        "artifact_contract_json":{"expected":[1,2,3,4,5]},"artifact_verification_json":{"status":"warning","produced":[1,2,3]}"#,
    ));
    assert_eq!(pill(&header), ("Timed out", "timed_out", Tone::Warning));
    let (sentence, meta, because) = sentences(&header);
    assert_eq!(sentence, "Timed out after 900s (configured timeout: 900s).");
    assert_eq!(meta, "Exit code 124. 3 of 5 expected artifacts are there.");
    assert_eq!(because, "Why: the session's row says timed_out (/api/runs, 14:06:09Z)");
    assert_eq!(axes(&header), [("delivery".to_owned(), "Partial".to_owned())]);
    let header = live(&row(r#""status":"timed_out","node_metadata":"{}","artifact_contract_json":null"#));
    assert_eq!(sentences(&header).0, "Timed out. The configured timeout was not stored.");
    let header = live(&row(r#""status":"timed_out","artifact_contract_json":null"#));
    assert_eq!(sentences(&header).0, "Timed out. This document does not contain the configured timeout.");
    assert_eq!(axes(&header), []);
}

#[test]
fn a_lock_after_the_end_is_a_zombie() {
    let header = live(&row(r#""status":"completed","health":"zombie","ended_at":1795269000.0,
        "artifact_contract_json":{"expected":[1]},"artifact_verification_json":{"status":"passed"}"#));
    assert_eq!(pill(&header), ("Completed, zombie lock", "completed zombie", Tone::Error));
    assert_eq!(sentences(&header).0, "Ended, but a lock file is still held.");
    assert_eq!(
        axes(&header),
        [("health", "Zombie"), ("delivery", "Passed")].map(|(a, b)| (a.into(), b.into()))
    );
    assert_eq!(field(&header, "status").as_deref(), Some("completed"));
}

#[test]
fn a_row_without_a_status_is_legacy() {
    let header =
        live(r#"{"session_id":"s","status":null,"invocation_kind":"agent","status_reason_code":null}"#);
    assert_eq!(pill(&header), ("legacy", "legacy", Tone::Neutral));
    let (sentence, meta, because) = sentences(&header);
    assert_eq!(sentence, "Created before the current status vocabulary.");
    assert_eq!(meta, "Excluded from live operational metrics.");
    assert_eq!(because, "Why: status is null (/api/runs, 14:06:09Z)");
    assert_eq!(axes(&header), []);
    assert_eq!(field(&header, "name").as_deref(), Some("not stored"));
    let AnswerPill::Pill { pill, .. } = &header.answer.pill else { panic!("there is a pill") };
    assert!(pill.dotted);
}

#[test]
fn housekeeping_is_not_a_failure() {
    let header =
        live(&row(r#""status":"failed","status_reason_summary":"phantom_reaped","ended_at":1795269000.0"#));
    assert_eq!(pill(&header), ("Failed, by housekeeping", "failed reaped", Tone::Neutral));
    assert!(sentences(&header).0.contains("housekeeping"));
    let header = live(&row(
        r#""status":"failed","status_reason_summary":"ValueError: malformed","ended_at":1795269000.0"#,
    ));
    assert_eq!(pill(&header), ("Failed", "failed", Tone::Error));
    assert_eq!(sentences(&header).0, "Failed: ValueError: malformed.");
}

#[test]
fn an_unclean_end_has_the_tone_of_a_warning() {
    for (rest, label) in [
        (
            r#""artifact_contract_json":{"expected":[1]},"artifact_verification_json":{"status":"failed"}"#,
            "Completed, artifacts missing",
        ),
        (
            r#""artifact_contract_json":{"expected":[1]},"artifact_verification_json":{"status":"warning"}"#,
            "Completed, in part",
        ),
    ] {
        let header = live(&row(&format!(r#""status":"completed","ended_at":1795269000.0,{rest}"#)));
        assert_eq!(pill(&header), (label, "completed", Tone::Warning));
    }
    let rejected = r#"{"session_id":"s","status":"completed","ended_at":1,"status_reason_code":"run.completed.gate_rejected"}"#;
    assert_eq!(pill(&live(rejected)).2, Tone::Warning);
    let empty =
        live(&row(r#""status":"completed_empty","ended_at":1795269000.0,"artifact_contract_json":null"#));
    assert_eq!((pill(&empty).2, axes(&empty)[0].1.as_str()), (Tone::Warning, "Invalid"));
}

#[test]
fn contradictory_answers_of_the_server_are_both_shown() {
    let header = live(&row(r#""status":"completed","ended_at":null"#));
    assert_eq!(pill(&header).1, "completed");
    let note = text(&header.answer.notes[0]);
    assert!(note.contains("completed by status, but null by ended_at, status_reason_code"), "{note}");
    assert_eq!(header.answer.tone, Tone::Warning);
}

#[test]
fn unknown_words_are_quoted() {
    let header = live(&row(r#""status":"hibernating","effective_health":"sleepy""#));
    assert_eq!(pill(&header), ("“hibernating”", "hibernating", Tone::Neutral));
    assert_eq!(sentences(&header).0, "The server sent the word hibernating. Runstate does not know it.");
    assert_eq!(axes(&header)[0].1, "“sleepy”");
    let header = live(r#"{"session_id":"s","last_message_at":1}"#);
    assert_eq!((header.state.as_deref(), &header.answer.pill), (None, &AnswerPill::Absent));
    assert_eq!(sentences(&header).0, "This document has no status field.");
}

#[test]
fn old_data_is_shown_in_the_past_tense() {
    let session = session(&row(&format!(
        r#""status":"running","effective_health":"healthy","last_message_at":{}"#,
        NOW_S - 51.0
    )));
    let lost = Freshness::Lost {
        as_of: Millis(NOW.0 - 47_000.0),
        attempt: 2,
        retry_at: Some(Millis(NOW.0 + 4_000.0)),
        silence_limit_ms: None,
    };
    let header = session_header(&session, &lost, NOW);
    let AnswerPill::Pill { pill, as_of, .. } = &header.answer.pill else { panic!("there is a pill") };
    assert_eq!((pill.tone, as_of.as_deref()), (Tone::Neutral, Some("as of 47 s ago")));
    assert_eq!(
        sentences(&header).0,
        "Was working. Last message 4 s before that. Nothing has arrived for 47 s."
    );
    assert_eq!(sentences(&header).1, "Reconnecting: try 2 in 4 s. Last update at 14:05:22Z.");
    let recorded = session_header(&session, &Freshness::Recorded { at: None }, NOW);
    let AnswerPill::Pill { as_of, .. } = &recorded.answer.pill else { panic!("there is a pill") };
    assert_eq!(as_of.as_deref(), Some("as recorded"));
    assert_eq!(sentences(&recorded).0, "Was working. Last message at 14:05:18Z.");
}

#[test]
fn a_header_is_the_same_after_serialisation() {
    for rest in [
        r#""status":"running","effective_health":"orphaned""#,
        r#""status":null"#,
        r#""status":"completed","ended_at":null"#,
        r#""status":"x""#,
    ] {
        let header = live(&row(rest));
        assert_eq!(serde_json::from_str::<Header>(&serde_json::to_string(&header).unwrap()).unwrap(), header);
    }
}

fn stream_header(events: &[&str]) -> Header {
    let text = format!("data: {}\n\n", events.join("\n\ndata: "));
    let found = lionagi::read_stream(&text, "signals", None, NOW).unwrap();
    super::session_header(&found.session.unwrap(), &Freshness::Recorded { at: None }, NOW)
}

#[test]
fn a_stream_has_sentences_of_its_own() {
    let start = r#"{"session_id":"s1","seq":1,"kind":"RunStart","op_id":"","ts":1795269960}"#;
    let node = r#"{"session_id":"s1","seq":2,"kind":"NodeStarted","op_id":"op-1","payload":{"name":"plan"}}"#;
    let end = r#"{"session_id":"s1","seq":3,"kind":"RunEnd","op_id":"","payload":{"status":"timed_out"}}"#;
    let bare = r#"{"session_id":"s1","seq":3,"kind":"RunEnd","op_id":""}"#;
    let message = r#"{"id":"m1","role":"user","content":{},"timestamp":1795269960}"#;
    let done = r#"{"type":"done"}"#;
    let cut = "It does not end with done: what came later is not here.";
    for (events, state, sentence, meta) in [
        (
            vec![start, node],
            Some("running"),
            "The run went on: after RunStart no end was sent.",
            format!("Nodes: plan running. {cut}"),
        ),
        (
            vec![start, end, done],
            Some("timed_out"),
            "The signal RunEnd says timed_out.",
            "It was ended with done.".to_owned(),
        ),
        (vec![start, bare], None, "The signal RunEnd says that the run ended, and not how.", cut.to_owned()),
        (
            vec![node],
            None,
            "The signals say neither that the run began nor that it ended.",
            format!("Nodes: plan running. {cut}"),
        ),
        (vec![message], None, "A stream of 1 message. It says no status.", cut.to_owned()),
        (
            vec![done],
            None,
            "A stream of 0 messages. It says no status.",
            "It was ended with done: the session has ended, or its status was never stored.".to_owned(),
        ),
    ] {
        let header = stream_header(&events);
        assert_eq!(header.state.as_deref(), state, "{events:?}");
        assert_eq!(text(&header.answer.sentence), sentence, "{events:?}");
        assert_eq!(text(&header.answer.meta), meta, "{events:?}");
        assert!(!text(&header.answer.because).contains("session row"), "{events:?}");
    }
}

#[test]
fn a_play_has_words_of_its_own() {
    let header = |rest: &str| {
        let row = format!(r#"{{"topic":"demo","play_name":"api","status":{rest}}}"#);
        read(&row, "/api/shows/gated-plays", NOW).unwrap().plays[0].header(NOW)
    };
    for (rest, label, sentence, meta) in [
        (r#""gated","feedback":"look""#, "Gated", "Its gate asked for a decision.", "The gate says: look."),
        (r#""merged""#, "Merged", "Merged.", ""),
        (
            r#""gated","feedback":"look","live_error":"no folder""#,
            "Gated",
            "Its gate asked for a decision.",
            "The gate says: look. The server could not look at the play: no folder.",
        ),
        (r#""running","attempt":2"#, "Running", "It was at work.", ""),
        (
            r#""rehearsing""#,
            "“rehearsing”",
            "The server sent the word rehearsing. Runstate does not know it.",
            "",
        ),
        (
            r#"null,"live_error":"no folder""#,
            "",
            "The server sent no status for the play.",
            "The server could not look at the play: no folder.",
        ),
    ] {
        let found = header(rest);
        assert_eq!((pill(&found).0, text(&found.answer.sentence)), (label, sentence.to_owned()), "{rest}");
        assert_eq!(text(&found.answer.meta), meta, "{rest}");
        assert_eq!(field(&found, "show").as_deref(), Some("demo"));
    }
    assert_eq!(field(&header(r#""running","attempt":2"#), "attempt").as_deref(), Some("2"));
    let ended = header(r#""merged","started_at":1716300000,"ended_at":1716300060"#);
    assert!(field(&ended, "endedAt").is_some() && field(&ended, "endedAt") != field(&ended, "startedAt"));
    assert_eq!(field(&header(r#""running""#), "endedAt"), None);
    for status in PlayStatus::ALL {
        let word = status.as_str();
        let found = header(&format!("{word:?}"));
        assert!(matches!(&found.answer.pill, AnswerPill::Pill { pill, .. } if pill.known), "{word}");
        let ended = matches!(&found.answer.pill, AnswerPill::Pill { as_of: None, .. });
        assert_eq!(ended, status.is_terminal(), "{word}");
    }
}

#[test]
fn plays_that_cannot_be_read_are_counted_too() {
    let show = r#"{"topic":"demo","plays":[{"name":"api","meta":{"status":"merged"}},{"meta":{}},7]}"#;
    let found = read(show, "/api/shows/demo", NOW).unwrap();
    assert_eq!((found.plays.len(), found.problems.listed().len()), (1, 2));
    assert_eq!(found.shows[0].play_count, Some(3));
}
