//! Actions for nodes that the state's reason does not name, and for runs that have ended.

use super::command::{Commands, Word};
use super::reasons::rounds;
use super::{Action, ActionKind, Scene};
use crate::run::Blocker;
use crate::run::nodes::{Place, in_state};
use crate::run::retry;
use crate::smithers::wire::{NodeState, ReasonBlocked, RunState, RunStateView, TaskKind};
use crate::summary::line::Line;

impl Scene<'_> {
    /// Every node that waits and is not the one that the reason names.
    pub(super) fn nodes(&self, view: &RunStateView, found: &mut Vec<Action>) {
        let told = view.blocked.as_ref().and_then(ReasonBlocked::node_id);
        let others = |state| in_state(self.run, state).into_iter().filter(|node| Some(node.id) != told);
        for node in others(NodeState::WaitingApproval) {
            self.decide(node.id, node.iteration, found);
        }
        found.extend(others(NodeState::WaitingEvent).map(|node| self.signal(node.id, node.iteration, "")));
        found.extend(others(NodeState::WaitingTimer).map(|node| {
            let line = rounds(Line::new("Wait: ").node(node.id), node.iteration).words(" sleeps.");
            Action::new(ActionKind::Wait, Some(Blocker::WaitingTimer), line).at(node.id, node.iteration)
        }));
        for (state, blocker, start) in [
            (NodeState::WaitingBound, Blocker::BindingMissing, "See which value is missing at "),
            (NodeState::BoundStale, Blocker::BoundStale, "See which value changed at "),
        ] {
            found.extend(others(state).map(|node| {
                let line = rounds(Line::new(start).node(node.id), node.iteration).words(".");
                self.look(ActionKind::Inspect, Some(blocker), line, node.id, node.iteration)
            }));
        }
        if matches!(view.state.known(), Some(RunState::Running | RunState::Recovering)) {
            found.extend(in_state(self.run, NodeState::Failed).iter().map(|node| self.backoff(node)));
        }
    }

    fn look(
        &self,
        kind: ActionKind,
        blocker: Option<Blocker>,
        line: Line,
        node_id: &str,
        iteration: u32,
    ) -> Action {
        let command = [Word::Ours("smithers node"), Word::Theirs(node_id), Word::Ours("-r"), Word::Run];
        let call = self.commands.call_at("getNodeOutput", node_id, iteration, "");
        let action = Action::new(kind, blocker, line).at(node_id, iteration);
        action.by(self.commands.shell(&command), Some(call))
    }

    /// A failed task of a run that goes on: another attempt comes, or may come, or none does.
    fn backoff(&self, node: &Place<'_>) -> Action {
        let retry = retry(self.index(), node);
        if !retry.may_come() {
            return self.exhausted(node);
        }
        let line = rounds(Line::new("Wait: ").node(node.id), node.iteration);
        let line = match retry.max_attempts {
            Some(_) => line.words(" is tried again."),
            None => line.words(" may be tried again."),
        };
        let action = Action::new(ActionKind::Wait, Some(Blocker::RetryBackoff), line);
        action.at(node.id, node.iteration)
    }

    /// A resume by the Gateway does nothing to a run that has ended (`already_terminal`); trying a task again does.
    fn exhausted(&self, node: &Place<'_>) -> Action {
        let line = rounds(Line::new("Try ").node(node.id), node.iteration).words(" again.");
        let call = self.commands.call_at("retryTask", node.id, node.iteration, "");
        let action = Action::new(ActionKind::Retry, Some(Blocker::RetriesExhausted), line);
        action.at(node.id, node.iteration).by(self.commands.up(false), Some(call))
    }

    /// The nodes that a run failed at, and those that wait for them.
    pub(super) fn failed(&self, found: &mut Vec<Action>) {
        for node in in_state(self.run, NodeState::Failed) {
            // A denied approval is failed as well: nothing is gained by trying it again.
            if self.task_kind(node.id, node.iteration) != Some(TaskKind::Approval) {
                found.push(self.exhausted(&node));
            }
        }
        self.dependants(found);
    }

    /// How a node does its work, where the tree tells.
    pub(super) fn task_kind(&self, node_id: &str, iteration: u32) -> Option<TaskKind> {
        let node = self.index().node(node_id, Some(iteration))?;
        node.task.as_ref()?.kind.as_ref()?.known()
    }

    /// What a success leaves to look at: failures that were tolerated, and the run that goes on with the work.
    pub(super) fn succeeded(&self, found: &mut Vec<Action>) {
        for key in &self.run.failed_children {
            let (node_id, round) = key.rsplit_once("::").unwrap_or((key, "0"));
            let Ok(iteration) = round.parse::<u32>() else { continue };
            let line = rounds(Line::new("See why ").node(node_id), iteration).words(" failed.");
            found.push(self.look(ActionKind::Inspect, None, line, node_id, iteration));
        }
        if self.run.continued {
            let line = Line::new("Go to the run that continues this one");
            let (line, command, call) = match &self.run.continued_as {
                Some(run_id) => {
                    let next = Commands::new(run_id);
                    let command = next.shell(&[Word::Ours("smithers inspect"), Word::Run]);
                    (line.words(": ").code(run_id), command, next.call("getRun", ""))
                }
                None => (line, None, self.commands.call("listRunDescendants", "")),
            };
            found.push(Action::new(ActionKind::Follow, None, line.words(".")).by(command, Some(call)));
        }
    }
}
