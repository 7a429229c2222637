//! A run as JSON, with keys as in JavaScript.

use super::run::{ConductorRun, Gate, Note, PlannerDecision, Route, RunSource, Terminal};
use crate::json::Writer;
use crate::text::concat;
use crate::word::{Vocabulary, Word};

impl ConductorRun {
    /// `{ runId, state, phase, blocked, unhealthy, terminal, decision, lastRoute, why?, source, problems? }`. `problems` are
    /// the problems of the files and of the date of the status, one line each.
    ///
    /// ```
    /// use runstate::conductor::read_run_directory;
    /// use runstate::time::Millis;
    ///
    /// let run = read_run_directory(&[], Millis(0.0), None)?;
    /// assert!(run.to_json().starts_with(r#"{"runId":null,"state":"unknown","phase":"absent","#));
    /// # Ok::<(), runstate::conductor::ReadRunError>(())
    /// ```
    pub fn to_json(&self) -> String {
        let mut out = Writer::default();
        out.object(|out| {
            text(out, "runId", self.run_id.as_deref());
            out.key("state").text(self.state.as_str());
            out.key("phase").text(self.phase.as_str());
            write(out, "blocked", self.blocked.as_ref(), gate);
            match &self.unhealthy {
                None => out.key("unhealthy").null(),
                Some(heartbeat) => out.key("unhealthy").object(|out| {
                    out.key("kind").text("engine-heartbeat-stale");
                    out.key("lastHeartbeatAt").text(&heartbeat.last_heartbeat_at);
                }),
            }
            write(out, "terminal", self.terminal.as_ref(), terminal);
            write(out, "decision", self.decision.as_ref(), decision);
            write(out, "lastRoute", self.last_route.as_ref(), route);
            out.optional_text("why", self.unknown_reason.map(Vocabulary::as_str));
            out.key("source").object(|out| source(out, &self.source, self.phase.as_str()));
            let mut problems = self.problems.texts();
            problems.extend(self.notes.iter().filter_map(|note| date_problem(self, note)));
            if !problems.is_empty() {
                out.key("problems").list(&problems, |out, problem| out.text(problem));
            }
        });
        out.finish()
    }
}

/// The problem with the date of the status, if the note is about one.
fn date_problem(run: &ConductorRun, note: &Note) -> Option<String> {
    let wrong = match note {
        Note::ClockAhead { .. } => "is in the reader's future",
        Note::ClockBack => "is before the start of the run",
        Note::NoZone => "has no zone",
        Note::Ending
        | Note::StatusOutOfDate
        | Note::EndedElsewhere { .. }
        | Note::NoHeartbeat
        | Note::NoEvents
        | Note::Record { .. } => return None,
    };
    let file = if run.evidence.read_from.is_empty() { "status.json" } else { &run.evidence.read_from };
    Some(concat(&[file, ": `updated_at` ", wrong, ". How old the status is, is not known."]))
}

/// A text or null.
fn text(out: &mut Writer, key: &str, value: Option<&str>) {
    match value {
        Some(value) => out.key(key).text(value),
        None => out.key(key).null(),
    }
}

/// An object or null.
fn write<T>(out: &mut Writer, key: &str, value: Option<&T>, write: fn(&mut Writer, &T)) {
    match value {
        Some(value) => out.key(key).object(|out| write(out, value)),
        None => out.key(key).null(),
    }
}

fn gate(out: &mut Writer, gate: &Gate) {
    out.key("kind").text("approval");
    text(out, "nodeId", gate.node_id.as_deref());
    text(out, "requestedAt", gate.requested_at.as_deref());
    if gate.approximate {
        out.key("requestedAtApproximate").bool(true);
    }
    if let Some(request) = &gate.request {
        text(out, "gate", request.gate.as_deref());
        out.key("timeoutSeconds").number(request.timeout_seconds.unwrap_or(f64::NAN));
    }
}

fn terminal(out: &mut Writer, terminal: &Terminal) {
    let exit = &terminal.exit;
    out.key("declared").text(terminal.declared.as_str());
    text(out, "lastStepId", terminal.last_step_id.as_deref());
    text(out, "exitStepId", exit.step_id.as_deref());
    text(out, "exitOpcode", exit.opcode.as_ref().map(Word::as_str));
    text(out, "exitOutcome", exit.outcome.as_deref());
    out.key("exitClean").raw(match exit.clean {
        Some(true) => "true",
        Some(false) => "false",
        None => "null",
    });
}

fn decision(out: &mut Writer, decision: &PlannerDecision) {
    text(out, "stepId", decision.step_id.as_deref());
    text(out, "status", decision.status.as_deref());
    text(out, "nextStepId", Some(&decision.next_step_id));
}

fn route(out: &mut Writer, route: &Route) {
    text(out, "stepId", route.step_id.as_deref());
    text(out, "status", route.status.as_deref());
    text(out, "nextStepId", Some(&route.next_step_id));
    match route.attempt {
        Some(attempt) => out.key("attempt").number(attempt.into()),
        None => out.key("attempt").null(),
    }
}

fn source(out: &mut Writer, source: &RunSource, phase: &str) {
    let lifecycle = source.lifecycle_state.as_ref().map(Word::as_str);
    let opcode = source.active_opcode.as_ref().map(Word::as_str);
    let family = source.runner_family.as_ref().map(Word::as_str);
    let termination = source.termination.as_ref().map(Word::as_str);
    text(out, "lifecycleState", lifecycle);
    text(out, "termination", termination);
    text(out, "blockingReason", source.blocking_reason.as_deref());
    text(out, "phase", Some(phase));
    text(out, "activeOpcode", opcode);
    text(out, "runnerFamily", family);
    text(out, "currentStepId", source.current_step_id.as_deref());
    let completed = source.last_completed_step_id.as_deref();
    text(out, "lastCompletedStepId", completed);
    text(out, "lastRouteTarget", source.last_route_target.as_deref());
    text(out, "worktreePath", source.worktree_path.as_deref());
    text(out, "updatedAt", source.updated_at.as_deref());
}
