//! Actions for nodes that the reason of the state does not name, and for runs that have ended.

use super::command::{Arg, Commands};
use super::{Action, ActionKind, RunContext};
use crate::run::nodes::{Place, in_state};
use crate::run::{Blocker, retry};
use crate::smithers::wire::{NodeState, ReasonBlocked, RunState, RunStateView, TaskKind};
use crate::summary::line::Line;

impl RunContext<'_> {
    /// Actions for every waiting node but the one that the reason names.
    pub(super) fn add_waiting_nodes(&self, view: &RunStateView, found: &mut Vec<Action>) {
        let named_node = view.blocked.as_ref().and_then(ReasonBlocked::node_id);
        let others = |state| in_state(self.run, state).into_iter().filter(|node| Some(node.id) != named_node);
        if !self.run.waits_without_request() {
            for node in others(NodeState::WaitingApproval) {
                self.add_decisions(node.id, node.iteration, found);
            }
        }
        found.extend(
            others(NodeState::WaitingEvent).map(|node| self.signal_action(node.id, node.iteration, "")),
        );
        found.extend(others(NodeState::WaitingTimer).map(|node| {
            let line = Line::new("Nothing to do: ").place(&node).words(" sleeps.");
            Action::new(ActionKind::Wait, Some(Blocker::WaitingTimer), line)
                .with_node(node.id, node.iteration)
        }));
        for (state, blocker, start) in [
            (NodeState::WaitingBound, Blocker::BindingMissing, "See which value is missing at "),
            (NodeState::BoundStale, Blocker::BoundStale, "See which value changed at "),
        ] {
            found.extend(others(state).map(|node| {
                let line = Line::new(start).place(&node).words(".");
                self.inspect_node(ActionKind::Inspect, Some(blocker), line, node.id, node.iteration)
            }));
        }
        if matches!(view.state.known(), Some(RunState::Running | RunState::Recovering)) {
            let failed = in_state(self.run, NodeState::Failed).into_iter();
            let failed = failed.filter(|node| !self.index().is_denied(node.id, node.iteration));
            found.extend(failed.map(|node| self.failed_task(&node)));
        }
    }

    fn inspect_node(
        &self,
        kind: ActionKind,
        blocker: Option<Blocker>,
        line: Line,
        node_id: &str,
        iteration: u32,
    ) -> Action {
        let command = [Arg::Literal("smithers node"), Arg::Quoted(node_id), Arg::Literal("-r"), Arg::RunId];
        let call = self.commands.node_call("getNodeOutput", node_id, iteration, "");
        let action = Action::new(kind, blocker, line).with_node(node_id, iteration);
        action.with_command(self.commands.shell(&command), Some(call))
    }

    /// A failed task of an active run: it is tried again, may be tried again, or must be retried by hand.
    fn failed_task(&self, node: &Place<'_>) -> Action {
        let retry = retry(self.index(), node);
        if !retry.may_come() {
            return self.retry_task(node);
        }
        let line = Line::new("Wait: ").place(node);
        let line = match retry.attempts_left {
            Some(_) => line.words(" is tried again."),
            None => line.words(" may be tried again."),
        };
        let action = Action::new(ActionKind::Wait, Some(Blocker::RetryBackoff), line);
        action.with_node(node.id, node.iteration)
    }

    /// The Gateway does not resume a run that has ended (`already_terminal`), but it retries a task of it.
    fn retry_task(&self, node: &Place<'_>) -> Action {
        let line = Line::new("Try ").place(node).words(" again.");
        let call = self.commands.node_call("retryTask", node.id, node.iteration, "");
        let action = Action::new(ActionKind::Retry, Some(Blocker::RetriesExhausted), line);
        action.with_node(node.id, node.iteration).with_command(self.commands.up(false), Some(call))
    }

    /// Actions for failed tasks and for tasks that depend on them.
    pub(super) fn add_failed_tasks(&self, found: &mut Vec<Action>) {
        for node in in_state(self.run, NodeState::Failed) {
            // A retry would not help.
            if !self.index().is_denied(node.id, node.iteration) {
                found.push(self.retry_task(&node));
            }
        }
        self.add_dependent_tasks(found);
    }

    /// The kind of a task, if the tree has it.
    pub(super) fn task_kind(&self, node_id: &str, iteration: u32) -> Option<TaskKind> {
        let node = self.index().node(node_id, Some(iteration))?;
        node.task.as_ref()?.kind.as_ref()?.known()
    }

    /// Actions after a success: inspect tolerated failures, follow the continuation.
    pub(super) fn add_after_success(&self, found: &mut Vec<Action>) {
        for key in &self.run.failed_children {
            let (node_id, round) = key.rsplit_once("::").unwrap_or((key, "0"));
            let Ok(iteration) = round.parse::<u32>() else { continue };
            let line = Line::new("See why ").node_iteration(node_id, iteration).words(" failed.");
            found.push(self.inspect_node(ActionKind::Inspect, None, line, node_id, iteration));
        }
        if self.run.continued {
            let line = Line::new("Go to the run that continues this one");
            let (line, command, call) = match &self.run.continued_as {
                Some(run_id) => {
                    let next = Commands::new(run_id);
                    let command = next.shell(&[Arg::Literal("smithers inspect"), Arg::RunId]);
                    (line.words(": ").code(run_id), command, next.call("getRun", ""))
                }
                None => (line, None, self.commands.call("listRunDescendants", "")),
            };
            found.push(
                Action::new(ActionKind::Follow, None, line.words(".")).with_command(command, Some(call)),
            );
        }
    }
}
