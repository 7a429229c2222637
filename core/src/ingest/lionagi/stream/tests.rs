use super::read_stream;
use crate::error_code::ErrorCode;
use crate::file::File;
use crate::ingest::open;
use crate::lionagi::wire::LaneState;
use crate::problem::MAX_LISTED;
use crate::time::Millis;

fn signal(seq: u64, kind: &str, op_id: &str) -> String {
    format!(
        "data: {{\"session_id\":\"s1\",\"seq\":{seq},\"kind\":\"{kind}\",\"op_id\":\"{op_id}\",\"ts\":{}}}\n\n",
        1_716_300_000 + seq
    )
}

#[test]
fn a_node_of_which_only_tools_were_told_has_no_state() {
    let text =
        signal(1, "RunStart", "") + &signal(2, "ToolCallStarted", "a") + &signal(3, "NodeStarted", "b");
    let session = read_stream(&text, "signals", None, Millis(0.0)).unwrap().session.unwrap();
    let nodes = session.stream.unwrap().nodes;
    assert_eq!(
        nodes.iter().map(|node| (node.id.as_str(), node.state)).collect::<Vec<_>>(),
        [("b", LaneState::Running)]
    );
}

#[test]
fn a_text_that_tells_nothing_about_a_session_is_refused() {
    let error = read_stream("id: 7\n\n", "signals", None, Millis(0.0)).unwrap_err();
    assert_eq!(error.code, ErrorCode::NotRecognised);
}

#[test]
fn the_first_missing_signals_are_named_and_the_rest_counted() {
    let text: String = (0..100).map(|place| signal(1 + 2 * place, "RunStart", "")).collect();
    let problems = read_stream(&text, "signals", None, Millis(0.0)).unwrap().problems.texts();
    assert_eq!(problems.len(), MAX_LISTED + 1);
    assert_eq!(problems[0], "Signal 2 is missing.");
    assert_eq!(problems[MAX_LISTED], "79 more problems.");
}

#[test]
fn of_two_recordings_the_later_one_knows_more_in_whatever_order_they_are_opened() {
    let early = signal(1, "RunStart", "") + &signal(2, "NodeStarted", "a");
    let late = early.clone() + &signal(3, "NodeCompleted", "a") + &signal(4, "RunFailed", "");
    for [first, second] in [[&early, &late], [&late, &early]] {
        let file = |text: &'static str, name| File { name: Some(name), bytes: text.as_bytes() };
        let files = [file(first.clone().leak(), "1.txt"), file(second.clone().leak(), "2.txt")];
        let document = open(&files, Millis(1_716_300_100_000.0)).unwrap();
        let session = document.lionagi().unwrap().session.as_ref().unwrap();
        assert_eq!(session.row.status.label(), Some("failed"));
        let stream = session.stream.as_ref().unwrap();
        assert_eq!(stream.run_signal.as_deref(), Some("RunFailed"));
        assert_eq!(stream.nodes[0].state, LaneState::Succeeded);
    }
}
