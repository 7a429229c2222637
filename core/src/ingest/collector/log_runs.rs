//! The runs of event logs. A log may have a hundred thousand, so that a run is made from its events when it is shown.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::quoted_word;
use crate::format;
use crate::log::{Caveat, EventLog, LogNode, LogView, RunIndex};
use crate::run::{NodeRows, RunBuilder, RunInspection, Target, Witness};
use crate::smithers::wire::{Attempt, NodeState, NodeStatus};
use crate::text::concat;
use crate::time::Millis;
use crate::word::Word;

/// The runs of the event logs of a document that has nothing else about them, in the order of their last events.
#[derive(Debug, Default)]
pub(crate) struct LogRuns {
    sources: Vec<Source>,
    rows: Vec<Row>,
}

/// What a log needs to make its runs.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) index: RunIndex,
    pub(super) read_from: String,
    pub(super) now: Millis,
}

#[derive(Debug)]
struct Row {
    log: u32,
    number: u32,
    /// The time of its last event.
    as_of: Option<Millis>,
    /// The run, once it was opened.
    run: OnceLock<Box<RunInspection>>,
}

impl Source {
    pub(super) fn view(&self, log: &EventLog, number: u32) -> (LogView, Vec<LogNode>) {
        log.view_in(&self.index, number, self.now)
    }
}

impl LogRuns {
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Adds a run of the log that [`end_log`](Self::end_log) ends.
    pub(super) fn add(&mut self, number: u32, as_of: Option<Millis>) {
        self.rows.push(Row { log: self.sources.len() as u32, number, as_of, run: OnceLock::new() });
    }

    pub(super) fn end_log(&mut self, source: Source) {
        self.sources.push(source);
    }

    /// Sorts the runs by the times of their last events. A run without a time stays behind the one before it.
    pub(super) fn sort(&mut self) {
        let mut last = None;
        for row in &mut self.rows {
            last = row.as_of.or(last);
            row.as_of = last;
        }
        let time = |row: &Row| row.as_of.map_or(f64::NEG_INFINITY, |at| at.0);
        self.rows.sort_by(|first, second| time(first).total_cmp(&time(second)));
    }

    /// The runs according to their logs, each with the time of its last event, and whether its state only follows from
    /// events of nodes.
    pub(super) fn into_runs(
        self,
        logs: &[EventLog],
    ) -> impl Iterator<Item = (Option<Millis>, RunInspection, bool)> {
        self.rows.into_iter().filter_map(move |row| {
            let (run, from_nodes) = logged_run(self.sources.get(row.log as usize)?, logs, &row)?;
            Some((row.as_of, run, from_nodes))
        })
    }

    /// Makes the run of a row. A list makes each in turn and keeps none.
    pub(crate) fn run(&self, row: usize, logs: &[EventLog]) -> Option<RunInspection> {
        let row = self.rows.get(row)?;
        let (run, from_nodes) = logged_run(self.sources.get(row.log as usize)?, logs, row)?;
        Some(RunBuilder::from_log(run, from_nodes).finish())
    }

    /// The run of a row, which is kept.
    pub(crate) fn open(&self, row: usize, logs: &[EventLog]) -> Option<&RunInspection> {
        let known = &self.rows.get(row)?.run;
        Some(known.get_or_init(|| Box::new(self.run(row, logs).unwrap_or_default())))
    }
}

fn logged_run(source: &Source, logs: &[EventLog], row: &Row) -> Option<(RunInspection, bool)> {
    let (view, nodes) = source.view(logs.get(row.log as usize)?, row.number);
    let from_nodes = view.caveats.contains(&Caveat::FromNodes);
    let attempts = nodes.iter().filter_map(attempt).collect();
    let denied = nodes.iter().filter(|node| node.is_denied);
    let denied =
        denied.map(|node| Target { node_id: node.node_id.clone(), iteration: node.iteration }).collect();
    let is_unread = nodes.iter().any(|node| node.state == Some(NodeState::InProgress) && node.across_gap);
    let mut nodes: NodeRows = nodes.into_iter().filter_map(node_status).collect();
    nodes.unread_lines = is_unread.then_some(view.counts.unread);
    let run = run_from_view(view, source.read_from.clone());
    Some((RunInspection { nodes, attempts, denied, ..run }, from_nodes))
}

