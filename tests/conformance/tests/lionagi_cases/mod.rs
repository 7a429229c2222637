//! Our own cases of lionagi: valid and invalid ones, each with its reason.

mod call_cases;

use std::collections::BTreeSet;

use self::call_cases::assert_call;
use runstate::file::File;
use runstate::freshness::Freshness;
use runstate::header::lionagi::session_header;
use runstate::ingest::lionagi::{join, read};
use runstate::ingest::open;
use runstate::lionagi::derive::{
    ADMIN_TRANSITION_TARGETS, Disagreement, can_transition, exit_code, json_api,
};
use runstate::lionagi::wire::{
    ClaimStatus, Delivery, InvocationKind, LaneSignal, LaneState, NormalizedHealth, Outcome, PlayStatus,
    SessionHealth, SessionStatus, Severity, SeverityTone, ShowStatus, StoredStatus, Verification,
};
use runstate::run::lionagi::{LionagiInspection, SessionInspection};
use runstate::summary::text;
use runstate::time::Millis;
use runstate::word::{Vocabulary, Word};
use serde_json::{Value, json};

fn cases(folder: &str) -> Vec<Value> {
    let path = format!("{}/../vectors/lionagi/{folder}/cases.ndjson", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The name of a vocabulary, its words, and a test for known words.
type Known = (&'static str, &'static [&'static str], fn(&str) -> bool);

fn vocabularies() -> Vec<Known> {
    fn of<V: Vocabulary>() -> Known {
        (V::NAME, V::WORDS, |text| Word::<V>::new(text).known().is_some())
    }
    vec![
        of::<SessionStatus>(),
        of::<SessionHealth>(),
        of::<InvocationKind>(),
        of::<Outcome>(),
        of::<NormalizedHealth>(),
        of::<Delivery>(),
        of::<Severity>(),
        of::<SeverityTone>(),
        of::<ClaimStatus>(),
        of::<Verification>(),
        of::<LaneState>(),
        of::<LaneSignal>(),
        of::<PlayStatus>(),
        of::<ShowStatus>(),
    ]
}

fn list<'a>(case: &'a Value, key: &str) -> Vec<&'a str> {
    case[key].as_array().into_iter().flatten().map(|word| word.as_str().unwrap()).collect()
}

/// Compares the parts of a session that a case names.
fn assert_session(name: &str, expected: &Value, session: &SessionInspection) {
    let normalized = &session.normalized;
    let health = session.health.as_ref();
    let claims = normalized.reasons.iter().map(|reason| Value::from(reason.claim_status.as_str()));
    let questions = session.disagreements.iter().map(|found| Value::from(found.question.as_str()));
    for (key, expected) in expected.as_object().unwrap() {
        let found = match key.as_str() {
            "state" => Value::from(session.effective.as_ref().map(|state| state.word.to_string())),
            "status" => Value::from(session.row.status.label()),
            "status_known" => Value::from(session.row.status.known().is_some()),
            "health" => Value::from(health.map(|health| health.word.as_str())),
            "health_known" => Value::from(health.is_some_and(|health| health.word.known().is_some())),
            "said" => Value::from(health.map(|health| health.reported)),
            "normalized_health" => Value::from(normalized.axes.health.as_ref().map(Word::as_str)),
            "outcome" => Value::from(normalized.axes.outcome.as_ref().map(Word::as_str)),
            "delivery" => Value::from(session.delivery.map(Delivery::as_str)),
            "severity" => Value::from(normalized.verdict.severity.as_str()),
            "tone" => Value::from(normalized.verdict.tone.as_str()),
            "claim" => claims.clone().nth(1).unwrap_or_default(),
            "disagreements" => Value::Array(questions.clone().collect()),
            "answers" => session.disagreements.iter().map(answers).collect(),
            "reason_code" => Value::from(session.row.reason_code.as_deref()),
            other => panic!("{name}: no such part: {other}"),
        };
        assert_eq!(&found, expected, "{name}: {key}");
    }
}

/// The contradicting statements with their sources.
fn answers(found: &Disagreement) -> Value {
    found.answers.iter().map(|answer| json!([answer.value, answer.read_from])).collect()
}

fn assert_document(name: &str, case: &Value, now: Millis, inspection: &LionagiInspection) {
    let session = inspection.session.as_ref();
    assert_eq!(session.is_some(), case.get("session").is_some(), "{name}");
    if let (Some(session), expected) = (session, &case["session"]) {
        assert_session(name, expected, session);
        if let Some(sentence) = case["sentence"].as_str() {
            let header = session_header(session, &Freshness::Live { read_at: now }, now);
            assert_eq!(text(&header.answer.sentence), sentence, "{name}");
        }
    }
    let states: Vec<&str> =
        inspection.sessions.iter().map(|session| session.state().1.unwrap_or("")).collect();
    assert_eq!(states, list(case, "sessions"), "{name}");
    if let Some(count) = case["legacy_sessions"].as_u64() {
        assert_eq!(inspection.legacy_sessions(), count, "{name}");
    }
    let plays = inspection.plays.iter().filter_map(|play| play.status.as_ref());
    assert_eq!(words(plays), words_of(&case["plays"]), "{name}");
    let shows = inspection.shows.iter().filter_map(|show| show.status.as_ref());
    assert_eq!(words(shows), words_of(&case["shows"]), "{name}");
    let problems = list(case, "problems");
    assert_eq!(
        inspection.problems.texts().len(),
        problems.len(),
        "{name}: {:?}",
        inspection.problems.texts()
    );
    for (problem, start) in inspection.problems.texts().iter().zip(problems) {
        let known = ["Entry skipped.", "is omitted.", "is shown.", "is not recorded."];
        let known = known.iter().any(|end| problem.ends_with(end));
        assert!(problem.starts_with(start) && known, "{name}: {problem}");
    }
    let refusal = inspection.refusal.as_ref();
    let said = refusal.map(|refusal| (&*refusal.code, &*refusal.message));
    let expected = &case["refusal"];
    assert_eq!(said, expected["code"].as_str().zip(expected["message"].as_str()), "{name}");
}

/// Asserts that the reader of all systems finds the same sessions and the same number of problems.
fn assert_opened(name: &str, case: &Value, now: Millis, text: &str) {
    let Ok(document) = open(&[File { name: None, bytes: text.as_bytes() }], now) else { return };
    let Some(found) = document.lionagi() else { return };
    let states: Vec<&str> = found.sessions.iter().map(|session| session.state().1.unwrap_or("")).collect();
    assert_eq!(states, list(case, "sessions"), "{name}, opened");
    assert_eq!(
        document.problems().texts().len(),
        list(case, "problems").len(),
        "{name}: {:?}",
        document.problems().texts()
    );
    if let Some(session) = &found.session {
        assert_session(name, &case["session"], session);
    }
}

fn assert_text(name: &str, case: &Value, text: &str) {
    let now = Millis::parse_iso(case["now"].as_str().unwrap()).unwrap();
    let error = &case["error"];
    match read(text, "/api/runs", now) {
        Ok(inspection) => {
            assert!(error.is_null(), "{name}: expected {error}, found {inspection:?}");
            assert_document(name, case, now, &inspection);
            assert_opened(name, case, now, text);
        }
        Err(found) => {
            assert_eq!(Some(found.code.as_str()), error["code"].as_str(), "{name}: {found}");
            assert!(found.message.starts_with(error["message"].as_str().unwrap()), "{name}: {found}");
            assert!(found.message.contains(error["holds"].as_str().unwrap()), "{name}: {found}");
            assert!(found.position.is_some(), "{name}: no place");
        }
    }
}

/// Documents about the same sessions, each read at its own time or now: one answer, regardless of their order.
fn assert_together(name: &str, case: &Value, documents: &[Value]) {
    let moment = |at: &Value| Millis::parse_iso(at.as_str().unwrap()).unwrap();
    let now = moment(&case["now"]);
    let read_one = |document: &Value| {
        let at = if document["at"].is_null() { now } else { moment(&document["at"]) };
        let (text, from) = (document["text"].as_str().unwrap(), document["from"].as_str().unwrap());
        read(text, from, at).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let as_they_are = documents.iter().map(read_one).collect();
    let reversed = documents.iter().rev().map(read_one).collect();
    for documents in [as_they_are, reversed] {
        assert_document(name, case, now, &join(documents, now).unwrap());
    }
}

/// Each word with whether it is known.
fn words<'a, V: Vocabulary>(found: impl Iterator<Item = &'a Word<V>>) -> Value {
    found.map(|word| json!([word.as_str(), word.known().is_some()])).collect()
}

/// An empty list if a case has none.
fn words_of(expected: &Value) -> Value {
    if expected.is_null() { json!([]) } else { expected.clone() }
}

fn assert_stream(name: &str, case: &Value, text: &str) {
    let now = Millis::parse_iso(case["now"].as_str().unwrap()).unwrap();
    let document = open(&[File { name: Some("signals"), bytes: text.as_bytes() }], now).unwrap();
    let inspection = document.lionagi().unwrap();
    let session = inspection.session.as_ref().unwrap();
    assert_session(name, &case["session"], session);
    let nodes = session.stream.as_ref().unwrap().nodes.iter();
    let nodes: Value = nodes.map(|node| json!([node.display_name(), node.state.as_str()])).collect();
    assert_eq!(nodes, case["nodes"], "{name}");
    let problems = list(case, "problems");
    assert_eq!(
        document.problems().texts().len(),
        problems.len(),
        "{name}: {:?}",
        document.problems().texts()
    );
    for (problem, start) in document.problems().texts().iter().zip(problems) {
        assert!(problem.contains(start), "{name}: {problem}");
    }
}

/// `good` is whether the case is valid.
fn assert_case(case: &Value, good: bool) {
    let name = case["case"].as_str().unwrap();
    assert!(case["reason"].as_str().unwrap().len() > 10 && case["origin"].is_string(), "{name}");
    if let Some(text) = case["text"].as_str() {
        assert_text(name, case, text);
    } else if let Some(documents) = case["together"].as_array() {
        assert_together(name, case, documents);
    } else if let Some(text) = case["stream"].as_str() {
        assert_stream(name, case, text);
    } else if case["call"].is_object() {
        assert_call(name, case, good);
    } else if let Some(vocabulary) = case["vocabulary"].as_str() {
        let all = vocabularies();
        let (.., known) = all.iter().find(|(known, ..)| *known == vocabulary).unwrap();
        for word in list(case, "words") {
            assert_eq!(known(word), good, "{name}: {word:?}");
        }
    } else if let Some(pairs) = case["transitions"].as_array() {
        for pair in pairs {
            let (from, to) = (pair[0].as_str().unwrap(), pair[1].as_str().unwrap());
            assert_eq!(can_transition(from, to), good, "{from} to {to}");
        }
    } else if let Some(codes) = case["exit_codes"].as_object() {
        for (status, code) in codes {
            let column = (status != "legacy").then_some(&**status);
            let found = exit_code(&StoredStatus::new(column)).map(u64::from);
            assert_eq!((found, found.is_some()), (code.as_u64(), good), "{status}");
        }
    } else {
        assert!(case["admin"].is_array(), "{name} says nothing");
        for word in list(case, "admin") {
            let is_target = ADMIN_TRANSITION_TARGETS.iter().any(|target| target.as_str() == word);
            assert_eq!(is_target, good, "{word}");
        }
    }
}

#[test]
fn what_is_read() {
    for case in cases("valid") {
        assert_case(&case, true);
    }
}

#[test]
fn what_is_refused() {
    for case in cases("invalid") {
        assert_case(&case, false);
    }
}

#[test]
fn as_much_is_refused_as_is_read() {
    let (valid, invalid) = (cases("valid"), cases("invalid"));
    assert!(invalid.len() >= valid.len() && valid.len() > 80, "{} of {}", invalid.len(), valid.len());
    let names: BTreeSet<&str> = invalid.iter().map(|case| case["case"].as_str().unwrap()).collect();
    assert_eq!(names.len(), invalid.len());
}

#[test]
fn every_word_is_in_a_case_that_is_read_and_in_one_that_is_refused() {
    let (valid, invalid) = (cases("valid"), cases("invalid"));
    for (name, words, _) in vocabularies() {
        let of = |cases: &[Value]| -> Vec<String> {
            let case =
                cases.iter().find(|case| case["vocabulary"] == name).unwrap_or_else(|| panic!("{name}"));
            list(case, "words").into_iter().map(str::to_owned).collect()
        };
        assert_eq!(of(&valid), words, "{name}");
        let refused = of(&invalid);
        for word in words {
            assert!(refused.iter().any(|refused| refused.trim() == *word), "{name}: {word}");
        }
    }
}

/// Two sessions from before the vocabulary, one at work and one that has ended, as every document lists them.
#[test]
fn legacy_sessions_are_counted_in_every_list() {
    let row = |id: &str, status: &str| {
        format!(r#"{{"session_id":"{id}","status":{status},"invocation_kind":"agent","last_message_at":1}}"#)
    };
    let rows = [row("s1", "null"), row("s2", r#""running""#), row("s3", "null"), row("s4", r#""completed""#)];
    let list = rows.join(",");
    let stats = r#"{"db":{"sessions_by_status":{"(null)":7,"running":1}}}"#;
    let health = format!(r#"{{"sessions":{{"unhealthy":[{list}],"by_status":{{"running":1,"stale":2}}}}}}"#);
    let invocation = r#"{"id":"i1","skill":"review","status":null,"session_count":4"#;
    for (name, documents, expected) in [
        ("bare rows", vec![format!("[{list}]")], 2),
        ("/api/runs", vec![format!(r#"{{"runs":[{list}],"per_page":20}}"#)], 2),
        ("/api/sessions", vec![format!(r#"{{"sessions":[{list}],"truncated":false}}"#)], 2),
        ("rows of lines", vec![rows.join("\n")], 2),
        (
            "rows in two files",
            vec![format!("[{},{}]", rows[0], rows[1]), format!("[{},{}]", rows[2], rows[0])],
            2,
        ),
        ("one row alone, which is no list", vec![rows[0].clone()], 0),
        ("admin health", vec![health.clone()], 2),
        ("doctor, of running rows alone", vec![format!(r#"{{"phantom_sessions":[{list}]}}"#)], 0),
        ("an invocation", vec![format!(r#"{invocation},"sessions":[{list}]}}"#)], 2),
        ("invocations, which are no sessions", vec![format!(r#"{{"invocations":[{invocation}}}]}}"#)], 0),
        ("stats", vec![stats.to_owned()], 7),
        ("a list and stats", vec![format!("[{list}]"), stats.to_owned()], 7),
        ("admin health and stats", vec![health, stats.to_owned()], 7),
        ("no legacy rows", vec![format!("[{},{}]", rows[1], rows[3])], 0),
    ] {
        let files: Vec<File<'_>> =
            documents.iter().map(|text| File { name: None, bytes: text.as_bytes() }).collect();
        let document =
            open(&files, Millis(1_795_269_969_000.0)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(document.lionagi().unwrap().legacy_sessions(), expected, "{name}");
    }
}

#[test]
fn arguments_that_cannot_be_read_are_refused() {
    let row = r#"{"status":"running"}"#;
    let refused = [
        json_api::classify_health_json("7", r#"{"now":1}"#).err(),
        json_api::classify_health_json(row, "{}").err(),
        json_api::classify_health_json(row, r#"{"now":"1716300000"}"#).err(),
        json_api::classify_health_json(row, r#"{"now":1,"processAlive":"yes"}"#).err(),
        json_api::classify_health_json(row, r#"{"now":1,"hasArtifacts":1}"#).err(),
        json_api::classify_health_json(row, r#"{"now":1,"now":2}"#).err(),
        json_api::classify_health_json(r#"{"status":"running","message_count":-3}"#, r#"{"now":1}"#).err(),
        json_api::worst_health_json(r#""stale""#).err(),
        json_api::worst_health_json(r#"["stale",3]"#).err(),
        json_api::worst_health_json(r#"["Stale"]"#).err(),
        json_api::effective_state_json(row, "null").err(),
        json_api::effective_state_json(row, r#"{"health":3}"#).err(),
        json_api::effective_state_json(r#"{"status":7}"#, "{}").err(),
        json_api::normalize_state_json("[]", "{}").err(),
        json_api::normalize_state_json(row, r#"{"hasStaleLocks":"no"}"#).err(),
        json_api::derive_severity_json("[]").err(),
        json_api::derive_severity_json(r#"{"health":true}"#).err(),
        json_api::derive_severity_json(r#"{"outcome":"failed""#).err(),
    ];
    for (place, error) in refused.into_iter().enumerate() {
        let error = error.unwrap_or_else(|| panic!("{place} is answered"));
        assert!(error.message.ends_with('.') && error.message.len() > 20, "{place}: {error}");
    }
}

#[test]
fn signals_decide_before_the_row() {
    let state = |row: &str, signals: &str| json_api::effective_state_json(row, signals).unwrap().unwrap();
    let row = r#"{"status":"running","effective_health":"healthy","last_message_at":1,"message_count":2}"#;
    assert_eq!(state(row, "{}"), "running");
    assert_eq!(state(row, r#"{"health":"orphaned"}"#), "orphaned running");
    assert_eq!(state(row, r#"{"now":10,"processAlive":false}"#), "stale running");
    assert_eq!(state(row, r#"{"now":90000,"processAlive":true}"#), "unresponsive running");
    let ended = r#"{"status":"failed"}"#;
    assert_eq!(state(ended, r#"{"now":10,"hasStaleLocks":true}"#), "failed zombie");
    assert_eq!(state(ended, r#"{"now":10,"hasStaleLocks":false}"#), "failed");
    assert_eq!(state(ended, r#"{"health":"stale"}"#), "failed");
}
