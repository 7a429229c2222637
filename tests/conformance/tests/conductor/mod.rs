//! Every captured life of tnh-conductor is read as expected.

mod cases;

use std::collections::BTreeMap;

use runstate::conductor::derive::ConductorRun;
use runstate::conductor::read_run_directory;
use runstate::error_code::ErrorCode;
use runstate::file::File;
use runstate::freshness::Freshness;
use runstate::header::Header;
use runstate::header::conductor::run_header;
use runstate::ingest::open;
use runstate::pill::Tone;
use runstate::summary::text;
use runstate::time::Millis;
use runstate::word::Vocabulary;
use runstate_conformance::conductor::{Expected, Write, at, fold, folder, read, rows, runs};
use runstate_conformance::files::{Files, files_under};
use serde_json::Value;

fn camel(key: &str) -> String {
    let mut words = key.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |key, word| key + &word[..1].to_ascii_uppercase() + &word[1..])
}

fn in_camel(value: &Value) -> Value {
    match value {
        Value::Object(object) => object.iter().map(|(key, value)| (camel(key), in_camel(value))).collect(),
        other => other.clone(),
    }
}

/// The differences from the expected view.
fn differences(run: &ConductorRun, view: &Value) -> Vec<String> {
    let ours: Value = serde_json::from_str(&run.to_json()).unwrap();
    let mut wrong = Vec::new();
    for key in ["state", "phase", "blocked", "unhealthy", "terminal", "decision", "why"] {
        let expected = in_camel(view.get(key).unwrap_or(&Value::Null));
        let found = ours.get(key).unwrap_or(&Value::Null);
        if expected != *found {
            wrong.push(format!("{key}: expected {expected}, found {found}"));
        }
    }
    wrong
}

fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_status_write_and_every_age_is_seen_as_expected() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for name in runs() {
        let writes: Vec<Write> = rows(&folder().join("runs").join(&name).join("writes.ndjson"));
        for row in rows::<Expected>(&folder().join("runs").join(&name).join("expected.ndjson")) {
            let files = fold(&writes, row.after_seq.unwrap_or(u64::MAX));
            let run = read(&files, row.now.as_deref().map_or(Millis(0.0), at), None);
            assert_eq!(run.run_id.is_none(), files.is_empty(), "{name}");
            seen += 1;
            for difference in differences(&run, &row.view) {
                wrong.push(format!("{name} after {:?} at {:?}: {difference}", row.after_seq, row.now));
            }
        }
    }
    assert_none(&wrong);
    assert_eq!(seen, 279);
}

#[test]
fn nothing_in_a_captured_life_is_a_problem_and_its_files_are_recognised() {
    for name in runs() {
        let writes: Vec<Write> = rows(&folder().join("runs").join(&name).join("writes.ndjson"));
        for write in &writes {
            let files = fold(&writes, write.seq);
            let run = read(&files, Millis(0.0), None);
            assert!(run.problems.is_empty(), "{name} {}: {:?}", write.seq, run.problems.texts());
            let pasted = write.content.as_bytes();
            let base = write.file.rsplit('/').next().unwrap();
            let ours = ["status.json", "metadata.json", "events.ndjson", "final-state.txt", "manifest.json"];
            let found = read_run_directory(&[File { name: None, bytes: pasted }], Millis(0.0), None).is_ok();
            assert!(found || !ours.contains(&base), "{name} {}", write.file);
        }
    }
}

#[test]
fn the_last_write_leaves_the_directory_as_it_was_found() {
    let mut seen = 0;
    for name in runs() {
        let folder = folder().join("runs").join(&name);
        if folder.join("run").is_dir() {
            assert_eq!(
                fold(&rows(&folder.join("writes.ndjson")), u64::MAX),
                files_under(&folder.join("run"))
            );
            seen += 1;
        }
    }
    assert!(seen > 2);
}

/// Two copies of a directory from different times, under names in either order, equal the later one.
#[test]
fn of_two_copies_of_a_directory_the_later_one_tells() {
    let mut seen = 0;
    for name in runs() {
        let folder = folder().join("runs").join(&name);
        let writes: Vec<Write> = rows(&folder.join("writes.ndjson"));
        let (early, last) = (fold(&writes, writes.len() as u64 / 2), fold(&writes, u64::MAX));
        let copy = |files: &Files, under: &str| -> Vec<(String, Vec<u8>)> {
            files.iter().map(|(name, bytes)| (format!("{under}/{name}"), bytes.clone())).collect()
        };
        let shown = |copies: &[Vec<(String, Vec<u8>)>]| {
            let files: Vec<File<'_>> =
                copies.iter().flatten().map(|(name, bytes)| File { name: Some(name), bytes }).collect();
            let document = open(&files, Millis(1_795_350_000_000.0)).ok()?;
            let [run] = document.conductor_runs() else { return None };
            Some((run.display_state().to_owned(), run.updated_at))
        };
        let Some(expected) = shown(&[copy(&last, "b")]) else { continue };
        if !early.contains_key("status.json") {
            continue;
        }
        seen += 1;
        assert_eq!(shown(&[copy(&early, "a"), copy(&last, "b")]), Some(expected.clone()), "{name}");
        assert_eq!(shown(&[copy(&last, "a"), copy(&early, "b")]), Some(expected), "{name}");
    }
    assert!(seen > 15, "{seen}");
}

