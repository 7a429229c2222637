//! Trees: reading, deltas in place, joining the server's rows, rollups and visible rows.

use super::vectors;

use std::collections::HashSet;

use runstate::smithers::wire::read_node_states;
use runstate::tree::{Delta, Snapshot};
use runstate::tree::{NodeId, NodeIndex, Tree};
use serde_json::Value;

/// The tree as the wire writes it, to compare with.
fn json(tree: &Tree, index: NodeIndex) -> Value {
    let node = tree.node(index);
    let children: Vec<Value> = node.children.iter().map(|child| json(tree, *child)).collect();
    let mut value = serde_json::json!({
        "id": node.id.0, "type": node.node_type.as_str(), "name": node.name,
        "props": serde_json::from_str::<Value>(node.props()).unwrap(), "depth": node.depth, "children": children,
    });
    if let Some(task) = &node.task {
        value["task"] = serde_json::from_str(task.json()).unwrap();
    }
    value
}

/// Parents, ids and counts agree with the structure.
fn check(tree: &Tree) {
    let all: Vec<NodeIndex> = tree.preorder(tree.root()).collect();
    assert_eq!(all.len(), if tree.is_empty() { 1 } else { tree.len() });
    for index in all {
        let node = tree.node(index);
        assert_eq!(tree.find(node.id), Some(index));
        assert_eq!(node.parent.is_none(), index == tree.root());
        for child in &node.children {
            assert_eq!(tree.node(*child).parent, Some(index));
        }
    }
}

#[test]
fn every_delta_vector_gives_the_tree_after_it() {
    let text = vectors::text("delta/valid/pairs.ndjson");
    let mut count = 0;
    for line in text.lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let part = |name: &str| vector[name].to_string();
        let mut snapshot = Snapshot::from_json(&part("a")).unwrap();
        snapshot.apply(&Delta::from_json(&part("delta")).unwrap()).unwrap();
        assert_eq!(json(&snapshot.tree, snapshot.tree.root()), vector["b"]["root"], "{}", vector["case"]);
        assert_eq!(serde_json::json!(snapshot.seq as i64), vector["header"]["seq"]);
        assert_eq!(serde_json::json!(snapshot.frame_no as i64), vector["header"]["frameNo"]);
        check(&snapshot.tree);
        count += 1;
    }
    assert_eq!(count, 300);
}

#[test]
fn a_refused_delta_leaves_every_vector_s_tree_as_it_was() {
    for line in vectors::text("delta/valid/pairs.ndjson").lines() {
        let mut vector: Value = serde_json::from_str(line).unwrap();
        let mut snapshot = Snapshot::from_json(&vector["a"].to_string()).unwrap();
        let before = json(&snapshot.tree, snapshot.tree.root());
        let ops = vector["delta"]["ops"].as_array_mut().unwrap();
        ops.push(serde_json::json!({"op": "removeNode", "id": 424_242}));
        let delta = Delta::from_json(&vector["delta"].to_string()).unwrap();
        for _ in 0..2 {
            let error = snapshot.apply(&delta).unwrap_err();
            assert_eq!(error.message, "Unknown node id: 424242");
            assert_eq!(json(&snapshot.tree, snapshot.tree.root()), before, "{}", vector["case"]);
            assert_eq!(serde_json::json!(snapshot.seq as i64), vector["a"]["seq"]);
            check(&snapshot.tree);
        }
    }
}

const SMALL: &str = r#"{"id":1,"type":"workflow","name":"demo","props":{"name":"demo"},"depth":0,"children":[
    {"id":2,"type":"sequence","name":"sequence","props":{},"depth":1,"children":[
        {"id":3,"type":"task","name":"task","props":{"id":"a","label":"First"},"depth":2,"children":[],
         "task":{"nodeId":"a","kind":"compute","iteration":1,"state":"pending","attempt":0,"maxAttempts":3}},
        {"id":4,"type":"timer","name":"timer","props":{"id":"nap"},"depth":2,"children":[]},
        {"id":5,"type":"task","name":"task","props":{"id":42},"depth":2,"children":[]},
        {"id":6,"type":"task","name":"task","props":{"id":"part::3"},"depth":2,"children":[],
         "task":{"nodeId":"part","kind":"static","iteration":3}}]}]}"#;

