//! The scanner and the reader of the full grammar return the same rows and the same errors.

use proptest::prelude::*;

use super::{RowScanner, RowSignals, read_lines, read_list, read_row_signals};
use crate::json::{ReadError, Scan};

fn read_with_full_grammar(text: &str) -> Result<Vec<RowSignals<'_>>, ReadError> {
    if text.trim_ascii_start().starts_with('[') { read_list(text) } else { read_lines(text) }
}

const FIELDS: [&str; 58] = [
    r#""runId":"r""#,
    r#""runId":"run-ü🚀""#,
    r#""runId":"a\"\\\u00fc\ud83d\ude80\ud83d""#,
    r#""runId":null"#,
    r#""runId":7"#,
    r#""run_id":"r""#,
    r#""r\u0075nId":"r""#,
    r#""status":"running""#,
    r#""status":"runn\u0069ng""#,
    r#""status":"waiting-quota""#,
    r#""status":"hibernating""#,
    r#""status":null"#,
    r#""status":["running"]"#,
    r#""startedAtMs":1795295439451"#,
    r#""startedAtMs":-1"#,
    r#""startedAtMs":1.5e3"#,
    r#""startedAtMs":999999999999999"#,
    r#""startedAtMs":9007199254740993"#,
    r#""startedAtMs":1e400"#,
    r#""startedAtMs":01"#,
    r#""startedAtMs":"1""#,
    r#""started_at_ms":0"#,
    r#""heartbeatAtMs":null"#,
    r#""heartbeatAtMs":5"#,
    r#""heartbeat_at_ms":5"#,
    r#""heartbeatAtMs":5."#,
    r#""runtimeOwnerId":"pid:7:x""#,
    r#""runtimeOwnerId":"pid:\t7""#,
    r#""runtimeOwnerId":false"#,
    r#""runtime_owner_id":"""#,
    r#""errorJson":"{\"quotaBlockedCount\":2,\"resetAtMs\":5}""#,
    r#""errorJson":{"quotaBlockedCount":2}"#,
    r#""error_json":null"#,
    r#""parentRunId":null"#,
    r#""parentRunId":3"#,
    r#""workflowName":"release-train""#,
    r#""workflow_key":"no column""#,
    r#""workflowKey":"k""#,
    r#""createdAtMs":1"#,
    r#""createdAtMs":true"#,
    r#""finishedAtMs":null"#,
    r#""cancelRequestedAtMs":0"#,
    r#""pause_requested_at_ms":12"#,
    r#""summary":null"#,
    r#""summary":{"finished":2}"#,
    r#""summary":{"finished":-2}"#,
    r#""runState":{"runId":"r","computedAt":"t","state":"running"}"#,
    r#""runState":{}"#,
    r#""failedChildren":0"#,
    r#""failedChildKeys":["a::0"]"#,
    r#""failedChildKeys":[1]"#,
    r#""configJson":"{\"rootDir\":\"/project\"}""#,
    r#""hijackTarget":{"a":[1,-2.5e+3,true,false,null,"\n"],"a":{}}"#,
    r#""hijackTarget":[[],{},[{}]]"#,
    r#""vcsType":tru"#,
    r#""vcsType":"\q""#,
    r#""":"nameless""#,
    r#""vcsRoot":1e+"#,
];

/// A row of such fields, usually with an id, in some layout.
fn row() -> impl Strategy<Value = String> {
    let start =
        prop::sample::select(vec![vec![FIELDS[0], FIELDS[7]], vec![FIELDS[5]], vec![FIELDS[0]], vec![]]);
    let more = prop::collection::vec(prop::sample::select(FIELDS[13..].to_vec()), 0..5);
    let any = prop::collection::vec(prop::sample::select(FIELDS.to_vec()), 0..3);
    let layout = prop::sample::select(vec![("", ""), ("", ""), (" ", "\t"), ("\r", "  ")]);
    (start, more, any, layout).prop_map(|(start, more, any, (before, after))| {
        let fields: Vec<String> = start
            .into_iter()
            .chain(more)
            .chain(any)
            .map(|field| format!("{before}{}{after}", field.replacen(':', &format!("{after}:{before}"), 1)))
            .collect();
        format!("{before}{{{}}}{after}", fields.join(","))
    })
}

/// Similar rows, as a list or as lines.
fn text() -> impl Strategy<Value = String> {
    let rows = (prop::collection::vec(row(), 0..4), 1_usize..3)
        .prop_map(|(rows, times)| rows.iter().flat_map(|row| vec![row.clone(); times]).collect::<Vec<_>>());
    (rows, any::<bool>()).prop_map(
        |(rows, list)| {
            if list { format!("[{}]", rows.join(",")) } else { rows.join("\n") }
        },
    )
}

const LETTERS: [&str; 24] = [
    "", "", "\"", "\\", "{", "}", "[", "]", ",", ":", " ", "\n", "\r", "\u{1}", "0", "-", ".", "e", "n", "u",
    "ü", "🚀", "\u{feff}", "x",
];

