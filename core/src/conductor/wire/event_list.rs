//! Events as one JSON list, as `jq -s` and other tools write them, instead of a line each.

use super::event::{EventLog, read_event};
use super::problem::Problems;
use crate::json::{Position, ReadError, Slice, column, items};
use crate::text::concat;

/// Whether a text is a list.
pub(crate) fn is_list(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"[")
}

/// Reads a list of events. An item that is no event is told and left out; of a list that is cut off the whole items are
/// read.
pub(crate) fn read_list(file: &str, text: &str, problems: &mut Problems) -> EventLog {
    let mut log = EventLog::default();
    let mut lines = Lines { text, at: 0, line: 1 };
    let listed = match items(Slice::new(text)) {
        Ok(listed) => listed,
        Err(error) => {
            problems.error(file, text, &error);
            return log;
        }
    };
    for item in listed {
        let read = item.map(|item| (item.begin(), read_event(item, lines.of(item.begin()))));
        match read {
            Ok((_, Ok(event))) => {
                log.push(event);
            }
            Ok((_, Err(error))) => {
                log.refused_lines += 1;
                tell(file, &mut lines, &error, "Event left out.", problems);
            }
            Err(error) => {
                log.held_back = true;
                tell(file, &mut lines, &error, "What is whole before it was read.", problems);
            }
        }
    }
    log
}

fn tell(file: &str, lines: &mut Lines<'_>, error: &ReadError, what: &str, problems: &mut Problems) {
    if problems.is_full() {
        problems.add(file, None, "");
        return;
    }
    let line = lines.of(error.offset);
    let before = lines.text.get(..error.offset).unwrap_or(lines.text);
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = column(before.get(start..).unwrap_or_default().as_bytes(), before.len());
    let position = Position { line, column, path: None };
    problems.add(file, Some(position), concat(&[&error.message, " ", what]));
}

/// Counts lines on the way through a text, from one place to the next.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    /// The line of a place at or behind the last one.
    fn of(&mut self, at: usize) -> usize {
        let between = self.text.as_bytes().get(self.at..at).unwrap_or_default();
        self.line += between.split(|byte| *byte == b'\n').count() - 1;
        self.at = self.at.max(at);
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::read_list;
    use crate::conductor::wire::problem::Problems;

    fn event(kind: &str) -> String {
        format!(r#"{{"run_id":"r","step_id":"a","event_type":"{kind}"}}"#)
    }

    #[test]
    fn a_list_is_read_item_by_item() {
        let text =
            format!("[\n{},\n{},\n7,\n{{\"run_id\":\"r\"}}\n]", event("step_started"), event("step_skipped"));
        let mut problems = Problems::default();
        let log = read_list("events.json", &text, &mut problems);
        let lines: Vec<usize> = log.events.iter().map(|event| event.line).collect();
        assert_eq!((lines, log.refused_lines, log.foreign_events, log.held_back), (vec![2, 3], 2, 1, false));
        let told: Vec<String> = problems.finish().iter().map(super::super::Problem::text).collect();
        assert_eq!(
            told,
            [
                "events.json, line 4, column 1: Expected an object, found the number 7. Event left out.",
                "events.json, line 5, column 1: The field `event_type` is missing. Event left out.",
            ]
        );
    }

    #[test]
    fn a_list_that_is_cut_off_gives_what_is_whole() {
        let text = format!("[{},\n{{\"run_id\":\"r", event("step_started"));
        let mut problems = Problems::default();
        let log = read_list("events.json", &text, &mut problems);
        assert_eq!((log.events.len(), log.held_back), (1, true));
        let told = problems.finish();
        assert!(told[0].text().starts_with("events.json, line 2, column "), "{told:?}");
        assert!(told[0].text().ends_with("What is whole before it was read."), "{told:?}");
    }

    #[test]
    fn after_the_first_faults_the_rest_are_counted() {
        let text = format!("[{}{}]", "7,\n".repeat(50), event("step_started"));
        let mut problems = Problems::default();
        let log = read_list("events.json", &text, &mut problems);
        let lines: Vec<usize> = log.events.iter().map(|event| event.line).collect();
        assert_eq!((lines, log.refused_lines), (vec![51], 50));
        let told: Vec<String> = problems.finish().iter().map(super::super::Problem::text).collect();
        assert_eq!(told.len(), 21);
        assert!(told[19].starts_with("events.json, line 20, column 1: "), "{told:?}");
        assert_eq!(told[20], "events.json: And 30 more problems.");
    }
}
