//! Secrets that people leak, in the documents of each system: none is in an export. What explains a failure is.
//!
//! The secrets are generated when the tests run, always the same ones: from the rules of gitleaks, and from the templates in
//! `tests/vectors/secrets.json`. No committed file contains one. The tests of the extension read them from the file that
//! `the_samples_are_written_for_the_tests_of_the_extension` writes.

use std::fmt::Write as _;
use std::fs;

use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::string::{RegexGeneratorStrategy, string_regex};
use proptest::test_runner::TestRunner;
use runstate::file::File;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{LATER, OPTIONS, again};

#[derive(Deserialize)]
struct Vectors {
    /// Lines that set the secret `{s}` of a service `{i}`.
    samples: Vec<String>,
    forms: Vec<Template>,
    /// Texts that an export keeps.
    kept: Vec<String>,
}

/// A text with secrets: `{alnum:24}` is 24 letters and digits.
#[derive(Clone, Deserialize)]
struct Template {
    name: String,
    text: String,
}

#[derive(Deserialize)]
struct Rules {
    rules: Vec<Rule>,
}

#[derive(Deserialize)]
struct Rule {
    id: String,
    regex: Option<String>,
}

/// A text with its secrets. `name` is that of its template or rule.
#[derive(Clone, Serialize)]
struct Sample {
    name: String,
    text: String,
    secrets: Vec<String>,
}

/// Rules whose secrets are no form: parts of commands and files, which are among the templates.
const NO_FORM: [&str; 7] = [
    "curl-auth-header",
    "curl-auth-user",
    "freemius-secret-key",
    "kubernetes-secret-yaml",
    "nuget-config-password",
    "private-key",
    "sidekiq-sensitive-url",
];

/// The classes of the templates.
const CLASSES: [(&str, &str); 9] = [
    ("alnum", "[A-Za-z0-9]"),
    ("base64", "[A-Za-z0-9+/]"),
    ("bech32", "[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]"),
    ("digits", "[0-9]"),
    ("hex", "[0-9a-f]"),
    ("letters", "[a-z]"),
    ("upper", "[A-Z2-7]"),
    ("word", "[A-Za-z0-9_-]"),
    ("any", "[!-~]"),
];

/// The documents in which a text can be.
const CARRIERS: usize = 5;

fn path(file: &str) -> String {
    format!("{}/../{file}", env!("CARGO_MANIFEST_DIR"))
}

fn vectors() -> Vectors {
    serde_json::from_str(&fs::read_to_string(path("tests/vectors/secrets.json")).unwrap()).unwrap()
}

fn rules() -> Vec<Rule> {
    let read = |file| toml::from_str::<Rules>(&fs::read_to_string(path(file)).unwrap()).unwrap().rules;
    let all = ["core/rules/gitleaks.toml", "core/rules/more.toml"].into_iter().flat_map(read);
    all.filter(|rule| rule.regex.is_some() && !NO_FORM.contains(&rule.id.as_str())).collect()
}

fn strategy(regex: &str) -> RegexGeneratorStrategy<String> {
    string_regex(&format!("(?-u){regex}")).unwrap_or_else(|error| panic!("{regex}: {error}"))
}

fn generate(strategy: &RegexGeneratorStrategy<String>, runner: &mut TestRunner) -> String {
    strategy.new_tree(runner).unwrap().current()
}

/// The expression of a rule's secret, and whether that has a form of its own.
fn secret_of(regex: &str) -> (String, bool) {
    let ends = [
        r#"(?:[\x60'"\s;]|\\[nr]|$)"#,
        r#"(?:[\x60'"\s;]|\\[nr]|$|\b)"#,
        r"(?:[^\w-]|\z)",
        r"(?:[^a-zA-Z0-9+/]|\z)",
        r#"(?:^|[\\'"\x60\s>=:(,)])"#,
        r#"(?:$|[\\'"\x60\s<),])"#,
        r"\b",
    ];
    let plain = ends.iter().fold(regex.to_owned(), |regex, end| regex.replace(end, ""));
    // Escapes and line ends are the matter of the documents.
    let plain = plain.replace(r"\/\\_", r"\/_").replace(r"\r\n]", "]");
    let plain =
        plain.replace("hooks.slack.com", r"hooks\.slack\.com").replace("(?i)xoxe.xox", r"(?i)xoxe\.xox");
    // Any hash has the third form of this rule.
    let plain = plain.replace("|[a-fA-F0-9]{40}", "");
    match plain.rsplit_once(r#"[\x60'"\s=]{0,5}"#) {
        Some((_, secret)) => {
            // Two secrets: after a name, and with a form of its own.
            let secret = secret.split_once("|(ATATT3").map_or(secret, |(named, _)| named);
            let case = if regex.starts_with("(?i)") { "(?i)" } else { "" };
            (format!("{case}{secret}"), false)
        }
        None => (plain, true),
    }
}