fn delta(ops: &str) -> Delta {
    Delta::from_json(&format!(r#"{{"version":1,"baseSeq":0,"seq":1,"ops":[{ops}]}}"#)).unwrap()
}

#[test]
fn the_server_s_rows_are_joined_by_id_and_iteration() {
    let mut tree = Tree::from_json(SMALL).unwrap();
    let rows = read_node_states(
        r#"[{"nodeId":"a","iteration":0,"state":"finished"},{"nodeId":"a","iteration":1,"state":"failed","lastAttempt":2},
            {"nodeId":"nap","iteration":0,"state":"finished"},{"nodeId":"nap","iteration":2,"state":"waiting-timer"},
            {"nodeId":"42","iteration":0,"state":"in-progress","label":"x"},{"nodeId":"part::3","iteration":0,"state":"hm"},
            {"nodeId":"else","iteration":0,"state":"pending"},{"nodeId":"else","iteration":1,"state":"pending"}]"#,
    )
    .unwrap();
    assert_eq!(tree.join(&rows), 2);
    let node = |id| tree.node(tree.find(NodeId(id)).unwrap());
    let state = |id| node(id).state().map_or("none", |state| state.as_str());
    assert_eq!([3, 4, 5, 6].map(state), ["failed", "waiting-timer", "in-progress", "hm"]);
    assert_eq!((node(3).attempt(), node(3).max_attempts(), node(3).iteration()), (Some(2), Some(3), Some(1)));
    assert_eq!((node(3).title(), node(3).label()), ("a", Some("First")));
    assert_eq!((node(5).title(), node(5).label(), node(2).title()), ("42", Some("x"), "sequence"));

    let whole = tree.rollup(tree.root());
    assert_eq!((whole.tasks, whole.failed, whole.waiting, whole.in_progress, whole.ended), (4, 1, 1, 1, 0));
    assert_eq!(whole.known, 3);
    assert_eq!(whole.state.unwrap().as_str(), "waiting-timer");

    assert_eq!(tree.join(&[]), 0);
    assert_eq!(tree.node(tree.find(NodeId(3)).unwrap()).state().unwrap().as_str(), "pending");
    let before = tree.rollup(tree.root());
    assert_eq!((before.state, before.known), (None, 1));
}

#[test]
fn a_container_whose_work_is_still_to_come_is_pending() {
    let state = |states: [&str; 2]| {
        let task = |id: usize, state: &str| {
            format!(r#"{{"id":{id},"type":"task","name":"t","task":{{"nodeId":"n{id}","state":"{state}"}}}}"#)
        };
        let children = [task(2, states[0]), task(3, states[1])].join(",");
        let tree = format!(r#"{{"id":1,"type":"sequence","name":"rollout","children":[{children}]}}"#);
        let tree = Tree::from_json(&tree).unwrap();
        tree.rollup(tree.root()).state.map(|word| word.as_str().to_owned())
    };
    for (states, expected) in [
        (["pending", "pending"], Some("pending")),
        (["finished", "pending"], Some("pending")),
        (["skipped", "finished"], Some("finished")),
        (["pending", "failed"], Some("failed")),
        (["pending", "in-progress"], Some("in-progress")),
        (["pending", "hibernating"], None),
        (["cancelled", "finished"], None),
    ] {
        assert_eq!(state(states).as_deref(), expected, "{states:?}");
    }
}

#[test]
fn a_plan_tells_the_state_of_nothing() {
    let tree = Tree::from_json(
        r#"{"id":1,"type":"sequence","name":"s","children":[
            {"id":2,"type":"task","name":"t","task":{"nodeId":"a"}},
            {"id":3,"type":"task","name":"t","task":{"nodeId":"b","state":"hibernating"}}]}"#,
    )
    .unwrap();
    let whole = tree.rollup(tree.root());
    assert_eq!((whole.tasks, whole.known, whole.ended, whole.state), (2, 0, 0, None));
}

#[test]
fn nodes_are_found_by_the_author_s_names() {
    let tree = Tree::from_json(SMALL).unwrap();
    let found = |name, iteration| tree.find_node(name, iteration).map(|index| tree.node(index).id.0);
    for (name, iteration, id) in [
        ("a", None, Some(3)),
        ("a", Some(1), Some(3)),
        ("a", Some(0), Some(3)),
        ("nap", Some(7), Some(4)),
        ("42", None, Some(5)),
        ("part::3", None, Some(6)),
        ("part", Some(3), Some(6)),
        ("a::1", None, Some(3)),
        ("a::2", None, None),
        ("part", Some(2), None),
        ("demo", None, None),
        ("", None, None),
    ] {
        assert_eq!(found(name, iteration), id, "{name} {iteration:?}");
    }
}

#[test]
fn a_moved_node_keeps_its_row_and_a_new_round_loses_it() {
    let mut tree = Tree::from_json(SMALL).unwrap();
    tree.join(&read_node_states(r#"[{"nodeId":"a","iteration":1,"state":"in-progress"}]"#).unwrap());
    let task =
        |iteration| format!(r#"{{"nodeId":"a","kind":"compute","iteration":{iteration},"state":"pending"}}"#);
    let node = |iteration| {
        format!(
            r#"{{"id":3,"type":"task","name":"task","props":{{}},"children":[],"task":{}}}"#,
            task(iteration)
        )
    };
    let moved = format!(
        r#"{{"op":"removeNode","id":3}},{{"op":"addNode","parentId":1,"index":9,"node":{}}}"#,
        node(1)
    );
    tree.apply(&delta(&moved)).unwrap();
    check(&tree);
    let state = |tree: &Tree| tree.node(tree.find(NodeId(3)).unwrap()).state().unwrap().to_string();
    assert_eq!(state(&tree), "in-progress");
    assert_eq!(tree.node(tree.find(NodeId(3)).unwrap()).parent, Some(tree.root()));
    tree.apply(&delta(&format!(r#"{{"op":"updateTask","id":3,"task":{}}}"#, task(2)))).unwrap();
    assert_eq!(state(&tree), "pending");
}

#[test]
fn deltas_that_do_not_fit_are_refused() {
    for (ops, message) in [
        (r#"{"op":"removeNode","id":1}"#, "Cannot remove the root node."),
        (r#"{"op":"removeNode","id":3},{"op":"updateProps","id":3,"props":{}}"#, "Unknown node id: 3"),
        (
            r#"{"op":"addNode","parentId":9,"index":0,"node":{"id":7,"type":"task","name":"t"}}"#,
            "Unknown parent id: 9",
        ),
    ] {
        let mut tree = Tree::from_json(SMALL).unwrap();
        assert_eq!(tree.apply(&delta(ops)).unwrap_err().message, message);
        let fresh = Tree::from_json(SMALL).unwrap();
        assert_eq!(json(&tree, tree.root()), json(&fresh, fresh.root()));
        check(&tree);
    }
    for (text, message) in [
        (r#"{"version":2}"#, "Unsupported delta version: 2"),
        ("{}", "Unsupported delta version: undefined"),
        (r#"{"version":1,"baseSeq":0,"seq":1,"ops":[{"op":"explode"}]}"#, "Unknown op: explode"),
        (r#"{"version":1,"baseSeq":0,"seq":1,"ops":[{"op":null}]}"#, "Unknown op: null"),
        (r#"{"version":1,"baseSeq":0,"seq":1,"ops":[{"op":"removeNode","id":"1"}]}"#, "Unknown node id: 1"),
        (
            r#"{"version":1,"baseSeq":0,"seq":1,"ops":[{"op":"replaceRoot","node":null}]}"#,
            "replaceRoot requires a node.",
        ),
        (
            r#"{"version":1,"baseSeq":0,"seq":1,"ops":[{"op":"updateTask","id":1,"task":null}]}"#,
            "updateTask requires a task object or undefined.",
        ),
        (
            r#"{"version":1,"baseSeq":0,"seq":1,"ops":[{"op":"updateProps","id":1,"props":"x"}]}"#,
            "updateProps requires a props object.",
        ),
    ] {
        assert_eq!(Delta::from_json(text).unwrap_err().message, message);
    }
    let root = r#"{"id":0,"type":"workflow","name":"(empty)","props":{},"children":[],"depth":0}"#;
    let text = format!(r#"{{"version":1,"runId":"r","frameNo":3,"seq":3,"root":{root}}}"#);
    let mut snapshot = Snapshot::from_json(&text).unwrap();
    assert!(snapshot.tree.is_empty() && snapshot.tree.outline(&HashSet::new()).rows(0..1).is_empty());
    assert_eq!(
        snapshot.apply(&delta("")).unwrap_err().message,
        "Delta base seq 0 does not match snapshot seq 3."
    );
}

/// A tree whose deepest node is at this depth.
fn deep(depth: usize) -> String {
    let open = (0..depth).fold(String::new(), |open, id| {
        open + &format!(r#"{{"id":{id},"type":"sequence","name":"s","props":{{}},"depth":{id},"children":["#)
    });
    format!(r#"{open}{{"id":{depth},"type":"task","name":"t"}}{}"#, "]}".repeat(depth))
}

#[test]
fn a_tree_may_be_256_levels_deep_and_one_for_the_server_s_marker() {
    for depth in [0, 1, 255, 256, 257] {
        let tree = Tree::from_json(&deep(depth)).unwrap();
        let rows = tree.outline(&HashSet::new()).rows(0..usize::MAX);
        assert_eq!(rows.last().map(|row| row.depth as usize), Some(depth));
        check(&tree);
    }
    for depth in [258, 400, 100_000] {
        let error = Tree::from_json(&deep(depth)).unwrap_err();
        assert_eq!(error.kind, runstate::json::ReadErrorKind::TooDeep, "{error}");
    }
    let mut tree = Tree::from_json(&deep(250)).unwrap();
    let add =
        |levels| delta(&format!(r#"{{"op":"addNode","parentId":250,"index":0,"node":{}}}"#, deep(levels)));
    assert!(tree.apply(&add(7)).is_err());
    assert!(tree.apply(&add(6)).is_ok());
}

#[test]
fn broken_trees_are_refused() {
    for text in [
        "",
        "null",
        "[]",
        "{}",
        r#"{"id":1,"type":"task"}"#,
        r#"{"id":"1","type":"task","name":"t"}"#,
        r#"{"id":1.5,"type":"task","name":"t"}"#,
        r#"{"id":1208925819614629174706176,"type":"task","name":"t"}"#,
        r#"{"id":1e400,"type":"task","name":"t"}"#,
        r#"{"id":1,"id":2,"type":"task","name":"t"}"#,
        r#"{"id":1,"type":7,"name":"t"}"#,
        r#"{"id":1,"type":"task","name":"t","props":[]}"#,
        r#"{"id":1,"type":"task","name":"t","task":{}}"#,
        r#"{"id":1,"type":"task","name":"t","task":{"nodeId":"a","attempt":-1}}"#,
        r#"{"id":1,"type":"task","name":"t","children":{}}"#,
        r#"{"id":1,"type":"task","name":"t","children":[5]}"#,
        r#"{"id":1,"type":"task","name":"t","children":[[]]}"#,
        r#"{"id":1,"type":"task","name":"t","children":[{"id":2}]}"#,
        r#"{"id":1,"type":"task","name":"t""#,
    ] {
        assert!(Tree::from_json(text).is_err(), "{text}");
    }
}

#[test]
fn rows_carry_what_a_tree_view_needs() {
    let tree = Tree::from_json(SMALL).unwrap();
    let rows = |collapsed: &[i64]| -> Vec<(i64, u32, u32, u32, bool, bool)> {
        let collapsed = collapsed.iter().copied().map(NodeId).collect();
        let rows = tree.outline(&collapsed).rows(0..usize::MAX);
        let id = |index| tree.node(index).id.0;
        rows.iter()
            .map(|row| (id(row.index), row.depth, row.position, row.set_size, row.expandable, row.expanded))
            .collect()
    };
    assert_eq!(
        rows(&[]),
        [
            (1, 0, 1, 1, true, true),
            (2, 1, 1, 1, true, true),
            (3, 2, 1, 4, false, false),
            (4, 2, 2, 4, false, false),
            (5, 2, 3, 4, false, false),
            (6, 2, 4, 4, false, false)
        ]
    );
    assert_eq!(rows(&[2, 3]), [(1, 0, 1, 1, true, true), (2, 1, 1, 1, true, false)]);
    assert_eq!(rows(&[1]).len(), 1);
}

/// A snapshot with unknown members in unusual orders, and the result of some steps, as upstream computes it.
#[test]
fn what_the_contract_does_not_name_stays_and_so_does_its_place() {
    let bare = r#"{"name":"n","id":3,"type":"timer","x":[ 1 ],"y":2,"children":[],"z":{"k":"\u00e9"}}"#;
    let usual = r#"{"id":4,"type":"task","name":"n","props":{},"children":[],"depth":1}"#;
    let root = format!(
        r#"{{"v":7,"id":1,"type":"workflow","name":"w","props":{{}},"children":[{bare},{usual}],"w":1,"depth":0}}"#
    );
    let before = format!(
        r#"{{"seen":{{"by":[]}},"version":1,"runId":"r","frameNo":5,"root":{root},"seq":5,"runState":null,"ours":1}}"#
    );
    let mut snapshot = Snapshot::from_json(&before).unwrap();
    assert_eq!(snapshot.to_json(), before);
    let apply = |snapshot: &mut Snapshot, ops: &str| {
        let delta = format!(r#"{{"version":1,"baseSeq":{0},"seq":{0},"ops":[{ops}]}}"#, snapshot.seq);
        snapshot.apply_json(&delta).map(|()| snapshot.tree.to_json())
    };
    let task = r#"{"op":"updateTask","id":4,"task":{"nodeId":"a"}}"#;
    let odd = r#"{"extra":{"a":1},"id":9,"type":"task","name":"n","task":{"nodeId":"b"},"props":{},"children":[],"depth":2}"#;
    let refused =
        format!(r#"{task},{{"op":"updateProps","id":3,"props":{{}}}},{{"op":"removeNode","id":77}}"#);
    assert!(apply(&mut snapshot, &refused).is_err());
    assert_eq!(snapshot.to_json(), before);
    for (ops, from, to) in [
        (
            task.to_owned(),
            usual,
            r#"{"id":4,"type":"task","name":"n","props":{},"children":[],"depth":1,"task":{"nodeId":"a"}}"#,
        ),
        (
            r#"{"op":"updateProps","id":3,"props":{"p":0}}"#.to_owned(),
            bare,
            &format!("{},\"props\":{{\"p\":0}}}}", &bare[..bare.len() - 1]),
        ),
        (
            format!(r#"{{"op":"addNode","parentId":4,"index":0,"node":{odd}}}"#),
            r#""children":[],"depth":1"#,
            &format!(r#""children":[{odd}],"depth":1"#),
        ),
        (r#"{"op":"removeNode","id":4}"#.to_owned(), &format!(",{usual}"), ""),
        (format!(r#"{{"op":"replaceRoot","node":{odd}}}"#), &root, odd),
    ] {
        let mut snapshot = Snapshot::from_json(&before).unwrap();
        assert_eq!(apply(&mut snapshot, &ops).unwrap(), root.replace(from, to), "{ops}");
        let copy = Tree::from_json(&snapshot.tree.to_json()).unwrap();
        assert!(snapshot.tree.diff(&copy).is_empty());
    }
}

#[test]
fn a_text_that_goes_on_is_refused() {
    let snapshot = r#"{"version":1,"runId":"r","frameNo":1,"seq":1,"root":{"id":1,"type":"w","name":"n"}}"#;
    let delta = r#"{"version":1,"baseSeq":1,"seq":2,"ops":[]}"#;
    let mut read = Snapshot::from_json(&format!(" {snapshot}\n")).unwrap();
    for rest in [" junk", "}", "{}", ","] {
        assert!(Snapshot::from_json(&format!("{snapshot}{rest}")).is_err(), "{rest}");
        assert!(read.apply_json(&format!("{delta}{rest}")).is_err(), "{rest}");
        assert!(Delta::from_json(&format!("{delta}{rest}")).is_err(), "{rest}");
    }
    assert_eq!(read.seq, 1.0);
}
