//! Runs of many frames.

use crate::history::History;
use crate::time::Millis;
use crate::tree::Delta;
use crate::tree::Tree;
use serde_json::{Value, json};

use super::support::{frame, task};

/// Many frames over many nodes: each changes three tasks, every hundredth is a new snapshot. Returns the history and
/// the hash of some frames' trees.
fn long(frames: u32, nodes: u32) -> (History, Vec<(u32, u64)>) {
    let tasks = (2..nodes + 2).map(|id| task(id, &format!("n{id}"), &json!({"state": "pending"})));
    let mut history = History::new();
    let mut plain = frame(1, &json!(tasks.collect::<Vec<Value>>()));
    history.take_snapshot(&plain, Millis(0.0));
    let mut sums = vec![(1, fingerprint(&plain.tree))];
    for number in 2..=frames {
        let ops: Vec<Value> = (0..3)
            .map(|step| {
                let id = 2 + (number * 7919 + step * 104_729) % nodes;
                let task = json!({"nodeId": format!("n{id}"), "kind": "agent", "state": "in-progress", "attempt": number});
                json!({"op": "updateTask", "id": id, "task": task})
            })
            .collect();
        let delta = json!({"version": 1, "baseSeq": number - 1, "seq": number, "ops": ops}).to_string();
        let delta = Delta::from_json(&delta).unwrap();
        plain.apply(&delta).unwrap();
        if number % 100 == 0 {
            history.take_snapshot(&plain, Millis(f64::from(number)));
        } else {
            history.take_delta(&delta, Millis(f64::from(number))).unwrap();
        }
        if number % (frames / 40) == 3 {
            sums.push((number, fingerprint(&plain.tree)));
        }
    }
    (history, sums)
}

fn fingerprint(tree: &Tree) -> u64 {
    let attempts = tree.preorder(tree.root()).map(|index| u64::from(tree.node(index).attempt().unwrap_or(0)));
    attempts.fold(7, |sum, attempt| sum.wrapping_mul(31).wrapping_add(attempt))
}

#[test]
fn a_long_run_is_kept_frame_by_frame() {
    let (mut history, sums) = long(2_000, 200);
    assert_eq!(history.numbers().len(), 2_000);
    for step in 0..200 {
        let (number, sum) = sums[step * 17 % sums.len()];
        assert_eq!(fingerprint(history.frame(f64::from(number)).unwrap().tree()), sum, "{number}");
    }
}
