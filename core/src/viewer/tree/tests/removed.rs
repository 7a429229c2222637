//! The selected node after it has left the tree.

use super::*;

/// A workflow with `alpha` (`one`, `two`) and `beta` (`three`), without these nodes.
fn without(ids: &[u32]) -> Tree {
    let node = |id: u32, name: &str, below: &[Option<String>]| {
        let below = below.iter().flatten().cloned().collect::<Vec<_>>().join(",");
        let node = format!(r#"{{"id":{id},"type":"task","name":"{name}","children":[{below}]}}"#);
        (!ids.contains(&id)).then_some(node)
    };
    let alpha = node(2, "alpha", &[node(3, "one", &[]), node(4, "two", &[])]);
    Tree::from_json(&node(1, "root", &[alpha, node(5, "beta", &[node(6, "three", &[])])]).unwrap()).unwrap()
}

/// A pane of that tree with a selected node.
fn selected(id: i64) -> (TreePane, Focus) {
    let (mut pane, mut focus, tree) = (TreePane::default(), Focus::default(), without(&[]));
    act(&mut pane, &tree, &mut focus, TreeAction::Select { id: NodeId(id) });
    pane.keep_selected_row(&tree, &focus);
    (pane, focus)
}

/// The titles of the rows, removed ones in brackets, and the number of the selected row.
fn rows(pane: &mut TreePane, tree: &Tree, focus: &Focus) -> (String, Option<usize>) {
    pane.find_matches(tree, 1, None);
    pane.keep_selected_row(tree, focus);
    let window = pane.window_of(tree, focus.node(), &RunData::default());
    let title =
        |row: &TreeRow| if row.removed.is_some() { format!("[{}]", row.title) } else { row.title.clone() };
    let titles: Vec<_> = window.rows.iter().map(title).collect();
    (titles.join(" "), window.selected_row)
}

#[test]
fn it_keeps_a_row_at_the_end_of_the_nearest_node_above_that_is_left() {
    for (id, gone, expected, number) in [
        (3, &[3][..], "root alpha two [one] beta three", 3),
        (4, &[4], "root alpha one [two] beta three", 3),
        (3, &[2, 3, 4], "root beta three [one]", 3),
        (6, &[5, 6], "root alpha one two [three]", 4),
        (2, &[2, 3, 4], "root beta three [alpha]", 3),
    ] {
        let (mut pane, focus) = selected(id);
        let found = rows(&mut pane, &without(gone), &focus);
        assert_eq!(found, (expected.to_owned(), Some(number)), "{id} {gone:?}");
    }
}

#[test]
fn its_row_says_nothing_of_its_state_and_is_in_no_other_tree() {
    let (mut pane, focus) = selected(3);
    let tree = without(&[3]);
    rows(&mut pane, &tree, &focus);
    let row = &pane.window_of(&tree, focus.node(), &RunData::default()).rows[3];
    assert_eq!((&*row.title, row.depth, row.position, row.set_size), ("one", 2, 2, 2));
    assert_eq!((row.is_dimmed, row.state.as_ref(), &*row.duration), (true, None, ""));
    assert_eq!(rows(&mut pane, &without(&[]), &focus).0, "root alpha one two beta three", "it is back");
}

#[test]
fn the_keys_go_from_it_to_its_neighbours_and_leave_it() {
    for (action, expected) in [
        (TreeAction::Move { by: 1 }, 5),
        (TreeAction::Move { by: -1 }, 4),
        (TreeAction::Move { by: 9 }, 6),
        (TreeAction::Move { by: -9 }, 1),
        (TreeAction::Last, 6),
        (TreeAction::Focus, 3),
        (TreeAction::Select { id: NodeId(3) }, 3),
        (TreeAction::Find { letter: 'b' }, 5),
    ] {
        let (mut pane, mut focus) = selected(3);
        let tree = without(&[3]);
        rows(&mut pane, &tree, &focus);
        act(&mut pane, &tree, &mut focus, action.clone());
        assert_eq!(focus.node(), Some(NodeId(expected)), "{action:?}");
        let is_left = !rows(&mut pane, &tree, &focus).0.contains('[');
        assert_eq!(is_left, expected != 3, "{action:?}");
    }
}

#[test]
fn a_window_of_few_rows_has_it_at_its_place() {
    for (first, expected) in
        [(0, "root alpha"), (2, "two [one]"), (3, "[one] beta"), (4, "beta three"), (5, "three"), (9, "")]
    {
        let (mut pane, mut focus) = selected(3);
        let tree = without(&[3]);
        act(&mut pane, &tree, &mut focus, TreeAction::Show { first, count: 2 });
        assert_eq!(rows(&mut pane, &tree, &focus).0, expected, "{first}");
    }
}

#[test]
fn it_is_folded_away_with_its_parent_and_filtered_out() {
    let (mut pane, mut focus) = selected(3);
    let tree = without(&[3]);
    pane.toggle(NodeId(2));
    assert_eq!(rows(&mut pane, &tree, &focus), ("root alpha beta three".to_owned(), None));
    act(&mut pane, &tree, &mut focus, TreeAction::Filter { filters: vec![NodeFilter::Failed] });
    assert_eq!(rows(&mut pane, &tree, &focus).0, "");
}
