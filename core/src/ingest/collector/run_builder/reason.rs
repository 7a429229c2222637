//! What holds the run up, held against what is told of its nodes.

use super::RunBuilder;
use super::nodes::is_younger;
use crate::evidence::{Input, Signal, Value};
use crate::run::ReportedBlocker;
use crate::run::Verdict;
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::{NodeState, ReasonBlocked};
use crate::text::concat;
use crate::time::Millis;
use crate::word::{Vocabulary, Word};

/// What the attempt at a node waits for.
pub(crate) struct Wait {
    pub(crate) node_id: String,
    pub(crate) iteration: u32,
    pub(crate) reason: ReasonBlocked,
}

impl RunBuilder {
    /// Takes back the reason of an answer where a younger word says that its node went on: nobody is to decide there.
    pub(super) fn settle_reason(&mut self) {
        self.forget_places();
        self.settle_told();
        let derived = matches!(self.run.verdict, Verdict::Derived { .. }) && self.run.row.is_some();
        let Some(view) = self.run.verdict.view() else { return };
        let at = if derived { self.when.at } else { view.said_at() };
        // That list is newer than the row with its counts.
        if self.whole && !self.run.nodes.is_empty() && is_younger(self.listed_at, at) {
            self.run.summary.clear();
        }
        let Some((state, node_id)) = view.blocked.as_ref().and_then(awaited) else { return };
        let rounds = || self.run.nodes.iter().filter(|row| row.node_id == node_id);
        let last = rounds().reduce(|a, b| if b.iteration > a.iteration { b } else { a });
        let Some(row) = last.filter(|_| rounds().all(|row| row.state.known() != Some(state))) else { return };
        if !is_younger(row.updated_at.or(self.listed_at), at) {
            return;
        }
        let (now, when) = (row.state.clone(), row.updated_at);
        let words = concat(&[node_id, " is ", now.as_str()]);
        let caveat = concat(&[&words, ": that the run waits there is from before."]);
        self.run.caveats.push(caveat);
        if let Verdict::Said { view, evidence } | Verdict::Derived { view, evidence } = &mut self.run.verdict
        {
            view.blocked = None;
            evidence.inputs.push(input(Signal::BlockingNode, words, when));
        }
    }

    /// What `smithers why` named, beside the nodes: a node that went on since then is not named any more, and one that no
    /// list has is told by the command.
    fn settle_told(&mut self) {
        let alone = self.run.nodes.is_empty() && self.run.row.is_none();
        for told in std::mem::take(&mut self.run.told) {
            let at = self.told_at;
            let place = told.node.as_ref().and_then(|node| self.place(&node.node_id, Some(node.iteration)));
            let row = place.and_then(|place| self.run.nodes.get(place));
            let (waits, listed_at) = (wait(&told), self.listed_at);
            match (row, &told.node, waits) {
                (Some(row), _, _) if is_younger(row.updated_at.or(listed_at), at) && went_on(row, waits) => {
                    continue;
                }
                (None, Some(node), Some(state)) if !alone && (!self.whole || is_younger(at, listed_at)) => {
                    let row = NodeStatus::bare(node.node_id.clone(), node.iteration, Word::Known(state));
                    self.run.nodes.push(row);
                }
                (_, _, _) => {}
            }
            self.run.told.push(told);
        }
    }

    /// What the attempts say that the run waits for, where its answer does not: the timer that wakes first, the first event.
    pub(crate) fn tell_reason(&mut self, waits: Vec<Wait>) {
        let Some(view) = self.run.verdict.view().filter(|view| view.blocked.is_none()) else { return };
        let state = view.state.known();
        let mut first: Option<Wait> = None;
        for wait in waits {
            let Some((node_state, _)) = awaited(&wait.reason) else { continue };
            let place = self.place(&wait.node_id, Some(wait.iteration));
            let waiting = place.and_then(|place| self.run.nodes.get(place)).and_then(|row| row.state.known());
            let is_first = first.as_ref().is_none_or(|known| wakes(&wait.reason) < wakes(&known.reason));
            if node_state.holds_up() == state && waiting == Some(node_state) && is_first {
                first = Some(wait);
            }
        }
        let Some(wait) = first else { return };
        if let Verdict::Said { view, evidence } | Verdict::Derived { view, evidence } = &mut self.run.verdict
        {
            let words = concat(&[wait.reason.kind(), " at ", &wait.node_id]);
            evidence.inputs.push(input(Signal::WaitingAttempt, words, None));
            view.blocked = Some(wait.reason);
        }
    }
}

fn input(name: Signal, words: String, at: Option<Millis>) -> Input {
    Input { name, value: Value::Text(words), at, limit_ms: None, decisive: false }
}

/// The node that a reason names, and the state that it is in as long as the reason holds.
fn awaited(reason: &ReasonBlocked) -> Option<(NodeState, &str)> {
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

/// When a timer wakes; all moments are written alike.
fn wakes(reason: &ReasonBlocked) -> &str {
    match reason {
        ReasonBlocked::Timer { wake_at, .. } => wake_at,
        ReasonBlocked::Approval { .. }
        | ReasonBlocked::Event { .. }
        | ReasonBlocked::Provider { .. }
        | ReasonBlocked::Tool { .. }
        | ReasonBlocked::ApprovalDecidedResumeRequired { .. }
        | ReasonBlocked::ExternalTrigger
        | ReasonBlocked::Quota { .. }
        | ReasonBlocked::Foreign(_) => "",
    }
}

/// The state of a node that waits as the command says; its words for that are those of the nodes.
fn wait(told: &ReportedBlocker) -> Option<NodeState> {
    let word = told.kind.as_str();
    NodeState::ALL.iter().copied().find(|state| state.as_str() == word && state.holds_up().is_some())
}

/// Whether a node is past what it waited for, or past everything.
fn went_on(row: &NodeStatus, waited: Option<NodeState>) -> bool {
    let Some(state) = row.state.known() else { return false };
    match waited {
        Some(waited) => state != waited,
        None => matches!(state, NodeState::Finished | NodeState::Skipped | NodeState::Cancelled),
    }
}
