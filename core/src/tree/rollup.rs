//! The counts of a subtree, shown in the row of a container.

use super::{Node, NodeIndex, Tree};
use crate::smithers::wire::NodeState;
use crate::word::{Vocabulary, Word};

/// The units of work in a subtree, its root included, counted by state.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Rollup {
    /// The number of units of work.
    pub tasks: u32,
    /// The number with a known state; 0 for a plan, which has no progress.
    pub known: u32,
    /// The number of finished or skipped ones.
    pub ended: u32,
    /// The number of `failed` ones, including those that will be retried.
    pub failed: u32,
    /// The number of waiting ones.
    pub waiting: u32,
    /// The number in progress.
    pub in_progress: u32,
    /// One state for the whole subtree, if possible.
    ///
    /// This is Runstate's own projection, since the server has no state for a container. The most urgent state is
    /// taken: `waiting-approval`, `waiting-event`, `waiting-timer`, `waiting-quota`, `waiting-bound`, `in-progress`,
    /// `failed`; else `finished` if all work is finished or skipped; else `pending` if all states are known and some work is
    /// pending; else `None`.
    pub state: Option<Word<NodeState>>,
}

/// The counts of a subtree: of the units of work in each state of [`NodeState::ALL`], then of all units of work, of all
/// nodes, and of the containers that have a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts([u32; CONTAINERS + 1]);

/// The index of the number of units of work.
const TASKS: usize = NodeState::ALL.len();
/// The index of the number of nodes.
const NODES: usize = TASKS + 1;
/// The index of the number of containers that have a state, as a row of the server's list can give them.
const CONTAINERS: usize = NODES + 1;

impl Tree {
    /// The counts of a subtree.
    ///
    /// The whole tree is counted once; each delta then updates the counts on the path to the root.
    ///
    /// ```
    /// use runstate::tree::Tree;
    ///
    /// let tree = Tree::from_json(
    ///     r#"{"id":1,"type":"parallel","name":"p","children":[
    ///         {"id":2,"type":"task","name":"t","task":{"nodeId":"build","state":"finished"}},
    ///         {"id":3,"type":"approval","name":"a","task":{"nodeId":"gate","state":"waiting-approval"}}]}"#,
    /// )?;
    /// let rollup = tree.rollup(tree.root());
    /// assert_eq!((rollup.tasks, rollup.ended, rollup.waiting), (2, 1, 1));
    /// // Somebody must act: that is what a collapsed container says first.
    /// assert_eq!(rollup.state.unwrap().as_str(), "waiting-approval");
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn rollup(&self, index: NodeIndex) -> Rollup {
        self.counts_of(index).into()
    }

    /// The number of nodes in the subtree, its root included.
    pub fn weight(&self, index: NodeIndex) -> u32 {
        self.counts_of(index).0[NODES]
    }

    /// The nodes in a state, in reading order. The counts say which subtrees have none, so the time is not proportional to
    /// the tree.
    pub(crate) fn in_state(&self, state: NodeState) -> impl Iterator<Item = NodeIndex> {
        let mut open = vec![self.root];
        let next = move || {
            loop {
                let index = open.pop()?;
                let counts = self.counts_of(index);
                if counts.0[state as usize] == 0 && counts.0[CONTAINERS] == 0 {
                    continue;
                }
                let node = self.node(index);
                open.extend(node.children.iter().rev());
                if node.state().and_then(Word::known) == Some(state) {
                    return Some(index);
                }
            }
        };
        std::iter::from_fn(next)
    }

    fn counts_of(&self, index: NodeIndex) -> Counts {
        self.counts.get_or_init(|| self.count()).get(index.slot()).copied().unwrap_or_default()
    }

    fn count(&self) -> Vec<Counts> {
        let mut counts = vec![Counts::default(); self.nodes.len()];
        let order: Vec<NodeIndex> = self.preorder(self.root).collect();
        self.sum_children(&mut counts, &order);
        counts
    }

