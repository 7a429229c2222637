//! Properties of every log: chunking does not matter, nothing panics, the fast scanner and the full grammar agree.

use proptest::prelude::*;
use runstate::file::File;
use runstate::ingest::open;
use runstate::log::{EventLog, Filter, LogNode, LogView, Page};
use runstate::time::Millis;
use serde_json::{Value, json};

const TYPES: [&str; 16] = [
    "RunStarted",
    "RunStatusChanged",
    "RunStateChanged",
    "RunFinished",
    "NodePending",
    "NodeStarted",
    "NodeFinished",
    "NodeFailed",
    "NodeRetrying",
    "ApprovalRequested",
    "ApprovalGranted",
    "TimerCreated",
    "TaskHeartbeat",
    "ToolCallStarted",
    "FrameCommitted",
    "NodeDreamed",
];

/// An event with some fields, not always those that its type has.
fn event() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(vec!["running", "waiting-timer", "finished", "stale", "ö\"\\\n🚀"]);
    (prop::sample::select(TYPES.to_vec()), 0..40_u32, 0..4_u32, 0..3_u32, words, 0..9_u32).prop_map(
        |(event_type, at, node, iteration, word, number)| {
            let mut event = json!({
                "type": event_type, "runId": if number == 8 { "other" } else { "r" }, "timestampMs": at,
                "nodeId": format!("n-{node}-{word}"), "iteration": iteration, "attempt": 1 + number / 3,
                "status": word, "after": word, "timerId": "t", "firesAtMs": at + 5, "frameNo": at, "seq": number,
                "toolName": word, "error": { "message": word, "deep": [[[{}]], number, -1.5e-3, null, true] },
            });
            if number == 7 {
                event.as_object_mut().unwrap().remove("iteration");
            }
            event
        },
    )
}

/// A line: an event, a row around one, or something broken.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let row = |(seq, event): (u32, Value)| json!({ "runId": "r", "seq": seq, "event": event["type"], "payload": event, "timestampMs": 1 });
    prop_oneof![
        6 => event().prop_map(|event| event.to_string().into_bytes()),
        3 => (0..60_u32, event()).prop_map(row).prop_map(|row| row.to_string().into_bytes()),
        1 => (event(), any::<prop::sample::Index>()).prop_map(|(event, cut)| {
            let mut text = event.to_string().into_bytes();
            text.truncate(cut.index(text.len()));
            text
        }),
        1 => prop::collection::vec(any::<u8>(), 0..20),
        1 => Just(Vec::new()),
    ]
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(line(), 0..60).prop_map(|lines| lines.join(&b'\n'))
}

fn log(text: &[u8], chunk: usize) -> EventLog {
    let mut log = EventLog::new();
    for chunk in text.chunks(chunk.max(1)) {
        log.push(chunk);
    }
    log.finish();
    log
}

fn everything(log: &mut EventLog) -> (LogView, Vec<LogNode>, Page, Page, Vec<runstate::log::LineProblem>) {
    let filter = Filter { text: Some("ö".to_owned()), ..Filter::default() };
    (
        log.view(Millis(1e6)),
        log.nodes("r"),
        log.rows(0, 1000, &Filter::default()),
        log.rows(0, 1000, &filter),
        log.problems().to_vec(),
    )
}

