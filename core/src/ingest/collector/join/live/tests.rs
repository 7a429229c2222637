//! Tests how much stays in memory while answers keep arriving.

use std::borrow::Cow;

use super::LiveRuns;
use crate::ingest::unpack::Piece;
use crate::time::Millis;

#[test]
fn repeated_event_logs_take_no_memory() {
    let at = Millis(1_700_000_000_000.0);
    let event = r#"{"seq":1,"runId":"r1","type":"RunStarted","timestampMs":1700000000000,"payload":{}}"#;
    let bodies = [format!(r#"{{"ok":true,"data":[{event}]}}"#), format!("{event}\n{event}\n")];
    for body in bodies {
        let mut runs = LiveRuns::default();
        let answer = |runs: &mut LiveRuns| {
            runs.answer(Piece { traffic: true, ..Piece::new(Cow::Borrowed(body.as_bytes())) }, at, at);
        };
        (0..1000).for_each(|_| answer(&mut runs));
        let collector = &runs.collector;
        let kept = [
            collector.statements.len(),
            collector.logs.len(),
            collector.sessions.len(),
            collector.refusals.len(),
        ];
        assert_eq!((collector.count(), kept), (0, [0; 4]), "{body}");
        assert!(collector.problems.listed().len() <= 20, "{body}");
    }
}
