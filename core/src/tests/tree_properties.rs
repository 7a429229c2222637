//! Properties of trees and deltas over generated inputs.

use std::collections::HashSet;

use proptest::prelude::*;
use runstate::history::{Change, History, Step};
use runstate::smithers::wire::{NodeState, read_node_states};
use runstate::time::Millis;
use runstate::tree::{Delta, Snapshot, diff_snapshots};
use runstate::tree::{NodeId, NodeIndex, Row, Tree};
use runstate::word::{Vocabulary, Word};
use serde_json::{Value, json};

const TYPES: [&str; 6] = ["task", "sequence", "parallel", "timer", "loop", "a-type-of-2030"];
const PROPS: [&str; 6] = [
    "{}",
    r#"{"id":"a"}"#,
    r#"{"id":"nap","until":1.5}"#,
    r#"{"x":[1,{"y":null}]}"#,
    r#"{"label":"ü\n🚀"}"#,
    r#"{"id":7}"#,
];
const STATES: [&str; 5] = ["pending", "in-progress", "waiting-approval", "finished", "a-state-of-2030"];

/// A node before it is placed: id, type, name, properties, task.
#[derive(Clone, Debug)]
struct Seed {
    parent: u16,
    id: u8,
    node_type: usize,
    name: bool,
    props: usize,
    task: Option<(u8, usize, u8)>,
}

fn seeds(ids: u8) -> impl Strategy<Value = Vec<Seed>> {
    let task = proptest::option::of((0..4_u8, 0..STATES.len(), 0..3_u8));
    let seed = (any::<u16>(), 0..ids, 0..TYPES.len(), any::<bool>(), 0..PROPS.len(), task);
    let seed = seed.prop_map(|(parent, id, node_type, name, props, task)| Seed {
        parent,
        id,
        node_type,
        name,
        props,
        task,
    });
    proptest::collection::vec(seed, 1..30)
}

/// A tree of these nodes; with `unique`, duplicate ids are skipped.
fn tree(seeds: &[Seed], unique: bool) -> Value {
    let mut ids = HashSet::new();
    let kept: Vec<&Seed> = seeds.iter().filter(|seed| ids.insert(seed.id) || !unique).collect();
    let parents: Vec<usize> = (0..kept.len()).map(|at| kept[at].parent as usize % at.max(1)).collect();
    let mut levels = vec![0; kept.len()];
    for at in 1..kept.len() {
        levels[at] = levels[parents[at]] + 1;
    }
    let mut nodes: Vec<Value> = kept.iter().zip(&levels).map(|(seed, depth)| node(seed, *depth)).collect();
    for at in (1..nodes.len()).rev() {
        let child = nodes.pop().unwrap();
        nodes[parents[at]]["children"].as_array_mut().unwrap().insert(0, child);
    }
    nodes.remove(0)
}

fn node(seed: &Seed, depth: usize) -> Value {
    let word = TYPES[seed.node_type];
    let mut node = json!({
        "id": seed.id, "type": word, "name": if seed.name { word } else { "other" },
        "props": serde_json::from_str::<Value>(PROPS[seed.props]).unwrap(), "children": [], "depth": depth,
    });
    if let Some((name, state, attempt)) = seed.task {
        node["task"] = json!({"nodeId": format!("n{name}"), "kind": "agent", "state": STATES[state], "attempt": attempt});
    }
    node
}

fn snapshot(root: &Value, seq: u32) -> Snapshot {
    let text = json!({"version": 1, "runId": "r", "frameNo": seq, "seq": seq, "root": root}).to_string();
    Snapshot::from_json(&text).unwrap()
}

fn root(tree: &Tree) -> Value {
    serde_json::from_str(&tree.to_json()).unwrap()
}

