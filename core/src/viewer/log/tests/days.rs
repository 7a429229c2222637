//! Logs of several days.

use super::{LogAction, after, everything, of_text};

const DAY_MS: f64 = 86_400_000.0;

fn event(kind: &str, at: f64) -> String {
    format!(
        r#"{{"type":"{kind}","runId":"r","nodeId":"a","iteration":0,"attempt":1,"timestampMs":{}}}"#,
        1_795_295_400_000.0 + at
    ) + "\n"
}

#[test]
fn the_first_row_of_another_day_has_its_date_wherever_the_window_begins() {
    let [first, third] = [0.0, 2.0 * DAY_MS];
    let log = [
        event("NodeStarted", first),
        event("NodeFailed", first + 1.0),
        event("NodeStarted", third),
        event("NodeFailed", third + 1.0),
        event("NodeStarted", first + 2.0),
    ]
    .concat();
    let mut viewer = of_text(&log);
    let all = after(&mut viewer, everything()).rows;
    let days: Vec<_> = all.iter().map(|row| row.day.as_deref()).collect();
    assert_eq!(days, [None, None, Some("2026-11-23"), None, Some("2026-11-21")], "the clock was set back");
    for begin in 1..all.len() {
        let window = after(&mut viewer, LogAction::Show { first: begin, count: 9 });
        assert_eq!((window.first, &window.rows[..]), (begin, &all[begin..]));
    }
    assert!(after(&mut viewer, LogAction::Show { first: 9, count: 9 }).rows.is_empty());
}

#[test]
fn a_log_of_one_day_has_no_dates() {
    let log = [event("NodeStarted", 0.0), event("NodeFailed", 1.0)].concat();
    assert!(after(&mut of_text(&log), everything()).rows.iter().all(|row| row.day.is_none()));
}
