//! Checks the reason of a wait against the states of the nodes.

use super::{RunBuilder, Wait};
use crate::evidence::{Input, Signal, Value};
use crate::run::ReportedBlocker;
use crate::run::Witness;
use crate::run::newest::is_later;
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::{NodeState, ReasonBlocked};
use crate::text::concat;
use crate::time::Millis;
use crate::word::{Vocabulary, Word};

impl RunBuilder {
    /// Removes the reason of an answer if a newer state shows that its node no longer waits, because no decision is
    /// possible there any more.
    pub(super) fn remove_outdated_reason(&mut self) {
        self.clear_node_index();
        self.remove_outdated_blockers();
        let Some(verdict) = &self.run.verdict else { return };
        let derived = verdict.is_derived() && self.run.row.is_some();
        let view = &verdict.view;
        let at = if derived { self.answer_time.at } else { view.computed_time() };
        // The list is newer than the row with its counts.
        if self.has_all_nodes && !self.run.nodes.is_empty() && is_later(self.listed_at, at) {
            self.run.summary.clear();
        }
        let Some((state, node_id)) = view.blocked.as_ref().and_then(waiting_node) else { return };
        let rounds = || self.run.nodes.iter().filter(|row| row.node_id == node_id);
        let last = rounds().reduce(|a, b| if b.iteration > a.iteration { b } else { a });
        let Some(row) = last.filter(|_| rounds().all(|row| row.state.known() != Some(state))) else { return };
        if !is_later(row.updated_at.or(self.listed_at), at) {
            return;
        }
        let (now, when) = (row.state.clone(), row.updated_at);
        let words = concat(&[node_id, " is ", now.as_str()]);
        let caveat = concat(&[&words, ": that the run waits there is from before."]);
        self.run.caveats.push(caveat.into());
        if let Some(Witness { view, evidence, .. }) = &mut self.run.verdict {
            view.blocked = None;
            evidence.inputs.push(input(Signal::BlockingNode, words, when));
        }
    }

    /// Removes the blockers of `smithers why` whose node no longer waits, and adds the nodes that are in no list.
    fn remove_outdated_blockers(&mut self) {
        let alone = self.run.nodes.is_empty() && self.run.row.is_none();
        for blocker in std::mem::take(&mut self.run.reported_blockers) {
            let at = self.blockers_at;
            let place =
                blocker.node.as_ref().and_then(|node| self.node_place(&node.node_id, Some(node.iteration)));
            let row = place.and_then(|place| self.run.nodes.get(place));
            let (waits, listed_at) = (waiting_state(&blocker), self.listed_at);
            match (row, &blocker.node, waits) {
                (Some(row), _, _)
                    if is_later(row.updated_at.or(listed_at), at) && has_moved_on(row, waits) =>
                {
                    continue;
                }
                (None, Some(node), Some(state))
                    if !alone && (!self.has_all_nodes || is_later(at, listed_at)) =>
                {
                    let row =
                        NodeStatus::from_state(node.node_id.clone(), node.iteration, Word::Known(state));
                    self.run.nodes.push(row);
                }
                (_, _, _) => {}
            }
            self.run.reported_blockers.push(blocker);
        }
    }

    /// Sets the reason from the waiting attempts and requests if the answer has none: the timer that fires first, the oldest
    /// request for a decision, or the first event.
    pub(super) fn add_reason_of_waits(&mut self, waits: Vec<Wait>) {
        let Some(view) = self.run.view().filter(|view| view.blocked.is_none()) else { return };
        let state = view.state.known();
        let mut first: Option<Wait> = None;
        for wait in waits {
            let Some((node_state, _)) = waiting_node(&wait.reason) else { continue };
            let place = self.node_place(&wait.node_id, Some(wait.iteration));
            let waiting = place.and_then(|place| self.run.nodes.get(place)).and_then(|row| row.state.known());
            let is_first = first.as_ref().is_none_or(|known| time_of(&wait.reason) < time_of(&known.reason));
            if node_state.waiting_run_state() == state && waiting == Some(node_state) && is_first {
                first = Some(wait);
            }
        }
        let Some(wait) = first else { return };
        if let Some(Witness { view, evidence, .. }) = &mut self.run.verdict {
            let words = concat(&[wait.reason.kind(), " at ", &wait.node_id]);
            let is_approval = matches!(wait.reason, ReasonBlocked::Approval { .. });
            let signal = if is_approval { Signal::Approvals } else { Signal::WaitingAttempt };
            evidence.inputs.push(input(signal, words, None));
            view.blocked = Some(wait.reason);
        }
    }
}

fn input(name: Signal, words: String, at: Option<Millis>) -> Input {
    Input { at, ..Input::new(name, Value::Text(words), false) }
}

/// Returns the node of a reason, and its state while the reason is valid.
fn waiting_node(reason: &ReasonBlocked) -> Option<(NodeState, &str)> {
    match reason {
        ReasonBlocked::Approval { node_id, .. } => Some((NodeState::WaitingApproval, node_id)),
        ReasonBlocked::Event { node_id, .. } => Some((NodeState::WaitingEvent, node_id)),
        ReasonBlocked::Timer { node_id, .. } => Some((NodeState::WaitingTimer, node_id)),
        ReasonBlocked::Provider { .. }
        | ReasonBlocked::Tool { .. }
        | ReasonBlocked::ApprovalDecidedResumeRequired { .. }
        | ReasonBlocked::ExternalTrigger
        | ReasonBlocked::Quota { .. }
        | ReasonBlocked::Foreign(_) => None,
    }
}

/// Returns the time at which a timer fires or a decision was asked for; all times have the same format.
fn time_of(reason: &ReasonBlocked) -> &str {
    match reason {
        ReasonBlocked::Timer { wake_at, .. } => wake_at,
        ReasonBlocked::Approval { requested_at, .. } => requested_at,
        ReasonBlocked::Event { .. }
        | ReasonBlocked::Provider { .. }
        | ReasonBlocked::Tool { .. }
        | ReasonBlocked::ApprovalDecidedResumeRequired { .. }
        | ReasonBlocked::ExternalTrigger
        | ReasonBlocked::Quota { .. }
        | ReasonBlocked::Foreign(_) => "",
    }
}

/// Returns the state of the waiting node according to the command, which uses the words of node states.
fn waiting_state(blocker: &ReportedBlocker) -> Option<NodeState> {
    let word = blocker.kind.as_str();
    NodeState::ALL.iter().copied().find(|state| state.as_str() == word && state.waiting_run_state().is_some())
}

/// Whether a node no longer waits in this state, or has ended.
fn has_moved_on(row: &NodeStatus, waited: Option<NodeState>) -> bool {
    let Some(state) = row.state.known() else { return false };
    match waited {
        Some(waited) => state != waited,
        None => matches!(state, NodeState::Finished | NodeState::Skipped | NodeState::Cancelled),
    }
}
