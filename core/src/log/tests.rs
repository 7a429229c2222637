//! The fast scanner and the full grammar agree on every line that the scanner accepts.

use proptest::prelude::*;

use super::event_form::comparison_form;
use super::read::read_line;
use super::scan::{EventFields, EventForm, scan, value_end};
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
    fn scanner_and_full_grammar_agree(line in line()) {
        let parsed = read_line(&line);
        if let Some(scanned) = scan(line.as_bytes()) {
            let parsed = parsed.unwrap();
            let fields = parsed.fields();
            // The fast scanner reports the trimmed place of the event in its row.
            let EventFields { event, form, .. } = scanned;
            prop_assert_eq!(scanned, EventFields { event, form, ..fields });
            let text = &line[event.0..event.1];
            prop_assert_eq!(text, line[fields.event.0..fields.event.1].trim());
            prop_assert!(form != EventForm::Compact || comparison_form(text.as_bytes(), fields.form) == text.as_bytes());
        }
    }

    #[test]
    fn values_end_at_the_same_place(line in line(), after in "[ ,}\\]x]{0,3}") {
        let text = format!("{line}{after}");
        let whole = Reader::new(&text, 0).skip_value();
        if let Some(end) = value_end(text.as_bytes()) {
            prop_assert_eq!(whole.unwrap().1, end, "{}", text);
        }
    }
}

#[test]
fn the_scanner_accepts_ordinary_lines() {
    for line in [
        r#"{"type":"RunStarted","runId":"r","timestampMs":1,"correlation":{"runId":"r"}}"#,
        r#"{"runId":"r","seq":3,"timestampMs":1,"type":"RunStarted","payload":{"type":"RunStarted","runId":"r","timestampMs":1}}"#,
        "\t{ \"type\" : \"X\" , \"runId\" : \"r\" , \"timestampMs\" : 1 , \"a\" : [ ] }\r",
        r#"{"type":"NodeFailed","runId":"r","nodeId":"ü","iteration":1,"attempt":2,"timestampMs":1,"error":{"stack":"a\n\"b\""}}"#,
    ] {
        let found = scan(line.as_bytes());
        assert!(
            found.map(|found| EventFields { form: EventForm::Formatted, ..found })
                == read_line(line).ok().as_ref().map(super::read::ParsedLine::fields),
            "{line}"
        );
    }
}
