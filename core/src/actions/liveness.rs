//! Actions for a run that nobody works on, and for what is wrong with one that somebody works on.

use super::command::Word;
use super::{Action, ActionKind, Scene};
use crate::evidence::Signal;
use crate::run::Blocker;
use crate::run::Verdict;
use crate::smithers::wire::engine_may_live;
use crate::smithers::wire::{ReasonUnhealthy, RunState, RunStateView, RunStatus};
use crate::summary::line::Line;
use crate::time::Millis;
use crate::word::Word as Wire;

impl Scene<'_> {
    /// What is wrong with the run's liveness, and a run that somebody paused.
    pub(super) fn liveness(&self, view: &RunStateView, found: &mut Vec<Action>) {
        match view.state.known() {
            Some(RunState::Paused) => {
                let line = Line::new("Resume the run: somebody paused it.");
                found.push(self.resuming(ActionKind::Resume, Blocker::Paused, line));
            }
            Some(RunState::Stale) if self.engine_is_busy(view) => {
                let line = Line::new(
                    "Look at the engine's log, and do not force the run: its process seems to be there.",
                );
                let command = self.commands.shell(&[Word::Ours("smithers logs"), Word::Run]);
                let action = Action::new(ActionKind::Inspect, Some(Blocker::EngineBusy), line);
                found.push(action.by(command, None));
            }
            // A timer that nobody served is resumed already.
            Some(RunState::Stale) if !found.iter().any(|action| action.kind == ActionKind::Resume) => {
                let line = Line::new("Resume the run once its engine is known to be gone.");
                found.push(self.resuming(ActionKind::Resume, Blocker::StaleHeartbeat, line));
            }
            Some(RunState::Orphaned) => self.orphaned("Resume the run: no engine works on it.", found),
            // The row says that it runs, and nothing ever showed that it does.
            Some(RunState::Unknown) if self.never_lived() => {
                self.orphaned("Resume the run if no engine works on it.", found);
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
        found.extend(view.unhealthy.as_ref().and_then(unhealthy));
    }

    /// Whether the owner's process was looked for, and not found gone.
    fn engine_is_busy(&self, view: &RunStateView) -> bool {
        match &self.run.verdict {
            Verdict::Said { .. } => {
                engine_may_live(view, self.run.row.as_ref().and_then(|row| row.owner.as_deref()))
            }
            Verdict::Derived { evidence, .. } => evidence.inputs.iter().any(|input| {
                // Of a stale run it decides only where the process was found: without it the run would be orphaned.
                input.name == Signal::OwnerProcess && input.decisive
            }),
            Verdict::Absent => false,
        }
    }

    fn never_lived(&self) -> bool {
        let heartbeat = self.run.row.as_ref().and_then(|row| row.heartbeat_at);
        let running = self.run.status.as_ref().and_then(Wire::known) == Some(RunStatus::Running);
        running && heartbeat.is_none() && self.run.started_at.is_none()
    }

    /// Nobody works on the run: it may be taken over by force, or by a supervisor.
    fn orphaned(&self, sentence: &str, found: &mut Vec<Action>) {
        let blocker = Some(Blocker::StaleHeartbeat);
        let resume = Action::new(ActionKind::Resume, blocker, Line::new(sentence));
        found.push(resume.by(self.commands.up(true), Some(self.commands.resume())));
        let supervise = self.commands.shell(&[Word::Ours("smithers supervise -r"), Word::Run]);
        if supervise.is_some() {
            let line = Line::new("Or let a supervisor take the run over.");
            found.push(Action::new(ActionKind::Supervise, blocker, line).by(supervise, None));
        }
    }
}

/// What is wrong beside the state. The heartbeat's and the timer's own actions stand with the state.
fn unhealthy(reason: &ReasonUnhealthy) -> Option<Action> {
    let action = |kind, blocker, words| Action::new(kind, Some(blocker), Line::new(words));
    match reason {
        ReasonUnhealthy::DbLock => {
            Some(action(ActionKind::Wait, Blocker::DbLock, "Wait until the run's database is free."))
        }
        ReasonUnhealthy::SandboxUnreachable => {
            let words = "Start the run's sandbox again: it does not answer.";
            Some(action(ActionKind::Repair, Blocker::SandboxUnreachable, words))
        }
        ReasonUnhealthy::SupervisorBackoff { next_at, .. } => {
            let words = "Wait for the supervisor's next try.";
            let wait = action(ActionKind::Wait, Blocker::SupervisorBackoff, words);
            Some(wait.until(Millis::parse_iso(next_at)))
        }
        ReasonUnhealthy::EngineHeartbeatStale { .. }
        | ReasonUnhealthy::TimerOverdue { .. }
        | ReasonUnhealthy::UiHeartbeatStale { .. }
        | ReasonUnhealthy::Foreign(_) => None,
    }
}
