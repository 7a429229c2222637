//! Every event of `tests/vectors/smithers/events` is read or refused as expected.

use std::collections::BTreeMap;

use runstate::log::EventLog;
use runstate::smithers::wire::{
    CallStatus, EffectKind, EffectStatus, Event, EventType, HijackMode, OutputStream, RunState, RunStatus,
    SandboxRuntime, SandboxStatus, SkipReason, SteerDelivery, TimerType, VoiceOperation,
};
use runstate::word::Vocabulary;
use runstate_conformance::cases::{self, plain};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Expected {
    #[serde(rename = "type")]
    event_type: String,
    known: bool,
    run_id: String,
    at: f64,
    node_id: Option<String>,
    iteration: Option<u32>,
    attempt: Option<u32>,
    category: Option<String>,
    severity: Option<String>,
    fields: Option<BTreeMap<String, Value>>,
    #[serde(default)]
    more: BTreeMap<String, Value>,
}

/// The fields that identify an event and its subject.
const OF_EVERY_EVENT: [&str; 6] = ["type", "runId", "timestampMs", "nodeId", "iteration", "attempt"];

type Case = cases::Case<Expected>;

fn cases(kind: &str) -> Vec<Case> {
    cases::read("events", kind)
}

/// The fields that we write of an event.
fn written(event: &Event) -> BTreeMap<String, Value> {
    without_null(&serde_json::to_string(event).unwrap())
}

fn without_null(text: &str) -> BTreeMap<String, Value> {
    let fields: BTreeMap<String, Value> = serde_json::from_str(text).unwrap();
    fields
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| (name, plain(&value)))
        .collect()
}

#[test]
fn every_valid_event_is_read_whole() {
    for case in cases("valid") {
        let expected = case.expected.as_ref().unwrap();
        let event: Event =
            serde_json::from_str(&case.text).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        assert_eq!(event.event_type().as_str(), expected.event_type, "{}", case.name);
        assert_eq!(event.event_type().known().is_some(), expected.known, "{}", case.name);
        assert_eq!(written(&event), without_null(&case.text), "{}", case.name);
        assert_eq!(
            (event.run_id.as_str(), event.at.0),
            (expected.run_id.as_str(), expected.at),
            "{}",
            case.name
        );
        let scope = (event.node_id.as_deref(), event.iteration, event.attempt);
        let Some(known) = event.event_type().known() else { continue };
        assert_eq!(
            scope,
            (expected.node_id.as_deref(), expected.iteration, expected.attempt),
            "{}",
            case.name
        );
        assert_eq!(Some(known.category().as_str()), expected.category.as_deref(), "{}", case.name);
        assert_eq!(Some(known.severity().as_str()), expected.severity.as_deref(), "{}", case.name);
        let more: BTreeMap<String, Value> =
            event.more.clone().into_iter().filter(|(_, value)| !value.is_null()).collect();
        assert_eq!(more, expected.more, "{}", case.name);
        let mut fields = written(&event);
        fields.retain(|name, _| !OF_EVERY_EVENT.contains(&&**name) && !more.contains_key(name));
        // The subject of an event is not a field of its type, unless only that type requires it.
        let expected = expected.fields.as_ref().unwrap().iter();
        let expected: BTreeMap<String, Value> = expected
            .filter(|(name, _)| !OF_EVERY_EVENT.contains(&&***name))
            .map(|(name, value)| (name.clone(), plain(value)))
            .collect();
        assert_eq!(fields, expected, "{}", case.name);
    }
}

#[test]
fn every_invalid_event_is_refused() {
    for case in cases("invalid") {
        let Err(error) = serde_json::from_str::<Event>(&case.text) else { panic!("{} is read", case.name) };
        case.assert_code(error.classify() == serde_json::error::Category::Data);
    }
}

#[test]
fn a_log_keeps_what_it_can_place_and_drops_what_is_no_event() {
    let read = |text: &str| {
        let mut log = EventLog::new();
        log.push(text.as_bytes());
        log.finish();
        (log.counts(), log.problems().to_vec())
    };
    for case in cases("valid") {
        let (counts, problems) = read(&case.text);
        assert_eq!((counts.events, counts.unread), (1, 0), "{}: {problems:?}", case.name);
    }
    let mut kept_out = 0;
    for case in cases("invalid").iter().filter(|case| !case.text.is_empty()) {
        let (counts, problems) = read(&case.text);
        assert_eq!(counts.events + counts.unread, 1, "{}", case.name);
        let expected = case.error.as_ref().unwrap();
        // A log needs the fields that identify an event's subject and the run's state. Any other field may be wrong: the
        // event still happened.
        let says_the_state = case.name.starts_with("RunStat");
        kept_out += usize::from(says_the_state);
        if expected.code == "NOT_JSON" || says_the_state {
            assert_eq!((counts.unread, problems[0].column), (1, expected.column), "{}", case.name);
        }
    }
    assert!(kept_out >= 4, "{kept_out}");
}

#[test]
fn every_word_is_accepted_and_refused_somewhere() {
    let (valid, invalid) = (cases("valid"), cases("invalid"));
    let words = [
        EventType::WORDS,
        CallStatus::WORDS,
        EffectKind::WORDS,
        EffectStatus::WORDS,
        HijackMode::WORDS,
        OutputStream::WORDS,
        RunState::WORDS,
        RunStatus::WORDS,
        SandboxRuntime::WORDS,
        SandboxStatus::WORDS,
        SkipReason::WORDS,
        SteerDelivery::WORDS,
        TimerType::WORDS,
        VoiceOperation::WORDS,
    ];
    cases::assert_words(&words, &valid, &invalid);
    // A case tests the type of its event, not a word inside the event.
    for word in EventType::WORDS {
        let typed = format!("{{\"type\":\"{word}\"");
        let occurs = |cases: &[Case]| cases.iter().any(|case| case.text.starts_with(&typed));
        assert!(occurs(&valid) && occurs(&invalid), "{word}");
    }
}

#[test]
fn cases_have_names_reasons_and_sources_and_refusals_are_the_larger_half() {
    cases::assert_form(&cases("valid"), &cases("invalid"));
}
