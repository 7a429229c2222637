//! Tests the rows of runs that were on screen: a Gateway's answer about a run says more than its row.

use super::{NOW, answer, answer_differently, gateway, row_states};
use crate::gateway::ClientInput;
use crate::time::Millis;

#[test]
fn the_servers_word_about_a_process_stays_on_the_row_but_a_run_at_work_becomes_stale() {
    let row = |heartbeat: f64| {
        format!(
            r#"{{"runId":"a","status":"running","heartbeatAtMs":{heartbeat},"runtimeOwnerId":"pid:1:x"}}"#
        )
    };
    let said = |state: &str, heartbeat: f64| {
        let view = format!(r#"{{"runId":"a","state":"{state}","computedAt":"2023-11-14T22:13:20.000Z"}}"#);
        format!("[{}]", row(heartbeat).replacen('{', &format!(r#"{{"runState":{view},"#), 1))
    };
    let later = |seconds: f64| Millis(NOW.0 + 1_000.0 * seconds);
    // The row's states at first, beside the header, after 50 s without a change, and after a heartbeat.
    let shown = |state: &str, heartbeat: f64| {
        let mut viewer = gateway(None);
        let listed = format!("[{}]", row(heartbeat));
        answer(&mut viewer, ClientInput::Opened, &listed, NOW);
        let at_first = row_states(&viewer.updates(NOW));
        let said = said(state, heartbeat);
        answer_differently(&mut viewer, ClientInput::Watch("a"), [&listed, &said], later(1.0));
        let beside = row_states(&viewer.updates(later(1.0)));
        answer_differently(&mut viewer, ClientInput::List, [&listed, "[]"], later(50.0));
        let unchanged = row_states(&viewer.updates(later(50.0)));
        let beats = format!("[{}]", row(later(59.0).0));
        answer_differently(&mut viewer, ClientInput::Visible(true), [&beats, "[]"], later(60.0));
        let changed = row_states(&viewer.updates(later(60.0)));
        [at_first, beside, unchanged, changed].concat()
    };
    assert_eq!(shown("orphaned", NOW.0 - 40_000.0), ["a stale", "a orphaned", "a orphaned", "a running"]);
    assert_eq!(shown("running", NOW.0), ["a running", "a running", "a stale", "a running"]);
}
