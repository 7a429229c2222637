//! Returns the last events of a run for a printout.

use serde::{Deserialize, Serialize};

use super::Document;
use super::content::ListRow;
use crate::conductor::wire::Event;
use crate::format;
use crate::lionagi::wire::{Stream, StreamSignal};
use crate::log::{EventFeed, EventLog, FeedEvent, FeedRow, LastEvent};
use crate::smithers::wire::{Category, EventType};
use crate::text::concat;

/// Maximum number of listed events.
const MAX_EVENTS: usize = 12;

/// Returns the sentence above the last events of a printout: their maximum number and the excluded kinds.
///
/// ```
/// use runstate::ingest::last_events_note;
///
/// assert_eq!(last_events_note(), "Up to 12 events. Frames, heartbeats, output and token usage are omitted.");
/// ```
#[must_use]
pub fn last_events_note() -> String {
    format!("Up to {MAX_EVENTS} events. Frames, heartbeats, output and token usage are omitted.")
}

/// An event of a run as text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunEvent {
    /// The time of the event by the writer's clock; empty if the event has no time.
    pub at: String,
    /// The number of the event; empty if it has none.
    pub number: String,
    /// The type of the event in the system's own words.
    pub name: String,
    /// The node or step; empty if the event is about the run.
    pub node: String,
    /// Further details; empty for most events.
    pub detail: String,
}

impl Document {
    /// Returns the last events of the run, or of a row of the list, the newest first; empty if the document has no
    /// events.
    pub(crate) fn last_events(&mut self, row: Option<usize>) -> Vec<RunEvent> {
        if let Some(found) = self.lionagi() {
            let session = row.map_or(found.session.as_ref(), |row| found.sessions.get(row));
            let stream = session.and_then(|session| session.stream.as_ref());
            return stream.map(stream_events).unwrap_or_default();
        }
        if let Some(run) = self.conductor_runs().get(row.unwrap_or(0)) {
            return run.last_events.events.iter().rev().take(MAX_EVENTS).map(conductor_event).collect();
        }
        let run_id = match (row, self.smithers()) {
            (Some(row), _) => self.read_run(Some(row), |run| ListRow::new(run).id),
            (None, Some(found)) => found.run.as_ref().and_then(|run| run.run_id.clone()),
            (None, None) => None,
        };
        let Some(run_id) = run_id else { return Vec::new() };
        let logs = self.logs().iter_mut().map(|log| {
            log.arrange();
            log_events(log, &run_id)
        });
        logs.max_by_key(Vec::len).unwrap_or_default()
    }
}

/// The last events of a live run that a server has pushed, the newest first, each with its arrival.
pub(crate) fn feed_events(feed: &EventFeed, run_id: &str) -> Vec<RunEvent> {
    let events = feed.rows().iter().rev().filter_map(|row| match row {
        FeedRow::Event(event) if &*event.run_id == run_id => Some(event),
        FeedRow::Event(_) | FeedRow::Lost { .. } => None,
    });
    let is_listed =
        |event: &&FeedEvent| is_listed(event.event_type.map_or(Category::Foreign, EventType::category));
    let event = |event: &FeedEvent| {
        log_event(LastEvent {
            at: event.at,
            seq: event.seq,
            event_type: event.name.to_string(),
            node: event.node_id.as_ref().map(|node| (node.to_string(), event.iteration.unwrap_or_default())),
            attempt: event.attempt,
            error: None,
        })
    };
    events.filter(is_listed).take(MAX_EVENTS).map(event).collect()
}

/// The last events of a run of a log that is arranged, the newest first.
pub(crate) fn log_events(log: &EventLog, run_id: &str) -> Vec<RunEvent> {
    log.last_events(run_id, MAX_EVENTS, is_listed).into_iter().map(log_event).collect()
}

/// Whether events of a category are listed: frequent events that do not describe progress are not.
fn is_listed(category: Category) -> bool {
    match category {
        Category::Output | Category::Tokens | Category::Frame | Category::Heartbeat => false,
        Category::Run
        | Category::Node
        | Category::Approval
        | Category::Timer
        | Category::Tool
        | Category::Sandbox
        | Category::Supervisor
        | Category::TimeTravel
        | Category::Memory
        | Category::Reload
        | Category::Scorer
        | Category::Alert
        | Category::Voice
        | Category::Foreign => true,
    }
}

