//! Any frame of a long run by its number.

use std::time::Instant;

use anyhow::{Context, Result};
use runstate::history::History;
use runstate::time::Millis;
use runstate::tree::{Delta, Snapshot};
use serde_json::json;

use crate::round::{Round, since};

/// The number of requested frames.
const LOOKS: u32 = 400;

/// The slowest of some random frames of a run that changes three tasks in each.
pub(crate) fn shown(first: &Snapshot, count: u32) -> Result<Round> {
    let mut history = of_many(first, count)?;
    let (mut slowest, mut nodes) = (0.0_f64, 0);
    for look in 0..LOOKS {
        let number = first.frame_no + f64::from(look * 6367 % count);
        let start = Instant::now();
        let past = history.frame(number)?;
        slowest = slowest.max(since(start));
        nodes += past.tree().len();
    }
    Ok(Round { milliseconds: slowest, times: 1, answer: json!(nodes), bytes: None })
}

fn of_many(first: &Snapshot, count: u32) -> Result<History> {
    let mut history = History::new();
    history.take_snapshot(first, Millis(0.0));
    let tasks: Vec<_> = first
        .tree
        .preorder(first.tree.root())
        .map(|index| first.tree.node(index))
        .filter_map(|node| Some((node.id.0, node.task.as_ref()?.node_id.clone())))
        .collect();
    for number in 1..count {
        let ops = (0..3).map(|step| {
            let place = (number as usize * 7919 + step * 104_729) % tasks.len();
            let (id, node_id) = tasks.get(place)?;
            let task =
                json!({ "nodeId": node_id, "kind": "compute", "state": "in-progress", "attempt": number });
            Some(json!({ "op": "updateTask", "id": id, "task": task }))
        });
        let ops = ops.collect::<Option<Vec<_>>>().context("the tree has tasks")?;
        let base = first.seq + f64::from(number - 1);
        let delta = json!({ "version": 1, "baseSeq": base, "seq": base + 1.0, "ops": ops }).to_string();
        history.take_delta(&Delta::from_json(&delta)?, Millis(f64::from(number)))?;
    }
    Ok(history)
}
