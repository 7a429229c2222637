//! A frame of the past, with the known states of its nodes.

use serde::Serialize;

use crate::smithers::wire::NodeState;
use crate::time::Millis;
use crate::tree::{NodeIndex, Tree};
use crate::word::Word;

/// A frame of the past.
#[derive(Debug)]
#[non_exhaustive]
pub struct PastFrame<'a> {
    /// Its number.
    pub number: f64,
    /// Time of arrival through the live stream, by the viewer's clock.
    pub at: Option<Millis>,
    tree: &'a Tree,
    streamed: bool,
}

/// The source of a node's state at the time of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(tsify::Tsify), tsify(rename = "HistorySource"))]
pub enum StateSource {
    /// The live stream, when the frame was new. It lags behind the node (protocol section 5, quirk 2).
    Stream,
    /// The run's events up to the commit of the frame.
    Events,
}

/// A node's state at the time of a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum PastState<'a> {
    /// The state is known.
    Known {
        /// The state.
        state: &'a Word<NodeState>,
        /// The attempt's number, from 1; 0 before the first.
        attempt: Option<u32>,
        /// Its source.
        source: StateSource,
    },
    /// The state of that time is unknown; no state must be shown.
    NotKnown,
    /// The node is a container, which has no state.
    Stateless,
}

impl<'a> PastFrame<'a> {
    pub(super) fn new(number: f64, at: Option<Millis>, tree: &'a Tree, streamed: bool) -> Self {
        Self { number, at, tree, streamed }
    }

    /// The tree, with the known states of that time only.
    pub fn tree(&self) -> &'a Tree {
        self.tree
    }

    /// Whether the frame is from the live stream instead of a later request.
    pub fn is_streamed(&self) -> bool {
        self.streamed
    }

    /// A node's state at the time of the frame.
    pub fn state(&self, index: NodeIndex) -> PastState<'a> {
        let node = self.tree.node(index);
        if let Some(row) = &node.status {
            return PastState::Known {
                state: &row.state,
                attempt: row.last_attempt,
                source: StateSource::Events,
            };
        }
        match node.state() {
            Some(state) => PastState::Known { state, attempt: node.attempt(), source: StateSource::Stream },
            None if node.is_work() => PastState::NotKnown,
            None => PastState::Stateless,
        }
    }

    /// The number of units of work without a known state; 0 if the frame is complete.
    pub fn unknown_states(&self) -> usize {
        self.tree.preorder(self.tree.root()).filter(|index| self.state(*index) == PastState::NotKnown).count()
    }
}
