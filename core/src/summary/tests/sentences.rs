//! A sentence for every state and every reason.

use super::*;
use crate::evidence::Signal;
use crate::smithers::wire::ApprovalRequest;
use crate::tree::Tree;

#[test]
fn running_names_its_nodes() {
    let running = r#""state":"running""#;
    says(&run(running), "Running.", "");
    says(&with_nodes(running, vec![node("patch", 0, "pending", "")]), "Running, between nodes.", "");
    says(
        &with_nodes(running, vec![node("patch", 47, "in-progress", "")]),
        "Running patch, iteration 47.",
        "",
    );
    let mut three = vec![
        node("unit-tests", 0, "in-progress", "14:03:00"),
        node("done", 0, "finished", "14:06:01"),
        node("typecheck", 0, "in-progress", "14:05:59"),
        node("e2e-chromium", 0, "in-progress", ""),
    ];
    says(
        &with_nodes(running, three.clone()),
        "Running 3 nodes: unit-tests, typecheck, e2e-chromium.",
        "Newest started 11 s ago, 14:05:59Z.",
    );
    three.extend([node("a", 0, "in-progress", ""), node("b", 0, "in-progress", "")]);
    let many = with_nodes(running, three);
    let answer = shown(&many, &live());
    assert_eq!(text(&answer.sentence), "Running 5 nodes: unit-tests, typecheck, e2e-chromium and 2 more.");
    assert_eq!(answer.tone, Tone::Running);
}

