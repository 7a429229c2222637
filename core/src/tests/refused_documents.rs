//! Documents that are refused: each with a code, a sentence and, if there is one, the position.

use super::damage;
use super::growth::grows_linearly;
use super::vectors;

use damage::{Random, damage};
use runstate::ingest::{DocumentError, inspect};
use runstate::time::Millis;
use runstate::word::Vocabulary;

const NOW: Millis = Millis(1_795_296_600_000.0);

fn refused(bytes: &[u8]) -> DocumentError {
    match inspect(bytes, Some("x.json"), NOW) {
        Err(error) => error,
        Ok(found) => panic!("read as {:?}: {}", found.kind, String::from_utf8_lossy(bytes)),
    }
}

fn capture(name: &str) -> String {
    vectors::text(&format!("captures/{name}"))
}

/// Text, code, position (line, column), and a part of the message.
type Case<'a> = (&'a str, &'a str, Option<(usize, usize)>, &'a str);

fn check(cases: &[Case<'_>]) {
    for (text, code, place, part) in cases {
        let error = refused(text.as_bytes());
        let found = error.position.as_ref().map(|position| (position.line, position.column));
        assert_eq!((error.code.as_str(), found), (*code, *place), "{text}: {error}");
        assert!(error.message.contains(part), "{text}: {error}");
        assert!(error.message.ends_with('.'), "{text}: {error}");
    }
}

#[test]
fn broken_json_has_a_line_and_a_column() {
    check(&[
        ("{", "NOT_JSON", Some((1, 2)), "Expected a key in quotes, found the end of the text"),
        ("[", "NOT_JSON", Some((1, 2)), "Expected a value, found the end of the text"),
        (
            "{\n  \"runId\": \"r\",\n  \"state\" \"x\"\n}",
            "NOT_JSON",
            Some((3, 11)),
            "Expected `:` after the key, found `\"`",
        ),
        ("{\"ü\":\"日本\", oops}", "NOT_JSON", Some((1, 12)), "Expected a key in quotes, found `o`"),
        ("{\"a\":1,}", "NOT_JSON", Some((1, 8)), "found `}`"),
        ("[1,]", "NOT_JSON", Some((1, 4)), "Expected a value, found `]`"),
        ("{\"a\":1 \"b\":2}", "NOT_JSON", Some((1, 8)), "Expected `,` or `}`"),
        ("[1}", "NOT_JSON", Some((1, 3)), "Expected `,` or `]`, found `}`"),
        ("{'a':1}", "NOT_JSON", Some((1, 2)), "found `'`"),
        ("{a:1}", "NOT_JSON", Some((1, 2)), "Expected a key in quotes, found `a`"),
        ("{\"a\":undefined}", "NOT_JSON", Some((1, 6)), "found `u`"),
        ("{\"a\":NaN}", "NOT_JSON", Some((1, 6)), "found `N`"),
        ("{\"a\":tru}", "NOT_JSON", Some((1, 6)), "Expected a value"),
        ("{\"a\":01}", "NOT_JSON", Some((1, 7)), "Expected `,` or `}`, found `1`"),
        ("{\"a\":1.}", "NOT_JSON", Some((1, 8)), "Expected a digit"),
        ("{\"a\":-}", "NOT_JSON", Some((1, 7)), "Expected a digit"),
        ("{\"a\":1e+}", "NOT_JSON", Some((1, 9)), "Expected a digit"),
        ("{\"a\":+1}", "NOT_JSON", Some((1, 6)), "found `+`"),
        ("{\"a\":\"\\x\"}", "NOT_JSON", Some((1, 7)), "Expected an escape"),
        ("{\"a\":\"\\u12g4\"}", "NOT_JSON", Some((1, 7)), "Expected an escape"),
        ("{\"a\":\"b\nc\"}", "NOT_JSON", Some((1, 8)), "found the control character U+000A"),
        ("{\"a\":\"b\0c\"}", "NOT_JSON", Some((1, 8)), "found the control character U+0000"),
        ("{\0}", "NOT_JSON", Some((1, 2)), "found the control character U+0000"),
        (
            "{\"a\":1}}",
            "NOT_JSON",
            Some((1, 8)),
            "Expected the end of the text after the JSON value, found `}`",
        ),
        ("{\"a\":1} // note", "NOT_JSON", Some((1, 9)), "found `/`"),
        ("/* c */ {}", "NOT_JSON", Some((1, 1)), "plain text"),
        ("\u{feff}{\"a\" 1}", "NOT_JSON", Some((1, 6)), "Expected `:`"),
    ]);
    let cut_off = refused(br#"{"runId":"r","#);
    assert!(cut_off.hint.is_some_and(|hint| hint.contains("cut off")));
}

#[test]
fn what_is_no_json_object_is_named() {
    check(&[
        ("", "EMPTY_INPUT", None, "empty"),
        (" \r\n\t ", "EMPTY_INPUT", None, "empty"),
        ("\u{feff}", "EMPTY_INPUT", None, "empty"),
        ("\u{feff}\n", "EMPTY_INPUT", None, "empty"),
        ("<!DOCTYPE html><html><title>Sign in</title>", "NOT_JSON", Some((1, 1)), "an HTML page"),
        ("\n <html lang=\"en\">", "NOT_JSON", Some((2, 2)), "an HTML page"),
        ("<?xml version=\"1.0\"?><a/>", "NOT_JSON", Some((1, 1)), "markup"),
        ("hello", "NOT_JSON", Some((1, 1)), "plain text"),
        ("2026-01-01 run started", "NOT_JSON", Some((1, 1)), "plain text"),
        ("true story", "NOT_JSON", Some((1, 1)), "plain text"),
        ("\0\0\0", "NOT_JSON", Some((1, 1)), "plain text"),
        ("\u{202e}\u{1f600}", "NOT_JSON", Some((1, 1)), "plain text"),
        ("null", "NOT_RECOGNISED", Some((1, 1)), "only null"),
        ("42", "NOT_RECOGNISED", Some((1, 1)), "only the number 42"),
        ("\"running\"", "NOT_RECOGNISED", Some((1, 1)), "only text \"running\""),
    ]);
    for (bytes, part) in [
        (&b"SQLite format 3\0rest"[..], "an SQLite database"),
        (&[0x1f, 0x8b, 8, 0], "The gzip file is damaged"),
        (b"PK\x03\x04", "a zip file"),
        (b"\x89PNG\r\n", "a PNG image"),
        (&[0xff, 0xfe, b'{', 0], "Expected a key in quotes"),
    ] {
        let error = refused(bytes);
        assert!(error.code.as_str() == "NOT_JSON" && error.message.contains(part), "{error}");
    }
}

#[test]
fn json_of_something_else_is_named_by_what_was_seen() {
    check(&[
        ("{}", "NOT_RECOGNISED", Some((1, 1)), "an empty JSON object"),
        ("[]", "NOT_RECOGNISED", Some((1, 1)), "an empty JSON list"),
        ("[1,2]", "NOT_RECOGNISED", Some((1, 1)), "a JSON list that starts with the number 1"),
        ("[{\"a\":1}]", "NOT_RECOGNISED", Some((1, 1)), "objects with the keys \"a\""),
        ("{\"a\":1,\"b\":2}", "NOT_RECOGNISED", Some((1, 1)), "the keys \"a\", \"b\""),
        ("{\"<script>\":1}", "NOT_RECOGNISED", Some((1, 1)), "\"<script>\""),
        ("{\"a\":1}\n{\"a\":2}\n", "NOT_RECOGNISED", Some((2, 1)), "NDJSON"),
        ("{\"log\":{\"version\":\"1.2\",\"entries\":[]}}", "NOT_RECOGNISED", Some((1, 35)), "HAR"),
        (
            "{\"version\":1,\"baseSeq\":1,\"seq\":2,\"ops\":[]}",
            "NOT_RECOGNISED",
            Some((1, 1)),
            "a DevTools delta",
        ),
        (
            "{\"type\":\"event\",\"event\":\"tick\",\"payload\":{\"ts\":1}}",
            "NOT_RECOGNISED",
            Some((1, 1)),
            "\"tick\" event",
        ),
        ("{\"runs\":[]}", "NOT_RECOGNISED", Some((1, 1)), "a list of runs without one"),
        ("{\"session_id\":\"s\",\"status\":\"running\"}", "NOT_RECOGNISED", None, "of lionagi"),
        ("[{\"nodeId\":\"a\",\"state\":\"pending\"}]", "NOT_RECOGNISED", Some((1, 1)), "node states"),
        (
            "{\"type\":\"req\",\"id\":\"1\",\"method\":\"getRun\"}",
            "NOT_RECOGNISED",
            Some((1, 1)),
            "\"method\"",
        ),
        ("{\"type\":\"res\",\"id\":\"1\",\"ok\":true}", "NOT_RECOGNISED", Some((1, 1)), "\"ok\""),
        ("{\"ok\":true,\"payload\":5}", "NOT_RECOGNISED", Some((1, 22)), "only the number 5"),
        (
            "{\"request\":{},\"response\":{\"status\":200,\"bodyText\":\"<html>\"}}",
            "NOT_RECOGNISED",
            Some((1, 51)),
            "not JSON",
        ),
    ]);
}

const ROOT: &str = r#"{"id":1,"type":"workflow","name":"w","props":{},"children":[],"depth":0}"#;

#[test]
fn known_documents_with_wrong_content_say_where() {
    let view = |rest: &str| format!(r#"{{"runId":"r","computedAt":"t","state":"stale"{rest}}}"#);
    let snapshot = |from: &str, to: &str| {
        format!(r#"{{"version":1,"runId":"r","frameNo":1,"seq":1,"root":{ROOT}}}"#).replacen(from, to, 1)
    };
    for (text, part, path) in [
        (r#"{"runId":"r","state":"running"}"#.to_owned(), "no \"computedAt\"", None),
        (
            r#"{"runId":7,"computedAt":"t","state":"running"}"#.to_owned(),
            "Expected text, found the number 7.",
            Some("runId"),
        ),
        (r#"{"runId":"r","computedAt":"t","state":5}"#.to_owned(), "run state as text", Some("state")),
        (r#"{"runId":"r","computedAt":"t","state":null}"#.to_owned(), "run state as text", Some("state")),
        (view(r#","state":"stale""#), "The key \"state\" occurs twice", Some("state")),
        (r#"{"runId":"r","status":5}"#.to_owned(), "run status as text", Some("status")),
        (
            r#"{"runId":"r","status":"running","x":{"a":[{"b":1,"b":2}]}}"#.to_owned(),
            "twice",
            Some("x.a[0].b"),
        ),
        (r#"{"runId":"r","status":"x","a\u0062":1,"ab":2}"#.to_owned(), "twice", Some("ab")),
        (snapshot("\"version\":1", "\"version\":2"), "version 1, found version 2", Some("version")),
        (snapshot("\"version\":1,", ""), "found no version", None),
        (snapshot("\"version\":1", "\"version\":\"1\""), "version", Some("version")),
        (snapshot("\"frameNo\":1", "\"frameNo\":\"x\""), "Expected a number, found text", Some("frameNo")),
        (snapshot("\"frameNo\":1,", ""), "no \"frameNo\"", None),
        (snapshot("\"runId\":\"r\"", "\"runId\":null"), "a run id as text", Some("runId")),
        (snapshot(ROOT, "null"), "Expected a node (an object), found null", Some("root")),
        (snapshot(ROOT, "[]"), "Expected a node (an object), found a list", Some("root")),
        (snapshot(ROOT, "{}"), "The node has no \"id\"", Some("root")),
        (snapshot("\"id\":1", "\"id\":\"1\""), "node id as a whole number", Some("root.id")),
        (snapshot("\"id\":1", "\"id\":1208925819614629174706176"), "node id", Some("root.id")),
        (snapshot("\"id\":1", "\"id\":1e400"), "node id", Some("root.id")),
    ] {
        let error = refused(text.as_bytes());
        assert_eq!(error.code.as_str(), "INVALID_INPUT", "{text}: {error}");
        assert!(error.message.contains(part), "{text}: {error}");
        assert_eq!(error.position.unwrap().path.as_deref(), path, "{text}");
    }
}

#[test]
fn fields_of_another_type_are_absent_and_say_where() {
    let view = |rest: &str| {
        format!(r#"{{"runId":"r","computedAt":"2026-11-21T14:06:08.000Z","state":"stale"{rest}}}"#)
    };
    let snapshot = |from: &str, to: &str| {
        format!(r#"{{"version":1,"runId":"r","frameNo":1,"seq":1,"root":{ROOT}}}"#).replacen(from, to, 1)
    };
    for (text, part, path) in [
        (view(r#","blocked":"approval""#), "", "blocked"),
        (view(r#","blocked":{"kind":"approval"}"#), "missing field `nodeId`", "blocked"),
        (view(r#","blocked":{}"#), "`kind` is missing", "blocked"),
        (
            view(r#","unhealthy":{"kind":"timer-overdue","wakeAt":"t","overdueMs":"soon"}"#),
            "Expected a number, found text \"soon\"",
            "unhealthy.overdueMs",
        ),
        (
            r#"{"runId":"r","status":"running","heartbeatAtMs":"now"}"#.to_owned(),
            "Expected a number, found text",
            "heartbeatAtMs",
        ),
        (
            r#"{"runId":"r","status":"running","heartbeatAtMs":1e400}"#.to_owned(),
            "out of range",
            "heartbeatAtMs",
        ),
        (
            r#"{"runId":"r","status":"running","summary":{"failed":-1}}"#.to_owned(),
            "Expected a whole number from 0, found the number -1",
            "summary.failed",
        ),
        (snapshot("\"children\":[]", "\"children\":{}"), "a list of nodes", "root.children"),
        (snapshot("\"props\":{}", "\"props\":7"), "an object of properties", "root.props"),
        (
            snapshot("\"props\":{}", "\"props\":{},\"task\":{\"nodeId\":1}"),
            "Expected text, found the number 1",
            "root.task.nodeId",
        ),
    ] {
        let inspection = inspect(text.as_bytes(), None, NOW).unwrap();
        let [problem] = inspection.problems.listed() else { panic!("{text}: {:?}", inspection.problems) };
        assert!(problem.message.contains(part), "{text}: {problem}");
        assert!(problem.message.starts_with(&format!("`{path}`: ")), "{text}: {problem}");
        assert_eq!(problem.position.as_ref().unwrap().path.as_deref(), Some(path), "{text}");
    }
}

#[test]
fn text_that_is_not_utf8_says_where() {
    let error = refused(b"{\n \"\xc3\xbc\": \"\xff\"}");
    let position = error.position.unwrap();
    assert_eq!((error.code.as_str(), position.line, position.column), ("INVALID_UTF8", 2, 8));
    assert!(error.message.contains("0xFF"));
    assert_eq!(refused(b"{\"a\":\"\xe2\x82").code.as_str(), "INVALID_UTF8");
    assert_eq!(refused(b"{\"a\":\"\xed\xa0\x80\"}").code.as_str(), "INVALID_UTF8");
}

#[test]
fn deep_nesting_is_refused_without_recursion() {
    for depth in [1201, 100_000, 2_000_000] {
        for (open, start) in
            [("[", ""), ("{\"a\":", ""), ("[", "{\"runId\":\"r\",\"status\":\"running\",\"x\":")]
        {
            let error = refused((start.to_owned() + &open.repeat(depth)).as_bytes());
            assert_eq!(error.code.as_str(), "TOO_DEEP", "{error}");
        }
    }
    let nested = |depth: usize| {
        let open = r#"{"id":1,"type":"sequence","name":"s","children":["#.repeat(depth);
        let root = format!(r#"{open}{{"id":2,"type":"task","name":"t"}}{}"#, "]}".repeat(depth));
        format!(
            r#"{{"type":"res","ok":true,"payload":{{"version":1,"runId":"r","frameNo":1,"seq":1,"root":{root}}}}}"#
        )
    };
    assert!(inspect(nested(257).as_bytes(), None, NOW).is_ok());
    let error = refused(nested(258).as_bytes());
    assert_eq!(error.code.as_str(), "TOO_DEEP");
    assert!(error.position.unwrap().path.unwrap().starts_with("payload.root.children[0].children[0]"));
    let props = format!(r#"{{"a":{}1{}}}"#, "[".repeat(1000), "]".repeat(1000));
    let text =
        format!(r#"{{"version":1,"runId":"r","frameNo":1,"seq":1,"root":{}}}"#, ROOT.replace("{}", &props));
    assert!(inspect(text.as_bytes(), None, NOW).is_ok());
}

#[test]
fn every_cut_before_the_run_is_refused_at_its_end() {
    // The number of twentieths of each document that contain nothing about a run; cut_off.rs has the others.
    for (name, parts) in [
        ("runs/approval-a/rpc-getDevToolsSnapshot-waiting.json", 5),
        ("runs/fail-a/rpc-runs.get.json", 3),
        ("cli/inspect-fail-a.json", 8),
    ] {
        let text = capture(name);
        let cut = |part: usize| {
            let mut end = text.trim_end().len() * part / 20;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            &text[..end]
        };
        for part in 1..=parts {
            let error = refused(cut(part).as_bytes());
            assert_eq!(error.code.as_str(), "NOT_JSON", "{name} {part}: {error}");
            assert!(error.hint.unwrap().contains("cut off"), "{name} {part}: {}", error.message);
            let position = error.position.unwrap();
            assert!(position.line >= cut(part).matches('\n').count(), "{name} {part}");
        }
        let read = inspect(cut(parts + 1).as_bytes(), None, NOW).unwrap();
        assert!(read.problems.texts()[0].ends_with("found the end of the text."), "{name}");
    }
}

#[test]
fn a_broken_byte_anywhere_is_found_at_its_place() {
    let text = capture("runs/approval-a/rpc-runs.get-waiting.json");
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.contains("\": ")) {
        let mut broken = lines.clone();
        let without_colon = line.replacen("\": ", "\"  ", 1);
        broken[at] = &without_colon;
        let error = refused(broken.join("\n").as_bytes());
        let position = error.position.unwrap();
        assert_eq!((error.code.as_str(), position.line), ("NOT_JSON", at + 1), "{line}");
    }
}

#[test]
fn mutations_are_read_or_refused_and_never_panic() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut read, mut refused) = (0, 0);
    for name in [
        "runs/approval-a/rpc-getDevToolsSnapshot-waiting.json",
        "runs/structure-a/rpc-getDevToolsSnapshot.json",
        "crash/rpc-runs.get-killed-a-3-orphaned.json",
        "cli/inspect-fail-a.json",
        "runs/approval-a/rpc-listRuns-waiting.json",
    ] {
        let original = capture(name).into_bytes();
        for _ in 0..600 {
            let mut bytes = original.clone();
            damage(&mut bytes, &[b"\"runState\":"], &mut random);
            match inspect(&bytes, None, NOW) {
                Ok(_) => read += 1,
                Err(error) => {
                    assert!(!error.message.is_empty());
                    refused += 1;
                }
            }
        }
    }
    assert!(read > 100 && refused > 1000, "{read} read, {refused} refused");
}

#[test]
fn the_time_for_large_refused_documents_grows_linearly() {
    grows_linearly(256 * 1024, |size| {
        let object = format!("{{\"data\":\"{}\"}}", "x".repeat(size));
        assert_eq!(refused(object.as_bytes()).code.as_str(), "NOT_RECOGNISED");
    });
    grows_linearly(64 * 1024, |size| {
        let numbers = format!("[{}0]", "1,".repeat(size / 2));
        assert_eq!(refused(numbers.as_bytes()).code.as_str(), "NOT_RECOGNISED");
    });
    grows_linearly(64 * 1024, |size| {
        let lines = "{\"type\":\"NodeStarted\",\"timestampMs\":1}\n".repeat(size / 40);
        assert!(refused(lines.as_bytes()).message.contains("NDJSON"));
    });
    grows_linearly(256 * 1024, |size| {
        assert_eq!(refused(&vec![b' '; size]).code.as_str(), "EMPTY_INPUT");
    });
    let error = refused(&vec![b'['; runstate::ingest::MAX_BYTES + 1]);
    assert_eq!(error.code.as_str(), "TOO_LARGE");
}
