//! Noise around real documents: whatever a shell, a log collector or a mail program adds, the states stay the same.

use std::fs;
use std::path::PathBuf;

use runstate::file::File;
use runstate::ingest::{Document, open};
use runstate::time::Millis;
use serde_json::Value;

/// The maximum number of documents, and the maximum size of each in bytes.
const MAX_DOCUMENTS: usize = 60;
const MAX_SIZE: usize = 40_000;

struct Case {
    id: String,
    now: Millis,
    text: String,
    /// The JSON values of the text, each on one line.
    values: Vec<String>,
}

/// The documents of the vectors that consist of one file of JSON and open without a problem.
fn cases() -> Vec<Case> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../vectors/documents/valid");
    let index: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(folder.join("index.json")).unwrap()).unwrap();
    let read = |case: &Value| {
        let [file] = case["files"].as_array()?.as_slice() else { return None };
        let is_plain = case["problems"].as_array()?.is_empty()
            && !case["recognised"].as_str()?.starts_with("conductor-run");
        let text = fs::read_to_string(folder.join(file.as_str()?))
            .ok()
            .filter(|text| is_plain && text.len() < MAX_SIZE)?;
        Some(Case {
            id: case["id"].as_str()?.to_owned(),
            now: Millis::parse_iso(case["now"].as_str()?)?,
            values: values(&text)?,
            text,
        })
    };
    let cases: Vec<Case> = index.iter().filter_map(read).collect();
    // Spread over all kinds, whose cases stand together.
    let step = cases.len().div_ceil(MAX_DOCUMENTS);
    cases.into_iter().step_by(step).collect()
}

/// The values of a text: itself, or those of its lines. `None` for a HAR file, an export, or anything but JSON.
fn values(text: &str) -> Option<Vec<String>> {
    let one = serde_json::from_str::<Value>(text).map(|value| vec![value]);
    let lines = || text.lines().filter(|line| !line.is_empty()).map(serde_json::from_str).collect();
    let values: Vec<Value> = one.or_else(|_| lines()).ok()?;
    let is_file = |value: &Value| value.get("log").is_some() || value.get("runstateExport").is_some();
    let is_container = |value: &Value| value.is_object() || value.is_array();
    (values.iter().all(is_container) && !values.iter().any(is_file))
        .then(|| values.iter().map(Value::to_string).collect())
}

/// The states of the run in view and of all rows.
fn states(document: &Document, now: Millis) -> Vec<Option<String>> {
    let view = document.header(None, now).and_then(|header| header.state);
    [view].into_iter().chain(document.rows().into_iter().map(|row| row.state)).collect()
}

fn quote(text: &str) -> String {
    Value::from(text).to_string()
}

fn pretty(values: &[String]) -> Vec<String> {
    let pretty = |value: &String| {
        serde_json::to_string_pretty(&serde_json::from_str::<Value>(value).unwrap()).unwrap()
    };
    values.iter().map(pretty).collect()
}

/// Adds something to each line of the values.
fn each_line(values: &[String], line: impl Fn(usize, &str) -> String) -> Vec<u8> {
    let lines = values.iter().flat_map(|value| value.lines()).enumerate();
    lines.map(|(number, text)| line(number, text) + "\n").collect::<String>().into_bytes()
}

fn docker(text: &str) -> String {
    format!("{{\"log\":{},\"stream\":\"stdout\",\"time\":\"2026-11-25T15:40:00.1Z\"}}\n", quote(text))
}

/// The lines of a text in pieces of 90 characters.
fn pieces(text: &str) -> Vec<String> {
    text.chars().collect::<Vec<_>>().chunks(90).map(|piece| piece.iter().collect()).collect()
}

/// A container's log splits long lines.
fn partial_lines(value: &str) -> String {
    let pieces = pieces(value);
    let last = pieces.len() - 1;
    let line = |(number, piece): (usize, &String)| {
        let tag = if number == last { 'F' } else { 'P' };
        format!("2026-11-25T15:40:00.1Z stdout {tag} {piece}\n")
    };
    pieces.iter().enumerate().map(line).collect()
}

