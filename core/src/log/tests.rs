//! What the quick reader accepts, the whole grammar reads as the same.

use proptest::prelude::*;

use super::read::read;
use super::scan::{Found, scan, value_end};
use crate::json::Reader;

const PARTS: [&str; 34] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    " ",
    "\t",
    "\"type\":\"RunStarted\"",
    "\"runId\":\"r\"",
    "\"timestampMs\":1795295439451",
    "\"timestampMs\":1.5",
    "\"nodeId\":\"ü\"",
    "\"nodeId\":null",
    "\"nodeId\":\"a\\\"b\"",
    "\"iteration\":0",
    "\"iteration\":-0",
    "\"attempt\":01",
    "\"attempt\":4294967296",
    "\"seq\":7",
    "\"seq\":4294967295",
    "\"payload\":{\"type\":\"NodePending\",\"runId\":\"p\",\"timestampMs\":2,\"seq\":9}",
    "\"payload\":{\"type\":\"RunStarted\",\"timestampMs\":2}",
    "\"payload\":{}",
    "\"payload_json\":\"{}\"",
    "\"error\":{\"a\":[1,-2.5e+3,true,false,null,\"\\u00e9\\n\"],\"b\":{}}",
    "\"error\":{\"a\":[1,2}",
    "\"t\\u0079pe\":\"x\"",
    "\"type\":5",
    "\"x\":tru",
    "\"x\":\"\\q\"",
    "\"x\":1e",
    "\"x\":\"\u{1}\"",
    "\"correlation\":{\"runId\":\"r\",\"nodeId\":\"a\"}",
];

/// An object of such parts, or any mixture of them.
fn line() -> impl Strategy<Value = String> {
    let parts = || prop::collection::vec(prop::sample::select(PARTS.to_vec()), 0..9);
    let needed = r#""type":"RunStarted","runId":"r","timestampMs":5"#;
    let start = prop::sample::select(vec![vec![needed], vec![]]);
    let object = (start, parts()).prop_map(|(start, parts)| {
        let more = parts.into_iter().filter(|part| part.len() > 1);
        let fields: Vec<&str> = start.into_iter().chain(more).collect();
        format!("{{{}}}", fields.join(","))
    });
    prop_oneof![8 => object, 1 => parts().prop_map(|parts| parts.concat())]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn quick_and_whole_agree(line in line()) {
        let whole = read(&line);
        if let Some(quick) = scan(line.as_bytes()) {
            let whole = whole.unwrap();
            let whole = whole.found();
            // Where a row holds the event, its place in the row is what both say.
            prop_assert_eq!(quick, Found { event: quick.event, ..whole });
            prop_assert_eq!(&line[quick.event.0..quick.event.1], line[whole.event.0..whole.event.1].trim());
        }
    }

    #[test]
    fn values_end_where_the_whole_grammar_ends_them(line in line(), after in "[ ,}\\]x]{0,3}") {
        let text = format!("{line}{after}");
        let whole = Reader::new(&text, 0).skip_value();
        if let Some(end) = value_end(text.as_bytes()) {
            prop_assert_eq!(whole.unwrap().1, end, "{}", text);
        }
    }
}

#[test]
fn the_quick_reader_takes_ordinary_lines() {
    for line in [
        r#"{"type":"RunStarted","runId":"r","timestampMs":1,"correlation":{"runId":"r"}}"#,
        r#"{"runId":"r","seq":3,"timestampMs":1,"type":"RunStarted","payload":{"type":"RunStarted","runId":"r","timestampMs":1}}"#,
        "\t{ \"type\" : \"X\" , \"runId\" : \"r\" , \"timestampMs\" : 1 , \"a\" : [ ] }\r",
        r#"{"type":"NodeFailed","runId":"r","nodeId":"ü","iteration":1,"attempt":2,"timestampMs":1,"error":{"stack":"a\n\"b\""}}"#,
    ] {
        let found = scan(line.as_bytes());
        assert!(
            found.is_some() && found == read(line).ok().as_ref().map(super::read::Whole::found),
            "{line}"
        );
    }
}