    /// Counts nodes; `order` has parents before their children.
    fn sum_children(&self, counts: &mut [Counts], order: &[NodeIndex]) {
        for index in order.iter().rev() {
            let node = self.node(*index);
            let mut sum = Counts::from_node(node);
            for child in &node.children {
                sum.add(&counts[child.slot()]);
            }
            counts[index.slot()] = sum;
        }
    }

    /// Counts an inserted subtree, if the tree was counted before.
    pub(super) fn count_inserted(&mut self, slots: &[NodeIndex]) {
        let Some(mut counts) = self.counts.take() else { return };
        counts.resize(self.nodes.len(), Counts::default());
        self.sum_children(&mut counts, slots);
        self.counts = counts.into();
    }

    /// The counts of a subtree; 0 if the tree was not counted yet.
    pub(super) fn counts_or_zero(&self, index: NodeIndex) -> Counts {
        let counts = self.counts.get().and_then(|counts| counts.get(index.slot()));
        counts.copied().unwrap_or_default()
    }

    /// Adds to the counts of a node and its ancestors, if the tree was counted before.
    pub(super) fn recount(&mut self, from: Option<NodeIndex>, more: &Counts) {
        let Some(mut counts) = self.counts.take() else { return };
        let mut next = from;
        while let Some(index) = next {
            counts[index.slot()].add(more);
            next = self.node(index).parent;
        }
        self.counts = counts.into();
    }

    /// Updates the counts after one node changed.
    pub(super) fn recount_node(&mut self, index: NodeIndex, before: Counts) {
        let more = Counts::from_node(self.node(index)).minus(&before);
        self.recount(Some(index), &more);
    }
}

impl Counts {
    /// The counts of one node without its descendants.
    pub(super) fn from_node(node: &Node) -> Self {
        let mut counts = Self::default();
        counts.0[NODES] = 1;
        if node.is_work() {
            counts.0[TASKS] = 1;
            if let Some(state) = node.state().and_then(Word::known) {
                counts.0[state as usize] = 1;
            }
        } else if node.state().is_some() {
            counts.0[CONTAINERS] = 1;
        }
        counts
    }

    // A difference can be negative, a sum cannot.
    fn add(&mut self, more: &Self) {
        for (number, more) in self.0.iter_mut().zip(more.0) {
            *number = number.wrapping_add(more);
        }
    }

    pub(super) fn minus(mut self, less: &Self) -> Self {
        for (number, less) in self.0.iter_mut().zip(less.0) {
            *number = number.wrapping_sub(less);
        }
        self
    }

    fn sum(&self, states: &[NodeState]) -> u32 {
        states.iter().map(|state| self.0[*state as usize]).sum()
    }
}

/// The states that determine the state of a subtree, the most urgent first.
const URGENT: [NodeState; 7] = [
    NodeState::WaitingApproval,
    NodeState::WaitingEvent,
    NodeState::WaitingTimer,
    NodeState::WaitingQuota,
    NodeState::WaitingBound,
    NodeState::InProgress,
    NodeState::Failed,
];

impl From<Counts> for Rollup {
    fn from(counts: Counts) -> Self {
        let (tasks, ended) = (counts.0[TASKS], counts.sum(&[NodeState::Finished, NodeState::Skipped]));
        let urgent = URGENT.iter().find(|state| counts.sum(&[**state]) > 0).copied();
        let (known, pending) = (counts.sum(NodeState::ALL), counts.sum(&[NodeState::Pending]));
        let all_ended = tasks > 0 && ended == tasks;
        let waits_for_its_turn = known == tasks && pending > 0;
        let quiet =
            all_ended.then_some(NodeState::Finished).or(waits_for_its_turn.then_some(NodeState::Pending));
        Self {
            tasks,
            known,
            ended,
            failed: counts.sum(&[NodeState::Failed]),
            waiting: counts.sum(&URGENT[..5]),
            in_progress: counts.sum(&[NodeState::InProgress]),
            state: urgent.or(quiet).map(Word::Known),
        }
    }
}
