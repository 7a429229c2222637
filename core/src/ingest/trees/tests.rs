use super::{Draft, conductor_tree};
use crate::conductor::read_run_directory;
use crate::file::File;
use crate::pill::Taxonomy;
use crate::time::Millis;
use crate::tree::NodeId;
use crate::word::Word;

/// The rows of a run's tree: title, kind, iteration, state.
fn rows(files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<File<'_>> =
        files.iter().map(|(name, text)| File { name: Some(name), bytes: text.as_bytes() }).collect();
    let run = read_run_directory(&files, Millis(1_795_700_000_000.0), None).unwrap();
    let Some(found) = conductor_tree(&run) else { return Vec::new() };
    let tree = &found.tree;
    let row = |index| {
        let node = tree.node(index);
        let kind = node.task.as_ref().and_then(|task| task.kind.as_ref()).map_or("", Word::as_str);
        let own = found.states.get(&node.id).map(|(taxonomy, word)| {
            assert_eq!(*taxonomy, Taxonomy::Conductor);
            word.as_str()
        });
        let state = own.or(node.state().map(Word::as_str)).unwrap_or("?");
        format!("{} {kind} {} {state}", node.title(), node.iteration().unwrap_or(0))
    };
    tree.preorder(tree.root()).map(row).collect()
}

const RUN: &str = r#""run_id":"20261121T204038Z""#;

fn event(step: &str, event: &str) -> String {
    format!(r#"{{"timestamp":"2026-11-21T20:40:39Z",{RUN},"step_id":"{step}","event_type":"{event}"}}"#)
        + "\n"
}

#[test]
fn the_steps_stand_in_the_order_of_their_first_visits_with_the_state_of_their_last() {
    let status = format!(
        r#"{{{RUN},"workflow_id":"fix","started_at":"2026-11-21T20:40:38Z","updated_at":"2026-11-21T20:41:00Z",
        "lifecycle_state":"waiting","current_step_id":"review","active_opcode":"GATE"}}"#
    );
    let log = [
        event("test", "step_started"),
        event("test", "step_failed"),
        event("fix", "step_started"),
        event("fix", "step_completed"),
        event("test", "step_started"),
        event("test", "step_completed"),
        event("review", "step_started"),
    ]
    .concat();
    let manifest = r#"{"step_id":"test","opcode":"RUN_VALIDATION","termination":"completed","artifacts":[]}"#;
    let files =
        [("status.json", &*status), ("events.ndjson", &*log), ("artifacts/test/manifest.json", manifest)];
    assert_eq!(
        rows(&files),
        [
            "fix  0 waiting",
            "test RUN_VALIDATION 1 finished",
            "fix  0 finished",
            "review GATE 0 waiting-approval"
        ]
    );
    // Nobody knows whether the review goes on when there is no status.
    assert_eq!(rows(&files[1..2]).last().unwrap(), "review  0 ?");
    assert_eq!(rows(&files[..1]), [""; 0], "without events there are no visits");
}

#[test]
fn nodes_of_one_kind_and_id_have_ids_that_stay_when_others_are_added() {
    let draft = |id: Option<&str>| Draft {
        node_type: "branch",
        title: "branch".into(),
        id: id.map(str::to_owned),
        is_work: id.is_some(),
        ..Draft::default()
    };
    let ids = |children: &[Option<&str>]| -> Vec<NodeId> {
        let children = children.iter().map(|id| draft(*id)).collect();
        let tree = Draft { node_type: "session", children, ..Draft::default() }.into_tree().unwrap().tree;
        tree.preorder(tree.root()).map(|index| tree.node(index).id).collect()
    };
    let before = ids(&[Some("a"), Some("a"), None, None]);
    assert_eq!(before.len(), 5);
    let after = ids(&[Some("b"), Some("a"), Some("a"), None, None]);
    assert_eq!([&after[..1], &after[2..]].concat(), before);
}
