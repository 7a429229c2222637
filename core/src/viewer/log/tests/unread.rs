//! Rows of lines that could not be read.

use super::*;

fn event(kind: &str, at: u32, more: &str) -> String {
    format!(r#"{{"type":"{kind}","runId":"r","timestampMs":{at}{more}}}"#)
}

fn of_node(kind: &str, at: u32) -> String {
    event(kind, at, r#","nodeId":"x","iteration":0,"attempt":1"#)
}

/// The name of each event, and the sentence of each other row.
fn rows(viewer: &mut Viewer) -> Vec<String> {
    let log = after(viewer, everything());
    assert_eq!(log.total, log.rows.len());
    let text = |row: LogEntry| if row.kind == LogEntryKind::Gap { row.detail } else { row.name };
    log.rows.into_iter().map(text).collect()
}

fn rows_of(lines: &[&str]) -> Vec<String> {
    rows(&mut of_text(&lines.join("\n")))
}

#[test]
fn a_line_that_could_not_be_read_has_a_row_at_its_place_with_the_reason() {
    let [first, last] = [event("RunStarted", 1, ""), event("RunFinished", 9, "")];
    let (start, failed) = (of_node("NodeStarted", 2), of_node("NodeFailed", 3));
    let no_iteration = failed.replace(r#""iteration":0,"#, "");
    let missing = "1 line could not be read here. The field `iteration` is missing.";
    assert_eq!(
        rows_of(&[&first, &start, &no_iteration, &last]),
        ["RunStarted", "NodeStarted", missing, "RunFinished"]
    );
    assert_eq!(
        rows_of(&[&first, &start, &last, &no_iteration]),
        ["RunStarted", "NodeStarted", "RunFinished", missing],
        "at the end"
    );
    let torn = rows_of(&[&first, &start, &failed[..60], &no_iteration, &last]);
    assert!(torn[2].starts_with("2 lines could not be read here. The first one: "), "{torn:?}");
    assert_eq!((torn.len(), &*torn[3]), (4, "RunFinished"));
    assert_eq!(rows_of(&[&first, &start, &last]), ["RunStarted", "NodeStarted", "RunFinished"]);
}

#[test]
fn in_a_log_with_the_newest_first_the_row_is_between_the_same_events() {
    let all: Vec<String> = (0..40_u32).rev().map(|at| of_node("TaskDreamed", 1_000 * at)).collect();
    let mut lines: Vec<&str> = all.iter().map(String::as_str).collect();
    lines.insert(1, "{oops");
    let found = rows_of(&lines);
    assert_eq!(found.len(), 41);
    assert!(found[39].starts_with("1 line could not be read here. "), "{:?}", &found[38..]);
}

#[test]
fn a_window_far_down_has_the_rows_of_the_whole_list() {
    let mut lines = Vec::new();
    for at in 0..2_000_u32 {
        lines.push(of_node("TaskDreamed", at));
        lines.extend((at % 7 == 0).then(|| "{oops".to_owned()));
    }
    let mut viewer = of_text(&lines.join("\n"));
    let all = after(&mut viewer, LogAction::Show { first: 0, count: 3_000 }).rows;
    assert_eq!(all.len(), lines.len());
    for first in [250, 256, 300, 1_999, 2_270] {
        let log = after(&mut viewer, LogAction::Show { first, count: 10 });
        let kinds =
            |rows: &[LogEntry]| rows.iter().map(|row| (row.kind.clone(), row.at.clone())).collect::<Vec<_>>();
        assert_eq!(kinds(&log.rows), kinds(&all[log.first..log.first + log.rows.len()]), "{first}");
    }
}

#[test]
fn a_copy_of_the_shown_events_says_where_lines_could_not_be_read() {
    let lines = [event("RunStarted", 1, ""), "{oops".to_owned(), event("RunFinished", 9, "")];
    let mut viewer = of_text(&lines.join("\n"));
    after(&mut viewer, everything());
    let copy = viewer.copy_events(EventChoice::Shown, NOW).unwrap();
    let copied: Vec<&str> = copy.text.lines().collect();
    assert_eq!((copy.lines, copied[0], copied[2]), (3, &*lines[0], &*lines[2]));
    assert!(copied[1].contains("runstate.gap") && copied[1].contains("1 line could not be read here."));
}
