//! Every record of `tests/vectors/smithers/types` is read or refused as it says.

use runstate::json::ReadError;
use runstate::smithers::wire::{
    ApprovalMode, ApprovalOnDeny, GraphSnapshot, NodeOutputResponse, NodeOutputStatus, OutputFieldType,
    RetryBackoff, RetryPolicy, RetryTaskResult, RunResult, RunState, RunStateView, RunStatus, SmithersError,
    SmithersErrorCode, TaskDescriptor, TaskKind, XmlNode,
};
use runstate::word::Vocabulary;
use runstate_conformance::cases::{self, plain};
use serde::Deserialize;
use serde_json::Value;

type Case = cases::Case<Box<serde_json::value::RawValue>>;

fn cases(kind: &str) -> Vec<Case> {
    cases::read("types", kind)
}

/// What we hold of the text when it is read as this record.
fn read(record: &str, text: &str) -> Result<String, ReadError> {
    match record {
        "RunResult" => RunResult::from_json(text).map(|read| read.to_json()),
        "RetryTaskResult" => RetryTaskResult::from_json(text).map(|read| read.to_json()),
        "RetryPolicy" => RetryPolicy::from_json(text).map(|read| read.to_json()),
        "TaskDescriptor" => TaskDescriptor::from_json(text).map(|read| read.to_json()),
        "RunStateView" => RunStateView::from_json(text).map(|read| serde_json::to_string(&read).unwrap()),
        "SmithersError" => SmithersError::from_json(text).map(|read| read.to_json()),
        "GraphSnapshot" => GraphSnapshot::from_json(text).map(|read| read.to_json()),
        "XmlNode" => XmlNode::from_json(text).map(|read| read.to_json()),
        "NodeOutputResponse" => NodeOutputResponse::from_json(text).map(|read| read.to_json()),
        other => panic!("no record is called {other}"),
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
        assert_eq!(value(&ours), value(case.expected.as_ref().unwrap().get()), "{}", case.name);
        // What we write is read as the same again.
        assert_eq!(read(&case.record, &ours).unwrap(), ours, "{}", case.name);
    }
}

#[test]
fn every_invalid_record_is_refused_with_its_place() {
    for case in cases("invalid") {
        let Err(error) = read(&case.record, &case.text) else { panic!("{} is read", case.name) };
        case.assert_refused(&error);
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
