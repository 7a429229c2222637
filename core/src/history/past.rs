//! A frame of the past, with the known states of its nodes.

use crate::smithers::wire::NodeState;
use crate::time::Millis;
use crate::tree::{NodeIndex, Tree};
use crate::word::Word;

/// A frame of the past.
#[derive(Debug)]
pub struct Past<'a> {
    /// Its number.
    pub number: f64,
    /// Time of arrival through the live stream, by the viewer's clock.
    pub at: Option<Millis>,
    tree: &'a Tree,
    streamed: bool,
}

/// The source of a node's state at the time of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaidBy {
    /// The live stream, when the frame was new. It lags behind the node (protocol section 5, quirk 2).
    Stream,
    /// The run's events up to the moment at which the frame was committed.
    Events,
}

/// A node's state at the time of a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Then<'a> {
    /// The state is known.
    Known {
        /// The state.
        state: &'a Word<NodeState>,
        /// The attempt's number, from 1; 0 before the first.
        attempt: Option<u32>,
        /// Its source.
        said_by: SaidBy,
    },
    /// The state of that time is unknown; it must not be shown as any state.
    NotKnown,
    /// The node is a container and has none.
    Stateless,
}

impl<'a> Past<'a> {
    pub(super) fn new(number: f64, at: Option<Millis>, tree: &'a Tree, streamed: bool) -> Self {
        Self { number, at, tree, streamed }
    }

    /// The tree, with the known states of that time only.
    pub fn tree(&self) -> &'a Tree {
        self.tree
    }

    /// Whether the frame came through the live stream, not from a later request.
    pub fn streamed(&self) -> bool {
        self.streamed
    }

    /// A node's state at the time of the frame.
    pub fn state(&self, index: NodeIndex) -> Then<'a> {
        let node = self.tree.node(index);
        if let Some(row) = &node.status {
            return Then::Known { state: &row.state, attempt: row.last_attempt, said_by: SaidBy::Events };
        }
        match node.state() {
            Some(state) => Then::Known { state, attempt: node.attempt(), said_by: SaidBy::Stream },
            None if node.is_work() => Then::NotKnown,
            None => Then::Stateless,
        }
    }

    /// How many units of work have no known state; 0 where the frame can be shown whole.
    pub fn not_known(&self) -> usize {
        self.tree.preorder(self.tree.root()).filter(|index| self.state(*index) == Then::NotKnown).count()
    }
}
