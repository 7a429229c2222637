//! What happened step by step, by the events: visits, their number, and how they ended.

use crate::word::Word;
use std::collections::BTreeMap;

use crate::conductor::wire::Stamp;
use crate::conductor::wire::{ConductorEventType, Lifecycle};
use crate::conductor::wire::{Event, EventLog};

/// One visit of a step.
///
/// ```
/// use runstate::conductor::read_run;
/// use runstate::file::File;
/// use runstate::time::Millis;
///
/// let events = concat!(
///     r#"{"timestamp":"2026-11-21T20:40:38Z","run_id":"20261121T204038Z","step_id":"test","event_type":"step_started"}"#, "\n",
///     r#"{"timestamp":"2026-11-21T20:40:40Z","run_id":"20261121T204038Z","step_id":"test","event_type":"step_failed","next_step_id":"fix"}"#, "\n",
/// );
/// let run = read_run(&[File { name: Some("events.ndjson"), bytes: events.as_bytes() }], Millis(0.0), None)?;
/// let visit = &run.visits[0];
/// assert_eq!((&*visit.step_id, visit.attempt, visit.failed), ("test", 1, Some(true)));
/// // One step failed and the run goes on: no state follows from that alone.
/// assert_eq!(visit.next_step_id.as_deref(), Some("fix"));
/// # Ok::<(), runstate::conductor::NotARun>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Visit {
    /// The step.
    pub step_id: String,
    /// Which visit of this step, from 1.
    pub attempt: u32,
    /// When it began.
    pub started_at: Option<Stamp>,
    /// When it ended; `None` while it goes on.
    pub ended_at: Option<Stamp>,
    /// Whether it ended in `step_failed`; `None` while it goes on.
    pub failed: Option<bool>,
    /// The step that followed; none after an exception.
    pub next_step_id: Option<String>,
    /// Refreshes of the status in which nothing else changed.
    pub heartbeats: u32,
}

/// The visits in the order in which they began.
pub(crate) fn visits(log: &EventLog) -> Vec<Visit> {
    let mut visits: Vec<Visit> = Vec::new();
    // Where the last visit of each step is.
    let mut places: BTreeMap<String, u64> = BTreeMap::new();
    let mut lifecycle: Option<Lifecycle> = None;
    for event in &log.events {
        let Some(step_id) = event.step_id.as_deref() else { continue };
        let known = places.get(step_id).and_then(|place| visits.get_mut(*place as usize));
        if event.is(ConductorEventType::StepStarted) {
            let attempt = known.map_or(0, |visit| visit.attempt).saturating_add(1);
            lifecycle = None;
            places.insert(step_id.to_owned(), visits.len() as u64);
            visits.push(Visit {
                step_id: step_id.to_owned(),
                attempt,
                started_at: event.timestamp.clone(),
                ended_at: None,
                failed: None,
                next_step_id: None,
                heartbeats: 0,
            });
        } else if let Some(visit) = known {
            follow(visit, event, &mut lifecycle);
        }
    }
    visits
}

fn follow(visit: &mut Visit, event: &Event, lifecycle: &mut Option<Lifecycle>) {
    if event.ends_step() {
        visit.failed = Some(event.is(ConductorEventType::StepFailed));
        visit.ended_at.clone_from(&event.timestamp);
        visit.next_step_id.clone_from(&event.next_step_id);
    } else if event.is(ConductorEventType::RouteSelected) {
        // The status that follows is written after the step.
        *lifecycle = None;
    } else if event.is(ConductorEventType::StatusUpdated) {
        let written = event.lifecycle_state.as_ref().and_then(Word::known);
        visit.heartbeats += u32::from(written.is_some() && *lifecycle == written);
        *lifecycle = written;
    }
}
