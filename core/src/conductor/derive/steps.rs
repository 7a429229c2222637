//! The visits of steps, from the events.

use std::collections::HashMap;

use crate::conductor::wire::{ConductorEventType, Event, EventLog, Lifecycle, Timestamp};
use crate::word::Word;

/// One visit of a step.
///
/// ```
/// use runstate::conductor::read_run_directory;
/// use runstate::file::File;
/// use runstate::time::Millis;
///
/// let events = concat!(
///     r#"{"timestamp":"2026-11-21T20:40:38Z","run_id":"20261121T204038Z","step_id":"test","event_type":"step_started"}"#, "\n",
///     r#"{"timestamp":"2026-11-21T20:40:40Z","run_id":"20261121T204038Z","step_id":"test","event_type":"step_failed","next_step_id":"fix"}"#, "\n",
/// );
/// let run = read_run_directory(&[File { name: Some("events.ndjson"), bytes: events.as_bytes() }], Millis(0.0), None)?;
/// let visit = &run.visits[0];
/// assert_eq!((&*visit.step_id, visit.attempt, visit.failed), ("test", 1, Some(true)));
/// assert_eq!(visit.next_step_id.as_deref(), Some("fix"));
/// # Ok::<(), runstate::conductor::ReadRunError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Visit {
    /// The step.
    pub step_id: String,
    /// The number of this visit among the visits of the step, from 1.
    pub attempt: u32,
    /// When it started.
    pub started_at: Option<Timestamp>,
    /// When it ended; `None` if it has not.
    pub ended_at: Option<Timestamp>,
    /// Whether it ended with `step_failed`; `None` if it has not ended.
    pub failed: Option<bool>,
    /// The next step; `None` after an exception.
    pub next_step_id: Option<String>,
    /// The number of heartbeats: writes of the status without a change.
    pub heartbeats: u32,
}

/// The visits in the order of their starts.
pub(super) fn visits(log: &EventLog) -> Vec<Visit> {
    let mut visits: Vec<Visit> = Vec::new();
    // The index of the last visit of each step.
    let mut last_visits: HashMap<&str, usize> = HashMap::new();
    let mut lifecycle: Option<Lifecycle> = None;
    for event in &log.events {
        let Some(step_id) = event.step_id.as_deref() else { continue };
        let known = last_visits.get(step_id).and_then(|index| visits.get_mut(*index));
        if event.is(ConductorEventType::StepStarted) {
            let attempt = known.map_or(0, |visit| visit.attempt).saturating_add(1);
            lifecycle = None;
            last_visits.insert(step_id, visits.len());
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
            update_visit(visit, event, &mut lifecycle);
        }
    }
    visits
}

fn update_visit(visit: &mut Visit, event: &Event, lifecycle: &mut Option<Lifecycle>) {
    if event.ends_step() {
        visit.failed = Some(event.is(ConductorEventType::StepFailed));
        visit.ended_at.clone_from(&event.timestamp);
        visit.next_step_id.clone_from(&event.next_step_id);
    } else if event.is(ConductorEventType::RouteSelected) {
        // The next status is written after the step.
        *lifecycle = None;
    } else if event.is(ConductorEventType::StatusUpdated) {
        let written = event.lifecycle_state.as_ref().and_then(Word::known);
        visit.heartbeats += u32::from(written.is_some() && *lifecycle == written);
        *lifecycle = written;
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use crate::conductor::read_run_directory;
    use crate::file::File;
    use crate::time::Millis;

    #[test]
    fn a_log_that_was_pasted_twice_has_the_same_visits() {
        let runs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/conductor/runs");
        let mut count = 0;
        for run in fs::read_dir(runs).unwrap() {
            let Ok(once) = fs::read_to_string(run.unwrap().path().join("run/events.ndjson")) else {
                continue;
            };
            let read = |text: &str| {
                let files = [File { name: Some("events.ndjson"), bytes: text.as_bytes() }];
                let run = read_run_directory(&files, Millis(0.0), None).unwrap();
                (run.visits, run.last_events)
            };
            assert_eq!(read(&once), read(&format!("{once}{once}")));
            count += 1;
        }
        assert!(count >= 3);
    }
}