fn run_from_view(view: LogView, read_from: String) -> RunInspection {
    let mut verdict = Witness::from_log(&view);
    if let Some(verdict) = &mut verdict {
        verdict.evidence.read_from = read_from;
    }
    RunInspection {
        run_id: Some(view.run_id.unwrap_or_default()),
        workflow: view.workflow,
        started_at: view.started_at,
        finished_at: view.ended_at,
        verdict,
        summary: view.nodes.into_iter().map(|(state, count)| (Word::Known(state), count)).collect(),
        error: view.error,
        failed_children: view.failed_children,
        failed_child_count: view.failed_child_count,
        continued: view.continued_as.is_some(),
        continued_as: view.continued_as,
        boundary: view.boundary.map(Box::new),
        caveats: view.caveats.iter().filter_map(caveat).collect(),
        ..RunInspection::default()
    }
}

/// Returns the running attempt with its last heartbeat. The log does not contain the heartbeat timeout.
fn attempt(node: &LogNode) -> Option<Attempt> {
    (node.state == Some(NodeState::InProgress) && !node.retrying).then(|| Attempt {
        node_id: node.node_id.clone(),
        iteration: node.iteration,
        attempt: node.attempt,
        state: Word::Known(NodeState::InProgress),
        started_at: node.started_at,
        // A heartbeat of an earlier attempt does not count.
        heartbeat_at: node.heartbeat_at.filter(|beat| node.started_at.is_none_or(|start| *beat >= start)),
        heartbeat_timeout_ms: None,
        retries: None,
        signal: None,
        correlation_id: None,
        read_at: None,
        texts: None,
    })
}

/// Returns the status of a node; `None` if no event contains its state.
fn node_status(node: LogNode) -> Option<NodeStatus> {
    Some(NodeStatus {
        state: Word::Known(node.state?),
        node_id: node.node_id,
        iteration: node.iteration,
        last_attempt: node.attempt,
        label: None,
        updated_at: node.changed_at,
        started_at: node.started_at,
        finished_at: node.ended_at,
    })
}

/// A year in milliseconds. A clock that goes back by more was never set.
const YEAR_MS: f64 = 365.0 * 86_400_000.0;

