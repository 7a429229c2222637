//! Nodes of which only events are known.

use super::*;

fn event(kind: &str, node_id: &str, iteration: u32, attempt: u32, at: u32, more: &str) -> String {
    format!(
        r#"{{"type":"{kind}","runId":"r","nodeId":"{node_id}","iteration":{iteration},"attempt":{attempt},"timestampMs":17000000{at:05}{more}}}"#
    ) + "\n"
}

fn of_part(viewer: &mut Viewer, tab: NodeTab, node_id: &str, iteration: u32) -> NodeWindow {
    viewer.handle(ViewCommand::Act(PaneAction::Node(NodeAction::Tab(tab))), NOW);
    select(viewer, node_id, iteration)
}

/// Number, state, length, wait and error of each attempt.
fn rows(window: &NodeWindow) -> Vec<String> {
    let attempts = window.body.attempts.iter().map(|attempt| {
        let state = attempt.state.value().unwrap_or("not known");
        let error = attempt.error.as_ref().map(|error| error.spans[0].text.as_str());
        let parts = [attempt.note.as_deref(), attempt.took.as_deref(), attempt.waited.as_deref(), error];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        format!("{} {state} {}", attempt.number.unwrap(), parts.join(", "))
    });
    attempts.map(|row| row.trim_end().to_owned()).collect()
}

#[test]
fn the_attempts_of_a_captured_log_have_their_errors() {
    let mut viewer = viewer(&["smithers/logs/stream/retry-a.ndjson"]);
    let window = of_part(&mut viewer, NodeTab::Attempts, "flaky", 0);
    let expected = [
        "1 failed 3 ms, Error: flaky failure #1",
        "2 failed 5 ms, 410 ms, Error: flaky failure #2",
        "3 finished 22 ms, 407 ms",
    ];
    let found: Vec<String> = rows(&window).iter().map(|row| row.lines().next().unwrap().to_owned()).collect();
    assert_eq!(
        (&*found, window.body.missing.len()),
        (&expected.map(str::to_owned)[..], 0),
        "{:?}",
        window.body.missing
    );
}

#[test]
fn an_attempt_that_was_killed_is_not_in_progress() {
    let mut viewer = viewer(&["smithers/logs/stream/killed-a.ndjson"]);
    let window = of_part(&mut viewer, NodeTab::Attempts, "grind", 0);
    assert!(
        rows(&window)[0].starts_with("1 not known in progress when the next one began"),
        "{:?}",
        rows(&window)
    );
}

