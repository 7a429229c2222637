//! Actions for a run without a current heartbeat, and for problems of a run with a working engine.

use super::command::Arg;
use super::{Action, ActionKind, RunContext};
use crate::evidence::{Input, Signal};
use crate::run::{Blocker, Witness};
use crate::smithers::wire::{ReasonUnhealthy, RunState, RunStateView, RunStatus, engine_may_be_alive};
use crate::summary::line::Line;
use crate::time::Millis;
use crate::word::Word;

impl RunContext<'_> {
    /// Actions for a run that is paused, stale, orphaned or unhealthy.
    pub(super) fn add_liveness(&self, view: &RunStateView, found: &mut Vec<Action>) {
        match view.state.known() {
            Some(RunState::Paused) => {
                let line = Line::new("Resume the run: somebody paused it.");
                found.push(self.resume_action(ActionKind::Resume, Blocker::Paused, line));
            }
            Some(RunState::Stale) if self.owner_process_found(view) => found.push(self.busy_engine_action()),
            // An overdue timer already has a resume action.
            Some(RunState::Stale) if !found.iter().any(|action| action.kind == ActionKind::Resume) => {
                let line = Line::new("Resume the run once its engine is known to be gone.");
                found.push(self.resume_action(ActionKind::Resume, Blocker::StaleHeartbeat, line));
            }
            Some(RunState::Orphaned) => self.add_takeover("Resume the run: no engine works on it.", found),
            // The row says `running`, but no engine ever sent a heartbeat.
            Some(RunState::Unknown) if self.never_reported() => {
                self.add_takeover("Resume the run if no engine works on it.", found);
            }
            Some(
                RunState::Running
                | RunState::WaitingApproval
                | RunState::WaitingEvent
                | RunState::WaitingTimer
                | RunState::WaitingQuota
                | RunState::Recovering
                | RunState::Stale
                | RunState::Failed
                | RunState::Cancelled
                | RunState::Succeeded
                | RunState::Unknown,
            )
            | None => {}
        }
        found.extend(view.unhealthy.as_ref().and_then(unhealthy_action));
    }

    fn busy_engine_action(&self) -> Action {
        let line =
            Line::new("Look at the engine's log, and do not force the run: its process seems to be there.");
        let command = self.commands.shell(&[Arg::Literal("smithers logs"), Arg::RunId]);
        Action::new(ActionKind::Inspect, Some(Blocker::EngineBusy), line).with_command(command, None)
    }

    /// Whether the owner's process was looked for and not found dead.
    fn owner_process_found(&self, view: &RunStateView) -> bool {
        let Some(verdict) = &self.run.verdict else { return false };
        if !verdict.is_derived() {
            let row = self.run.row.as_ref();
            return engine_may_be_alive(view, row.and_then(|row| row.owner.as_deref()));
        }
        // It decides a stale run only if the process was found; otherwise the run would be orphaned.
        let decides = |input: &Input| input.name == Signal::OwnerProcess && input.decisive;
        verdict.evidence.inputs.iter().any(decides)
    }

    fn never_reported(&self) -> bool {
        // Without the column, only the server knows about heartbeats.
        let derived = self.run.verdict.as_ref().is_some_and(Witness::is_derived);
        let silent = self
            .run
            .row
            .as_ref()
            .is_none_or(|row| row.heartbeat_at.is_none() && !(derived && row.lacks_heartbeat));
        let running = self.run.status.as_ref().and_then(Word::known) == Some(RunStatus::Running);
        running && silent && self.run.started_at.is_none()
    }

    /// No engine works on the run: it may be resumed by force, or by a supervisor.
    fn add_takeover(&self, sentence: &str, found: &mut Vec<Action>) {
        let blocker = Some(Blocker::StaleHeartbeat);
        let resume = Action::new(ActionKind::Resume, blocker, Line::new(sentence));
        found.push(resume.with_command(self.commands.up(true), Some(self.commands.resume())));
        let supervise = self.commands.shell(&[Arg::Literal("smithers supervise -r"), Arg::RunId]);
        if supervise.is_some() {
            let line = Line::new("Or let a supervisor take the run over.");
            found.push(Action::new(ActionKind::Supervise, blocker, line).with_command(supervise, None));
        }
    }
}

/// Actions for reasons of an unhealthy run. A missing heartbeat and an overdue timer are handled with the state.
fn unhealthy_action(reason: &ReasonUnhealthy) -> Option<Action> {
    let action = |kind, blocker, words| Action::new(kind, Some(blocker), Line::new(words));
    match reason {
        ReasonUnhealthy::DbLock => {
            Some(action(ActionKind::Wait, Blocker::DbLock, "Wait until the run's database is free."))
        }
        ReasonUnhealthy::SandboxUnreachable => {
            let words = "Start the run's sandbox again: it does not respond.";
            Some(action(ActionKind::Repair, Blocker::SandboxUnreachable, words))
        }
        ReasonUnhealthy::SupervisorBackoff { next_at, .. } => {
            let words = "Wait for the supervisor's next try.";
            let wait = action(ActionKind::Wait, Blocker::SupervisorBackoff, words);
            Some(wait.with_until(Millis::parse_iso(next_at)))
        }
        ReasonUnhealthy::EngineHeartbeatStale { .. }
        | ReasonUnhealthy::TimerOverdue { .. }
        | ReasonUnhealthy::UiHeartbeatStale { .. }
        | ReasonUnhealthy::Foreign(_) => None,
    }
}