/// Asserts that all incrementally updated data equals data computed anew.
fn check(tree: &Tree) {
    let mut fresh = Tree::from_json(&tree.to_json()).unwrap();
    let rows = tree.preorder(tree.root()).filter_map(|index| tree.node(index).status.clone());
    let rows: Vec<_> = rows.collect();
    if !rows.is_empty() {
        fresh.join(&rows);
    }
    let (ours, theirs): (Vec<_>, Vec<_>) =
        (tree.preorder(tree.root()).collect(), fresh.preorder(fresh.root()).collect());
    assert_eq!(ours.len(), theirs.len());
    for (index, other) in ours.iter().zip(theirs) {
        let (node, same) = (tree.node(*index), fresh.node(other));
        assert_eq!(node.id, same.id);
        assert_eq!(tree.weight(*index), fresh.weight(other), "{}", node.id.0);
        assert_eq!(tree.rollup(*index), fresh.rollup(other), "{}", node.id.0);
        let first = ours.iter().find(|first| tree.node(**first).id == node.id).copied();
        assert_eq!(tree.find(node.id), first, "the first in reading order");
        assert!(node.children.iter().all(|child| tree.node(*child).parent == Some(*index)));
    }
    check_states(tree);
}

/// Asserts that the nodes in each state are found.
fn check_states(tree: &Tree) {
    let all: Vec<_> = tree.preorder(tree.root()).collect();
    for state in NodeState::ALL {
        let is_in = |index: &&NodeIndex| tree.node(**index).state() == Some(&Word::Known(*state));
        let expected: Vec<_> = all.iter().filter(is_in).copied().collect();
        assert_eq!(tree.in_state(*state).collect::<Vec<_>>(), expected, "{state:?}");
    }
}

/// A step, right or wrong, as JSON.
fn op() -> impl Strategy<Value = Value> {
    let id =
        prop_oneof![6 => (0..12_u8).prop_map(|id| json!(id)), 1 => Just(json!("1")), 1 => Just(Value::Null)];
    let place = prop_oneof![
        4 => (0..5_i8).prop_map(|at| json!(at)),
        1 => Just(json!(-3)),
        1 => Just(json!(0.5)),
        1 => Just(json!(1e9)),
        1 => Just(json!("0")),
    ];
    let good_node = seeds(12).prop_map(|seeds| tree(&seeds, false));
    let some_node = prop_oneof![8 => good_node, 1 => Just(json!("x")), 1 => Just(Value::Null)];
    let some_props = prop_oneof![4 => (0..PROPS.len()).prop_map(|at| serde_json::from_str(PROPS[at]).unwrap()), 1 => Just(json!(5))];
    let some_task = prop_oneof![
        4 => (0..STATES.len()).prop_map(|at| json!({"nodeId": "n1", "state": STATES[at]})),
        1 => Just(Value::Null),
    ];
    prop_oneof![
        3 => (id.clone(), place, some_node.clone())
            .prop_map(|(id, index, node)| json!({"op": "addNode", "parentId": id, "index": index, "node": node})),
        4 => id.clone().prop_map(|id| json!({"op": "removeNode", "id": id})),
        2 => (id.clone(), some_props).prop_map(|(id, props)| json!({"op": "updateProps", "id": id, "props": props})),
        3 => (id.clone(), some_task).prop_map(|(id, task)| json!({"op": "updateTask", "id": id, "task": task})),
        1 => id.prop_map(|id| json!({"op": "updateTask", "id": id})),
        1 => some_node.prop_map(|node| json!({"op": "replaceRoot", "node": node})),
        1 => Just(json!({"op": "explode"})),
    ]
}

/// The child indices that lead to the first node with this id in reading order; empty for the root itself.
fn way_to(root: &Value, id: &Value) -> Option<Vec<usize>> {
    let mut open = vec![(root, Vec::new())];
    while let Some((node, way)) = open.pop() {
        if node["id"] == *id {
            return Some(way);
        }
        for (place, child) in node["children"].as_array().unwrap().iter().enumerate().rev() {
            let mut below = way.clone();
            below.push(place);
            open.push((child, below));
        }
    }
    None
}

fn at<'a>(root: &'a mut Value, way: &[usize]) -> &'a mut Value {
    way.iter().fold(root, |node, place| &mut node["children"][*place])
}

