//! A log that is read in pieces equals the whole file at its end; before that, it has no state.

use super::damage;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use damage::{Random, damage};
use runstate::file::File;
use runstate::ingest::{Document, Incoming, open};
use runstate::summary::text;
use runstate::time::Millis;
use runstate::viewer::{DocumentSource, Update, Viewer};

const NOW: Millis = Millis(1_795_300_000_000.0);
/// Above the size that is read as a whole, bytes.
const LARGE: u64 = 16 * 1024 * 1024 + 1;

fn vectors(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors").join(name)
}

fn event(kind: &str, run: &str, at: u32, more: &str) -> String {
    format!("{{\"type\":\"{kind}\",\"runId\":\"{run}\",{more}\"timestampMs\":{at}}}\n")
}

/// Other lines that may occur in a log, some valid and some refused.
const OTHERS: &str = concat!(
    "{\"session_id\":\"s1\",\"status\":\"completed\",\"invocation_kind\":\"agent\"}\n",
    "{\"runId\":\"r\",\"status\":\"failed\"}\n",
    "{\"runId\":7,\"status\":\"failed\"}\n",
    "{\"hello\":\"world\"}\n",
);

/// A run of so many nodes that ends.
fn run_of(nodes: u32) -> String {
    let node = |number: u32| {
        let of_node = format!("\"nodeId\":\"n{number}\",\"iteration\":0,\"attempt\":1,");
        event("NodeStarted", "r", 10 * number + 2, &of_node)
            + &event("NodeFinished", "r", 10 * number + 5, &of_node)
    };
    let middle: String = (0..nodes).map(node).collect();
    event("RunStarted", "r", 1, "") + &middle + &event("RunFinished", "r", 10 * nodes + 10, "")
}

/// Everything that a document shows.
fn shown(mut document: Document) -> (Vec<Update>, String) {
    let mut beside = format!("{:?} {:?}", document.kind(), document.problems().texts());
    for row in 0..document.rows().len() {
        let header = document.header(Some(row), NOW);
        write!(beside, "{header:?}").unwrap();
    }
    for log in document.logs() {
        write!(beside, "{:?} {:?} {:?}", log.counts(), log.types(), log.problems()).unwrap();
    }
    (Viewer::new(DocumentSource::new(document, "log")).updates(NOW), beside)
}

/// Reads a file in pieces of a size after a beginning. `None` if the beginning is not recognised as that of a log.
fn in_pieces(name: &str, bytes: &[u8], first: usize, size: usize) -> Option<Document> {
    let (first, rest) = bytes.split_at(first.min(bytes.len()));
    // The file is read like the end of a large file, because a small one is read as a whole.
    let mut incoming = Incoming::begin(Some(name), first, LARGE, NOW)?;
    for piece in rest.chunks(size) {
        assert_eq!(incoming.header(NOW).state.as_deref(), Some("unknown"), "{name}");
        incoming.push(piece);
    }
    incoming.finish()
}

fn whole(name: &str, bytes: &[u8]) -> Document {
    open(&[File { name: Some(name), bytes }], NOW).unwrap_or_else(|error| panic!("{name}: {error:?}"))
}

