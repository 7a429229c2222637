//! The last decision on the next step (seed 004, section 6).

use super::run::{ConductorRun, Route};
use super::steps::Visit;
use crate::conductor::wire::{Directory, Phase, StatusDocument, named_step_file};

/// The last route of a run: by the status between two steps and in a step, by the events otherwise.
pub(super) fn last_route(
    directory: &Directory,
    status: Option<&StatusDocument>,
    run: &ConductorRun,
) -> Option<Route> {
    let (step_id, status, next_step_id) = match (&run.decision, status, run.phase) {
        (Some(decision), _, _) => {
            (decision.step_id.clone(), decision.status.clone(), decision.next_step_id.clone())
        }
        // The kernel goes from the step that was completed last to the current one.
        (None, Some(status), Phase::InStep) => {
            let (step, next) = (status.last_completed_step_id.clone()?, status.current_step_id.clone()?);
            (Some(step.clone()), outcome(directory, &step, &next), next)
        }
        (None, _, _) => {
            let visit = run.visits.iter().rfind(|visit| visit.failed.is_some())?;
            let next = visit.next_step_id.clone()?;
            (Some(visit.step_id.clone()), outcome(directory, &visit.step_id, &next), next)
        }
    };
    let attempt = directory.log.is_some().then(|| attempt(&run.visits, &next_step_id));
    Some(Route { step_id, status, next_step_id, attempt })
}

/// How a step ended, by the files of its last visit. If the step follows itself, they may already be those of the next visit. A
/// pasted decision names no step, and may be that of another one.
fn outcome(directory: &Directory, step_id: &str, next_step_id: &str) -> Option<String> {
    if step_id == next_step_id {
        return None;
    }
    let by_manifest = directory.manifest(step_id).and_then(|(_, manifest)| manifest.termination.clone());
    by_manifest.or_else(|| {
        let planner = named_step_file(&directory.planner_decisions, step_id);
        planner.or_else(|| named_step_file(&directory.gate_outcomes, step_id)).cloned()
    })
}

/// The number of the visit of a step that is active or comes next, from 1.
fn attempt(visits: &[Visit], step_id: &str) -> u32 {
    match visits.iter().rfind(|visit| visit.step_id == step_id) {
        Some(visit) if visit.failed.is_none() => visit.attempt,
        Some(visit) => visit.attempt.saturating_add(1),
        None => 1,
    }
}

#[cfg(test)]
mod tests {
    use crate::conductor::derive::Route;
    use crate::conductor::read_run_directory;
    use crate::file::File;
    use crate::time::Millis;

    /// A status in the step `current`, after the step `completed`.
    fn status(completed: &str, current: &str) -> String {
        format!(
            r#"{{"run_id":"20261121T204038Z","workflow_id":"fix","started_at":"2026-11-21T20:40:38Z",
            "updated_at":"2026-11-21T20:40:41Z","lifecycle_state":"running","current_step_id":"{current}",
            "last_completed_step_id":{completed},"active_opcode":"RUN_AGENT"}}"#
        )
    }

    /// The event log of steps in this order, each followed by the next. The last one has not ended.
    fn log(steps: &[&str]) -> String {
        let event = |step: &str, rest: &str| {
            format!(r#"{{"run_id":"20261121T204038Z","step_id":"{step}",{rest}}}"#) + "\n"
        };
        let mut log = String::new();
        for (index, step) in steps.iter().enumerate() {
            log += &event(step, r#""event_type":"step_started""#);
            if let Some(next) = steps.get(index + 1) {
                log += &event(step, &format!(r#""event_type":"step_completed","next_step_id":"{next}""#));
            }
        }
        log
    }

    fn route(files: &[(&str, &str)]) -> Route {
        last_route(files).unwrap()
    }

    fn last_route(files: &[(&str, &str)]) -> Option<Route> {
        let files: Vec<_> =
            files.iter().map(|(name, text)| File { name: Some(name), bytes: text.as_bytes() }).collect();
        read_run_directory(&files, Millis(0.0), None).unwrap().last_route
    }

    fn route_of(step: &str, status: Option<&str>, next: &str, attempt: Option<u32>) -> Route {
        let (step_id, status) = (Some(step.to_owned()), status.map(str::to_owned));
        Route { step_id, status, next_step_id: next.to_owned(), attempt }
    }

    #[test]
    fn the_route_stays_while_the_next_step_runs() {
        let (status, log) = (status(r#""assess""#, "fix"), log(&["fix", "assess", "fix"]));
        let files = [
            ("status.json", &*status),
            ("events.ndjson", &*log),
            ("artifacts/assess/planner_decision.json", r#"{"status":"partial","next_step":"fix"}"#),
        ];
        assert_eq!(route(&files), route_of("assess", Some("partial"), "fix", Some(2)));
        assert_eq!(route(&files[..2]), route_of("assess", None, "fix", Some(2)), "no file says how it ended");
        assert_eq!(
            route(&files[..1]),
            route_of("assess", None, "fix", None),
            "no event says which visit it is"
        );
        let manifest =
            r#"{"step_id":"assess","opcode":"RUN_VALIDATION","termination":"error","artifacts":[]}"#;
        let files = [files[0], files[1], ("artifacts/assess/manifest.json", manifest)];
        assert_eq!(route(&files), route_of("assess", Some("error"), "fix", Some(2)));
        let files = [files[0], files[1], files[2], ("planner_decision.json", r#"{"status":"partial"}"#)];
        assert_eq!(
            route(&files),
            route_of("assess", Some("error"), "fix", Some(2)),
            "a decision of some step"
        );
        for pasted in ["planner_decision.json", "gate_outcome.json"] {
            let files = [files[0], files[1], (pasted, r#"{"status":"partial"}"#)];
            assert_eq!(route(&files), route_of("assess", None, "fix", Some(2)), "{pasted} of some step");
        }
    }

    #[test]
    fn before_the_second_step_there_is_no_route() {
        assert_eq!(
            last_route(&[("status.json", &status("null", "fix")), ("events.ndjson", &log(&["fix"]))]),
            None
        );
        assert_eq!(last_route(&[("events.ndjson", &log(&["fix"]))]), None);
    }

    #[test]
    fn the_files_of_a_step_that_follows_itself_may_be_those_of_its_next_visit() {
        let (status, log) = (status(r#""fix""#, "fix"), log(&["fix", "fix"]));
        let manifest = r#"{"step_id":"fix","opcode":"RUN_AGENT","termination":"error","artifacts":[]}"#;
        let files =
            [("status.json", &*status), ("events.ndjson", &*log), ("artifacts/fix/manifest.json", manifest)];
        assert_eq!(route(&files), route_of("fix", None, "fix", Some(2)));
    }

    #[test]
    fn without_a_status_the_events_decide() {
        assert_eq!(
            route(&[("events.ndjson", &log(&["fix", "test", "fix", "STOP"]))]),
            route_of("fix", None, "STOP", Some(1))
        );
    }
}