/// The nodes without facts that a broken line makes uncertain: the copy of a broken line is at the end.
fn surely(mut nodes: Vec<LogNode>) -> Vec<LogNode> {
    for node in &mut nodes {
        node.across_gap = false;
    }
    nodes
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fold_is_independent_of_chunking(text in text(), chunk in 1..200_usize) {
        let mut whole = log(&text, usize::MAX);
        let mut parts = log(&text, chunk);
        prop_assert_eq!(everything(&mut whole), everything(&mut parts));
    }

    #[test]
    fn looking_on_the_way_changes_nothing(text in text(), chunk in 20..400_usize) {
        let mut looked = EventLog::new();
        for chunk in text.chunks(chunk) {
            looked.push(chunk);
            looked.view(Millis(0.0));
            looked.rows(3, 9, &Filter::default());
        }
        looked.finish();
        prop_assert_eq!(everything(&mut looked), everything(&mut log(&text, usize::MAX)));
    }

    #[test]
    fn a_second_copy_changes_no_state(text in text()) {
        let twice = [text.clone(), text.clone()].join(&b'\n');
        let (mut once, mut twice) = (log(&text, usize::MAX), log(&twice, usize::MAX));
        prop_assert_eq!(surely(once.nodes("r")), surely(twice.nodes("r")));
        prop_assert_eq!(once.rows(0, 1000, &Filter::default()), twice.rows(0, 1000, &Filter::default()));
        prop_assert_eq!(once.view(Millis(0.0)).state, twice.view(Millis(0.0)).state);
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), chunk in 1..50_usize) {
        everything(&mut log(&bytes, chunk));
        runstate::log::is_event_log(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn a_changed_byte_is_an_event_or_a_problem(event in event(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut text = event.to_string().into_bytes();
        let at = at.index(text.len());
        text[at] = byte;
        let mut log = log(&text, usize::MAX);
        let (counts, parsed) = (log.counts(), serde_json::from_slice::<Value>(&text));
        if byte != b'\n' {
            prop_assert_eq!(counts.events + counts.unread, 1);
            // Text that JavaScript rejects is rejected too.
            prop_assert!(parsed.is_ok() || counts.unread == 1, "{}", String::from_utf8_lossy(&text));
        }
    }

    #[test]
    fn windows_are_parts_of_the_whole(text in text(), start in 0..40_u32, length in 0..20_u32) {
        let mut log = log(&text, usize::MAX);
        let all = log.rows(0, u32::MAX, &Filter::default());
        let page = log.rows(start, start + length, &Filter::default());
        let end = ((start + length) as usize).min(all.rows.len());
        prop_assert_eq!(page.total, all.total);
        prop_assert_eq!(&page.rows[..], all.rows.get(start as usize..end).unwrap_or_default());
    }
}

/// An error as Smithers stores it: an object with some of its fields, or a text.
fn error() -> impl Strategy<Value = Value> {
    let text = || {
        let texts = prop::sample::select(vec![
            "disk is full",
            "Task failed: boom",
            "Task failed: boom See https://smithers.sh/reference/errors",
            "two\nlines {and} \"more\" ö\u{1b}[31m",
            " ",
        ]);
        prop::option::of(texts)
    };
    let long = prop::option::of((1..60_usize).prop_map(|words| "a long reason ".repeat(words)));
    let object = (text(), text(), text(), text(), long).prop_map(|(name, message, summary, cause, long)| {
        let cause = cause.map(|message| json!({ "name": "Error", "message": message }));
        let message = long.or(message.map(str::to_owned));
        let fields = [
            ("name", name.map(Value::from)),
            ("message", message.map(Value::from)),
            ("summary", summary.map(Value::from)),
            ("cause", cause),
        ];
        fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
    });
    prop_oneof![4 => object.prop_map(Value::Object), 1 => text().prop_map(|text| json!(text.unwrap_or("only a text")))]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_log_and_the_row_of_a_failed_run_have_the_same_sentence(error in error()) {
        let sentence = |document: &str| {
            let now = Millis(1_700_000_000_000.0);
            let file = File { name: None, bytes: document.as_bytes() };
            let header = open(&[file], now).unwrap().header(None, now).unwrap();
            runstate::summary::text(&header.answer.sentence)
        };
        let row = json!({ "runId": "r", "status": "failed", "errorJson": error.to_string() });
        let event = |name: &str, error: Option<&Value>| {
            let mut event = json!({ "type": name, "runId": "r", "timestampMs": 1 });
            if let Some(error) = error {
                event["error"] = error.clone();
            }
            event
        };
        let log = format!("{}\n{}\n", event("RunStarted", None), event("RunFailed", Some(&error)));
        prop_assert_eq!(sentence(&row.to_string()), sentence(&log));
    }
}