/// Applies a step to a tree of plain values by the protocol's rules: a slow reference implementation.
fn plainly(root: &mut Value, op: &Value) -> Result<(), String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let unknown = |what: &str, id: &Value| format!("Unknown {what} id: {}", text(id));
    match op["op"].as_str().unwrap() {
        "addNode" if !op["node"].is_object() => Err("addNode requires a node.".to_owned()),
        "addNode" if !op["index"].is_number() => Err("addNode requires a numeric index.".to_owned()),
        "addNode" => {
            let way = way_to(root, &op["parentId"]).ok_or_else(|| unknown("parent", &op["parentId"]))?;
            let children = at(root, &way)["children"].as_array_mut().unwrap();
            let place = op["index"].as_f64().unwrap().max(0.0).min(children.len() as f64);
            children.insert(place as usize, op["node"].clone());
            Ok(())
        }
        "removeNode" if op["id"] == root["id"] => Err("Cannot remove the root node.".to_owned()),
        "removeNode" => {
            let mut way = way_to(root, &op["id"]).ok_or_else(|| unknown("node", &op["id"]))?;
            let place = way.pop().unwrap();
            at(root, &way)["children"].as_array_mut().unwrap().remove(place);
            Ok(())
        }
        "updateProps" if !op["props"].is_object() => Err("updateProps requires a props object.".to_owned()),
        "updateProps" => {
            let way = way_to(root, &op["id"]).ok_or_else(|| unknown("node", &op["id"]))?;
            at(root, &way)["props"] = op["props"].clone();
            Ok(())
        }
        "updateTask" => {
            let way = way_to(root, &op["id"]).ok_or_else(|| unknown("node", &op["id"]))?;
            let node = at(root, &way).as_object_mut().unwrap();
            match op.get("task") {
                None => drop(node.remove("task")),
                Some(Value::Object(task)) => drop(node.insert("task".to_owned(), task.clone().into())),
                Some(_) => return Err("updateTask requires a task object or undefined.".to_owned()),
            }
            Ok(())
        }
        "replaceRoot" if !op["node"].is_object() => Err("replaceRoot requires a node.".to_owned()),
        "replaceRoot" => {
            *root = op["node"].clone();
            Ok(())
        }
        other => Err(format!("Unknown op: {other}")),
    }
}

/// Index, depth, position, size of the set, expandable, expanded.
type VisibleRow = (NodeIndex, u32, u32, u32, bool, bool);

fn visible_row(row: &Row) -> VisibleRow {
    (row.index, row.depth, row.position, row.set_size, row.expandable, row.expanded)
}