type Framing = (&'static str, fn(&[String]) -> Vec<u8>);

const FRAMINGS: [Framing; 27] = [
    ("a value a line", |values| values.join("\n").into_bytes()),
    ("pretty", |values| pretty(values).join("\n").into_bytes()),
    ("line ends of Windows", |values| values.join("\r\n").into_bytes()),
    ("glued", |values| values.concat().into_bytes()),
    ("commas without brackets", |values| values.join(",\n").into_bytes()),
    ("a prompt and a time", |values| {
        let text = pretty(values).join("\n");
        format!(
            "$ smithers inspect --json\n(node:12) Warning: x is [experimental]\n{text}\nDone in 1.2s.\n$ "
        )
        .into_bytes()
    }),
    ("headers of curl", |values| {
        let text = pretty(values).join("\r\n");
        format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\netag: W/\"1f-{{x}}\"\r\n\r\n{text}\r\n")
            .into_bytes()
    }),
    ("a Markdown fence", |values| {
        format!("Here is my log:\n\n```json\n{}\n```\n\nThanks!\n", pretty(values).join("\n")).into_bytes()
    }),
    ("text between", |values| {
        format!("-- next --\n{}\n-- end --\n", pretty(values).join("\n-- next --\n")).into_bytes()
    }),
    ("a container's log", |values| {
        each_line(values, |number, line| {
            format!("2026-11-25T15:40:0{}.123456789Z stdout F {line}", number % 10)
        })
    }),
    ("partial lines of a container's log", |values| {
        values.iter().map(|value| partial_lines(value)).collect::<String>().into_bytes()
    }),
    ("docker compose", |values| each_line(&pretty(values), |_, line| format!("gateway-1  | {line}"))),
    ("kubectl", |values| each_line(&pretty(values), |_, line| format!("[pod/gw-0/gateway] {line}"))),
    ("grep -n", |values| {
        each_line(&pretty(values), |number, line| format!("logs/run.json:{}:{line}", number + 1))
    }),
    ("syslog", |values| {
        each_line(values, |number, line| {
            format!("Nov 25 15:40:{:02} host-1 smithers[{}]: {line}", number % 60, 4000 + number)
        })
    }),
    ("time and level", |values| {
        each_line(values, |number, line| {
            format!("[2026-11-25T15:40:{:02}Z] INFO (engine): {line}", number % 60)
        })
    }),
    ("a quoted mail", |values| each_line(&pretty(values), |_, line| format!("> {line}"))),
    ("Docker's file", |values| {
        values.iter().map(|value| docker(&format!("{value}\n"))).collect::<String>().into_bytes()
    }),
    ("Docker's file, split", |values| {
        let lines = values.iter().flat_map(|value| pieces(&format!("{value}\n")));
        lines.map(|piece| docker(&piece)).collect::<String>().into_bytes()
    }),
    ("journald", |values| {
        each_line(values, |_, line| format!("{{\"__CURSOR\":\"s\",\"MESSAGE\":{}}}", quote(line)))
    }),
    ("journald, in bytes", |values| {
        each_line(values, |_, line| {
            format!("{{\"__CURSOR\":\"s\",\"MESSAGE\":{:?}}}", format!("\u{1b}[0m{line}").as_bytes())
        })
    }),
    ("a JSON string", |values| quote(&values.join("\n")).into_bytes()),
    ("a JSON string in a JSON string", |values| quote(&quote(&pretty(values).join("\n"))).into_bytes()),
    ("byte order marks", |values| each_line(values, |_, line| format!("\u{feff}{line}"))),
    ("NUL bytes", |values| each_line(values, |number, line| "\0".repeat(number % 5 * 17) + line)),
    ("escape sequences", |values| each_line(values, |_, line| format!("\u{1b}[2K\u{1b}[0m{line}\u{1b}[0m"))),
    ("UTF-16", |values| {
        let text = format!("\u{feff}{}", pretty(values).join("\r\n"));
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }),
];

#[test]
fn noise_around_a_document_changes_no_state() {
    let cases = cases();
    assert!(cases.len() >= 30, "{} documents", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let plain = open(&[File { name: None, bytes: case.text.as_bytes() }], case.now).unwrap();
        let expected = states(&plain, case.now);
        for (name, framing) in FRAMINGS {
            let bytes = framing(&case.values);
            match open(&[File { name: None, bytes: &bytes }], case.now) {
                Ok(document) if states(&document, case.now) == expected => {}
                Ok(document) => wrong.push(format!(
                    "{}, {name}: {:?}, not {expected:?}",
                    case.id,
                    states(&document, case.now)
                )),
                Err(error) => wrong.push(format!("{}, {name}: {error}", case.id)),
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len() * FRAMINGS.len(), wrong.join("\n"));
}
