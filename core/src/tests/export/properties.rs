//! For any rows: an export of an export has the same bytes and the same meaning.

use proptest::prelude::*;
use runstate::file::File;
use runstate::ingest::open;
use serde_json::{Value, json};

use super::{LATER, NOW, OPTIONS, again, exported, files, said};

fn value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        "[a-z]{0,6}",
        "\\PC{0,8}",
        "Bearer [a-z]{1,4}",
        "\\{\"token\":\"[a-z]\"\\}",
        "[ -~]{0,3}/home/[ -~]{0,6}",
        "C:.Users.[ -~]{0,6}",
        "[ -~]{0,2}://[ -~]{0,8}",
        "(file:/{1,4}|sqlite:///|)(srv|C:|app|tmp)[/\\\\][ -~]{0,8}",
        "[ -~]{0,3}/(srv|app|data)/[a-z/. =:]{0,8}",
        "([a-z]:|D:)[/\\\\a-c :]{0,12}",
        "(password|token|api_key|a) ?[=:] ?[\"'\\\\a-c= /]{0,10}",
        "[{ ]{0,2}[\"'\\\\]{1,2}(password|token|cwd|scopes|a)[\"'\\\\]{1,2}:[\"'\\\\\\[{}\\]a-c1,:/ ]{0,14}",
        "\\{ ?\"(token|cwd|a)\" ?: ?\"[a-c\\\\\"]{0,4}\" ?\\}( ?\\{\"secret\":[\"{\\[1a}\\]]{0,5})?"
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let key = prop_oneof![
            "[a-z]{1,4}",
            "token|configJson|Set-Cookie|workflow_path|accessToken|cwd",
            "\\PC{0,4}",
            "/home/[a-z]"
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key, inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Redacted text stays redacted, and is counted, without the named keys.
    #[test]
    fn an_export_of_an_export_needs_no_keys(extra in value()) {
        let row = json!({"runId": "r", "status": "failed", "extra": extra}).to_string();
        let mut options = OPTIONS;
        options.redact = &["a"];
        let first = super::write(&[File { name: Some("row.json"), bytes: row.as_bytes() }], &options).unwrap();
        prop_assert_eq!(again(&first, LATER), first);
    }

    /// Export, import, export: the same bytes for any rows.
    #[test]
    fn export_import_export_is_identical(
        rows in prop::collection::vec((0_u32..4, "running|finished|failed|odd", value(), any::<bool>()), 1..6),
        pretty in any::<bool>(),
        lines in any::<bool>(),
    ) {
        let row = |(id, status, extra, at): &(u32, String, Value, bool)| {
            let at = if *at { json!(1_795_296_590_000_u64) } else { Value::Null };
            json!({"runId": format!("r{id}"), "status": status, "heartbeatAtMs": at, "extra": extra})
        };
        let rows: Vec<Value> = rows.iter().map(row).collect();
        let text = match (lines, pretty) {
            (true, _) => rows.iter().map(Value::to_string).collect::<Vec<_>>().join("\n"),
            (false, true) => serde_json::to_string_pretty(&rows).unwrap(),
            (false, false) => Value::from(rows).to_string(),
        };
        let entries = vec![("rows.json".to_owned(), text.into_bytes())];
        let bytes = exported(&entries);
        prop_assert_eq!(&exported(&entries), &bytes);
        prop_assert_eq!(again(&bytes, LATER), bytes.clone());
        let document = open(&files(&entries), NOW).unwrap();
        let opened = open(&[File { name: Some("x.json"), bytes: &bytes }], LATER).unwrap();
        prop_assert_eq!(said(&opened), said(&document));
    }
}
