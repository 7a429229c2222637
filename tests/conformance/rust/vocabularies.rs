//! Over all vectors: every word that a system sends is in a case that is read and in one that is refused, and refusals are at
//! least half.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use runstate::word::Vocabulary;
use runstate::{conductor, lionagi, pill, smithers};
use serde::Deserialize;
use serde_json::{Deserializer, Value};

/// What a vocabulary is called, its words, and whose it is.
type Words = (&'static str, &'static [&'static str]);

fn words<V: Vocabulary>() -> Words {
    (std::any::type_name::<V>(), V::WORDS)
}

/// The words that the systems send, by the folder of their vectors.
fn sent() -> [(&'static str, Vec<Words>); 3] {
    [
        (
            "smithers",
            vec![
                words::<smithers::RunState>(),
                words::<smithers::RunStatus>(),
                words::<smithers::NodeState>(),
                words::<smithers::NodeType>(),
                words::<smithers::TaskKind>(),
                words::<smithers::ProviderCode>(),
                words::<smithers::SmithersErrorCode>(),
                words::<smithers::EventType>(),
                words::<smithers::SkipReason>(),
                words::<smithers::CallStatus>(),
                words::<smithers::OutputStream>(),
                words::<smithers::TimerType>(),
                words::<smithers::SandboxRuntime>(),
                words::<smithers::SandboxStatus>(),
                words::<smithers::HijackMode>(),
                words::<smithers::SteerDelivery>(),
                words::<smithers::EffectKind>(),
                words::<smithers::EffectStatus>(),
                words::<smithers::VoiceOperation>(),
                words::<smithers::NodeOutputStatus>(),
                words::<smithers::OutputFieldType>(),
                words::<smithers::RetryBackoff>(),
                words::<smithers::ApprovalMode>(),
                words::<smithers::ApprovalOnDeny>(),
                words::<pill::BlockedKind>(),
                words::<pill::UnhealthyKind>(),
            ],
        ),
        (
            "lionagi",
            vec![
                words::<lionagi::SessionStatus>(),
                words::<lionagi::SessionHealth>(),
                words::<lionagi::InvocationKind>(),
                words::<lionagi::Outcome>(),
                words::<lionagi::NormalizedHealth>(),
                words::<lionagi::Delivery>(),
                words::<lionagi::Severity>(),
                words::<lionagi::SeverityTone>(),
                words::<lionagi::ClaimStatus>(),
                words::<lionagi::Verification>(),
                words::<lionagi::ReviewVerdict>(),
                words::<lionagi::DisplayStatus>(),
                words::<lionagi::DisplayTone>(),
                words::<lionagi::LaneState>(),
                words::<lionagi::LaneSignal>(),
                words::<lionagi::policy::Entity>(),
                words::<lionagi::PlayStatus>(),
                words::<lionagi::ShowStatus>(),
                words::<lionagi::board::Reason>(),
                words::<lionagi::board::ItemKind>(),
                words::<lionagi::board::Standing>(),
            ],
        ),
        (
            "conductor",
            vec![
                words::<conductor::Lifecycle>(),
                words::<conductor::Opcode>(),
                words::<conductor::RunnerFamily>(),
                words::<conductor::Termination>(),
                words::<conductor::PlannerStatus>(),
                words::<conductor::GateOutcome>(),
                words::<conductor::EventType>(),
                words::<conductor::ArtifactRole>(),
            ],
        ),
    ]
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

/// The files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let below = entries.map(|entry| entry.unwrap().path());
    below.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The cases of a system that stand in a folder of this kind, wherever below its own.
fn cases(system: &str, kind: &str) -> Vec<Value> {
    let of_kind = |path: &PathBuf| {
        path.extension().is_some_and(|kind| kind == "ndjson")
            && path.parent().and_then(Path::file_name).is_some_and(|folder| folder == kind)
    };
    let found = files(&folder("tests/vectors").join(system)).into_iter().filter(of_kind);
    let texts: Vec<String> = found.map(|path| fs::read_to_string(path).unwrap()).collect();
    texts.iter().flat_map(|text| text.lines()).map(case).collect()
}

/// Trees and markup may be deeper than `serde_json` reads by itself.
fn case(line: &str) -> Value {
    let mut reader = Deserializer::from_str(line);
    reader.disable_recursion_limit();
    Value::deserialize(&mut reader).unwrap()
}

/// What a case says about itself, which is not what is read.
const ABOUT: [&str; 12] = [
    "case", "class", "reason", "source", "origin", "expected", "error", "output", "upstream", "after",
    "header", "record",
];

/// Every text of what a case gives to read.
fn texts<'a>(value: &'a Value, out: &mut BTreeSet<&'a str>) {
    match value {
        Value::String(text) => {
            out.insert(text);
        }
        Value::Array(items) => items.iter().for_each(|item| texts(item, out)),
        Value::Object(fields) => fields
            .iter()
            .filter(|(key, _)| !ABOUT.contains(&key.as_str()))
            .for_each(|(_, value)| texts(value, out)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether one of the texts is the word, white space around it aside, or is JSON that holds it.
fn occurs(word: &str, texts: &BTreeSet<&str>) -> bool {
    let quoted = [format!("\"{word}\""), format!("\\\"{word}\\\"")];
    texts.iter().any(|text| text.trim() == word)
        || texts.iter().any(|text| quoted.iter().any(|quoted| text.contains(quoted)))
}

#[test]
fn every_word_is_in_a_case_that_is_read_and_in_one_that_is_refused() {
    let mut missing = Vec::new();
    for (system, vocabularies) in sent() {
        for kind in ["valid", "invalid"] {
            let cases = cases(system, kind);
            let mut found = BTreeSet::new();
            for case in &cases {
                texts(case, &mut found);
            }
            for (name, words) in &vocabularies {
                let without = words.iter().filter(|word| !occurs(word, &found));
                missing.extend(without.map(|word| format!("{system}, {kind}: {name} {word}")));
            }
        }
    }
    assert!(missing.is_empty(), "{} words:\n{}", missing.len(), missing.join("\n"));
}

/// Vocabularies of ours: what Runstate answers, which no system sends.
const OURS: [&str; 18] = [
    "ActionKind",
    "Blocker",
    "Category",
    "ConductorState",
    "Icon",
    "Liveness",
    "Phase",
    "Recognised",
    "Severity",
    "ShownNode",
    "ShownRun",
    "Showing",
    "SmithersErrorCategory",
    "System",
    "Taxonomy",
    "Tone",
    "Why",
    "WitnessSource",
];

#[test]
fn no_vocabulary_is_forgotten() {
    let mut declared = BTreeSet::new();
    for path in files(&folder("core/src")) {
        let text = fs::read_to_string(path).unwrap();
        for line in text.lines().filter(|line| line.ends_with("\") {")) {
            let name = line.trim().strip_prefix("pub enum ").and_then(|rest| rest.split(' ').next());
            declared.extend(name.map(str::to_owned));
        }
    }
    let last = |name: &'static str| name.rsplit("::").next().unwrap_or(name);
    let sent: BTreeSet<&str> =
        sent().into_iter().flat_map(|(_, words)| words).map(|(name, _)| last(name)).collect();
    let known: BTreeSet<&str> = sent.iter().copied().chain(OURS).collect();
    let forgotten: Vec<&String> = declared.iter().filter(|name| !known.contains(name.as_str())).collect();
    assert!(forgotten.is_empty() && declared.len() > 40, "{forgotten:?}");
    assert!(sent.iter().all(|name| declared.contains(*name)));
}

#[test]
fn refusals_are_at_least_half_of_the_cases_of_each_system() {
    for (system, at_least) in [("smithers", 3900), ("lionagi", 80), ("conductor", 50)] {
        let [valid, invalid] = ["valid", "invalid"].map(|kind| cases(system, kind).len());
        assert!(invalid >= valid && valid > at_least, "{system}: {invalid} refusals, {valid} acceptances");
    }
}
