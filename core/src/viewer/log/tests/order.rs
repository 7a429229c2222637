//! Where rows begin, repeat, and follow each other.

use super::*;
use crate::gateway::ClientEffect;

fn numbers(log: &LogWindow) -> Vec<&str> {
    log.rows.iter().map(|row| &*row.number).collect()
}

fn details(log: &LogWindow) -> Vec<&str> {
    let gaps = log.rows.iter().filter(|row| row.kind == LogEntryKind::Gap);
    gaps.map(|row| &*row.detail).collect()
}

#[test]
fn a_log_whose_beginning_is_missing_begins_with_that() {
    let lines = [line(5, "NodeStarted", &of_attempt("build", 1)), line(6, "RunFinished", "")];
    let log = after(&mut of_text(&lines.join("\n")), everything());
    assert_eq!(numbers(&log), ["", "5", "6"]);
    assert_eq!(details(&log), ["Events 0 to 4 are missing in this log."]);
}

#[test]
fn an_event_that_is_there_twice_is_one_row() {
    let lines = [
        line(0, "RunStarted", ""),
        line(1, "NodeStarted", &of_attempt("build", 1)),
        line(0, "RunStarted", ""),
    ];
    assert_eq!(numbers(&after(&mut of_text(&lines.join("\n")), everything())), ["0", "1"]);
}

#[test]
fn numbers_decide_the_order_whatever_the_clock_said() {
    let at = |seq: u32, at: u32| {
        format!(
            r#"{{"runId":"r","seq":{seq},"payload":{{"type":"RunDreamed","runId":"r","timestampMs":{at}}}}}"#
        )
    };
    let lines = [at(2, 1_000), at(0, 5_000), at(1, 3_000)];
    assert_eq!(numbers(&after(&mut of_text(&lines.join("\n")), everything())), ["0", "1", "2"]);
}

#[test]
fn very_many_types_are_counted_by_family_alone() {
    let lines: Vec<String> = (0..10_000).map(|seq| line(seq, &format!("Dreamed{seq}"), "")).collect();
    let text = lines.join("\n");
    let log = after(&mut of_text(&text), LogAction::Show { first: 0, count: 20 });
    let counts: Vec<_> = log.families.iter().map(|count| (count.family, count.count)).collect();
    assert_eq!(
        (log.total, counts),
        (8_193, vec![(Family::Other, 8_192)]),
        "a row for the lines of other types"
    );
    assert!(serde_json::to_string(&log).unwrap().len() < 40_000);
    let document = open(&[File { name: None, bytes: text.as_bytes() }], NOW).unwrap();
    let problems = document.problems().texts().join(" ");
    assert!(problems.contains("more types of events than Runstate counts"), "{problems}");
}

/// A viewer of the run `r1` of a Gateway.
fn live() -> Viewer {
    let options = ClientOptions { run_id: Some("r1".into()), ..ClientOptions::new("ws://127.0.0.1:1", 1) };
    Viewer::new(GatewaySource::connect(options, NOW))
}

fn pushed(seq: u32, event: &str) -> String {
    format!(
        r#"{{"type":"event","event":"run.event","payload":{{"runId":"r1","event":"{event}","payload":{{"nodeId":"build"}},"seq":{seq}}},"seq":{seq}}}"#
    )
}

/// Passes an input on, and answers that the connection was made if that is asked.
fn say(viewer: &mut Viewer, input: ClientInput<'_>, at: Millis) {
    let effects = viewer.gateway().unwrap().handle(Some(input), at).0;
    let sent = effects.iter().filter_map(|effect| match effect {
        ClientEffect::Send(frame) => serde_json::from_str::<serde_json::Value>(frame).ok(),
        ClientEffect::Open { .. } | ClientEffect::Close => None,
    });
    for question in sent.filter(|question| question["method"] == "connect") {
        let answer = format!(
            r#"{{"type":"res","id":{},"ok":true,"payload":{{"protocol":1,"policy":{{"heartbeatMs":1000}}}}}}"#,
            question["id"]
        );
        viewer.gateway().unwrap().handle(Some(ClientInput::Text(&answer)), at);
    }
}

#[test]
fn numbers_that_begin_again_with_a_connection_are_no_gap() {
    let (mut viewer, later) = (live(), Millis(NOW.0 + 60_000.0));
    viewer.gateway().unwrap().handle(None, NOW);
    say(&mut viewer, ClientInput::Opened, NOW);
    for seq in [4_000, 4_001] {
        say(&mut viewer, ClientInput::Text(&pushed(seq, "node.dreamed")), NOW);
    }
    say(&mut viewer, ClientInput::Closed { code: 1006, reason: "" }, NOW);
    say(&mut viewer, ClientInput::Timer, later);
    say(&mut viewer, ClientInput::Opened, later);
    say(&mut viewer, ClientInput::Text(&pushed(1, "node.started")), later);
    let log = after(&mut viewer, everything());
    assert_eq!(names(&log), ["node.dreamed", "node.dreamed", "", "node.started"]);
    assert_eq!(
        details(&log),
        ["The connection was made again: events between the two connections were not received."]
    );
}