/// The visible rows of the nodes that pass a test and of those above them, by a walk through the whole tree.
fn visible(
    tree: &Tree,
    collapsed: &HashSet<NodeId>,
    is_member: impl Fn(NodeIndex) -> bool,
) -> Vec<VisibleRow> {
    let has_row = |index: &NodeIndex| tree.preorder(*index).any(&is_member);
    let mut rows = Vec::new();
    let root = Some(tree.root()).filter(|root| !tree.is_empty() && has_row(root));
    let mut open: Vec<_> = root.map(|root| (root, 0, 1, 1)).into_iter().collect();
    while let Some((index, depth, position, set_size)) = open.pop() {
        let node = tree.node(index);
        let children: Vec<_> = node.children.iter().copied().filter(has_row).collect();
        let expandable = !children.is_empty();
        let expanded = expandable && !collapsed.contains(&node.id);
        rows.push((index, depth, position, set_size, expandable, expanded));
        if expanded {
            let size = children.len() as u32;
            let children = children.iter().enumerate().rev();
            open.extend(children.map(|(place, child)| (*child, depth + 1, place as u32 + 1, size)));
        }
    }
    rows
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn the_delta_between_two_trees_leads_from_one_to_the_other(a in seeds(24), b in seeds(24), same_root: bool) {
        let (a, mut b) = (tree(&a, true), tree(&b, true));
        if same_root && way_to(&b, &a["id"]).is_none_or(|way| way.is_empty()) {
            for key in ["id", "type", "name"] {
                b[key] = a[key].clone();
            }
        }
        let (mut from, to) = (snapshot(&a, 4), snapshot(&b, 5));
        let _ = from.tree.rollup(from.tree.root());
        let delta = diff_snapshots(&from, &to).unwrap();
        let mut streamed = snapshot(&a, 4);
        streamed.apply_json(&delta.to_json()).unwrap();
        from.apply(&delta).unwrap();
        prop_assert_eq!(root(&from.tree), b.clone());
        prop_assert_eq!(root(&streamed.tree), b);
        prop_assert_eq!(from.seq, 5.0);
        check(&from.tree);
        prop_assert!(from.tree.diff(&to.tree).is_empty());
    }

    #[test]
    fn every_step_does_what_it_does_to_plain_values(
        a in seeds(12), ops in proptest::collection::vec(op(), 1..6), unique: bool, counted: bool
    ) {
        let before = tree(&a, unique);
        let mut expected = Ok(before.clone());
        for op in &ops {
            expected = expected.and_then(|mut root| plainly(&mut root, op).map(|()| root));
        }
        let mut ours = snapshot(&before, 5);
        if counted {
            let _ = ours.tree.rollup(ours.tree.root());
        }
        let delta = json!({"version": 1, "baseSeq": 5, "seq": 6, "ops": ops}).to_string();
        let outcome = ours.apply_json(&delta).map_err(|error| error.message);
        let after = root(&ours.tree);
        match expected {
            Ok(expected) => prop_assert_eq!((outcome, after), (Ok(()), expected)),
            Err(message) => prop_assert_eq!((outcome, after), (Err(message), before.clone())),
        }
        check(&ours.tree);
        if let Ok(delta) = Delta::from_json(&delta) {
            let mut read = snapshot(&before, 5);
            let _ = read.apply(&delta);
            prop_assert_eq!(root(&read.tree), root(&ours.tree));
        }
    }

    #[test]
    fn rows_by_number_are_the_visible_rows(
        a in seeds(24), unique: bool, collapsed in proptest::collection::hash_set(0..26_i64, 0..8),
        members in proptest::option::of(proptest::collection::hash_set(0..26_i64, 0..8)), from in 0..20_usize, length in 0..20_usize
    ) {
        let tree = Tree::from_json(&tree(&a, unique).to_string()).unwrap();
        let collapsed: HashSet<NodeId> = collapsed.into_iter().map(NodeId).collect();
        let is_member = |index: NodeIndex| members.as_ref().is_none_or(|members| members.contains(&tree.node(index).id.0));
        let subset = members.as_ref().map(|_| tree.subset(is_member));
        let (all, outline) = (visible(&tree, &collapsed, is_member), tree.outline_of(&collapsed, subset.as_ref()));
        prop_assert_eq!(outline.len(), all.len());
        let window: Vec<_> = all.iter().copied().skip(from).take(length).collect();
        prop_assert_eq!(outline.rows(from..from + length).iter().map(visible_row).collect::<Vec<_>>(), window);
        prop_assert_eq!(outline.rows(0..usize::MAX).iter().map(visible_row).collect::<Vec<_>>(), all.clone());
        let shown: HashSet<NodeIndex> = all.iter().map(|row| row.0).collect();
        for index in tree.preorder(tree.root()).filter(|index| tree.find(tree.node(*index).id) == Some(*index)) {
            let place = outline.row_number(tree.node(index).id);
            prop_assert_eq!(place.and_then(|place| all.get(place)).map(|row| row.0), shown.contains(&index).then_some(index));
        }
    }

    #[test]
    fn joined_rows_keep_the_counts(a in seeds(12), states in proptest::collection::vec((0..5_u8, 0..STATES.len()), 0..6), ops in proptest::collection::vec(op(), 0..5)) {
        let mut snapshot = snapshot(&tree(&a, false), 5);
        let _ = snapshot.tree.rollup(snapshot.tree.root());
        let rows: Vec<Value> = states.iter().map(|(name, state)| json!({"nodeId": format!("n{name}"), "state": STATES[*state]})).collect();
        snapshot.tree.join(&read_node_states(&json!(rows).to_string()).unwrap());
        let before = snapshot.tree.rollup(snapshot.tree.root());
        let delta = json!({"version": 1, "baseSeq": 5, "seq": 6, "ops": ops}).to_string();
        if snapshot.apply_json(&delta).is_err() {
            prop_assert_eq!(snapshot.tree.rollup(snapshot.tree.root()), before);
        }
        let whole = snapshot.tree.rollup(snapshot.tree.root());
        let nodes = snapshot.tree.preorder(snapshot.tree.root()).map(|index| snapshot.tree.node(index));
        let working = nodes.filter(|node| node.is_work() && node.state().is_some_and(|state| state.as_str() == "in-progress"));
        prop_assert_eq!(whole.in_progress as usize, working.count());
        check_states(&snapshot.tree);
    }

    #[test]
    fn every_frame_is_kept_whatever_the_stream_does(
        frames in proptest::collection::vec((seeds(12), 0..9_u32, any::<bool>()), 1..12), order in proptest::collection::vec(any::<u16>(), 0..20)
    ) {
        let mut history = History::new();
        let mut line: Vec<(f64, Value)> = Vec::new();
        for (at, (seeds, number, unique)) in frames.iter().enumerate() {
            let root = tree(seeds, *unique);
            let number = f64::from(*number);
            let newest = line.last().map(|(newest, _)| *newest);
            // Every second one is a delta if possible.
            let next = snapshot(&root, number as u32);
            let base = line.last().map(|(newest, root)| snapshot(root, *newest as u32));
            let delta = base.filter(|_| at % 2 == 1 && *unique).and_then(|base| {
                let delta = diff_snapshots(&base, &next).unwrap();
                let mut check = base;
                (number > check.frame_no && check.apply(&delta).is_ok() && check.tree.to_json() == next.tree.to_json()).then_some(delta)
            });
            let taken = match delta {
                Some(delta) => history.take_delta(&delta, Millis(0.0)).unwrap(),
                None => history.take_snapshot(&next, Millis(0.0)),
            };
            let expected = match newest {
                Some(newest) if number < newest => Step::Rewound { from: newest },
                Some(newest) if number == newest => Step::Again,
                Some(_) | None => Step::Forward,
            };
            prop_assert_eq!(taken, expected);
            line.retain(|(seen, _)| *seen < number);
            line.push((number, root));
        }
        prop_assert_eq!(history.numbers(), line.iter().map(|(number, _)| *number).collect::<Vec<_>>());
        for place in order.iter().map(|place| *place as usize % line.len()).chain(0..line.len()) {
            let (number, expected) = &line[place];
            prop_assert_eq!(&root(history.frame(*number).unwrap().tree()), expected);
        }
        for (number, _) in &line {
            let same = history.diff(*number, *number).unwrap();
            prop_assert!(same.changes.is_empty());
            let (newest, _) = line.last().unwrap();
            let sentences: Vec<String> = history.diff(*number, *newest).unwrap().changes.iter().map(Change::sentence).collect();
            prop_assert!(sentences.iter().all(|sentence| sentence.ends_with('.') && sentence.len() > 8), "{sentences:?}");
        }
    }

    #[test]
    fn no_text_panics(text in ".{0,60}", cut in 0..400_usize, put in "[\\[\\]{}\",:0-9a-z]{0,3}") {
        let valid = json!({"version": 1, "runId": "r", "frameNo": 5, "seq": 5, "baseSeq": 5, "ops": [
            {"op": "addNode", "parentId": 1, "index": 0, "node": {"id": 2, "type": "task", "name": "t", "props": {}, "children": [], "depth": 1}},
            {"op": "updateTask", "id": 1, "task": {"nodeId": "a", "state": "failed"}}],
            "root": {"id": 1, "type": "workflow", "name": "w", "props": {"id": null}, "children": [], "depth": 0}}).to_string();
        let at = cut.min(valid.len());
        let broken = format!("{}{put}{}", &valid[..at], valid.get(at + put.len()..).unwrap_or_default());
        for text in [text.as_str(), &broken] {
            let _ = Tree::from_json(text);
            let _ = Delta::from_json(text);
            let _ = Snapshot::from_json(text);
            let mut good = Snapshot::from_json(&valid).unwrap();
            let before = good.to_json();
            if good.apply_json(text).is_err() {
                prop_assert_eq!(good.to_json(), before);
            }
        }
    }
}
