use super::*;
use crate::viewer::NodeKey;

mod query;
mod removed;

/// A workflow with two groups: `alpha` with `one` and `two`, `beta` with `three`.
fn tree() -> Tree {
    let task = |id: u32, name: &str| {
        format!(r#"{{"id":{id},"type":"task","name":"task","task":{{"nodeId":"{name}"}},"children":[]}}"#)
    };
    let group = |id: u32, name: &str, below: &[String]| {
        let below = below.join(",");
        format!(r#"{{"id":{id},"type":"sequence","name":"{name}","children":[{below}]}}"#)
    };
    let groups =
        [group(2, "alpha", &[task(3, "one"), task(4, "two")]), group(5, "beta", &[task(6, "three")])];
    Tree::from_json(&group(1, "root", &groups)).unwrap()
}

/// Actions, the id of the node that they select, and how many rows are visible afterwards.
type Case<'a> = (&'a [TreeAction], (Option<i64>, usize));

/// Carries out an action as in a source that does not change.
fn act(pane: &mut TreePane, tree: &Tree, focus: &mut Focus, action: TreeAction) {
    pane.find_matches(tree, 0, None);
    pane.act_on(tree, focus, action);
    pane.find_matches(tree, 0, None);
}

fn after(actions: &[TreeAction]) -> (Option<i64>, usize) {
    let tree = tree();
    let (mut pane, mut focus) = (TreePane::default(), Focus::default());
    for action in actions {
        act(&mut pane, &tree, &mut focus, action.clone());
    }
    (focus.node().map(|id| id.0), pane.window_of(&tree, focus.node(), &RunData::default()).total)
}

#[test]
fn each_action_selects_and_folds_as_the_aria_pattern_says() {
    use TreeAction::{
        Collapse, Expand, ExpandSiblings, Find, First, Focus, Last, Move, Reveal, Select, Toggle,
    };
    let select = |id: i64| Select { id: NodeId(id) };
    let toggle = |id: i64| Toggle { id: NodeId(id) };
    let reveal = |node_id: &str| Reveal { node_id: node_id.into() };
    let find = |letter: char| Find { letter };
    let cases: &[Case<'_>] = &[
        (&[], (None, 6)),
        (&[Focus], (Some(1), 6)),
        (&[select(4), Focus], (Some(4), 6)),
        (&[Focus, Move { by: 1 }], (Some(2), 6)),
        (&[Focus, Move { by: -1 }], (Some(1), 6)),
        (&[Focus, Move { by: 100 }], (Some(6), 6)),
        (&[Last], (Some(6), 6)),
        (&[Last, First], (Some(1), 6)),
        (&[select(3), Collapse], (Some(2), 6)),
        (&[select(2), Collapse], (Some(2), 4)),
        (&[select(2), Collapse, Collapse], (Some(1), 4)),
        (&[select(2), Collapse, Expand], (Some(2), 6)),
        (&[select(2), Expand], (Some(3), 6)),
        (&[select(3), Expand], (Some(3), 6)),
        (&[toggle(2)], (Some(2), 4)),
        (&[toggle(2), toggle(2)], (Some(2), 6)),
        (&[toggle(2), toggle(5), ExpandSiblings], (Some(5), 6)),
        (&[toggle(1), ExpandSiblings], (Some(1), 6)),
        (&[select(3), find('t')], (Some(4), 6)),
        (&[select(4), find('T')], (Some(6), 6)),
        (&[select(6), find('t')], (Some(4), 6)),
        (&[select(6), find('z')], (Some(6), 6)),
        (&[toggle(2), toggle(1), reveal("two")], (Some(4), 6)),
        (&[reveal("nowhere")], (None, 6)),
        (&[select(4), toggle(1), Collapse], (Some(1), 1)),
    ];
    for (actions, expected) in cases {
        assert_eq!(after(actions), *expected, "{actions:?}");
    }
}

#[test]
fn a_node_that_is_collapsed_away_is_left_before_anything_else() {
    let (tree, mut focus) = (tree(), Focus::default());
    let mut pane = TreePane { collapsed: HashSet::from([NodeId(2)]), ..TreePane::default() };
    select(&tree, &mut focus, NodeId(3));
    let window = pane.window_of(&tree, focus.node(), &RunData::default());
    assert_eq!((window.selected, window.selected_row), (Some(NodeId(3)), None));
    act(&mut pane, &tree, &mut focus, TreeAction::Collapse);
    assert_eq!(focus.node(), Some(NodeId(3)), "nothing that is visible is selected");
    act(&mut pane, &tree, &mut focus, TreeAction::Focus);
    assert_eq!(focus.node(), Some(NodeId(1)));
}

#[test]
fn a_window_contains_only_the_requested_rows() {
    let (tree, mut focus, mut pane) = (tree(), Focus::default(), TreePane::default());
    act(&mut pane, &tree, &mut focus, TreeAction::Show { first: 4, count: 10 });
    let window = pane.window_of(&tree, None, &RunData::default());
    assert_eq!((window.nodes, window.total, window.first, window.rows.len()), (6, 6, 4, 2));
    act(&mut pane, &tree, &mut focus, TreeAction::Show { first: usize::MAX, count: usize::MAX });
    assert!(pane.window_of(&tree, None, &RunData::default()).rows.is_empty());
}

/// A loop whose body is at iteration 7.
fn loop_tree() -> Tree {
    Tree::from_json(
        r#"{"id":1,"type":"workflow","name":"w","children":[{"id":2,"type":"loop","name":"loop","children":[
            {"id":3,"type":"task","name":"task","task":{"nodeId":"body","iteration":7},"children":[]}]}]}"#,
    )
    .unwrap()
}

