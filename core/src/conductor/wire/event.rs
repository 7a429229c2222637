//! `events.ndjson`: what happened, one line each, in the order of the file.

use super::problem::Problems;
use super::stamp::Stamp;
use super::words::{ArtifactRole, ConductorEventType, Lifecycle, Opcode, RunnerFamily};
use crate::json::{ReadError, Slice, fields, lines, optionals};
use crate::text::concat;
use crate::word::{Vocabulary, Word};

/// One line of `events.ndjson`. There is no id and no number: the order is that of the lines.
#[derive(Clone, Debug, PartialEq)]
// `event_type` is the field's name on the wire.
#[allow(clippy::struct_field_names)]
pub(crate) struct Event {
    /// When, by the writer's clock.
    pub timestamp: Option<Stamp>,
    /// The run.
    pub run_id: Option<String>,
    /// The step that it is about.
    pub step_id: Option<String>,
    /// What happened; a word that is not known has no effect on any state.
    pub event_type: Word<ConductorEventType>,
    /// The step that follows.
    pub next_step_id: Option<String>,
    /// What the step does.
    pub opcode: Option<Word<Opcode>>,
    /// Which agent.
    pub runner_family: Option<Word<RunnerFamily>>,
    /// The lifecycle state that was written.
    pub lifecycle_state: Option<Word<Lifecycle>>,
    /// What the artifact is.
    pub artifact_role: Option<Word<ArtifactRole>>,
    /// Where the artifact is, from the run directory.
    pub artifact_path: Option<String>,
    /// The line in the file, from 1.
    pub line: usize,
}

/// An event log: the lines that could be read, and how many could not.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct EventLog {
    /// The events.
    pub events: Vec<Event>,
    /// Lines that are no event.
    pub refused_lines: usize,
    /// Events with a type that is not known.
    pub foreign_events: usize,
    /// Those types, the first few, each once.
    pub foreign: Vec<Box<str>>,
    /// Whether the last line has no end yet and was left for later.
    pub held_back: bool,
}

/// How many event types that are not known are named.
const NAMED_TYPES: usize = 5;

impl EventLog {
    pub(crate) fn push(&mut self, event: Event) {
        if let Word::Foreign(word) = &event.event_type {
            self.foreign_events += 1;
            if self.foreign.len() < NAMED_TYPES && !self.foreign.contains(word) {
                self.foreign.push(word.clone());
            }
        }
        self.events.push(event);
    }
}

impl Event {
    /// Whether it is this known event.
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

/// Reads one line.
pub(crate) fn read_line(text: &str, line: usize) -> Result<Event, ReadError> {
    read_event(Slice::of_text(text)?, line)
}

/// Reads an event that begins on a line.
pub(crate) fn read_event(slice: Slice<'_>, line: usize) -> Result<Event, ReadError> {
    let [timestamp, run_id, step_id, event_type, next_step_id] =
        fields(slice, ["timestamp", "run_id", "step_id", "event_type", "next_step_id"])?;
    let [opcode, family, lifecycle, role, path] =
        fields(slice, ["opcode", "runner_family", "lifecycle_state", "artifact_role", "artifact_path"])?;
    let event_type = slice.need("event_type", event_type)?.read_text()?;
    let [timestamp] = optionals([timestamp], Stamp::read)?;
    let [run_id, step_id, next_step_id, opcode, family, lifecycle, role, artifact_path] =
        optionals([run_id, step_id, next_step_id, opcode, family, lifecycle, role, path], Slice::read_text)?;
    Ok(Event {
        timestamp,
        run_id,
        step_id,
        event_type: Word::new(&event_type),
        next_step_id,
        opcode: word(opcode.as_deref()),
        runner_family: word(family.as_deref()),
        lifecycle_state: word(lifecycle.as_deref()),
        artifact_role: word(role.as_deref()),
        artifact_path,
        line,
    })
}

fn word<V: Vocabulary>(text: Option<&str>) -> Option<Word<V>> {
    text.map(Word::new)
}

/// Reads a log. A line that is no event is told and left out; a last line that is cut off waits for its end.
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
            Ok(text) => match read_line(text, line.number) {
                Ok(event) => {
                    log.push(event);
                }
                Err(_) if !ended => log.held_back = true,
                Err(error) => {
                    log.refused_lines += 1;
                    let message = concat(&[&error.message, " Line left out."]);
                    problems.add(file, Some(line.position(indent + error.offset)), message);
                }
            },
            Err(_) if !ended => log.held_back = true,
            Err(error) => {
                log.refused_lines += 1;
                let position = line.position(indent + error.valid_up_to());
                problems.add(file, Some(position), "The line is not UTF-8. Line left out.");
            }
        }
    }
    if log.held_back {
        problems.add(file, last, "The last line is cut off; it is read once it is whole.");
    }
    log
}

#[cfg(test)]
mod tests {
    use super::read_log;
    use crate::conductor::wire::problem::{Problem, Problems};

    #[test]
    fn a_column_counts_characters() {
        let mut problems = Problems::default();
        read_log("events.ndjson", b"  \xc3\xbc\xff\n\xc3\xbc,\n \"\xc3\xbc\" oops\n", &mut problems);
        let told: Vec<String> = problems.finish().iter().map(Problem::text).collect();
        let places: Vec<&str> = told.iter().filter_map(|text| Some(text.split_once(": ")?.0)).collect();
        let expected = ["line 1, column 4", "line 2, column 1", "line 3, column 5"];
        assert_eq!(places, expected.map(|place| format!("events.ndjson, {place}")), "{told:?}");
    }
}