/// Missing files never cause an invented state: omitting a file removes facts, and never changes the state to another
/// known one.
#[test]
fn any_part_of_a_directory_is_read() {
    for name in runs() {
        let folder = folder().join("runs").join(&name);
        let files = fold(&rows(&folder.join("writes.ndjson")), u64::MAX);
        let row = rows::<Expected>(&folder.join("expected.ndjson")).into_iter().next_back().unwrap();
        let now = row.now.as_deref().map_or(Millis(0.0), at);
        let whole = read(&files, now, None);
        for left_out in files.keys() {
            let mut part = files.clone();
            part.remove(left_out);
            let run = read(&part, now, None);
            let expected = if left_out == "status.json" { "unknown" } else { state(&whole) };
            assert_eq!(state(&run), expected, "{name} without {left_out}");
        }
        for (alone, bytes) in &files {
            let run = read(&BTreeMap::from([(alone.clone(), bytes.clone())]), now, None);
            let expected = if alone == "status.json" { state(&whole) } else { "unknown" };
            assert_eq!(state(&run), expected, "{name}: {alone} alone");
            let clean = run.terminal.is_some_and(|terminal| terminal.exit.clean == Some(true));
            assert!(!clean, "{name}: {alone} alone says that the exit was clean");
        }
    }
}

fn state(run: &ConductorRun) -> &'static str {
    Vocabulary::as_str(run.state)
}

/// Whoever reads while the file is written sees a beginning of it, and must not take that for a state.
#[test]
fn no_beginning_of_a_status_is_a_state() {
    let folder = folder().join("runs/missing-route-exception/run");
    let status = std::fs::read(folder.join("status.json")).unwrap();
    let now = at("2026-11-21T20:41:00Z");
    for end in 0..status.len() {
        let file = File { name: Some("status.json"), bytes: &status[..end] };
        let run = read_run_directory(&[file], now, None).unwrap();
        assert_eq!((state(&run), run.problems.texts().len()), ("unknown", 1), "{end}");
        assert_eq!(run.unknown_reason.map(Vocabulary::as_str), Some("status-unreadable"), "{end}");
    }
    let whole = read_run_directory(&[File { name: Some("status.json"), bytes: &status }], now, None).unwrap();
    assert_eq!(state(&whole), "failed");
}

#[test]
fn no_beginning_of_the_events_changes_the_state_or_makes_an_exit_clean() {
    let folder = folder().join("runs/custom-stop-id/run");
    let mut files = files_under(&folder);
    let events = files["events.ndjson"].clone();
    let now = at("2026-11-21T20:45:00Z");
    let mut clean = 0;
    for end in 0..=events.len() {
        files.insert("events.ndjson".into(), events[..end].to_vec());
        let run = read(&files, now, None);
        assert_eq!(state(&run), "succeeded");
        let exit = run.terminal.unwrap().exit;
        assert_ne!(exit.clean, Some(false), "{end}");
        clean += usize::from(exit.clean == Some(true));
        assert!(exit.clean.is_none() || end + 400 > events.len(), "{end}");
    }
    assert!(clean > 1);
}

#[test]
fn bytes_that_are_no_text_are_told_and_lose_their_own_file_alone() {
    let status = std::fs::read(folder().join("malformed/events-absent/status.json")).unwrap();
    let now = at("2026-11-21T20:40:39Z");
    let files = [
        File { name: Some("status.json"), bytes: &status },
        File { name: Some("metadata.json"), bytes: b"{\"run_id\": \"\xff\"}" },
        File { name: Some("events.ndjson"), bytes: b"\xfe\xff\n{\"event_type\":7}\n" },
    ];
    let run = read_run_directory(&files, now, None).unwrap();
    assert_eq!(state(&run), "running");
    let problems: Vec<String> = run.problems.texts();
    assert_eq!(
        problems,
        [
            "metadata.json, line 1, column 13: The text is not UTF-8.",
            "events.ndjson, line 1, column 1: The line is not UTF-8. Line omitted.",
            "events.ndjson, line 2, column 15: Expected an event type as text, found the number 7. Line omitted.",
        ]
    );
    let cut = [File { name: Some("status.json"), bytes: b"{\"run_id\": \"\xff\"}" }];
    assert_eq!(state(&read_run_directory(&cut, now, None).unwrap()), "unknown");
}