/// Compares a file in pieces with the whole file, for beginnings of many lengths; returns how many of them were
/// accepted.
fn agrees(name: &str, bytes: &[u8]) -> usize {
    // In a small file lines of tnh-conductor are taken out.
    let holds = |key: &str| bytes.windows(key.len()).any(|part| part == key.as_bytes());
    if holds("\"event_type\"") || holds("\"lifecycle_state\"") {
        return 0;
    }
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let ends: Vec<usize> = ends.collect();
    let firsts =
        ends.iter().step_by(1 + ends.len() / 5).flat_map(|end| [*end, end + 7]).chain([bytes.len() / 2]);
    let mut began = 0;
    for (number, first) in firsts.enumerate() {
        if let Some(document) = in_pieces(name, bytes, first, [1 << 16, 777, 4096][number % 3]) {
            assert_eq!(shown(document), shown(whole(name, bytes)), "{name}, after {first} bytes");
            began += 1;
        }
    }
    began
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

#[test]
fn every_captured_file_is_what_it_is_as_a_whole() {
    let mut found = Vec::new();
    files(&vectors(""), &mut found);
    let mut began = 0;
    for path in found {
        let bytes = fs::read(&path).unwrap();
        // File names determine which files form one run directory, so all are given the same name.
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        began += usize::from(agrees(&name, &bytes) > 0);
    }
    assert!(began >= 10, "{began} files began as logs");
}

#[test]
fn damaged_logs_are_what_they_are_as_a_whole() {
    let log = fs::read(vectors("smithers/logs/stream/steps-a.ndjson")).unwrap();
    let mut random = Random(7);
    let mut began = 0;
    for _ in 0..20 {
        let mut bytes = log.clone();
        damage(
            &mut bytes,
            &[b"\r\n", b"\n\n", b"\xef\xbb\xbf", b"{\"log\":1}\n", b"RunStarted"],
            &mut random,
        );
        began += agrees("damaged.ndjson", &bytes);
    }
    assert!(began > 60, "{began}");
}

#[test]
fn lines_that_cannot_be_read_are_named_with_their_place_in_the_whole_file() {
    let mut lines: Vec<String> = run_of(500).lines().map(|line| line.to_owned() + "\n").collect();
    lines.insert(700, "oops\n".into());
    lines.insert(900, "{\"type\":\"NodeStarted\",\"runId\":\"r\",\"timestampMs\":1}\n".into());
    let text = lines.concat();
    assert!(agrees("events.ndjson", text.as_bytes()) > 5);
    let document = in_pieces("events.ndjson", text.as_bytes(), 10_000, 5_000).unwrap();
    let problems = document.problems().texts();
    let places: Vec<&str> =
        problems.iter().filter_map(|it| it.split_once(", column")).map(|it| it.0).collect();
    assert_eq!(places, ["events.ndjson, line 701", "events.ndjson, line 901"]);
    assert_eq!(document.header(None, NOW).unwrap().state.as_deref(), Some("succeeded"));
}

#[test]
fn logs_of_many_shapes_are_what_they_are_as_a_whole() {
    let several: String =
        (0..60).map(|number| event("RunStarted", &format!("r{}", number % 7), number, "")).collect();
    let shapes = [
        ("with a mark", "\u{feff}".to_owned() + &run_of(40)),
        ("ended lines of Windows", run_of(40).replace('\n', "\r\n")),
        ("no newline at the end", run_of(40).trim_end().to_owned()),
        ("cut off in a line", run_of(40)[..4_000].to_owned()),
        ("letters of several bytes", run_of(40).replace("\"n1", "\"ü-🚀-1")),
        ("out of order", run_of(40).lines().rev().map(|line| line.to_owned() + "\n").collect()),
        ("twice the same", run_of(40).repeat(2)),
        ("several runs", several),
        ("rows of other systems between", run_of(40) + OTHERS + &run_of(50)[3_000..]),
        ("a stray beginning", "oops\n\n".to_owned() + &run_of(40)),
    ];
    for (what, text) in shapes {
        assert!(agrees(what, text.as_bytes()) > 3, "{what}");
    }
    let mut bytes = run_of(40).into_bytes();
    bytes[3_000] = 0xff;
    assert!(agrees("not UTF-8", &bytes) > 3);
}

#[test]
fn nothing_but_a_log_begins() {
    let log = run_of(40);
    let listed: Vec<String> = log.lines().map(|line| format!("\n{line}\n,")).collect();
    let conductor =
        "{\"run_id\":\"x\",\"step_id\":\"s\",\"event_type\":\"step_started\"}\n".to_owned() + &log;
    let utf16: Vec<u8> = log.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let refused: [(&str, Vec<u8>); 12] = [
        ("nothing", Vec::new()),
        ("blank lines", b"\n".repeat(50)),
        ("one value", b"{\"runId\":\"r\",\"state\":\"running\"}\n".to_vec()),
        ("a value over many lines", format!("{{\n{}\n}}", "\"a\":1,\n".repeat(40)).into_bytes()),
        ("a list with an event a line", format!("[{}", listed.concat()).into_bytes()),
        ("rows", b"{\"runId\":\"r\",\"status\":\"failed\"}\n".repeat(50)),
        ("another system's events", conductor.into_bytes()),
        ("UTF-16", utf16),
        ("gzip", [&[0x1f, 0x8b, 8, 0][..], log.as_bytes()].concat()),
        ("too few lines", log.lines().take(19).collect::<Vec<_>>().join("\n").into_bytes()),
        ("a HAR file", ["{\"log\":{}}\n", &log].concat().into_bytes()),
        (
            "events without what their type has",
            "{\"type\":\"NodeStarted\",\"runId\":\"r\",\"timestampMs\":1}\n".repeat(50).into_bytes(),
        ),
    ];
    for (what, first) in refused {
        assert!(Incoming::begin(None, &first, 90_000_000, NOW).is_none(), "{what}");
    }
    assert!(Incoming::begin(None, log.as_bytes(), LARGE, NOW).is_some());
    assert!(Incoming::begin(None, log.as_bytes(), LARGE - 1, NOW).is_none(), "a small file");
}

#[test]
fn a_part_of_a_log_tells_who_it_is_about_and_no_state() {
    let log = run_of(20_000);
    let size = 6 * log.len() as u64;
    let mut incoming = Incoming::begin(Some("big.ndjson"), log.as_bytes(), size, NOW).unwrap();
    let header = incoming.header(NOW);
    assert_eq!((header.name.as_str(), header.state.as_deref()), ("r", Some("unknown")));
    assert_eq!(
        text(&header.answer.sentence),
        "Read 3 of 24 MB. The state of the run is shown once the whole log has been read."
    );
    assert!(text(&header.answer.meta).starts_with("40\u{202f}002 events so far, the last one of "));
    assert_eq!(text(&header.answer.because), "Why: log read: 3 of 24 MB (event log big.ndjson)");
    assert!(header.actions.is_empty() && header.answer.notes.is_empty());
    assert!(header.fields.iter().any(|field| field.field == "startedAt"));
    let words = incoming.break_off();
    assert_eq!(
        words,
        "The browser could not read big.ndjson beyond 3 of 24 MB. It may have been moved or changed; choose it again."
    );
    let header = incoming.header(NOW);
    assert_eq!(header.state.as_deref(), Some("unknown"));
    assert_eq!(
        text(&header.answer.sentence),
        "Only the first 3 of 24 MB could be read. What the run is doing is not known."
    );
    // Of several runs none is in view.
    let other = event("RunStarted", "other", 5, "");
    incoming.push(other.as_bytes());
    let header = incoming.header(NOW);
    assert_eq!(header.name, "2 runs");
    assert!(header.fields.iter().all(|field| field.field != "runId" && field.field != "startedAt"));
}

#[test]
fn a_log_shows_its_state_once_it_has_been_read() {
    let log = run_of(100) + &" ".repeat(LARGE as usize);
    let (first, rest) = log.as_bytes().split_at(5_000);
    let begin = || Incoming::begin(Some("e.ndjson"), first, log.len() as u64, NOW).unwrap();
    let state = |updates: Vec<Update>| {
        updates.into_iter().find_map(|update| match update {
            Update::Header(header) => header.and_then(|header| header.state),
            _ => None,
        })
    };
    let mut viewer = Viewer::new(DocumentSource::reading(begin(), "e.ndjson"));
    assert_eq!(state(viewer.updates(NOW)).as_deref(), Some("unknown"));
    assert!(!viewer.document().unwrap().push(rest));
    let updates = viewer.updates(NOW);
    let text = "e.ndjson has been read to its end. Run state: succeeded. Finished in 1.0 s.";
    assert!(updates.contains(&Update::Announce(text.into())), "{updates:?}");
    assert_eq!(state(updates).as_deref(), Some("succeeded"));
    assert!(!viewer.document().unwrap().push(rest), "a document takes no bytes");
    assert!(viewer.updates(NOW).is_empty());

    let mut viewer = Viewer::new(DocumentSource::reading(begin(), "e.ndjson"));
    viewer.updates(NOW);
    viewer.document().unwrap().break_off();
    assert!(!viewer.document().unwrap().push(rest), "its rest cannot be read");
    let updates = viewer.updates(NOW);
    let named = |update: &Update| matches!(update, Update::Status(status) if status.problems.iter().any(|it| it.contains("could not read e.ndjson")));
    assert!(updates.iter().any(named), "{updates:?}");
    assert_eq!(state(updates).as_deref(), Some("unknown"));
}
