//! The events of several runs in one list.

use super::{EntryNode, LogAction, LogQuery, NOW, after, everything, of_text};
use crate::viewer::{NodeKey, Update, ViewCommand};

fn event(run: &str, kind: &str, at: u32) -> String {
    format!(
        r#"{{"type":"{kind}","runId":"{run}","nodeId":"build","iteration":0,"attempt":1,"timestampMs":17000000{at:05}}}"#
    ) + "\n"
}

#[test]
fn an_event_of_another_run_selects_no_node_of_the_run_on_screen() {
    let log = [
        event("r1", "NodeStarted", 0),
        event("r2", "NodeFailed", 1),
        r#"{"type":"RunFailed","runId":"r2","timestampMs":1700000000002}"#.to_owned() + "\n",
        event("r1", "NodeFinished", 3),
    ]
    .concat();
    let mut viewer = of_text(&log);
    viewer.choose(Some(1));
    after(&mut viewer, everything());
    let query = LogQuery { all_runs: true, ..LogQuery::default() };
    let all = after(&mut viewer, LogAction::Query(query)).rows;
    let runs: Vec<_> = all.iter().map(|row| (row.run.as_deref(), row.is_of_other_run)).collect();
    let [first, second] = [(Some("r1"), false), (Some("r2"), true)];
    assert_eq!(runs, [first, second, second, first]);
    let EntryNode { node_id, .. } = all[1].node.clone().expect("it is named");
    let key = NodeKey { node_id, iteration: 0 };
    for (row, selects) in [(0, true), (1, false), (3, true), (2, false)] {
        assert_eq!(after(&mut viewer, LogAction::Select { row }).selected, Some(row));
        assert_eq!(viewer.selected_key(), selects.then_some(&key), "row {row}");
    }
    viewer.handle(ViewCommand::Select(Some(key)), NOW);
    assert!(viewer.updates(NOW).iter().any(|update| matches!(update, Update::Node(Some(_)))));
}