/// At every time of every life, the header has a sentence, is green only after a clean exit, and survives serde.
#[test]
fn every_moment_has_an_honest_header() {
    for name in runs() {
        let writes: Vec<Write> = rows(&folder().join("runs").join(&name).join("writes.ndjson"));
        for row in rows::<Expected>(&folder().join("runs").join(&name).join("expected.ndjson")) {
            let now = row.now.as_deref().map_or(Millis(0.0), at);
            let run = read(&fold(&writes, row.after_seq.unwrap_or(u64::MAX)), now, None);
            let header = run_header(&run, &Freshness::Recorded { at: run.updated_at }, now);
            let clean = row.view["terminal"]["exit_clean"] == true;
            assert_eq!(header.answer.tone == Tone::Success, clean, "{name}");
            assert!(text(&header.answer.sentence).ends_with('.'), "{name}: {header:?}");
            assert!(!text(&header.answer.because).is_empty(), "{name}: {header:?}");
            assert_eq!(header.state.as_deref(), row.view["state"].as_str());
            assert_eq!(
                serde_json::from_str::<Header>(&serde_json::to_string(&header).unwrap()).unwrap(),
                header
            );
        }
    }
}

/// The last route of each captured life, whenever it is another one: `step (outcome) → next, attempt`.
fn routes(name: &str) -> Vec<String> {
    let writes: Vec<Write> = rows(&folder().join("runs").join(name).join("writes.ndjson"));
    let mut routes = Vec::new();
    for write in &writes {
        let run = read(&fold(&writes, write.seq), Millis(0.0), None);
        let Some(route) = run.last_route else { continue };
        let step = route.step_id.unwrap_or_default();
        let outcome = route.status.unwrap_or_default();
        let text =
            format!("{step} ({outcome}) → {}, {}", route.next_step_id, route.attempt.unwrap_or_default());
        if routes.last() != Some(&text) {
            routes.push(text);
        }
    }
    routes
}

#[test]
fn the_last_route_is_known_while_the_next_step_runs() {
    assert_eq!(
        routes("validation-fail-fix-loop"),
        [
            "implement (completed) → validate, 1",
            "validate (error) → fix, 1",
            "fix (completed) → validate, 2",
            "validate (completed) → STOP, 1"
        ]
    );
    assert_eq!(
        routes("evaluate-partial-revision-loop"),
        [
            "implement (completed) → validate, 1",
            "validate (error) → assess, 1",
            "assess (partial) → fix, 1",
            "fix (completed) → validate, 2",
            "validate (completed) → assess, 2",
            "assess (success) → STOP, 1"
        ]
    );
    assert_eq!(
        routes("gate-rejected-then-fix"),
        [
            "implement (completed) → validate, 1",
            "validate (error) → assess, 1",
            "assess (needs_human) → final_review, 1",
            "final_review (gate_rejected) → fix, 1",
            "fix (completed) → validate, 2",
            "validate (completed) → assess, 2",
            "assess (success) → final_review, 2",
            "final_review (gate_approved) → STOP, 1"
        ]
    );
}

proptest::proptest! {
    /// Any file contents give an answer with a header, and never an end that the files do not declare.
    #[test]
    fn no_bytes_make_it_panic(
        (which, kept) in (0usize..6, 0usize..9_000),
        flips in proptest::collection::vec((0usize..12_000, proptest::num::u8::ANY), 0..6),
        directory in proptest::option::of("[0-9TZ]{0,16}"),
        millis in proptest::num::f64::ANY,
    ) {
        let mut files = files_under(&folder().join("malformed/metadata-ended-status-running"));
        for (turn, (at, byte)) in flips.iter().enumerate() {
            let count = files.len();
            let bytes = files.values_mut().nth(turn % count).unwrap();
            let at = at % bytes.len();
            bytes[at] = *byte;
        }
        if let Some(bytes) = files.values_mut().nth(which) {
            bytes.truncate(kept);
        }
        let given: Vec<File<'_>> = files.iter().map(|(name, bytes)| File { name: Some(name), bytes }).collect();
        let now = Millis(millis);
        match read_run_directory(&given, now, directory.as_deref()) {
            Ok(run) => {
                let header = run_header(&run, &Freshness::Recorded { at: run.updated_at }, now);
                let json = serde_json::to_string(&header).unwrap();
                // A time that is not finite has no JSON form, so it is not read back.
                assert!(!millis.is_finite() || serde_json::from_str::<Header>(&json).unwrap() == header);
                assert!(run.terminal.is_none_or(|end| end.exit.clean != Some(true)));
            }
            Err(error) => assert_eq!(error.code, ErrorCode::InvalidInput),
        }
    }
}
