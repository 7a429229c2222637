//! What a container's row says about all that is under it.

use super::{Node, NodeIndex, Tree};
use crate::smithers::NodeState;
use crate::word::Word;

/// The units of work in a subtree, its root included, counted by state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rollup {
    /// How many units of work there are.
    pub tasks: u32,
    /// How many are finished or skipped.
    pub ended: u32,
    /// How many say `failed`. One of them may be tried again: the tree alone cannot tell.
    pub failed: u32,
    /// How many wait, for whatever reason.
    pub waiting: u32,
    /// How many are in progress.
    pub in_progress: u32,
    /// One word for the whole subtree, where one fits.
    ///
    /// This is Runstate's own projection, the server has no state for a container. The most urgent wins:
    /// `waiting-approval`, `waiting-event`, `waiting-timer`, `waiting-quota`, `waiting-bound`, `in-progress`, `failed`.
    /// Else `finished` when all work is finished or skipped. Else there is no word.
    pub state: Option<Word<NodeState>>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    tasks: u32,
    ended: u32,
    failed: u32,
    in_progress: u32,
    approval: u32,
    event: u32,
    timer: u32,
    quota: u32,
    bound: u32,
}

impl Tree {
    /// What the subtree says as a whole. Counted once for the whole tree after each change.
    pub fn rollup(&self, index: NodeIndex) -> Rollup {
        self.counts.get_or_init(|| self.count()).get(index.slot()).copied().unwrap_or_default().into()
    }

    fn count(&self) -> Vec<Counts> {
        let mut counts = vec![Counts::default(); self.nodes.len()];
        let order: Vec<NodeIndex> = self.preorder(self.root).collect();
        for index in order.into_iter().rev() {
            let node = self.node(index);
            counts[index.slot()].add(Counts::of(node));
            if let Some(parent) = node.parent {
                let below = counts[index.slot()];
                counts[parent.slot()].add(below);
            }
        }
        counts
    }
}

impl Counts {
    fn of(node: &Node) -> Self {
        let mut counts = Self::default();
        if !node.is_work() {
            return counts;
        }
        counts.tasks = 1;
        let place = match node.state().and_then(Word::known) {
            Some(NodeState::InProgress) => &mut counts.in_progress,
            Some(NodeState::WaitingApproval) => &mut counts.approval,
            Some(NodeState::WaitingEvent) => &mut counts.event,
            Some(NodeState::WaitingTimer) => &mut counts.timer,
            Some(NodeState::WaitingQuota) => &mut counts.quota,
            Some(NodeState::WaitingBound) => &mut counts.bound,
            Some(NodeState::Finished | NodeState::Skipped) => &mut counts.ended,
            Some(NodeState::Failed) => &mut counts.failed,
            Some(NodeState::Pending | NodeState::BoundStale | NodeState::Cancelled) | None => return counts,
        };
        *place = 1;
        counts
    }

    fn add(&mut self, other: Self) {
        self.tasks += other.tasks;
        self.ended += other.ended;
        self.failed += other.failed;
        self.in_progress += other.in_progress;
        self.approval += other.approval;
        self.event += other.event;
        self.timer += other.timer;
        self.quota += other.quota;
        self.bound += other.bound;
    }

    fn state(self) -> Option<NodeState> {
        let by_urgency = [
            (self.approval, NodeState::WaitingApproval),
            (self.event, NodeState::WaitingEvent),
            (self.timer, NodeState::WaitingTimer),
            (self.quota, NodeState::WaitingQuota),
            (self.bound, NodeState::WaitingBound),
            (self.in_progress, NodeState::InProgress),
            (self.failed, NodeState::Failed),
        ];
        let urgent = by_urgency.into_iter().find(|(count, _)| *count > 0).map(|(_, state)| state);
        let all_ended = self.tasks > 0 && self.ended == self.tasks;
        urgent.or(all_ended.then_some(NodeState::Finished))
    }
}

impl From<Counts> for Rollup {
    fn from(counts: Counts) -> Self {
        Self {
            tasks: counts.tasks,
            ended: counts.ended,
            failed: counts.failed,
            waiting: counts.approval + counts.event + counts.timer + counts.quota + counts.bound,
            in_progress: counts.in_progress,
            state: counts.state().map(Word::Known),
        }
    }
}