#[test]
fn a_failed_node_has_the_error_of_its_last_attempt_only() {
    let failed = |node_id: &str, attempt: u32, more: &str| event("NodeFailed", node_id, 0, attempt, 5, more);
    let log = [
        event("RunStarted", "", 0, 1, 0, "").replace(r#""nodeId":"","iteration":0,"attempt":1,"#, ""),
        failed("a", 1, r#","error":"\u001b[31mno disk\u001b[0m""#),
        failed("b", 1, r#","error":{"message":"boom"}"#),
        failed("b", 2, ""),
    ]
    .concat();
    let mut viewer = opened(&[&log]);
    let window = select(&mut viewer, "a", 0);
    assert_eq!(
        (window.error.as_deref(), &*window.missing),
        (
            Some("no disk"),
            &["Start: not in this document. Open the output of smithers events RUN_ID --json with it."
                .to_owned()][..]
        )
    );
    let window = select(&mut viewer, "b", 0);
    assert_eq!(window.error, None, "the error of an earlier attempt is not why it failed");
    assert!(
        window.missing.contains(
            &"The error: not in this document. Open the output of smithers events RUN_ID --json with it."
                .to_owned()
        ),
        "{:?}",
        window.missing
    );
}

#[test]
fn a_wait_is_only_between_attempts_that_follow_each_other() {
    let log: String = [(1, 0), (2, 1_000), (4, 9_000)]
        .map(|(attempt, at)| {
            event("NodeStarted", "a", 0, attempt, at, "")
                + &event("NodeFailed", "a", 0, attempt, at + 10, r#","error":"x""#)
        })
        .concat();
    let window = of_part(&mut opened(&[&log]), NodeTab::Attempts, "a", 0);
    assert_eq!(rows(&window), ["1 failed 10 ms, x", "2 failed 10 ms, 990 ms, x", "4 failed 10 ms, x"]);
    assert_eq!(
        window.body.missing,
        ["Attempt 3: not in this document. Open the output of smithers events RUN_ID --json with it."]
    );
}

#[test]
fn an_iteration_that_no_event_is_about_is_said_to_be_absent() {
    let log = [0, 5, 2].map(|iteration| event("NodeStarted", "loop", iteration, 1, iteration, "")).concat();
    let window = select(&mut opened(&[&log]), "loop", 3);
    assert_eq!(window.missing, ["This iteration: not in this document. Choose another iteration."]);
    assert_eq!((window.is_gone, window.iterations.unwrap().next), (false, Some(5)));
}

#[test]
fn a_node_of_which_no_event_says_the_state_has_its_events() {
    let log = [
        event("ToolCallFinished", "a", 2, 1, 0, r#","toolName":"read","seq":1,"status":"success""#),
        event("NodeStarted", "b", 0, 1, 1, ""),
    ]
    .concat();
    let mut viewer = opened(&[&log]);
    let window = of_part(&mut viewer, NodeTab::Events, "a", 2);
    assert_eq!(
        (window.state, window.is_gone, &*window.missing),
        (
            None,
            false,
            &["State: not in this document. Open the output of smithers inspect RUN_ID --json with it."
                .to_owned()][..]
        )
    );
    assert_eq!((window.body.events.len(), &*window.body.events[0].name), (1, "ToolCallFinished"));
    let window = select(&mut viewer, "nobody", 0);
    assert_eq!(window.missing, ["A node with this id: not in this document. Select another node."]);
}

#[test]
fn after_a_rewind_the_newest_attempt_is_the_last_one() {
    let log = crate::tests::vectors::text("logs/stream/rewind-a.ndjson");
    let mut lines: Vec<String> = log.lines().map(str::to_owned).collect();
    let begin = r#"{"type":"NodeFinished","runId":"rewind-a","nodeId":"then-task""#;
    let ends: Vec<usize> = (0..lines.len()).filter(|line| lines[*line].starts_with(begin)).collect();
    let [before, after] = ends[..] else { panic!("{ends:?}") };
    let failed = |line: &str, attempt: &str, error: &str| {
        let line = line.replace("NodeFinished", "NodeFailed").replace(r#""attempt":1"#, attempt);
        line.replacen(r#""timestampMs""#, &format!(r#""error":"{error}","timestampMs""#), 1)
    };
    lines[after] = failed(&lines[after], r#""attempt":1"#, "after the rewind");
    let second = failed(&lines[before], r#""attempt":2"#, "attempt 2, before the rewind");
    lines[before] = failed(&lines[before], r#""attempt":1"#, "attempt 1, before the rewind");
    let start = lines[before - 1].replace(r#""attempt":1"#, r#""attempt":2"#);
    lines.splice(before + 1..=before, [start, second]);
    let mut viewer = opened(&[&lines.join("\n")]);
    let window = of_part(&mut viewer, NodeTab::Attempts, "then-task", 0);
    let errors: Vec<(Option<u32>, &str)> = window
        .body
        .attempts
        .iter()
        .map(|attempt| (attempt.number, &*attempt.error.as_ref().unwrap().spans[0].text))
        .collect();
    let expected = [
        (Some(1), "attempt 1, before the rewind"),
        (Some(2), "attempt 2, before the rewind"),
        (Some(1), "after the rewind"),
    ];
    assert_eq!(errors, expected);
    assert_eq!(window.error.as_deref(), Some("after the rewind"));
}

#[test]
fn an_attempt_that_died_is_not_what_is_cancelled_later() {
    let log = [
        event("NodeStarted", "x", 0, 1, 1_000, ""),
        r#"{"type":"RunStarted","runId":"r","timestampMs":1700000060000}"#.to_owned() + "\n",
        event("NodeStarted", "x", 0, 2, 61_000, ""),
        event("NodeFailed", "x", 0, 2, 62_000, r#","error":"boom""#),
        event("NodeRetrying", "x", 0, 3, 62_000, ""),
        event("NodeCancelled", "x", 0, 1, 90_000, "").replace(r#""attempt":1,"#, ""),
    ];
    let window = of_part(&mut opened(&[&log.concat()]), NodeTab::Attempts, "x", 0);
    assert_eq!(rows(&window), ["1 not known in progress when the next one began", "2 failed 1.0 s, boom"]);
}

#[test]
fn an_iteration_that_failed_has_its_own_error() {
    let row =
        r#"{"runId":"r","status":"failed","errorJson":"{\"message\":\"Task failed: poll: second boom\"}"}"#;
    let failed = |iteration: u32, more: &str| event("NodeFailed", "poll", iteration, 1, iteration, more);
    let log = failed(0, r#","error":"first boom""#) + &failed(1, r#","error":"second boom""#);
    let mut viewer = opened(&[row, &log]);
    assert_eq!(select(&mut viewer, "poll", 0).error.as_deref(), Some("first boom"));
    assert_eq!(select(&mut viewer, "poll", 1).error.as_deref(), Some("second boom"));
    let mut viewer = opened(&[row, &(failed(0, "") + &failed(1, ""))]);
    let first = select(&mut viewer, "poll", 0);
    assert_eq!(first.error, None, "the run ended with the error of another iteration");
    assert!(first.missing.iter().any(|missing| missing.starts_with("The error: ")), "{:?}", first.missing);
    assert_eq!(select(&mut viewer, "poll", 1).error.as_deref(), Some("second boom"));
}
