//! Ends, with known and unknown details.

use super::*;
use crate::evidence::Signal;

#[test]
fn ends_are_described_by_outcome() {
    let mut failed = with_nodes(r#""state":"failed""#, vec![node("unit-tests", 0, "failed", "")]);
    failed.nodes[0].last_attempt = Some(3);
    failed.error = Some("\n 14 tests failed.\nat line 3".into());
    (failed.started_at, failed.finished_at) = (Some(at("13:41:07")), Some(at("14:04:02")));
    says(
        &failed,
        "Failed at unit-tests after 3 attempts: 14 tests failed.",
        "Ended 2 min 08 s ago, 14:04:02Z, after 22 min 55 s.",
    );
    says(&run(r#""state":"failed""#), "Failed.", "");
    let long = "x".repeat(200);
    let errors = [
        (r#"{"name":"E","message":"Task failed: boom.\nat x"}"#, "Failed: Task failed: boom."),
        (r#"{"name":"E"}"#, r#"Failed: {"name":"E"}."#),
        ("  \n", "Failed."),
        (&long, &format!("Failed: {}…", "x".repeat(160))),
    ];
    for (error, sentence) in errors {
        let failed = RunInspection { error: Some(error.into()), ..run(r#""state":"failed""#) };
        says(&failed, sentence, "");
    }

    let mut cancelled = run(r#""state":"cancelled""#);
    cancelled.summary = vec![(Word::Known(NodeState::Pending), 15)];
    says(&cancelled, "Cancelled.", "15 nodes were pending when it ended.");

    let mut succeeded = run(r#""state":"succeeded""#);
    (succeeded.started_at, succeeded.finished_at) = (Some(at("10:28:34")), Some(at("11:02:44")));
    says(&succeeded, "Finished in 34 min 10 s.", "Ended 3 h 03 min ago, 11:02:44Z.");
    assert_eq!(pill_of(&shown(&succeeded, &live())).1, Tone::Success);
    succeeded.continued = true;
    says(
        &succeeded,
        "Finished; the work goes on in another run.",
        "Ended 3 h 03 min ago, 11:02:44Z, after 34 min 10 s.",
    );
    succeeded.finished_at = Some(at("10:00:00"));
    succeeded.continued = false;
    says(&succeeded, "Finished.", "Ended 4 h 06 min ago, 10:00:00Z.");
}

#[test]
fn a_failure_is_blamed_on_the_task_that_the_error_names() {
    let lint = || node("lint", 0, "failed", "");
    let failed = |nodes, error: &str| {
        let error = Some(error.to_owned());
        RunInspection { error, ..with_nodes(r#""state":"failed""#, nodes) }
    };
    let error = "Task failed: boom: failure number 2";
    says(
        &failed(vec![node("boom", 0, "failed", ""), lint()], error),
        "Failed at boom: failure number 2.",
        "",
    );
    // The list of nodes is older than the end of the run.
    for state in ["in-progress", "pending"] {
        says(
            &failed(vec![lint(), node("boom", 0, state, "")], error),
            "Failed at boom: failure number 2.",
            "",
        );
    }
    let mut in_tree = failed(Vec::new(), error);
    let tree = r#"{"id":1,"type":"workflow","name":"w","children":[
        {"id":2,"type":"task","name":"t","task":{"nodeId":"lint"},"state":"failed"},
        {"id":3,"type":"task","name":"t","task":{"nodeId":"boom"}}]}"#;
    in_tree.tree = Some(Tree::from_json(tree).unwrap());
    says(&in_tree, "Failed at boom: failure number 2.", "");
    let mut twice = node("boom", 0, "failed", "");
    twice.last_attempt = Some(2);
    says(&failed(vec![twice, lint()], error), "Failed at boom after 2 attempts: failure number 2.", "");
    // The error names no node of the run.
    says(
        &failed(vec![node("build", 0, "failed", "")], "Task failed: timeout"),
        "Failed at build: Task failed: timeout.",
        "",
    );
}

#[test]
fn a_node_that_failed_in_several_iterations_is_named_once() {
    let failed = |nodes, error: &str| {
        let error = Some(error.to_owned());
        RunInspection { error, ..with_nodes(r#""state":"failed""#, nodes) }
    };
    let poll = || vec![node("poll", 0, "failed", ""), node("poll", 1, "failed", "")];
    says(&failed(poll(), "Task failed: poll: no answer"), "Failed at poll: no answer.", "");
    says(&failed(poll(), "no answer"), "Failed at poll: no answer.", "");
    let mut three = poll();
    three.insert(1, node("build", 0, "failed", ""));
    says(&failed(three, "no answer"), "Failed at poll, build: no answer.", "");
    let one = vec![node("poll", 3, "failed", "")];
    says(&failed(one, "Task failed: poll: no answer"), "Failed at poll, iteration 3: no answer.", "");
}

#[test]
fn a_failure_that_the_tree_tolerates_is_not_blamed() {
    let mut run =
        with_nodes(r#""state":"failed""#, vec![node("lint", 0, "failed", ""), node("boom", 0, "failed", "")]);
    let tree = r#"{"id":1,"type":"workflow","name":"w","children":[
        {"id":2,"type":"task","name":"t","props":{"continueOnFail":true},"task":{"nodeId":"lint"}},
        {"id":3,"type":"task","name":"t","task":{"nodeId":"boom"}}]}"#;
    run.tree = Some(Tree::from_json(tree).unwrap());
    says(&run, "Failed at boom.", "");
    run.nodes = vec![node("lint", 0, "failed", "")].into();
    run.error = Some("The server ended the run.".into());
    says(&run, "Failed: The server ended the run.", "");
}

#[test]
fn tolerated_failures_are_never_plain_green() {
    let mut run = run(r#""state":"succeeded""#);
    run.failed_children = vec!["bad-1::0".into(), "bad-2::0".into()];
    run.summary = vec![(Word::Known(NodeState::Finished), 309), (Word::Known(NodeState::Failed), 2)];
    let answer = shown(&run, &live());
    assert_eq!(text(&answer.sentence), "Finished. 2 failures were tolerated: bad-1, bad-2.");
    assert_eq!(text(&answer.meta), "311 tasks: 309 finished, 2 failed and allowed to.");
    assert_eq!(pill_of(&answer), ("Succeeded, with failures".into(), Tone::Warning, None));
    assert_eq!(answer.tone, Tone::Warning);
    run.summary = Vec::new();
    run.failed_children.pop();
    says_start(&run, "Finished. 1 failure was tolerated: bad-1.");
    run.failed_child_count = 3;
    says_start(&run, "Finished. 3 failures were tolerated: bad-1 and 2 more.");
}

fn says_start(run: &RunInspection, sentence: &str) {
    assert_eq!(text(&shown(run, &live()).sentence), sentence);
}

#[test]
fn absent_unrecognised_and_unknown_are_three_things() {
    let absent = shown(&RunInspection::default(), &live());
    assert_eq!(absent.pill, AnswerPill::Absent);
    assert_eq!(text(&absent.sentence), "This snapshot has no runState field.");
    assert_eq!(
        text(&absent.because),
        "Why: the snapshot has neither runState nor rows of the run to derive a state from"
    );
    let connecting = shown(&RunInspection::default(), &Freshness::Connecting);
    assert_eq!(text(&connecting.sentence), "Connecting. No data has arrived yet.");

    let foreign = shown(&run(r#""state":"hibernating""#), &live());
    assert_eq!(pill_of(&foreign), ("“hibernating”".into(), Tone::Neutral, None));
    assert_eq!(text(&foreign.sentence), "The server sent the word hibernating. Runstate does not know it.");
    assert_eq!(text(&foreign.because), "Why: the word is shown as it was sent (runs.get, 14:06:08Z)");

    let inputs = vec![
        input(Signal::RunRowStatus, Value::Word("running".into()), None, false),
        input(Signal::EngineHeartbeat, Value::Absent, Some(30_000.0), true),
        input(Signal::StartTime, Value::Absent, None, true),
        input(Signal::Owner, Value::Absent, None, true),
    ];
    let unknown = with_inputs(run(r#""state":"unknown""#), inputs);
    says(
        &unknown,
        "Not enough is known to name a state.",
        "The stored status is running, but has no engine heartbeat, start time or owner.",
    );
    let empty = vec![input(Signal::RunRowStatus, Value::Word(String::new()), None, true)];
    says(
        &with_inputs(run(r#""state":"unknown""#), empty),
        "Not enough is known to name a state.",
        "The stored status is an empty text.",
    );
    let odd = vec![input(Signal::RunRowStatus, Value::Word("dozing".into()), None, true)];
    says(
        &with_inputs(run(r#""state":"unknown""#), odd),
        "Not enough is known to name a state.",
        "The stored status is dozing, a word that Runstate does not know.",
    );
}

#[test]
fn a_reason_rewords_the_pill_but_not_the_value() {
    let cases = [
        (r#""kind":"provider","nodeId":"n","code":"auth""#, "Waiting for provider", Icon::CloudOff),
        (r#""kind":"tool","nodeId":"n","toolName":"t","code":"c""#, "Waiting for tool", Icon::Wrench),
        (
            r#""kind":"approval-decided-resume-required","nodeId":"n""#,
            "Waiting for resume",
            Icon::StepForward,
        ),
    ];
    for (reason, label, icon) in cases {
        let answer = shown(&run(&format!(r#""state":"waiting-event","blocked":{{{reason}}}"#)), &live());
        let AnswerPill::Pill { pill, value, .. } = &answer.pill else { panic!("{reason}") };
        assert_eq!(
            (&*pill.label, pill.icon, pill.tone, &**value),
            (label, icon, Tone::Warning, "waiting-event")
        );
        assert_eq!(pill.spoken, format!("Run state: {}", label.to_lowercase()));
        assert_eq!(answer.tone, Tone::Warning);
    }
}

#[test]
fn the_evidence_is_one_line() {
    let status = |word: &str| input(Signal::RunRowStatus, Value::Word(word.into()), None, true);
    let beat = |time| input(Signal::EngineHeartbeat, Value::Time(at(time)), Some(30_000.0), true);
    let cases = [
        ("running", vec![beat("14:06:07")], "Why: last heartbeat 3 s ago, limit 30 s"),
        (
            "orphaned",
            vec![beat("14:00:10"), input(Signal::Owner, Value::Absent, None, true)],
            "Why: last heartbeat 6 min ago, limit 30 s, the run's row names no owner",
        ),
        (
            "failed",
            vec![status("failed"), input(Signal::Owner, Value::Absent, None, false)],
            "Why: the run's row says failed",
        ),
        (
            "waiting-timer",
            vec![input(Signal::Timer, Value::Time(at("14:18:13")), Some(30_000.0), true)],
            "Why: the timer is due in 12 min 03 s",
        ),
        (
            "stale",
            vec![input(Signal::Timer, Value::Time(at("14:03:59")), Some(30_000.0), true)],
            "Why: the timer is 2 min 11 s overdue, limit 30 s",
        ),
        (
            "waiting-approval",
            vec![input(Signal::PendingApproval, Value::Time(at("14:01:58")), None, true)],
            "Why: pending approval 4 min 12 s ago",
        ),
        (
            "unknown",
            vec![input(Signal::EngineHeartbeat, Value::Absent, None, true)],
            "Why: no engine heartbeat",
        ),
        ("paused", vec![], "Why: paused"),
    ];
    for (state, inputs, expected) in cases {
        let run = with_inputs(run(&format!(r#""state":"{state}""#)), inputs);
        let because = text(&shown(&run, &live()).because);
        assert_eq!(because, format!("{expected} (runs.get, 14:06:08Z)"));
    }
}

#[test]
fn freshness_has_its_words() {
    let recorded = |at| Freshness::Recorded { at };
    let cases = [
        (live(), "live", "live · 2 s", Tone::Success),
        (Freshness::Connecting, "connecting", "connecting", Tone::Running),
        (Freshness::Resyncing { as_of: at("13:52:10") }, "resyncing", "resyncing", Tone::Running),
        (Freshness::Late { read_at: at("14:05:51") }, "late", "quiet for 19 s", Tone::Warning),
        (lost(), "lost", "as of 47 s ago (feed lost)", Tone::Stale),
        (recorded(Some(at("2026-11-18T14:06:08.000Z"))), "recorded", "recorded 3 days ago", Tone::Neutral),
        (recorded(None), "recorded", "recorded", Tone::Neutral),
    ];
    for (freshness, word, label, tone) in cases {
        let (pill, value) = freshness_pill(&freshness, at(NOW));
        assert_eq!((value, &*pill.label, pill.tone), (word, label, tone));
        assert_eq!(pill.spoken, format!("Freshness: {label}"));
    }
}
