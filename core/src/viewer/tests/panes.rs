//! Tests what a command computes and sends, and the focus.

use super::*;

fn tree_action(action: TreeAction) -> ViewCommand {
    ViewCommand::Act(PaneAction::Tree(action))
}

#[test]
fn a_key_in_the_tree_changes_the_tree_the_node_and_the_focus_alone() {
    let mut viewer = opened(SNAPSHOT, "a.json");
    viewer.updates(NOW);
    viewer.handle(tree_action(TreeAction::First), NOW);
    let updates = viewer.updates(Millis(NOW.0 + 20.0));
    let [Update::Tree(Some(window)), Update::Node(Some(node)), Update::Focus(focus)] = updates.as_slice()
    else {
        panic!("{updates:?}")
    };
    assert_eq!(node.title, "w");
    assert_eq!((window.selected_row, focus.selection.as_ref().unwrap().node), (Some(0), window.selected));
    viewer.handle(tree_action(TreeAction::First), NOW);
    assert_eq!(viewer.updates(Millis(NOW.0 + 40.0)), []);
}

/// The panes whose windows a command computes anew, while the source and the second are the same.
fn computed_after(viewer: &mut Viewer, command: ViewCommand) -> Vec<PaneKind> {
    let before = viewer.panes.computed();
    viewer.handle(command, NOW);
    viewer.updates(Millis(NOW.0 + 20.0));
    let after = viewer.panes.computed();
    after.iter().zip(&before).filter(|(after, before)| after != before).map(|(after, _)| after.0).collect()
}

#[test]
fn a_command_computes_only_what_it_changes() {
    let mut viewer = opened(SNAPSHOT, "a.json");
    viewer.updates(NOW);
    let key = NodeKey { node_id: "w".to_owned(), iteration: 0 };
    let query = RunQuery { search: "w".to_owned(), ..RunQuery::default() };
    let find = ViewCommand::Act(PaneAction::Runs(RunsAction::Find(query)));
    for (command, computed) in [
        (tree_action(TreeAction::Last), &[PaneKind::Tree, PaneKind::Node][..]),
        (tree_action(TreeAction::Show { first: 0, count: 9 }), &[PaneKind::Tree]),
        (ViewCommand::Select(Some(key)), &[PaneKind::Tree, PaneKind::Node]),
        (ViewCommand::Select(None), &[PaneKind::Tree, PaneKind::Node]),
        (ViewCommand::Select(None), &[]),
        (find, &[PaneKind::Runs]),
        (ViewCommand::Panes(PaneKind::ALL.to_vec()), &[]),
    ] {
        assert_eq!(computed_after(&mut viewer, command.clone()), computed, "{command:?}");
    }
}

#[test]
fn a_hidden_pane_computes_nothing_whatever_happens() {
    let task = r#"{"id":2,"type":"task","name":"t","task":{"nodeId":"build"},"children":[]}"#;
    let snapshot = SNAPSHOT.replace(r#""children":[]"#, &format!(r#""children":[{task}]"#));
    for hidden in PaneKind::ALL {
        let mut viewer = opened(&snapshot, "a.json");
        let shown = PaneKind::ALL.iter().filter(|kind| *kind != hidden).copied().collect();
        viewer.handle(ViewCommand::Panes(shown), NOW);
        for action in [TreeAction::First, TreeAction::Last, TreeAction::Collapse, TreeAction::Expand] {
            viewer.handle(tree_action(action), NOW);
            viewer.updates(NOW);
        }
        viewer.handle(ViewCommand::Act(PaneAction::Runs(RunsAction::Find(RunQuery::default()))), NOW);
        viewer.choose(None);
        viewer.updates(Millis(NOW.0 + 60_000.0));
        for (kind, computed) in viewer.panes.computed() {
            assert_eq!(computed == 0, kind == *hidden, "{kind:?} while {hidden:?} is hidden: {computed}");
        }
    }
}

#[test]
fn the_focus_survives_updates_and_is_cleared_for_another_run() {
    let task = r#"{"id":2,"type":"task","name":"t","task":{"nodeId":"build","iteration":1},"children":[]}"#;
    let snapshot = SNAPSHOT.replace(r#""children":[]"#, &format!(r#""children":[{task}]"#));
    let mut viewer = opened(&snapshot, "a.json");
    let key = NodeKey { node_id: "build".to_owned(), iteration: 1 };
    viewer.handle(ViewCommand::Select(Some(key.clone())), NOW);
    let focused = |updates: &[Update]| {
        updates.iter().rev().find_map(|update| match update {
            Update::Focus(focus) => Some(focus.selection.clone()),
            _ => None,
        })
    };
    let selection = focused(&viewer.updates(NOW)).unwrap().unwrap();
    assert_eq!((selection.key, selection.node.map(|id| id.0)), (Some(key), Some(2)));
    assert_eq!(focused(&viewer.updates(Millis(NOW.0 + 60_000.0))), None, "unchanged");
    viewer.handle(ViewCommand::Select(None), NOW);
    assert_eq!(focused(&viewer.updates(NOW)), Some(None));
    let mut viewer =
        opened(r#"[{"runId":"a","status":"failed"},{"runId":"b","status":"failed"}]"#, "list.json");
    viewer.choose(Some(0));
    viewer.updates(NOW);
    let key = NodeKey { node_id: "x".to_owned(), iteration: 0 };
    viewer.handle(ViewCommand::Select(Some(key)), NOW);
    assert!(focused(&viewer.updates(NOW)).unwrap().is_some(), "no tree has it yet");
    viewer.choose(Some(1));
    assert_eq!(focused(&viewer.updates(NOW)), Some(None), "another run");
    viewer.choose(Some(0));
    assert!(focused(&viewer.updates(NOW)).unwrap().is_some(), "the same run again");
    viewer.choose(None);
    assert_eq!(focused(&viewer.updates(NOW)), Some(None), "the list");
    viewer.choose(Some(0));
    assert!(focused(&viewer.updates(NOW)).unwrap().is_some(), "back from the list");
    viewer.handle(ViewCommand::Select(None), NOW);
    viewer.choose(None);
    viewer.choose(Some(0));
    assert_eq!(focused(&viewer.updates(NOW)), Some(None), "it was left without a selection");
}

#[test]
fn only_the_panes_on_screen_are_sent() {
    let mut viewer = opened(SNAPSHOT, "a.json");
    viewer.handle(ViewCommand::Panes(Vec::new()), NOW);
    let updates = viewer.updates(NOW);
    assert!(matches!(updates.as_slice(), [Update::Status(_)]), "{updates:?}");
    viewer.handle(tree_action(TreeAction::First), NOW);
    let updates = viewer.updates(NOW);
    assert!(matches!(updates.as_slice(), [Update::Focus(_)]), "the hidden tree still acts: {updates:?}");
    viewer.handle(ViewCommand::Panes(vec![PaneKind::Tree, PaneKind::Header]), NOW);
    let updates = viewer.updates(NOW);
    assert!(matches!(updates.as_slice(), [Update::Header(Some(_)), Update::Tree(Some(_))]), "{updates:?}");
    viewer.handle(ViewCommand::Panes(vec![PaneKind::Tree]), NOW);
    assert_eq!(viewer.updates(Millis(NOW.0 + 5_000.0)), [], "the age of the hidden header is not computed");
}