fn key(node_id: &str, iteration: u32) -> NodeKey {
    NodeKey { node_id: node_id.to_owned(), iteration }
}

#[test]
fn a_key_selects_its_node_as_soon_as_a_tree_contains_it() {
    let (tree, mut focus) = (loop_tree(), Focus::default());
    let mut pane = TreePane { collapsed: HashSet::from([NodeId(2)]), ..TreePane::default() };
    focus.select_key(key("other", 0));
    pane.select_key(&tree, &mut focus);
    assert_eq!((focus.node(), focus.unresolved()), (None, Some(&key("other", 0))), "no such node");
    focus.select_key(key("body", 7));
    pane.select_key(&tree, &mut focus);
    let window = pane.window_of(&tree, focus.node(), &RunData::default());
    assert_eq!((window.selected, window.selected_row), (Some(NodeId(3)), Some(2)), "revealed");
    assert_eq!(focus.unresolved(), None);
}

#[test]
fn a_selected_iteration_of_the_past_keeps_its_number() {
    let (tree, mut focus, mut pane) = (loop_tree(), Focus::default(), TreePane::default());
    focus.select_key(key("body", 3));
    pane.select_key(&tree, &mut focus);
    let expected = Selection { node: Some(NodeId(3)), key: Some(key("body", 3)) };
    assert_eq!(focus.selection, Some(expected));
    act(&mut pane, &tree, &mut focus, TreeAction::Select { id: NodeId(3) });
    assert_eq!(focus.selection.as_ref().unwrap().key, Some(key("body", 7)), "chosen in the tree of now");
    act(&mut pane, &tree, &mut focus, TreeAction::Select { id: NodeId(2) });
    assert_eq!(focus.selection, Some(Selection { node: Some(NodeId(2)), key: None }), "no author's id");
}

#[test]
fn the_kind_of_an_element_that_the_server_does_not_list_is_its_name() {
    let kind = |json: &str| {
        let tree = Tree::from_json(json).unwrap();
        all_rows(&tree, &RunData::default())[0].kind.clone()
    };
    let unknown = |name: &str, props: &str| {
        kind(&format!(r#"{{"id":1,"type":"unknown","name":"{name}","props":{props},"children":[]}}"#))
    };
    assert_eq!(unknown("tcf-try", r#"{"id":"guarded"}"#).as_deref(), Some("Tcf try"));
    assert_eq!(unknown("continue-as-new", "{}"), None, "the title says it");
    assert_eq!(unknown("unknown", r#"{"id":"guarded"}"#), None, "neither a kind nor a state");
    assert_eq!(unknown("Unknown", "{}"), None);
    assert_eq!(
        kind(r#"{"id":1,"type":"merge-queue","name":"q","children":[]}"#).as_deref(),
        Some("Merge queue")
    );
    let task = r#"{"id":1,"type":"unknown","name":"x","task":{"nodeId":"a","kind":"agent"},"children":[]}"#;
    assert_eq!(kind(task).as_deref(), Some("Agent"));
}