fn log_event(event: LastEvent) -> RunEvent {
    let attempt = event.attempt.map(|attempt| concat(&["attempt ", &attempt.to_string()]));
    let node = event.node.map(|(node, iteration)| match iteration {
        0 => node,
        _ => concat(&[&node, " #", &iteration.to_string()]),
    });
    RunEvent {
        at: format::date_clock(event.at),
        number: event.seq.map(|seq| format::count(f64::from(seq))).unwrap_or_default(),
        name: event.event_type,
        node: node.unwrap_or_default(),
        detail: details(attempt, event.error),
    }
}

/// Joins the details of an event other than its node to one text.
fn details(first: Option<String>, second: Option<String>) -> String {
    match (first, second) {
        (Some(first), Some(second)) => concat(&[&first, " · ", &second]),
        (first, second) => first.or(second).unwrap_or_default(),
    }
}

fn conductor_event(event: &Event) -> RunEvent {
    let at =
        event.timestamp.as_ref().map(|stamp| stamp.at.map_or_else(|| stamp.text.clone(), format::date_clock));
    let state = event.lifecycle_state.as_ref().map(ToString::to_string);
    let next = event.next_step_id.as_ref().map(|next| concat(&["next: ", next]));
    RunEvent {
        at: at.unwrap_or_default(),
        number: String::new(),
        name: event.event_type.to_string(),
        node: event.step_id.clone().unwrap_or_default(),
        detail: details(state, next),
    }
}

fn stream_events(stream: &Stream) -> Vec<RunEvent> {
    stream.last_signals.iter().rev().take(MAX_EVENTS).map(|signal| stream_event(stream, signal)).collect()
}

fn stream_event(stream: &Stream, signal: &StreamSignal) -> RunEvent {
    let StreamSignal { seq, kind, node_id, at, error } = signal;
    let node = stream.nodes.iter().find(|node| node.id == *node_id);
    RunEvent {
        at: at.map(|at| format::date_clock(at.to_millis())).unwrap_or_default(),
        number: format::count(*seq as f64),
        name: kind.clone(),
        node: node.map_or(node_id.as_str(), |node| node.display_name()).to_owned(),
        detail: error.clone().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::RunEvent;
    use crate::file::File;
    use crate::ingest::open;
    use crate::time::Millis;

    /// Returns the last events of a document of `tests/vectors/`.
    fn last_events(name: &str) -> Vec<RunEvent> {
        let path = format!("{}/../tests/vectors/{name}", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(path).unwrap();
        let files = [File { name: name.rsplit('/').next(), bytes: &bytes }];
        open(&files, Millis(1_795_300_000_000.0)).unwrap().last_events(None)
    }

    fn texts(event: &RunEvent) -> [&str; 5] {
        [&event.at, &event.number, &event.name, &event.node, &event.detail]
    }

    #[test]
    fn the_newest_event_of_a_log_stands_first() {
        let events = last_events("documents/valid/killed-a.log.ndjson");
        assert_eq!(texts(&events[0]), ["2026-11-21 21:00:28Z", "", "NodeStarted", "grind", "attempt 2"]);
        assert!(events.len() <= 12 && events.iter().all(|event| event.name != "FrameCommitted"));
        assert!(events.windows(2).all(|pair| pair[0].at >= pair[1].at));
    }

    #[test]
    fn an_event_of_a_recorded_socket_has_its_number() {
        let events = last_events("documents/valid/fail-a.ws-life.ndjson");
        let failed = events.iter().find(|event| event.name == "RunFailed").unwrap();
        assert!(failed.detail.contains("Task failed: boom"), "{failed:?}");
    }

    #[test]
    fn a_signal_names_its_error() {
        let events = last_events("documents/valid/sse-signals-failed.sse");
        assert_eq!(texts(&events[0]), ["2026-11-21 20:15:52Z", "2", "RunFailed", "", "disk is full"]);
    }

    #[test]
    fn an_event_of_a_step_names_what_is_next() {
        let events = last_events("conductor/runs/missing-route-exception/run/events.ndjson");
        assert_eq!(events.len(), 12);
        assert!(events.iter().any(|event| event.name == "step_started" && !event.node.is_empty()));
    }

    #[test]
    fn a_document_without_events_has_none() {
        assert_eq!(last_events("smithers/captures/runs/fail-a/rpc-runs.get.json"), []);
    }
}
