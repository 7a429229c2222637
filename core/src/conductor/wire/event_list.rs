//! Events as a JSON list, as `jq -s` writes them.

use super::event::EventLog;
use crate::json::{Position, ReadError, Slice, column, items};
use crate::problem::{Problem, Problems};
use crate::text::concat;

/// Whether a text is a list.
pub(crate) fn is_list(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"[")
}

/// Reads a list of events. An item that is not an event is a problem. Of a truncated list, the complete items are read.
pub(crate) fn read_list(file: &str, text: &str, problems: &mut Problems) -> EventLog {
    let mut log = EventLog::default();
    let mut lines = LineCounter { text, at: 0, line: 1 };
    let list = match items(Slice::new(text)) {
        Ok(list) => list,
        Err(error) => {
            problems.add_file_error(file, text, &error);
            return log;
        }
    };
    for item in list {
        match item.map(|item| (lines.line_at(item.begin()), item.read())) {
            Ok((line, Ok(event))) => log.push(line, event),
            Ok((_, Err(error))) => {
                log.invalid_lines += 1;
                add_problem(file, &mut lines, &error, "Event omitted.", problems);
            }
            Err(error) => {
                log.last_line_incomplete = true;
                add_problem(file, &mut lines, &error, "Everything before it was read.", problems);
            }
        }
    }
    log.finish();
    log
}

fn add_problem(
    file: &str,
    lines: &mut LineCounter<'_>,
    error: &ReadError,
    what: &str,
    problems: &mut Problems,
) {
    problems.add_with(|| {
        let line = lines.line_at(error.offset);
        let before = lines.text.get(..error.offset).unwrap_or(lines.text);
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = column(before.get(start..).unwrap_or_default().as_bytes(), before.len());
        let position = Some(Position { line, column, path: None });
        Problem { position, ..Problem::new(concat(&[&error.message, " ", what])) }.in_file(Some(file), None)
    });
}

/// Finds the lines of increasing offsets in a text.
struct LineCounter<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl LineCounter<'_> {
    /// The line of an offset, which must not be less than the last one.
    fn line_at(&mut self, at: usize) -> usize {
        let between = self.text.as_bytes().get(self.at..at).unwrap_or_default();
        self.line += between.split(|byte| *byte == b'\n').count() - 1;
        self.at = self.at.max(at);
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::read_list;
    use crate::problem::Problems;

    fn event(kind: &str) -> String {
        format!(r#"{{"run_id":"r","step_id":"a","event_type":"{kind}"}}"#)
    }

    #[test]
    fn an_item_that_is_listed_twice_is_one_event() {
        let item = |second: u32| {
            format!(
                r#"{{"timestamp":"2026-11-21T20:40:4{second}Z","run_id":"r","event_type":"step_started"}}"#
            )
        };
        let text = format!("[{0},{1},{0},{1}]", item(1), item(2));
        assert_eq!(read_list("events.json", &text, &mut Problems::default()).events.len(), 2);
    }

    #[test]
    fn a_list_is_read_item_by_item() {
        let text =
            format!("[\n{},\n{},\n7,\n{{\"run_id\":\"r\"}}\n]", event("step_started"), event("step_skipped"));
        let mut problems = Problems::default();
        let log = read_list("events.json", &text, &mut problems);
        let lines: Vec<usize> = log.events.iter().map(|event| event.line).collect();
        assert_eq!(
            (lines, log.invalid_lines, log.unknown_type_count, log.last_line_incomplete),
            (vec![2, 3], 2, 1, false)
        );
        let problems = problems.texts();
        assert_eq!(
            problems,
            [
                "events.json, line 4, column 1: Expected an object, found the number 7. Event omitted.",
                "events.json, line 5, column 1: The field `event_type` is missing. Event omitted.",
            ]
        );
    }

    #[test]
    fn the_complete_items_of_a_truncated_list_are_read() {
        let text = format!("[{},\n{{\"run_id\":\"r", event("step_started"));
        let mut problems = Problems::default();
        let log = read_list("events.json", &text, &mut problems);
        assert_eq!((log.events.len(), log.last_line_incomplete), (1, true));
        let problems = problems.texts();
        assert!(problems[0].starts_with("events.json, line 2, column "), "{problems:?}");
        assert!(problems[0].ends_with("Everything before it was read."), "{problems:?}");
    }

    #[test]
    fn problems_beyond_the_limit_are_counted() {
        let text = format!("[{}{}]", "7,\n".repeat(50), event("step_started"));
        let mut problems = Problems::default();
        let log = read_list("events.json", &text, &mut problems);
        let lines: Vec<usize> = log.events.iter().map(|event| event.line).collect();
        assert_eq!((lines, log.invalid_lines), (vec![51], 50));
        let problems = problems.texts();
        assert_eq!(problems.len(), 21);
        assert!(problems[19].starts_with("events.json, line 20, column 1: "), "{problems:?}");
        assert_eq!(problems[20], "30 more problems.");
    }
}
