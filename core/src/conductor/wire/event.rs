//! `events.ndjson`: one event per line.

use std::collections::HashMap;

use super::timestamp::Timestamp;
use super::words::{ConductorEventType, Lifecycle};
use crate::json::{Slice, lines, record};
use crate::problem::Problems;
use crate::text::concat;
use crate::word::Word;

record! {
    /// One line of `events.ndjson`. Events have neither ids nor numbers: their order is that of the lines.
    #[derive(Clone, Debug, PartialEq)]
    #[allow(clippy::struct_field_names, reason = "`event_type` is the field's name on the wire")]
    pub(crate) struct Event {
        /// When it was written.
        pub timestamp: Option<Timestamp>,
        /// The run.
        pub run_id: Option<String>,
        /// The step that it is about.
        pub step_id: Option<String>,
        /// Its type. An unknown type has no effect.
        pub event_type: Word<ConductorEventType>,
        /// The next step.
        pub next_step_id: Option<String>,
        /// The lifecycle state in `status.json`.
        pub lifecycle_state: Option<Word<Lifecycle>>,
        // The next four only tell events apart.
        opcode: Option<String>,
        runner_family: Option<String>,
        artifact_role: Option<String>,
        artifact_path: Option<String>,
        /// The line in the file, from 1.
        #[serde(skip)]
        pub line: usize,
    }
}

/// An event log.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct EventLog {
    /// The events.
    pub events: Vec<Event>,
    /// The number of lines that are not events.
    pub invalid_lines: usize,
    /// The number of events with unknown types.
    pub unknown_type_count: usize,
    /// The first unknown types.
    pub unknown_types: Vec<Box<str>>,
    /// Whether the last line is incomplete and was not read.
    pub last_line_incomplete: bool,
}

/// The last events of a log.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LastEvents {
    /// In the order of their lines.
    pub events: Vec<Event>,
    /// The number of earlier events, which are not kept.
    pub dropped: usize,
}

/// The maximum number of last events to keep.
const MAX_LAST_EVENTS: usize = 100_000;

/// The maximum number of unknown types to list.
const MAX_LISTED_TYPES: usize = 5;

impl EventLog {
    pub(crate) fn push(&mut self, line: usize, event: Event) {
        self.events.push(Event { line, ..event });
    }

    /// Ends the reading: removes repeats and counts what is left.
    pub(crate) fn finish(&mut self) {
        self.remove_repeats();
        for event in &self.events {
            if let Word::Foreign(word) = &event.event_type {
                self.unknown_type_count += 1;
                if self.unknown_types.len() < MAX_LISTED_TYPES && !self.unknown_types.contains(word) {
                    self.unknown_types.push(word.clone());
                }
            }
        }
    }

    /// Removes events that are in the log a second time, because the same lines were pasted twice. The kernel writes
    /// microseconds: equal events with one time are one event. Of whole seconds, in which a step can be visited twice, this is
    /// so only where times go back, and for the events that follow there as they did before.
    fn remove_repeats(&mut self) {
        let time = |event: &Event| event.timestamp.as_ref().and_then(|time| time.at);
        if self.events.is_sorted_by(|before, after| time(before) < time(after)) {
            return;
        }
        let mut places = HashMap::with_capacity(self.events.len());
        let (mut latest, mut next) = (None, None::<usize>);
        let mut is_repeat = Vec::with_capacity(self.events.len());
        for (place, event) in self.events.iter().enumerate() {
            let (texts, at) = (event.texts(), time(event));
            let is_certain = at.is_some() && (event.is_precise() || at < latest);
            let follows =
                next.filter(|next| self.events.get(*next).map(Event::texts).as_ref() == Some(&texts));
            let known = follows.or_else(|| places.get(&texts).copied().filter(|_| is_certain));
            next = known.map(|known| known + 1);
            latest = if at > latest { at } else { latest };
            is_repeat.push(known.is_some());
            places.entry(texts).or_insert(place);
        }
        let mut is_repeat = is_repeat.into_iter();
        self.events.retain(|_| !is_repeat.next().unwrap_or(false));
    }

    /// The last events, in the order of their lines.
    pub(crate) fn last(&self) -> LastEvents {
        let dropped = self.events.len().saturating_sub(MAX_LAST_EVENTS);
        LastEvents { events: self.events[dropped..].to_vec(), dropped }
    }
}

impl Event {
    /// Whether its time has a fraction of a second.
    fn is_precise(&self) -> bool {
        self.timestamp.as_ref().is_some_and(|time| time.text.contains('.'))
    }

    /// All fields but the line.
    fn texts(&self) -> [Option<&str>; 10] {
        [
            self.timestamp.as_ref().map(|time| &*time.text),
            self.run_id.as_deref(),
            self.step_id.as_deref(),
            Some(self.event_type.as_str()),
            self.next_step_id.as_deref(),
            self.lifecycle_state.as_ref().map(Word::as_str),
            self.opcode.as_deref(),
            self.runner_family.as_deref(),
            self.artifact_role.as_deref(),
            self.artifact_path.as_deref(),
        ]
    }

