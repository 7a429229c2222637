//! Properties of lionagi's rules for any input.

use proptest::prelude::*;
use runstate::freshness::Freshness;
use runstate::header::Header;
use runstate::header::lionagi::session_header;
use runstate::ingest::lionagi::{join, read};
use runstate::lionagi::derive::json_api::{classify_health_json, worst_health_json};
use runstate::lionagi::wire::{SessionRow, StoredStatus};
use runstate::run::lionagi::SessionInspection;
use runstate::time::Millis;
use serde_json::{Value, json};

const WORDS: [&str; 14] = [
    "running",
    "completed",
    "completed_empty",
    "failed",
    "timed_out",
    "aborted",
    "cancelled",
    "",
    "legacy",
    "stale",
    "healthy",
    "orphaned",
    "zombie",
    "söme word",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![prop::sample::select(WORDS.to_vec()).prop_map(str::to_owned), ".{0,12}"]
}

fn time() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        (1_600_000_000_u32..1_800_000_000).prop_map(|seconds| json!(f64::from(seconds))),
    ]
}

prop_compose! {
    fn session()(
        status in prop_oneof![Just(Value::Null), word().prop_map(Value::from)],
        health in prop_oneof![Just(Value::Null), word().prop_map(Value::from)],
        kind in prop::sample::select(vec!["agent", "flow", "engine", "show-play", "swarm"]),
        times in [time(), time(), time(), time()],
        count in prop_oneof![Just(Value::Null), (0_u32..3).prop_map(Value::from)],
        summary in prop::sample::select(vec!["", "phantom_reaped", "mirror_idle_reaped", "ValueError: no"]),
        verification in prop::sample::select(vec!["passed", "warning", "failed", "not_recorded", "odd"]),
    ) -> Value {
        let [last_message_at, updated_at, started_at, ended_at] = times;
        json!({
            "session_id": "s1", "status": status, "effective_health": health, "invocation_kind": kind,
            "last_message_at": last_message_at, "updated_at": updated_at, "started_at": started_at,
            "ended_at": ended_at, "message_count": count, "status_reason_code": null,
            "status_reason_summary": summary, "artifact_contract_json": {"expected": [1]},
            "artifact_verification_json": {"status": verification},
        })
    }
}

fn shifted(session: &Value, by: f64) -> Value {
    let mut session = session.clone();
    for key in ["last_message_at", "updated_at", "started_at", "ended_at"] {
        if let Some(at) = session[key].as_f64() {
            session[key] = json!(at + by);
        }
    }
    session
}

fn opened(session: &Value, now: f64) -> SessionInspection {
    read(&session.to_string(), "row", Millis(now)).unwrap().session.unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_words_stay_what_they_were(session in session(), now in 1.6e12..1.8e12_f64) {
        let found = opened(&session, now);
        prop_assert_eq!(found.row.status.label(), session["status"].as_str().or(Some("legacy")));
        let said = session["effective_health"].as_str().filter(|word| *word != "unknown");
        if let Some(said) = said {
            prop_assert_eq!(found.health.as_ref().map(|health| health.word.as_str()), Some(said));
        }
    }

    #[test]
    fn shifting_both_clocks_changes_no_state(
        session in session(),
        now in (1_600_000_000_u32..1_800_000_000).prop_map(f64::from),
        by in -100_000_i32..100_000,
    ) {
        let one = opened(&session, now * 1000.0);
        let other = opened(&shifted(&session, f64::from(by)), (now + f64::from(by)) * 1000.0);
        prop_assert_eq!(&one.effective, &other.effective);
        prop_assert_eq!(one.normalized.verdict, other.normalized.verdict);
        let healths = [one, other].map(|found| found.health.map(|health| (health.word, health.process_alive)));
        prop_assert_eq!(&healths[0], &healths[1]);
    }

    #[test]
    fn a_header_says_what_the_state_is(session in session(), now in 1.6e12..1.8e12_f64) {
        let now = Millis(now);
        let found = opened(&session, now.0);
        for freshness in [Freshness::Live { read_at: now }, Freshness::Recorded { at: None }] {
            let header = session_header(&found, &freshness, now);
            let word = found.effective.as_ref().map(|effective| &*effective.word);
            prop_assert_eq!(header.state.as_deref(), word);
            prop_assert_eq!(word.is_some(), found.row.status.label().is_some());
            prop_assert!(!header.answer.sentence.is_empty() && !header.answer.because.is_empty());
            prop_assert_eq!(serde_json::from_str::<Header>(&serde_json::to_string(&header).unwrap()).unwrap(), header);
        }
    }

    #[test]
    fn joining_a_document_with_itself_changes_nothing(session in session(), now in 1.6e12..1.8e12_f64) {
        let text = session.to_string();
        let open = || read(&text, "row", Millis(now)).unwrap();
        let once = open().session.unwrap();
        let twice = join(vec![open(), open()], Millis(now)).unwrap();
        prop_assert!(twice.sessions.is_empty());
        let twice = twice.session.unwrap();
        prop_assert_eq!(once.effective, twice.effective);
        prop_assert_eq!(once.disagreements, twice.disagreements);
        prop_assert_eq!(once.row, twice.row);
    }

    #[test]
    fn a_dead_process_is_never_better_than_a_live_one(
        session in session(),
        now in 1.6e9..1.8e9_f64,
        has_artifacts: bool,
        has_stale_locks: bool,
    ) {
        let health = |alive: Option<bool>| {
            let probe = json!({
                "now": now, "processAlive": alive, "hasArtifacts": has_artifacts, "hasStaleLocks": has_stale_locks,
            });
            json!(classify_health_json(&session.to_string(), &probe.to_string()).unwrap())
        };
        let [live, unknown, dead] = [Some(true), None, Some(false)].map(health);
        let severity = |health: &Value| health["severity"].as_u64().unwrap();
        prop_assert!(severity(&live) <= severity(&unknown) && severity(&unknown) <= severity(&dead));
        let healths = json!([live["health"], dead["health"], unknown["health"]]);
        prop_assert_eq!(json!(worst_health_json(&healths.to_string()).unwrap()), dead["health"].clone());
        let row: SessionRow = serde_json::from_value(session).unwrap();
        let ended = row.status == StoredStatus::Legacy || row.status.is_terminal();
        prop_assert!(!ended || severity(&dead) == severity(&live));
    }

    #[test]
    fn no_text_panics(text in ".{0,200}", now in proptest::num::f64::ANY) {
        let _ = read(&text, &text, Millis(now));
    }

    #[test]
    fn no_broken_document_panics(session in session(), cut in 0_usize..400, put in ".{0,3}", now in proptest::num::f64::ANY) {
        let text = session.to_string();
        let at = (0..=cut.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap();
        let (start, end) = text.split_at(at);
        for text in [format!("{start}{put}{end}"), start.to_owned(), format!("[{start}{put}")] {
            if let Ok(inspection) = read(&text, "row", Millis(now)) {
                for session in inspection.session.iter().chain(&inspection.sessions) {
                    let _ = session_header(session, &Freshness::Recorded { at: Some(Millis(now)) }, Millis(now));
                }
            }
        }
    }
}