/// Rows with some characters replaced.
fn broken() -> impl Strategy<Value = String> {
    let edits =
        prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(LETTERS.to_vec())), 1..3);
    (text(), edits).prop_map(|(text, edits)| {
        let mut letters: Vec<String> = text.chars().map(String::from).collect();
        for (place, letter) in edits {
            if !letters.is_empty() {
                let place = place.index(letters.len());
                letters[place] = letter.to_owned();
            }
        }
        letters.concat()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn both_readers_agree_on_rows(text in text()) {
        prop_assert_eq!(read_row_signals(&text), read_with_full_grammar(&text), "{}", text);
    }

    #[test]
    fn both_readers_agree_on_broken_rows(text in broken()) {
        prop_assert_eq!(read_row_signals(&text), read_with_full_grammar(&text), "{}", text);
    }
}

#[test]
fn both_readers_agree_on_every_beginning_of_a_text() {
    let row = r#"{"runId": "a\"\\\u00fc🚀", "status":"running", "startedAtMs":1795295439451, "heartbeatAtMs":null,
        "errorJson":"{\"a\":1}", "x":{"a":[1,-2.5e+3,true,false,null,"\n"],"a":{}}}"#;
    for text in [format!("[{row} , {row}]"), format!("{0}\n\r\n{0}\n", row.replace('\n', ""))] {
        assert_eq!(read_row_signals(&text).unwrap().len(), 2);
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            assert_eq!(
                read_row_signals(&text[..end]),
                read_with_full_grammar(&text[..end]),
                "{}",
                &text[..end]
            );
        }
    }
}

#[test]
fn both_readers_agree_on_how_deep_a_value_may_nest() {
    for depth in [1, 62, 63, 64, 65, 1197, 1198, 1199, 1200, 1201] {
        let row = format!(r#"{{"runId":"r","x":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
        for text in [format!("[{row}]"), row] {
            let read = read_row_signals(&text);
            assert_eq!(read, read_with_full_grammar(&text), "{depth}");
            assert_eq!(read.is_ok(), depth + 1 + usize::from(text.starts_with('[')) <= 1200, "{depth}");
        }
    }
}

fn is_scanned(row: &str) -> bool {
    let mut scan = Scan::new(row.as_bytes());
    RowScanner::default().scan_row(row, &mut scan).is_some()
}

#[test]
fn rows_of_gateway_and_database_are_scanned() {
    for fields in [
        r#""runId":"r""#,
        r#""runId":"r","parentRunId":null,"status":"running","createdAtMs":1,"startedAtMs":1795295439451,
           "finishedAtMs":null,"heartbeatAtMs":null,"runtimeOwnerId":"pid:7:x","vcsType":"git","failedChildren":0,
           "errorJson":"{\"message\":\"disk is full\"}","configJson":"{\"rootDir\":\"/project\"}""#,
        r#""run_id":"r","workflow_name":"n","status":"finished","started_at_ms":0,"heartbeat_at_ms":5,"error_json":null,
           "runtime_owner_id":"","cancel_requested_at_ms":1,"pause_requested_at_ms":null"#,
        r#""runId":"a\"\\\u00fc\ud83d\ude80\ud83dü🚀","status":"hibernating","runtimeOwnerId":"pid:\t7","summary":null"#,
        r#""runId":"r","hijackTarget":{"a":[1,-2.5e+3,true,false,null,"\n"],"a":{}},"":1,"":[[],{},[{}]]"#,
    ] {
        assert!(is_scanned(&format!("{{{fields}}}")), "{fields}");
        assert!(is_scanned(&format!("{{\n  {}\n}}", fields.replace(",\"", " ,\r\n \""))), "{fields}");
    }
}

#[test]
fn other_rows_are_left_to_the_full_grammar() {
    for fields in [
        "",
        r#""runId":null"#,
        r#""runId":7"#,
        r#""r\u0075nId":"r""#,
        r#""runId":"a","r\u0075nId":"r""#,
        r#""runId":"a","runId":"b""#,
        r#""runId":"a","run_id":"b""#,
        r#""runId":"a","status":1"#,
        r#""runId":"a","heartbeatAtMs":-1"#,
        r#""runId":"a","createdAtMs":"x""#,
        r#""runId":"a","workflowName":1"#,
        r#""runId":"a","summary":{}"#,
        r#""runId":"a""#.trim_end_matches('"'),
        r#""runId":"a","x":nul"#,
        r#""runId":"a","x":"\u12g4""#,
        r#""runId":"a",,"x":1"#,
    ] {
        assert!(!is_scanned(&format!("{{{fields}}}")), "{fields}");
    }
}

#[test]
fn a_list_ends_the_text() {
    let row = r#"{"runId":"a"}"#;
    for after in [" x", "]", " []", ",", "\n{}"] {
        let text = format!("[{row}]{after}");
        assert_eq!(read_row_signals(&text).unwrap_err().offset, row.len() + 2, "{text}");
    }
    for open in ["[", "[]", "[[]]", "[{}"] {
        assert_eq!(read_row_signals(open).is_ok(), open == "[]", "{open}");
    }
}
