//! Every record of `tests/vectors/smithers/types` is read or refused as expected.

use runstate::smithers::wire::{
    ApprovalDecision, ApprovalMode, ApprovalOnDeny, CachePolicy, GraphSnapshot, NodeOutputResponse,
    NodeOutputStatus, OutputFieldType, RetryBackoff, RetryPolicy, RetryTaskOptions, RetryTaskResult,
    RunResult, RunState, RunStateView, RunStatus, SmithersError, SmithersErrorCode, TaskDescriptor, TaskKind,
    XmlNode,
};
use runstate::word::Vocabulary;
use runstate_conformance::cases::{self, plain};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

type Case = cases::Case<Box<serde_json::value::RawValue>>;

fn cases(kind: &str) -> Vec<Case> {
    cases::read("types", kind)
}

/// The parsed record as JSON.
fn read(record: &str, text: &str) -> serde_json::Result<String> {
    fn again<T: DeserializeOwned + Serialize>(text: &str) -> serde_json::Result<String> {
        serde_json::to_string(&serde_json::from_str::<T>(text)?)
    }
    match record {
        "RunResult" => again::<RunResult>(text),
        "RetryTaskOptions" => again::<RetryTaskOptions>(text),
        "ApprovalDecision" => again::<ApprovalDecision>(text),
        "CachePolicy" => again::<CachePolicy>(text),
        "RetryTaskResult" => again::<RetryTaskResult>(text),
        "RetryPolicy" => again::<RetryPolicy>(text),
        "TaskDescriptor" => again::<TaskDescriptor>(text),
        "RunStateView" => again::<RunStateView>(text),
        "SmithersError" => again::<SmithersError>(text),
        "NodeOutputResponse" => again::<NodeOutputResponse>(text),
        // Markup nests deeper than serde_json reads by itself.
        "GraphSnapshot" => serde_json::to_string(&GraphSnapshot::from_json(text)?),
        "XmlNode" => serde_json::to_string(&XmlNode::from_json(text)?),
        other => panic!("no record is called {other}"),
    }
}

/// Whether a parsed record contains the expected members; it must contain all others verbatim.
fn holds(ours: &Value, expected: &Value, text: &Value) -> bool {
    match (ours, expected) {
        (Value::Object(ours), Value::Object(expected)) => {
            expected
                .iter()
                .all(|(name, value)| ours.get(name).is_some_and(|ours| holds(ours, value, &text[name])))
                && ours.iter().all(|(name, value)| expected.contains_key(name) || text[name] == *value)
        }
        (Value::Array(ours), Value::Array(expected)) => {
            let pairs = ours.iter().zip(expected).enumerate();
            ours.len() == expected.len()
                && pairs.into_iter().all(|(at, (ours, expected))| holds(ours, expected, &text[at]))
        }
        _ => ours == expected,
    }
}

fn value(text: &str) -> Value {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    plain(&Value::deserialize(&mut reader).unwrap())
}

#[test]
fn every_valid_record_is_read_whole() {
    for case in cases("valid") {
        let ours = read(&case.record, &case.text).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let expected = value(case.expected.as_ref().unwrap().get());
        assert!(holds(&value(&ours), &expected, &value(&case.text)), "{}: {ours}", case.name);
        // Our own output is read back unchanged.
        assert_eq!(read(&case.record, &ours).unwrap(), ours, "{}", case.name);
    }
}

#[test]
fn every_invalid_record_is_refused() {
    for case in cases("invalid") {
        let Err(error) = read(&case.record, &case.text) else { panic!("{} is read", case.name) };
        case.assert_code(error.classify() == serde_json::error::Category::Data);
        if case.record == "RunStateView" {
            case.assert_refused(&RunStateView::from_json(&case.text).unwrap_err());
        }
    }
}

#[test]
fn every_word_is_accepted_and_refused_somewhere() {
    let (valid, invalid) = (cases("valid"), cases("invalid"));
    let words = [
        ApprovalMode::WORDS,
        ApprovalOnDeny::WORDS,
        NodeOutputStatus::WORDS,
        OutputFieldType::WORDS,
        RetryBackoff::WORDS,
        SmithersErrorCode::WORDS,
        TaskKind::WORDS,
        RunState::WORDS,
        RunStatus::WORDS,
    ];
    cases::assert_words(&words, &valid, &invalid);
}

#[test]
fn cases_have_names_reasons_and_sources_and_refusals_are_the_larger_half() {
    cases::assert_form(&cases("valid"), &cases("invalid"));
}