/// A template with its secrets, and these.
fn fill(text: &str, runner: &mut TestRunner) -> (String, Vec<String>) {
    let (mut out, mut secrets, mut rest) = (String::new(), Vec::new(), text);
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let part = after.split_once('}').and_then(|(part, after)| Some((part.split_once(':')?, after)));
        let class = part.and_then(|((class, length), after)| {
            let (_, class) = CLASSES.iter().find(|(name, _)| *name == class)?;
            Some((format!("{class}{{{}}}", length.parse::<usize>().ok()?), after))
        });
        if let Some((regex, after)) = class {
            let secret = generate(&strategy(&regex), runner);
            out.push_str(&secret);
            secrets.push(secret);
            rest = after;
        } else {
            out.push('{');
            rest = after;
        }
    }
    (out + rest, secrets)
}

/// A text in the documents in which it can be: a row of each system, a log, with escapes, and in JSON inside JSON.
fn carriers(text: &str) -> [(&'static str, String); CARRIERS] {
    let escape = |mut out: String, unit| {
        write!(out, "\\u{unit:04x}").unwrap();
        out
    };
    let escaped = text.encode_utf16().fold(String::new(), escape);
    let inner = json!({"output": json!({"stderr": text}).to_string()}).to_string();
    let log = [
        json!({"type": "RunStarted", "runId": "r", "timestampMs": 1000}),
        json!({"type": "NodeOutput", "runId": "r", "nodeId": "n", "iteration": 0, "attempt": 1, "text": text, "stream": "stderr", "timestampMs": 1001}),
    ];
    [
        ("a run of Smithers", json!({"runId": "r1", "status": "failed", "error": text}).to_string()),
        (
            "a session of lionagi",
            json!({"id": "a", "session_id": "a", "invocation_kind": "agent", "status": "failed", "started_at": 1.0, "status_reason_summary": text})
                .to_string(),
        ),
        ("a log", log.map(|event| event.to_string()).join("\n")),
        ("escapes", format!(r#"{{"runId":"r1","status":"failed","error":"{escaped}"}}"#)),
        ("JSON in JSON", json!({"runId": "r1", "status": "failed", "metaJson": inner}).to_string()),
    ]
}

/// Every text of an export, with the texts of JSON inside texts.
fn texts(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(inner @ (Value::Object(_) | Value::Array(_))) => texts(&inner, out),
            Ok(_) | Err(_) => out.push(text.clone()),
        },
        Value::Array(items) => items.iter().for_each(|item| texts(item, out)),
        Value::Object(members) => members.iter().for_each(|(key, value)| {
            out.push(key.clone());
            texts(value, out);
        }),
        Value::Number(number) => out.push(number.to_string()),
        Value::Null | Value::Bool(_) => {}
    }
}

/// The texts of the export of a document, joined.
fn exported_text(document: &str) -> String {
    let file = File { name: Some("x.json"), bytes: document.as_bytes() };
    let bytes = super::write(&[file], &OPTIONS).unwrap_or_else(|error| panic!("{document}: {error}"));
    let mut out = Vec::new();
    texts(&serde_json::from_slice(&bytes).unwrap(), &mut out);
    out.join("\n")
}

/// Whether a part of the secret that is worth something is in a text: half of it, or twelve of its last characters.
fn survives(secret: &str, text: &str) -> bool {
    let half = secret.len() - (secret.len() / 2).min(12);
    secret.get(half..).is_some_and(|end| text.contains(end)) || text.contains(secret)
}

/// Each template with secrets, `times` of each.
fn forms(times: usize) -> Vec<Sample> {
    let mut runner = TestRunner::deterministic();
    let fill = |Template { name, text }: Template| {
        let (text, secrets) = fill(&text, &mut runner);
        Sample { name, text, secrets }
    };
    vectors().forms.into_iter().flat_map(|form| repeated(form, times)).map(fill).collect()
}

/// A sentence with a secret of each rule whose secrets have a form of their own, `times` of each.
fn rule_forms(times: usize) -> Vec<Sample> {
    let mut runner = TestRunner::deterministic();
    let with_form = rules().into_iter().filter_map(|Rule { id, regex }| match secret_of(&regex?) {
        (regex, true) => Some((id, regex)),
        (_, false) => None,
    });
    let sentence = |(name, regex): (String, String)| {
        let secret = generate(&strategy(&regex), &mut runner);
        Sample { name, text: format!("The value is {secret}, they say."), secrets: vec![secret] }
    };
    with_form.flat_map(|rule| repeated(rule, times)).map(sentence).collect()
}

/// A secret of each rule after a name, in each of gitleaks' own samples.
fn named() -> Vec<Sample> {
    let mut runner = TestRunner::deterministic();
    let (templates, mut all) = (vectors().samples, Vec::new());
    for Rule { id, regex } in rules() {
        let strategy = strategy(&secret_of(&regex.unwrap()).0);
        let service = id.split('-').next().unwrap();
        for template in &templates {
            // One rule has the quotation marks around the secret.
            let secret = generate(&strategy, &mut runner).trim_matches('"').to_owned();
            let text = template.replace("{i}", service).replace("{s}", &secret);
            all.push(Sample { name: format!("{id}: {template}"), text, secrets: vec![secret] });
        }
    }
    all
}

fn repeated<T: Clone>(item: T, times: usize) -> impl Iterator<Item = T> {
    std::iter::repeat_n(item, times)
}

/// The first secret that is left in the export of a document with the sample.
fn left(Sample { name, text, secrets }: &Sample, carrier: usize) -> Option<String> {
    assert!(!secrets.is_empty(), "{name} has no secret");
    let (carrier, document) = &carriers(text)[carrier];
    let text = exported_text(document);
    let left = secrets.iter().find(|secret| secret.len() > 3 && survives(secret, &text))?;
    Some(format!("{name} in {carrier}: {left} in {text}"))
}

/// The secrets that are left of samples of which each is repeated for each document.
fn left_in_each(samples: &[Sample]) -> Vec<String> {
    samples.iter().enumerate().filter_map(|(place, sample)| left(sample, place % CARRIERS)).collect()
}

#[test]
fn no_secret_of_a_known_form_is_exported() {
    let missed = left_in_each(&forms(CARRIERS));
    assert_eq!(missed, Vec::<String>::new(), "{} missed", missed.len());
}

#[test]
fn no_secret_of_a_rule_with_a_form_of_its_own_is_exported() {
    let samples = rule_forms(CARRIERS);
    assert!(samples.len() > 114 * CARRIERS, "{}", samples.len());
    let missed = left_in_each(&samples);
    assert_eq!(missed, Vec::<String>::new(), "{} missed", missed.len());
}

#[test]
fn no_secret_of_a_rule_is_exported_after_a_name() {
    let samples = named();
    assert!(samples.len() > 5000, "{}", samples.len());
    let missed: Vec<String> = samples.iter().filter_map(|sample| left(sample, 0)).collect();
    assert_eq!(missed, Vec::<String>::new(), "{} missed", missed.len());
}

#[test]
fn the_samples_are_written_for_the_tests_of_the_extension() {
    let samples = json!({"forms": forms(3), "ruleForms": rule_forms(3), "named": named()});
    fs::create_dir_all(path("target")).unwrap();
    // Another test must never read a part of the file.
    fs::write(path("target/secrets.json.new"), samples.to_string()).unwrap();
    fs::rename(path("target/secrets.json.new"), path("target/secrets.json")).unwrap();
}

#[test]
fn what_explains_a_failure_is_exported() {
    let mut changed = Vec::new();
    for kept in vectors().kept {
        for (carrier, document) in carriers(&kept) {
            let file = File { name: Some("x.json"), bytes: document.as_bytes() };
            let bytes = super::write(&[file], &OPTIONS).unwrap();
            let twice = String::from_utf8(again(&bytes, LATER)).unwrap();
            assert_eq!(
                twice,
                String::from_utf8_lossy(&bytes),
                "an export of an export is the same: {document}"
            );
            let text = exported_text(&document);
            let mut parts = Vec::new();
            texts(&Value::String(kept.clone()), &mut parts);
            changed.extend(
                parts
                    .iter()
                    .find(|part| !text.contains(*part))
                    .map(|_| format!("{kept} in {carrier}: {text}")),
            );
        }
    }
    assert_eq!(changed, Vec::<String>::new(), "{} changed", changed.len());
}
