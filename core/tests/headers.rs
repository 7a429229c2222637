//! A header crosses a boundary through serde without loss, and other values are refused.

use runstate::file::File;
use runstate::freshness::Freshness;
use runstate::header::{Header, smithers_header};
use runstate::ingest::{inspect, open};
use runstate::pill::{Taxonomy, pill};
use runstate::summary::{AnswerPill, Span, text};
use runstate::time::Millis;
use serde_json::json;

fn shown(taxonomy: Taxonomy, word: &str, as_of: Option<&str>) -> AnswerPill {
    AnswerPill::Pill { pill: pill(taxonomy, word), value: word.into(), as_of: as_of.map(str::to_owned) }
}

fn everything() -> Header {
    let absent = json!({"kind": "absent"});
    let mut header: Header = serde_json::from_value(json!({
        "name": "a \"name\"\n", "state": "running", "blocked": "approval", "unhealthy": "x", "label": "State",
        "taxonomy": "effective",
        "answer": {
            "tone": "stale", "pill": absent, "meta": [], "because": [{"kind": "code", "text": "{["}], "sentence": [],
            "notes": [[{"kind": "text", "text": "one"}], []],
        },
        "axes": [{"field": "health", "label": "Health", "taxonomy": "health", "pill": absent}],
        "actions": [{"kind": "approve", "sentence": [{"kind": "text", "text": "Decide."}],
            "command": "smithers approve \"x\""}],
        "fields": [
            {"field": "f", "label": "F", "value": {"kind": "id", "value": "7"}},
            {"field": "f", "label": "F", "value": {"kind": "text", "value": ""}},
            {"field": "f", "label": "F", "value": {"kind": "code", "value": "null"}},
            {"field": "f", "label": "F", "value": {"kind": "time", "value": {"text": "once"}}},
            {"field": "f", "label": "F", "value": {"kind": "time", "value": {"iso": "2023", "text": "once"}}},
        ],
        "evidence": [{"name": "heartbeat", "value": "none", "code": true, "age": "4 s", "limit": "", "decisive": true,
            "readFrom": "runs.get", "readAt": "now"}],
        "freshness": absent,
    }))
    .unwrap();
    let at = Millis(1_700_000_000_000.0);
    header.answer.pill = shown(Taxonomy::Effective, "no such word", Some("on 3 May"));
    header.answer.sentence =
        vec![Span::Text { text: "Waits at ".into() }, Span::Node { node_id: "n:1".into(), text: "n".into() }];
    header.answer.meta = vec![Span::Time { at, text: "then".into() }, Span::Until { at, text: "4 s".into() }];
    header.freshness = shown(Taxonomy::Freshness, "live", None);
    header
}

fn crossed(header: &Header) -> Header {
    serde_json::from_str(&serde_json::to_string(header).unwrap()).unwrap()
}

#[test]
fn a_header_reads_back_as_it_was() {
    let header = everything();
    assert_eq!(crossed(&header), header);
}

#[test]
fn a_header_of_a_document_reads_back_as_it_was() {
    let text = br#"{"runId":"r1","computedAt":"2023-11-14T22:13:20.000Z","state":"waiting-event",
        "blocked":{"kind":"event","nodeId":"wait","correlationKey":"k"}}"#;
    let now = Millis(1_700_000_100_000.0);
    let run = inspect(text, None, now).unwrap().run.unwrap();
    let header = smithers_header(&run, &Freshness::Recorded { at: Some(now) }, now);
    assert_eq!(header.blocked.as_deref(), Some("event"));
    assert_eq!(crossed(&header), header);
}

#[test]
fn what_is_no_header_is_refused() {
    let whole = serde_json::to_string(&everything()).unwrap();
    for (from, to) in [
        ("\"taxonomy\":\"effective\"", "\"taxonomy\":\"astrology\""),
        ("\"tone\":\"stale\"", "\"tone\":7"),
        ("\"decisive\":true", "\"decisive\":1"),
        ("\"kind\":\"until\"", "\"kind\":\"since\""),
        ("\"sentence\":[", "\"sentence\":[\"more\","),
    ] {
        let broken = whole.replacen(from, to, 1);
        assert_ne!(broken, whole, "{from}");
        assert!(serde_json::from_str::<Header>(&broken).is_err(), "{to}");
    }
    assert!(serde_json::from_str::<Header>(&whole[..whole.len() - 1]).is_err());
    assert!(serde_json::from_str::<Header>("{}").is_err());
}

/// The sentences of the actions, and the additional facts, for a run that sleeps until 14:18:13.
fn of_a_sleeper(computed_at: &str, opened_at: &str) -> (Vec<String>, String) {
    let json = format!(
        r#"{{"runId":"r","computedAt":"{computed_at}","state":"waiting-timer",
            "blocked":{{"kind":"timer","nodeId":"soak","wakeAt":"2026-11-21T14:18:13.000Z"}}}}"#
    );
    let now = Millis::parse_iso(opened_at).unwrap();
    let document = open(&[File { name: None, bytes: json.as_bytes() }], now).unwrap();
    let header = document.header(None, now).unwrap();
    (header.actions.iter().map(|action| text(&action.sentence)).collect(), text(&header.answer.meta))
}

#[test]
fn a_document_without_a_time_is_not_judged_by_the_viewers_now() {
    for opened_at in ["2026-11-21T14:00:00.000Z", "2026-11-25T09:00:00.000Z"] {
        let (actions, meta) = of_a_sleeper("yesterday", opened_at);
        assert_eq!(actions, ["Nothing to do: soak wakes at 2026-11-21 14:18:13Z."], "{opened_at}");
        assert!(meta.starts_with("Was to wake at "), "{meta}");
    }
}

#[test]
fn a_document_with_a_time_is_judged_by_that() {
    for opened_at in ["2026-11-21T14:00:00.000Z", "2026-11-25T09:00:00.000Z"] {
        let (actions, meta) = of_a_sleeper("2026-11-21T14:06:10.000Z", opened_at);
        assert_eq!(actions, ["Nothing to do: soak wakes at 14:18:13Z."], "{opened_at}");
        assert!(meta.starts_with("Was to wake 12 min 03 s after the recording"), "{meta}");
        let (actions, _) = of_a_sleeper("2026-11-21T15:06:10.000Z", opened_at);
        assert_eq!(actions, ["Resume the run: the timer at soak is overdue."], "{opened_at}");
    }
}