    /// Whether it has this type.
    pub(crate) fn is(&self, event_type: ConductorEventType) -> bool {
        self.event_type.known() == Some(event_type)
    }

    /// Whether it is about this step.
    pub(crate) fn is_of(&self, step_id: &str) -> bool {
        self.step_id.as_deref() == Some(step_id)
    }

    /// Whether it ends a step.
    pub(crate) fn ends_step(&self) -> bool {
        self.is(ConductorEventType::StepCompleted) || self.is(ConductorEventType::StepFailed)
    }
}

/// Reads a log. A line that is not an event is a problem. An incomplete last line is not read.
pub(crate) fn read_log(file: &str, bytes: &[u8], problems: &mut Problems) -> EventLog {
    let mut log = EventLog::default();
    let mut last = None;
    for line in lines(bytes) {
        let ended = line.bytes.ends_with(b"\n");
        let content = line.bytes.trim_ascii();
        last = Some(line.position(0));
        if content.is_empty() {
            continue;
        }
        let indent = line.bytes.len() - line.bytes.trim_ascii_start().len();
        match std::str::from_utf8(content) {
            Ok(text) => match Slice::from_text(text).and_then(Slice::read) {
                Ok(event) => log.push(line.number, event),
                Err(_) if !ended => log.last_line_incomplete = true,
                Err(error) => {
                    log.invalid_lines += 1;
                    let message = concat(&[&error.message, " Line omitted."]);
                    problems.add_to_file(file, Some(line.position(indent + error.offset)), message);
                }
            },
            Err(_) if !ended => log.last_line_incomplete = true,
            Err(error) => {
                log.invalid_lines += 1;
                let position = line.position(indent + error.valid_up_to());
                problems.add_to_file(file, Some(position), "The line is not UTF-8. Line omitted.");
            }
        }
    }
    if log.last_line_incomplete {
        problems.add_to_file(file, last, "The last line is cut off; it is read once the rest has arrived.");
    }
    log.finish();
    log
}

#[cfg(test)]
mod tests {
    use super::{EventLog, read_log};
    use crate::problem::Problems;

    fn read(text: &str) -> EventLog {
        read_log("events.ndjson", text.as_bytes(), &mut Problems::default())
    }

    fn event(time: &str, kind: &str) -> String {
        format!("{{\"timestamp\":{time},\"run_id\":\"r\",\"step_id\":\"fix\",\"event_type\":\"{kind}\"}}\n")
    }

    #[test]
    fn an_event_that_was_pasted_twice_counts_once() {
        let (early, late) = (r#""2026-11-21T20:40:47.873483Z""#, r#""2026-11-21T20:40:47.873484Z""#);
        let once = [event(early, "step_started"), event(early, "step_dreamed"), event(late, "step_started")]
            .concat();
        let formatted = once.replace(':', ": ").replace("20: 40: 47", "20:40:47");
        for text in [format!("{once}{once}"), format!("{once}{formatted}"), format!("{formatted}{once}")] {
            let log = read(&text);
            assert_eq!((log.events.len(), log.unknown_type_count), (3, 1), "{text}");
            assert_eq!(log.events.iter().map(|event| event.line).collect::<Vec<_>>(), [1, 2, 3]);
        }
        // Without a time, nothing tells two events from one that was pasted twice; nor does the same second.
        for time in ["null", r#""2026-11-21T20:40:47Z""#] {
            assert_eq!(read(&event(time, "step_started").repeat(2)).events.len(), 2);
        }
    }

    #[test]
    fn a_log_with_whole_seconds_that_was_pasted_twice_counts_once() {
        let event = |second: u32, kind: &str| event(&format!(r#""2026-11-21T20:40:4{second}Z""#), kind);
        let once = [
            event(1, "step_started"),
            event(1, "step_failed"),
            event(1, "step_started"),
            event(2, "step_failed"),
            event(2, "step_started"),
            event(2, "step_failed"),
        ]
        .concat();
        for text in [once.clone(), once.repeat(2), once.repeat(3)] {
            assert_eq!(read(&text).events.len(), 6, "{text}");
        }
    }

    #[test]
    fn a_column_counts_characters() {
        let mut problems = Problems::default();
        read_log("events.ndjson", b"  \xc3\xbc\xff\n\xc3\xbc,\n \"\xc3\xbc\" oops\n", &mut problems);
        let problems = problems.texts();
        let positions: Vec<&str> =
            problems.iter().filter_map(|text| Some(text.split_once(": ")?.0)).collect();
        let expected = ["line 1, column 4", "line 2, column 1", "line 3, column 5"];
        assert_eq!(positions, expected.map(|position| format!("events.ndjson, {position}")), "{problems:?}");
    }
}