/// Returns a caveat as a sentence; `None` if it does not affect the state.
pub(super) fn caveat(caveat: &Caveat) -> Option<Cow<'static, str>> {
    Some(match caveat {
        Caveat::Lost { events, gaps } => {
            let places = if *gaps == 1 { "one place".to_owned() } else { format!("{gaps} places") };
            format!("Events are missing: {events}, in {places}. The state may be different by now.").into()
        }
        Caveat::AfterTheEnd { events } => {
            format!("Events after the run's end: {events}. Nothing says that it was resumed.").into()
        }
        Caveat::NoStart => "The log does not begin with the run's start.".into(),
        Caveat::FromNodes => "No event gives the run's state: it is derived from what its nodes did.".into(),
        Caveat::EndMayBeMissing => {
            "The end may be missing: a log does not always record that a run was cancelled or continued."
                .into()
        }
        Caveat::UnreadAtEnd { lines: 1 } => {
            "One line after the last event could not be read. The state may be different.".into()
        }
        Caveat::UnreadAtEnd { lines } => {
            format!("{lines} lines after the last event could not be read. The state may be different.")
                .into()
        }
        Caveat::UnknownLast { event_type } => format!(
            "The last event is of a type that Runstate does not know: {}. The state may be different.",
            quoted_word(event_type).trim_matches('"')
        )
        .into(),
        Caveat::Contradicted { state, at } => {
            let at = at.map_or_else(String::new, |at| concat(&[" at ", &format::clock(at)]));
            format!("An event said {state}{at}, yet the run went on.").into()
        }
        Caveat::TimesGoBack { line, ms } => {
            let step = if *ms > YEAR_MS { "more than a year".to_owned() } else { format::duration(*ms) };
            let line = line.map_or_else(String::new, |line| format!(" at line {line}"));
            format!("Times go back by {step}{line}. The events are in the order of the file.").into()
        }
        Caveat::TimesInSeconds { events: 1 } => {
            "The time of one event is in seconds; milliseconds are expected. It counts as absent.".into()
        }
        Caveat::TimesInSeconds { events } => format!(
            "The times of {events} events are in seconds; milliseconds are expected. They count as absent."
        )
        .into(),
        Caveat::TimesOutOfRange { events: 1, .. } => {
            "The time of one event is out of range. It counts as absent.".into()
        }
        Caveat::TimesOutOfRange { events, .. } => {
            format!("The times of {events} events are out of range. They count as absent.").into()
        }
        Caveat::NewestFirst => "The log is newest first; it was read from its end.".into(),
        // Unreadable lines are reported as problems with their positions.
        Caveat::Unread { .. } | Caveat::LeftOut { .. } | Caveat::Repeated { .. } => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_was_never_set_goes_back_by_more_than_a_year() {
        let back = |ms| caveat(&Caveat::TimesGoBack { line: Some(3), ms }).unwrap();
        assert!(back(1.7e12).starts_with("Times go back by more than a year at line 3."));
        assert!(
            back(172_800_000.0).starts_with("Times go back by 2 days at line 3."),
            "{}",
            back(172_800_000.0)
        );
    }

    /// What is shown about a run of `tests/vectors/smithers/logs/rest` whose log ends with the last event of this type.
    fn ended_with(run: &str, event_type: &str) -> String {
        use crate::freshness::Freshness;
        use crate::summary::{answer, text};
        let path = format!("{}/../tests/vectors/smithers/logs/rest/{run}.json", env!("CARGO_MANIFEST_DIR"));
        let answered: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let events = answered["response"]["body"]["data"].as_array().unwrap();
        let end = events.iter().rposition(|event| event["event"] == event_type).unwrap();
        let lines: Vec<String> = events[..=end].iter().map(ToString::to_string).collect();
        let now = Millis(1_795_300_000_000.0);
        let lines = lines.join("\n");
        let run = crate::ingest::inspect(lines.as_bytes(), None, now).unwrap().run.unwrap();
        let shown = answer(&run, &Freshness::Recorded { at: None }, now);
        let actions = crate::actions::actions(&run, now);
        let notes = shown.notes.iter().map(|note| text(note));
        let actions = actions.iter().map(|action| text(&action.sentence));
        let all: Vec<String> =
            [text(&shown.sentence), text(&shown.meta)].into_iter().chain(notes).chain(actions).collect();
        all.join(" | ")
    }

    #[test]
    fn nothing_is_pending_that_the_log_says_is_decided() {
        for (run, event_type, expected) in [
            (
                "approval-a",
                "ApprovalGranted",
                "Approved at ship-gate; the run had not gone on when the log ended. | That was ",
            ),
            (
                "approval-denied-a",
                "ApprovalDenied",
                "Denied at ship-gate; the run had not gone on when the log ended. | That was ",
            ),
            ("approval-denied-a", "SnapshotCaptured", "Was running, between nodes. | "),
            ("timer-a", "TimerFired", "Was running, between nodes. | The timer at nap has fired."),
            ("timer-a", "RunStatusChanged", "Was sleeping at nap until "),
            ("approval-a", "RunStatusChanged", "Was waiting for a decision at ship-gate."),
        ] {
            let shown = ended_with(run, event_type);
            assert!(shown.starts_with(expected), "{run} {event_type}: {shown}");
            assert!(!shown.contains("again"), "{run} {event_type}: {shown}");
            if event_type != "RunStatusChanged" {
                assert!(!shown.to_lowercase().contains("waiting for") && !shown.contains("sleep"), "{shown}");
            }
        }
    }

    #[test]
    fn a_list_keeps_none_of_the_runs_that_it_makes() {
        let mut log = EventLog::new();
        for (run, at) in [("late", 5), ("early", 2)] {
            log.push_value(&format!(r#"{{"type":"RunStarted","runId":"{run}","timestampMs":{at}}}"#));
        }
        let mut runs = LogRuns::default();
        runs.add(0, Some(Millis(5.0)));
        runs.add(1, Some(Millis(2.0)));
        runs.end_log(Source { index: log.run_index(), read_from: String::new(), now: Millis(9.0) });
        runs.sort();
        let logs = [log];
        let ids: Vec<_> = (0..runs.len()).filter_map(|row| runs.run(row, &logs)?.run_id).collect();
        assert_eq!(ids, ["early", "late"]);
        assert!(runs.rows.iter().all(|row| row.run.get().is_none()));
        assert_eq!(runs.open(1, &logs).and_then(|run| run.started_at), Some(Millis(5.0)));
        assert!(runs.rows[1].run.get().is_some());
        assert!(runs.run(2, &logs).is_none() && runs.open(2, &logs).is_none());
    }
}