#[test]
fn running_with_a_hidden_approval_has_a_note() {
    let nodes = vec![node("patch", 0, "in-progress", ""), node("gate", 2, "waiting-approval", "")];
    let answer = shown(&with_nodes(r#""state":"running""#, nodes), &live());
    assert_eq!(text(&answer.notes[0]), "Also waiting for a decision at gate, iteration 2.");
    assert_eq!(answer.tone, Tone::Warning);

    let summary = vec![(Word::Known(NodeState::WaitingApproval), 2)];
    let counted = RunInspection { summary, ..run(r#""state":"running""#) };
    assert_eq!(text(&shown(&counted, &live()).notes[0]), "Also waiting for a decision at 2 nodes.");
    assert!(shown(&run(r#""state":"running""#), &live()).notes.is_empty());

    let itself = vec![node("gate", 0, "waiting-approval", "")];
    let approval = r#""state":"waiting-approval","blocked":{"kind":"approval","nodeId":"gate","requestedAt":"2026-11-21T14:01:58.000Z"}"#;
    assert!(shown(&with_nodes(approval, itself), &live()).notes.is_empty());
}

#[test]
fn every_reason_to_wait_has_its_sentence() {
    let cases = [
        (
            r#""state":"waiting-approval","blocked":{"kind":"approval","nodeId":"review-gate","requestedAt":"2026-11-21T14:01:58.000Z"}"#,
            "Waiting for a decision at review-gate, iteration 47.",
            "Asked 4 min 12 s ago, 14:01:58Z.",
        ),
        (
            r#""state":"waiting-approval","blocked":{"kind":"approval-decided-resume-required","nodeId":"review-gate"}"#,
            "The approval at review-gate is decided. The run must be resumed to go on.",
            "",
        ),
        (
            r#""state":"waiting-event","blocked":{"kind":"event","nodeId":"await-merge","correlationKey":"pr-4711-merged"}"#,
            "Waiting for event pr-4711-merged at await-merge.",
            "Waiting for 18 min 20 s, since 13:47:50Z.",
        ),
        (
            r#""state":"waiting-event","blocked":{"kind":"event","nodeId":"other","correlationKey":""}"#,
            "Waiting for an event at other.",
            "",
        ),
        (
            r#""state":"waiting-event","blocked":{"kind":"external-trigger"}"#,
            "Waiting for something outside to start the run again.",
            "No node of the run is ready to go on.",
        ),
        (
            r#""state":"waiting-timer","blocked":{"kind":"timer","nodeId":"soak","wakeAt":"2026-11-21T14:18:13.000Z"}"#,
            "Sleeping at soak until 14:18:13Z.",
            "Wakes in 12 min 03 s.",
        ),
        (
            r#""state":"waiting-timer","blocked":{"kind":"timer","nodeId":"soak","wakeAt":"2026-11-21T14:03:59.000Z"}"#,
            "Sleeping at soak until 14:03:59Z.",
            "Should have woken 2 min 11 s ago, 14:03:59Z.",
        ),
        (
            r#""state":"waiting-timer","blocked":{"kind":"timer","nodeId":"soak","wakeAt":"soon"}"#,
            "Sleeping at soak.",
            "The wake-up time is soon, which is not a time.",
        ),
        (
            r#""state":"waiting-quota","blocked":{"kind":"quota","quotaBlockedCount":4,"resetAtMs":1795271820000}"#,
            "Waiting for provider quota at plan-release.",
            "Resets in 30 min 50 s, 14:37:00Z. 4 nodes are held back.",
        ),
        (
            r#""state":"waiting-event","blocked":{"kind":"provider","nodeId":"patch","code":"auth"}"#,
            "The provider refused the credentials at patch.",
            "Code auth. Renew the credentials, then resume.",
        ),
        (
            r#""state":"waiting-event","blocked":{"kind":"provider","nodeId":"patch","code":"rate-limit"}"#,
            "The provider's rate limit is reached at patch.",
            "Code rate-limit.",
        ),
        (
            r#""state":"waiting-event","blocked":{"kind":"provider","nodeId":"patch","code":"timeout"}"#,
            "The provider did not respond at patch.",
            "Code timeout.",
        ),
        (
            r#""state":"waiting-event","blocked":{"kind":"provider","nodeId":"patch","code":"teapot"}"#,
            "The provider responds with teapot at patch.",
            "Code teapot. Runstate does not know it.",
        ),
        (
            r#""state":"waiting-event","blocked":{"kind":"tool","nodeId":"run-tests","toolName":"bash","code":"EACCES"}"#,
            "Tool bash is blocked at run-tests with code EACCES.",
            "",
        ),
        (
            r#""state":"waiting-event","blocked":{"kind":"moon-phase","nodeId":"x"}"#,
            "The server gives the reason moon-phase. Runstate does not know it.",
            "",
        ),
        (
            r#""state":"waiting-approval""#,
            "Waiting for a decision at review-gate, iteration 47.",
            "Since when is not known.",
        ),
        (r#""state":"waiting-quota""#, "Waiting for provider quota at plan-release.", ""),
    ];
    for (fields, sentence, meta) in cases {
        let nodes = vec![
            node("review-gate", 47, "waiting-approval", ""),
            node("await-merge", 0, "waiting-event", "13:47:50"),
            node("plan-release", 0, "waiting-quota", ""),
        ];
        says(&with_nodes(fields, nodes), sentence, meta);
    }
    says(&run(r#""state":"waiting-timer""#), "Waiting for a timer.", "Since when is not known.");
}

#[test]
fn liveness_has_its_sentences() {
    let beat = |state: &str, time: &str| {
        format!(
            r#""state":"{state}","unhealthy":{{"kind":"engine-heartbeat-stale","lastHeartbeatAt":"2026-11-21T{time}.000Z"}}"#
        )
    };
    let nodes = vec![node("unit-tests", 0, "in-progress", "14:03:08")];
    says(
        &with_nodes(&beat("stale", "14:05:29"), nodes),
        "The engine has not reported for 41 s. It may still be working.",
        "Last node: unit-tests, started 3 min 02 s ago, 14:03:08Z.",
    );
    let unowned = vec![input(Signal::Owner, Value::Absent, None, true)];
    says(
        &with_inputs(run(&beat("orphaned", "14:00:10")), unowned),
        "The engine has not reported for 6 min and no owner is registered.",
        "",
    );
    let gone = vec![input(Signal::Owner, Value::Word("pid:7".into()), None, true)];
    says(
        &with_inputs(run(&beat("orphaned", "14:00:10")), gone),
        "The engine has not reported for 6 min and its owner is gone.",
        "",
    );
    let cases = [
        (
            r#""state":"recovering","unhealthy":{"kind":"supervisor-backoff","attempt":3,"nextAt":"2026-11-21T14:07:30.000Z"}"#,
            "The supervisor is taking the run over: attempt 3.",
            "Next try in 1 min 20 s, 14:07:30Z.",
        ),
        (r#""state":"recovering""#, "The supervisor is taking the run over.", ""),
        (
            r#""state":"stale","blocked":{"kind":"timer","nodeId":"soak","wakeAt":"2026-11-21T14:03:59.000Z"},"unhealthy":{"kind":"timer-overdue","wakeAt":"2026-11-21T14:03:59.000Z","overdueMs":131000}"#,
            "The timer at soak is overdue and nobody has woken the run.",
            "Should have woken 2 min 11 s ago, 14:03:59Z.",
        ),
        (r#""state":"stale","unhealthy":{"kind":"db-lock"}"#, "The run's database is locked.", ""),
        (r#""state":"stale""#, "The engine has not reported. It may still be working.", ""),
        (r#""state":"paused""#, "Paused. Nothing runs until it is resumed.", ""),
    ];
    for (fields, sentence, meta) in cases {
        let run = run(fields);
        says(&run, sentence, meta);
        assert!(shown(&run, &live()).notes.is_empty(), "{fields}");
    }
}

#[test]
fn problems_besides_the_state_are_notes() {
    let cases = [
        (r#""kind":"sandbox-unreachable""#, "A sandbox of the run does not respond."),
        (r#""kind":"db-lock""#, "The run's database is locked."),
        (
            r#""kind":"engine-heartbeat-stale","lastHeartbeatAt":"2026-11-21T14:05:29.000Z""#,
            "The engine has not reported for 41 s.",
        ),
        (
            r#""kind":"ui-heartbeat-stale","lastSeenAt":"2026-11-21T14:05:29.000Z""#,
            "The viewer that recorded this had lost its connection; its last update was at 14:05:29Z.",
        ),
        (
            r#""kind":"timer-overdue","wakeAt":"2026-11-21T14:03:59.000Z","overdueMs":1"#,
            "A timer is overdue and nobody has woken the run. Should have woken 2 min 11 s ago, 14:03:59Z.",
        ),
        (
            r#""kind":"cosmic-rays""#,
            "The server says that the run is unhealthy: cosmic-rays. Runstate does not know this kind.",
        ),
    ];
    for (reason, note) in cases {
        let answer = shown(&run(&format!(r#""state":"running","unhealthy":{{{reason}}}"#)), &live());
        assert_eq!(answer.notes.iter().map(|note| text(note)).collect::<Vec<_>>(), [note]);
        assert_eq!((answer.tone, pill_of(&answer).1), (Tone::Warning, Tone::Running));
    }
}

#[test]
fn a_document_without_a_list_of_nodes_has_its_tree() {
    let task = |id: u32, node_id: &str, state: &str| {
        format!(
            r#"{{"id":{id},"type":"task","name":"{node_id}","props":{{}},"task":{{"nodeId":"{node_id}","kind":"agent","iteration":2,"state":"{state}"}},"children":[],"depth":1}}"#
        )
    };
    let root = format!(
        r#"{{"id":1,"type":"workflow","name":"w","props":{{}},"children":[{},{},{}],"depth":0}}"#,
        task(2, "plan", "finished"),
        task(3, "patch", "in-progress"),
        task(4, "gate", "dozing")
    );
    let mut run = run(r#""state":"running""#);
    run.tree = Some(Tree::from_json(&root).unwrap());
    says(&run, "Running patch, iteration 2.", "");
    run.nodes = vec![node("gate", 0, "in-progress", "")].into();
    says(&run, "Running gate.", "");
}

#[test]
fn an_approval_has_its_question_and_what_it_is_about() {
    let blocked = r#""state":"waiting-approval","blocked":{"kind":"approval","nodeId":"gate","requestedAt":"2026-11-21T14:00:00.000Z"}"#;
    for (title, summary, meta) in [
        (
            Some("Ship it?"),
            Some("12 files changed; tests green."),
            "“Ship it?” 12 files changed; tests green. Asked ",
        ),
        (Some("Ship it?"), None, "“Ship it?” Asked "),
        (Some("w:gate"), Some("12 files"), "12 files. Asked "),
        (Some("w:gate"), None, "Asked "),
        (None, None, "Asked "),
    ] {
        let mut run = run(blocked);
        let request = |iteration, title: Option<&str>| ApprovalRequest {
            run_id: None,
            requested_at: None,
            node_id: "gate".to_owned(),
            iteration,
            title: title.map(str::to_owned),
            summary: summary.map(str::to_owned),
            options: Vec::new(),
            allowed_scopes: None,
            allowed_users: None,
        };
        run.approvals = vec![request(0, title), request(1, Some("another round"))];
        let found = text(&shown(&run, &live()).meta);
        assert!(found.starts_with(meta), "{found}");
    }
}
