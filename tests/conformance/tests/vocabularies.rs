//! All vectors together: every word of a system is in a valid and in an invalid case, and at least half of the cases are
//! refusals.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use runstate::pill;
use runstate::word::Vocabulary;
use serde::Deserialize;
use serde_json::{Deserializer, Value};

/// A vocabulary that a system sends.
struct Words {
    name: &'static str,
    all: &'static [&'static str],
    /// The keys of its words.
    keys: &'static [&'static str],
}

fn words<V: Vocabulary>(keys: &'static [&'static str]) -> Words {
    let name = std::any::type_name::<V>();
    Words { name: name.rsplit("::").next().unwrap_or(name), all: V::WORDS, keys }
}

/// The words that the systems send, by the folder of their vectors.
fn sent() -> [(&'static str, Vec<Words>); 3] {
    [
        (
            "smithers",
            vec![
                words::<runstate::smithers::wire::RunState>(&["state", "before", "after"]),
                words::<runstate::smithers::wire::RunStatus>(&["status"]),
                words::<runstate::smithers::wire::NodeState>(&["state"]),
                words::<runstate::smithers::wire::NodeType>(&["type"]),
                words::<runstate::smithers::wire::TaskKind>(&["kind"]),
                words::<runstate::smithers::wire::ProviderCode>(&["code"]),
                words::<runstate::smithers::wire::SmithersErrorCode>(&["code"]),
                words::<runstate::smithers::wire::EventType>(&["type"]),
                words::<runstate::smithers::wire::SkipReason>(&["reason"]),
                words::<runstate::smithers::wire::CallStatus>(&["status"]),
                words::<runstate::smithers::wire::OutputStream>(&["stream"]),
                words::<runstate::smithers::wire::TimerType>(&["timerType"]),
                words::<runstate::smithers::wire::SandboxRuntime>(&["runtime"]),
                words::<runstate::smithers::wire::SandboxStatus>(&["status"]),
                words::<runstate::smithers::wire::HijackMode>(&["mode"]),
                words::<runstate::smithers::wire::SteerDelivery>(&["delivery"]),
                words::<runstate::smithers::wire::EffectKind>(&["kind"]),
                words::<runstate::smithers::wire::EffectStatus>(&["effectStatus"]),
                words::<runstate::smithers::wire::VoiceOperation>(&["operation"]),
                words::<runstate::smithers::wire::NodeOutputStatus>(&["status"]),
                words::<runstate::smithers::wire::OutputFieldType>(&["type"]),
                words::<runstate::smithers::wire::RetryBackoff>(&["backoff"]),
                words::<runstate::smithers::wire::ApprovalMode>(&["approvalMode"]),
                words::<runstate::smithers::wire::ApprovalOnDeny>(&["approvalOnDeny"]),
                words::<pill::BlockedKind>(&["kind"]),
                words::<pill::UnhealthyKind>(&["kind", "unhealthy"]),
            ],
        ),
        (
            "lionagi",
            vec![
                words::<runstate::lionagi::wire::SessionStatus>(&["status"]),
                words::<runstate::lionagi::wire::SessionHealth>(&["effective_health"]),
                words::<runstate::lionagi::wire::InvocationKind>(&["invocation_kind"]),
                words::<runstate::lionagi::wire::Outcome>(&["outcome"]),
                words::<runstate::lionagi::wire::NormalizedHealth>(&["health"]),
                words::<runstate::lionagi::wire::Delivery>(&["delivery"]),
                words::<runstate::lionagi::wire::Severity>(&["severity"]),
                words::<runstate::lionagi::wire::SeverityTone>(&["tone"]),
                words::<runstate::lionagi::wire::ClaimStatus>(&["claim"]),
                words::<runstate::lionagi::wire::Verification>(&["status"]),
                words::<runstate::lionagi::wire::LaneState>(&["nodes"]),
                words::<runstate::lionagi::wire::LaneSignal>(&["kind"]),
                words::<runstate::lionagi::wire::PlayStatus>(&["status"]),
                words::<runstate::lionagi::wire::ShowStatus>(&["latest_status"]),
            ],
        ),
        (
            "conductor",
            vec![
                words::<runstate::conductor::wire::Lifecycle>(&["lifecycle_state"]),
                words::<runstate::conductor::wire::Opcode>(&["active_opcode"]),
                words::<runstate::conductor::wire::RunnerFamily>(&["active_runner_family"]),
                words::<runstate::conductor::wire::Termination>(&["termination"]),
                words::<runstate::conductor::wire::PlannerStatus>(&["status"]),
                words::<runstate::conductor::wire::GateOutcome>(&["outcome"]),
                words::<runstate::conductor::wire::ConductorEventType>(&["event_type"]),
                words::<runstate::conductor::wire::ArtifactRole>(&["artifact_role"]),
            ],
        ),
    ]
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// The files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let below = entries.map(|entry| entry.unwrap().path());
    below.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The cases of a system in folders of this kind, at any depth.
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

/// The keys of a case that are not part of its input.
const ABOUT: [&str; 15] = [
    "case", "class", "reason", "source", "origin", "expected", "error", "output", "upstream", "after",
    "header", "record", "problems", "notes", "sentence",
];

/// The keys of a case's expected result; a word that occurs only in these was not part of an input.
const ANSWERED: [&str; 8] = ["answer", "nodes", "plays", "refusal", "session", "sessions", "shows", "view"];

/// Words that no software reads or writes: ADR-0033 lists them, and no release of lionagi has them. Runstate only knows
/// them.
const LISTED_ALONE: [&str; 4] = ["hypothesis", "verified", "disputed", "superseded"];

/// Values with their keys; items of a list have the list's key.
type Found = BTreeSet<(String, String)>;

/// The values in the cases of a kind, in their exact spelling. A list of a vocabulary's words is not an input.
fn values(cases: &[Value], kind: &str) -> Found {
    let left_out = |key: &str| ABOUT.contains(&key) || kind == "invalid" && ANSWERED.contains(&key);
    let mut found = Found::new();
    for case in cases.iter().filter(|case| case["vocabulary"].is_null()) {
        let given = case.as_object().unwrap().iter().filter(|(key, _)| !left_out(key));
        given.for_each(|(key, value)| texts(key, value, &mut found));
    }
    found
}

fn texts(key: &str, value: &Value, out: &mut Found) {
    match value {
        Value::String(text) => {
            text.lines().for_each(|line| inside(key, line, out));
            out.insert((key.to_owned(), text.clone()));
        }
        Value::Array(items) => items.iter().for_each(|item| texts(key, item, out)),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| texts(key, value, out)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The strings inside a line that is JSON or damaged JSON; a truncated line ends early.
fn inside(key: &str, line: &str, out: &mut Found) {
    let (mut key, mut rest) = (key, line);
    while let Some(from) = rest.find('"') {
        let Some(end) = closing(&rest[from + 1..]) else { return };
        let (content, after) = (&rest[from + 1..from + 1 + end], &rest[from + end + 2..]);
        if after.trim_start().starts_with(':') {
            key = content;
        } else {
            // A column whose text is JSON.
            inside(key, &content.replace("\\\"", "\""), out);
            out.insert((key.to_owned(), content.to_owned()));
        }
        rest = after;
    }
}

/// The position of the closing quote of a string.
fn closing(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })
}

/// In a valid case, a word is the value of a key of its own vocabulary. In an invalid case likewise, or in lionagi, whose
/// fields accept any word, of a key of another vocabulary.
fn is_in(found: &Found, word: &str, words: &Words, anywhere: bool) -> bool {
    let of_its_own = |key: &str| found.contains(&(key.to_owned(), word.to_owned()));
    words.keys.iter().any(|key| of_its_own(key)) || anywhere && found.iter().any(|(_, value)| value == word)
}

#[test]
fn every_word_is_in_a_case_that_is_read_and_in_one_that_is_refused() {
    let mut missing = Vec::new();
    for (system, vocabularies) in sent() {
        for kind in ["valid", "invalid"] {
            let found = values(&cases(system, kind), kind);
            let anywhere = system == "lionagi" && kind == "invalid";
            for words in &vocabularies {
                let without = words.all.iter().filter(|word| !is_in(&found, word, words, anywhere));
                let without = without.filter(|word| kind == "invalid" || !LISTED_ALONE.contains(word));
                missing.extend(without.map(|word| format!("{system}, {kind}: {} {word}", words.name)));
            }
        }
    }
    assert!(missing.is_empty(), "{} words:\n{}", missing.len(), missing.join("\n"));
}

#[test]
fn a_word_that_is_spelled_otherwise_or_stands_elsewhere_does_not_count() {
    let words = words::<runstate::lionagi::wire::SessionHealth>(&["effective_health"]);
    let found = |case: Value| values(&[case], "valid");
    let given = |text: &str| found(serde_json::json!({"case": "idle", "text": text}));
    assert!(is_in(&given(r#"{"effective_health": ["idle"]}"#), "idle", &words, false));
    assert!(is_in(&given(r#"{"row": "{\"effective_health\": \"idle\"}"}"#), "idle", &words, false));
    assert!(is_in(&given("{\"a\": \"\n{\"effective_health\":\"idle\", \"b"), "idle", &words, false));
    for text in [
        r#"{"effective_health": "idle "}"#,
        r#"{"effective_health": "Idle"}"#,
        r#"{"effective_health": "an idle one"}"#,
        r#"{"effective_health": {"idle": 1}}"#,
        r#"{"effective_health": "\"idle"}"#,
    ] {
        assert!(!is_in(&given(text), "idle", &words, true), "{text}");
    }
    let status = given(r#"{"effective_health": "stale", "status": "idle"}"#);
    assert!(!is_in(&status, "idle", &words, false) && is_in(&status, "idle", &words, true));
    let listed = serde_json::json!({"vocabulary": "session health", "words": ["idle"]});
    assert!(!is_in(&found(listed), "idle", &words, true));
    let answered = serde_json::json!({"session": {"effective_health": "idle"}});
    assert!(!is_in(&values(&[answered], "invalid"), "idle", &words, true));
}

/// Runstate's own vocabularies, which no system sends.
const OURS: [&str; 32] = [
    "ActionKind",
    "Attention",
    "Blocker",
    "Category",
    "ConductorState",
    "EndCause",
    "ErrorCode",
    "EventSeverity",
    "Icon",
    "LionagiDocumentKind",
    "Liveness",
    "NoteKind",
    "NodeFilter",
    "NodeTab",
    "OpenFailure",
    "Phase",
    "Question",
    "Family",
    "DocumentKind",
    "RunSort",
    "Screen",
    "Severity",
    "ShownNode",
    "ShownRun",
    "Signal",
    "SmithersErrorCategory",
    "System",
    "Taxonomy",
    "Tone",
    "UnknownReason",
    "ValueKind",
    "WitnessSource",
];

/// The words of longer vocabularies that decide something; the core does not show them.
const DECISIVE_WORDS: [&str; 3] = ["GatewayEvent", "ReasonCode", "RefusalCode"];

#[test]
fn no_vocabulary_is_forgotten() {
    let mut declared = BTreeSet::new();
    for path in files(&folder("core/src")) {
        let text = fs::read_to_string(path).unwrap();
        for line in text.lines().filter(|line| line.ends_with("\") {")) {
            let line = line.trim().replacen("pub(crate) ", "pub ", 1);
            let name = line.strip_prefix("pub enum ").and_then(|rest| rest.split(' ').next());
            declared.extend(name.map(str::to_owned));
        }
    }
    let sent: BTreeSet<&str> =
        sent().into_iter().flat_map(|(_, words)| words).map(|words| words.name).collect();
    let known: BTreeSet<&str> = sent.iter().copied().chain(OURS).chain(DECISIVE_WORDS).collect();
    let forgotten: Vec<&String> = declared.iter().filter(|name| !known.contains(name.as_str())).collect();
    assert!(forgotten.is_empty() && declared.len() > 40, "{forgotten:?}");
    assert!(sent.iter().all(|name| declared.contains(*name)));
}

#[test]
fn refusals_are_at_least_half_of_the_cases_of_each_system() {
    for (system, at_least) in [("smithers", 3900), ("lionagi", 170), ("conductor", 60)] {
        let [valid, invalid] = ["valid", "invalid"].map(|kind| cases(system, kind).len());
        assert!(invalid >= valid && valid > at_least, "{system}: {invalid} refusals, {valid} acceptances");
    }
}
