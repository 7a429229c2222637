//! Actions for the reason that the server gives for a waiting run.

use super::command::Arg;
use super::{Action, ActionKind, RunContext};
use crate::run::Blocker;
use crate::run::nodes::named;
use crate::smithers::derive::is_timer_overdue;
use crate::smithers::wire::{
    NodeState, ProviderCode, ReasonBlocked, ReasonUnhealthy, RunState, RunStateView,
};
use crate::summary::line::Line;
use crate::time::Millis;
use crate::word::Word;

impl RunContext<'_> {
    /// Actions for the reason why the run waits.
    pub(super) fn add_blocked(&self, view: &RunStateView, found: &mut Vec<Action>) {
        let Some(reason) = &view.blocked else {
            if view.state.known() == Some(RunState::WaitingQuota) {
                found.push(self.quota_action(None));
            } else if self.run.waits_without_request() {
                found.push(self.cancel_action());
            }
            return;
        };
        match reason {
            ReasonBlocked::Approval { node_id, .. } => {
                let round = named(self.run, node_id, NodeState::WaitingApproval).iteration;
                self.add_decisions(node_id, round, found);
            }
            ReasonBlocked::Event { node_id, correlation_key } => {
                let round = named(self.run, node_id, NodeState::WaitingEvent).iteration;
                found.push(self.signal_action(node_id, round, correlation_key));
            }
            ReasonBlocked::Timer { node_id, wake_at } => {
                found.push(self.timer_action(node_id, wake_at, view));
            }
            ReasonBlocked::Provider { node_id, code } => found.push(self.provider_action(node_id, code)),
            ReasonBlocked::Tool { node_id, tool_name, code } => {
                found.push(self.tool_action(node_id, tool_name, code));
            }
            ReasonBlocked::ApprovalDecidedResumeRequired { node_id } => {
                found.push(self.resume_after_approval(node_id));
            }
            ReasonBlocked::ExternalTrigger => {
                let line = Line::new("Resume the run: nothing in it goes on by itself.");
                found.push(self.resume_action(ActionKind::Resume, Blocker::ExternalTrigger, line));
            }
            ReasonBlocked::Quota { reset_at_ms, .. } => {
                found.push(self.quota_action(reset_at_ms.map(|at| Millis(at.0))));
            }
            ReasonBlocked::Foreign(_) => {}
        }
    }

    fn resume_after_approval(&self, node_id: &str) -> Action {
        let line = Line::new("Resume the run: the approval is decided and ").node(node_id);
        let line = line.words(" can go on.");
        let round = named(self.run, node_id, NodeState::Pending).iteration;
        self.resume_action(ActionKind::Resume, Blocker::ApprovalDecidedResumeRequired, line)
            .with_node(node_id, round)
    }

    /// No decision is pending, so that nobody can make one.
    fn cancel_action(&self) -> Action {
        let line = Line::new("Cancel the run, unless somebody is asked for a decision soon.");
        let command = self.commands.shell(&[Arg::Literal("smithers cancel"), Arg::RunId]);
        let action = Action::new(ActionKind::Cancel, Some(Blocker::WaitingApproval), line);
        action.with_command(command, Some(self.commands.call("cancelRun", "")))
    }

    /// An action that ends with a resume of the run.
    pub(super) fn resume_action(&self, kind: ActionKind, blocker: Blocker, sentence: Line) -> Action {
        let action = Action::new(kind, Some(blocker), sentence);
        action.with_command(self.commands.up(false), Some(self.commands.resume()))
    }

    fn timer_action(&self, node_id: &str, wake_at: &str, view: &RunStateView) -> Action {
        let round = named(self.run, node_id, NodeState::WaitingTimer).iteration;
        let wakes = Millis::parse_iso(wake_at);
        let late = wakes.is_some_and(|at| is_timer_overdue(at, self.now));
        if late || matches!(view.unhealthy, Some(ReasonUnhealthy::TimerOverdue { .. })) {
            let line = Line::new("Resume the run: the timer at ").node(node_id).words(" is overdue.");
            let action = self.resume_action(ActionKind::Resume, Blocker::WaitingTimer, line);
            return action.with_node(node_id, round).with_until(wakes);
        }
        let is_due = wakes.is_some_and(|at| at <= self.now);
        let line = Line::new(if is_due { "Wait: " } else { "Nothing to do: " }).node(node_id);
        let line = match wakes {
            Some(at) if is_due => line.words(" is due since ").time(at, self.now).words("."),
            Some(at) => line.words(" wakes at ").time(at, self.now).words("."),
            None => line.words(" sleeps."),
        };
        Action::new(ActionKind::Wait, Some(Blocker::WaitingTimer), line)
            .with_node(node_id, round)
            .with_until(wakes)
    }

    fn quota_action(&self, reset_at: Option<Millis>) -> Action {
        let reset_at = reset_at.filter(|at| at.to_iso().is_ok());
        let wait = |line| Action::new(ActionKind::Wait, Some(Blocker::Quota), line);
        match reset_at {
            Some(at) if at <= self.now => {
                let line = Line::new("Resume the run: the quota should have reset at ");
                let line = line.time(at, self.now).words(".");
                self.resume_action(ActionKind::Resume, Blocker::Quota, line).with_until(reset_at)
            }
            Some(at) => {
                let line = Line::new("Wait: the quota resets at ").time(at, self.now).words(".");
                wait(line).with_until(reset_at)
            }
            None => wait(Line::new("Wait for the provider's quota. Nobody said when it resets.")),
        }
    }

    fn provider_action(&self, node_id: &str, code: &Word<ProviderCode>) -> Action {
        let plain = |kind, line| Action::new(kind, Some(Blocker::Provider), line);
        let action = match code {
            Word::Known(ProviderCode::Auth) => {
                let line = Line::new("Renew the provider's credentials for ").node(node_id);
                let line = line.words(", then resume the run.");
                self.resume_action(ActionKind::RenewCredentials, Blocker::Provider, line)
            }
            Word::Known(ProviderCode::RateLimit) => {
                let line = Line::new("Wait until the provider's rate limit lets ").node(node_id);
                plain(ActionKind::Wait, line.words(" go on."))
            }
            Word::Known(ProviderCode::Timeout) => {
                let line = Line::new("Wait until the provider responds to ").node(node_id).words(" again.");
                plain(ActionKind::Wait, line)
            }
            Word::Foreign(code) => {
                let line =
                    Line::new("See why the provider responds with ").code(code).words(" to ").node(node_id);
                plain(ActionKind::Inspect, line.words("."))
            }
        };
        action.with_node(node_id, 0)
    }

    fn tool_action(&self, node_id: &str, tool_name: &str, code: &str) -> Action {
        let line = Line::new("Make the tool ").code(tool_name).words(" work for ").node(node_id);
        let line = line.words(" (").code(code).words("), then resume the run.");
        self.resume_action(ActionKind::Repair, Blocker::Tool, line).with_node(node_id, 0)
    }
}
