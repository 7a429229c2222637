//! Changes between two frames, as sentences.

use crate::history::{Change, History};
use crate::time::Millis;
use serde_json::{Value, json};

use super::support::{frame, task};

/// The sentences about the difference of two frames.
fn changes(before: &Value, after: &Value) -> Vec<String> {
    let mut history = History::new();
    history.take_snapshot(&frame(1, before), Millis(1.0));
    history.take_snapshot(&frame(2, after), Millis(2.0));
    let difference = history.diff(1.0, 2.0).unwrap();
    assert!(history.diff(1.0, 1.0).unwrap().changes.is_empty());
    difference.changes.iter().map(Change::sentence).collect()
}

#[test]
fn differences_are_described_in_sentences() {
    let one = |rest: Value| json!([task(2, "build", &rest)]);
    for (before, after, sentences) in [
        (
            json!({"state": "pending"}),
            json!({"state": "in-progress", "attempt": 1}),
            vec![r#""build" started."#],
        ),
        (
            json!({"state": "pending", "attempt": 0}),
            json!({"state": "finished", "attempt": 1}),
            vec![r#""build" finished."#],
        ),
        (
            json!({"state": "in-progress", "attempt": 1}),
            json!({"state": "failed", "attempt": 1}),
            vec![r#""build" failed."#],
        ),
        (
            json!({"state": "failed", "attempt": 1}),
            json!({"state": "in-progress", "attempt": 2}),
            vec![r#""build" was tried again (attempt 2)."#],
        ),
        (
            json!({"state": "in-progress", "attempt": 1}),
            json!({"state": "finished", "attempt": 3}),
            vec![r#""build" was tried again (attempt 3)."#, r#""build" finished."#],
        ),
        // The server's count of attempts decreases once a run is resumed; that is not a change of the node.
        (json!({"state": "finished", "attempt": 1}), json!({"state": "finished", "attempt": 0}), vec![]),
        (
            json!({"state": "pending"}),
            json!({"state": "waiting-approval"}),
            vec![r#""build" waits for an approval."#],
        ),
        (
            json!({"state": "pending"}),
            json!({"state": "waiting-timer"}),
            vec![r#""build" waits for its timer."#],
        ),
        (json!({"state": "pending"}), json!({"state": "skipped"}), vec![r#""build" was skipped."#]),
        (json!({"state": "in-progress"}), json!({"state": "cancelled"}), vec![r#""build" was cancelled."#]),
        (
            json!({"state": "finished"}),
            json!({"state": "pending"}),
            vec![r#""build" went from finished to pending."#],
        ),
        (
            json!({"state": "pending"}),
            json!({"state": "on-fire"}),
            vec![r#""build" went from pending to on-fire."#],
        ),
        (
            json!({"state": "finished", "iteration": 1}),
            json!({"state": "in-progress", "iteration": 2}),
            vec![r#""build" went on from round 1 to round 2."#, r#""build" started."#],
        ),
        (
            json!({"state": "pending", "agent": "opus"}),
            json!({"state": "pending", "agent": "sonnet", "prompt": "Do it."}),
            vec![
                r#"The task field "agent" of "build" changed from "opus" to "sonnet"."#,
                r#"The task field "prompt" of "build" was added: "Do it."."#,
            ],
        ),
    ] {
        assert_eq!(changes(&one(before.clone()), &one(after.clone())), sentences, "{before} {after}");
    }
}

#[test]
fn a_structural_difference_is_described_once_for_a_subtree() {
    let group = |children: &[Value]| json!({"id": 9, "type": "sequence", "name": "sequence", "props": {}, "children": children, "depth": 1});
    let (a, b, c) = (task(2, "a", &json!({})), task(3, "b", &json!({})), task(4, "c", &json!({})));
    for (before, after, sentences) in [
        (json!([a]), json!([a, b]), vec![r#""b" was added under "demo"."#]),
        (
            json!([a]),
            json!([a, group(&[b.clone(), c.clone()])]),
            vec![r#""sequence" was added under "demo", with 2 nodes under it."#],
        ),
        (
            json!([a, group(std::slice::from_ref(&b))]),
            json!([a]),
            vec![r#""sequence" was removed, with 1 node under it."#],
        ),
        (
            json!([a, b, group(&[])]),
            json!([b, group(std::slice::from_ref(&a))]),
            vec![r#""a" was moved under "sequence"."#],
        ),
        (json!([a, b, c]), json!([c, a, b]), vec![r#"The children of "demo" stand in another order."#]),
        (json!([a, b]), json!([c, a, b]), vec![r#""c" was added under "demo"."#]),
    ] {
        assert_eq!(changes(&before, &after), sentences, "{before} {after}");
    }
    let with = |props: Value| json!([{"id": 5, "type": "loop", "name": "loop", "props": props, "children": [], "depth": 1}]);
    assert_eq!(
        changes(
            &with(json!({"id": "polish", "until": false, "old": 1})),
            &with(json!({"until": true, "id": "polish", "new": [1]}))
        ),
        [
            r#"The property "new" of "polish" was added: [1]."#,
            r#"The property "until" of "polish" changed from false to true."#,
            r#"The property "old" of "polish" was removed; it was 1."#,
        ]
    );
    let plain = json!([{"id": 2, "type": "timer", "name": "timer", "props": {"id": "a"}, "children": [], "depth": 1}]);
    assert_eq!(
        changes(&json!([a]), &plain),
        [r#""a" became timer; it was task."#, r#""a" is no task any more."#]
    );
}
