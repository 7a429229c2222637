//! What documents and events say about one run, and the only function that changes a run by it.

use super::supplement::Supplement;
use super::{RunBuilder, StatementTime};
use crate::log::PushedEvent;
use crate::run::RunInspection;
use crate::smithers::wire::{Boundary, NodeState, NodeStatus};
use crate::time::Millis;
use crate::tree::Delta;
use crate::word::Word;

/// A fact about one run.
pub(crate) enum Fact {
    /// The response to a request for the run: its row, its view, or the output of `smithers inspect`.
    Answer(Box<RunInspection>),
    /// The output of `smithers status`: the run with a few of its nodes.
    Status(Box<RunInspection>),
    /// A row of a list, which has less weight than a response about the run itself.
    Listed(Box<RunInspection>),
    /// A snapshot; `old` if a frame was requested by its number.
    Snapshot { run: Box<RunInspection>, old: bool },
    /// A change to the previous snapshot.
    Delta(Delta),
    /// The list of all nodes.
    Nodes(Vec<NodeStatus>),
    /// Facts other than the state.
    Supplement(Box<Supplement>),
    /// Time travel that crossed side effects outside the run.
    Boundary(Boundary),
    /// An event about one node.
    Node(NodeEvent),
    /// The run according to its event log; `from_nodes` if its state only follows from events of nodes.
    Log { run: Box<RunInspection>, from_nodes: bool },
    /// An event about the run's state.
    State(StateEvent),
    /// Time travel, a retry or a resume: earlier facts about the run's state are no longer valid.
    Rewind,
}

/// An event about one node. Most such events have neither iteration nor attempt (protocol section 3.5).
pub(crate) struct NodeEvent {
    pub(crate) node_id: String,
    pub(crate) iteration: Option<u32>,
    pub(crate) state: Word<NodeState>,
    pub(crate) attempt: Option<u32>,
    /// Whether the attempt failed and will be retried.
    pub(crate) is_retrying: bool,
    /// The event's name.
    pub(crate) event: String,
    pub(crate) read_from: String,
}

/// An event about the run's state: its end or another state.
pub(crate) struct StateEvent {
    pub(crate) event: PushedEvent,
    /// The event's name.
    pub(crate) name: String,
    pub(crate) read_from: String,
}

impl Fact {
    /// Whether it contains the state of the run.
    pub(crate) fn has_state(&self) -> bool {
        match self {
            Self::Answer(run) | Self::Status(run) | Self::Snapshot { run, .. } => run.verdict.is_some(),
            Self::Listed(_) | Self::Node(_) | Self::State(_) | Self::Rewind => true,
            Self::Delta(_) | Self::Nodes(_) | Self::Supplement(_) | Self::Boundary(_) | Self::Log { .. } => {
                false
            }
        }
    }

    /// Whether it is about all nodes of the run, or about what has changed in the whole tree.
    pub(crate) fn has_all_nodes(&self) -> bool {
        match self {
            Self::Snapshot { old, .. } => !old,
            Self::Delta(_) | Self::Nodes(_) => true,
            Self::Answer(_)
            | Self::Status(_)
            | Self::Listed(_)
            | Self::Supplement(_)
            | Self::Boundary(_)
            | Self::Node(_)
            | Self::Log { .. }
            | Self::State(_)
            | Self::Rewind => false,
        }
    }
}

impl RunBuilder {
    /// Changes the run by a fact. `now` is the time of an end without a time.
    pub(crate) fn apply(&mut self, fact: Fact, when: StatementTime, now: Millis) {
        let at = when.at;
        match fact {
            Fact::Answer(run) => self.take_answer(*run, when),
            Fact::Status(run) => self.take_status(*run, when),
            Fact::Listed(run) => self.take_listed(*run, when),
            Fact::Snapshot { run, old } => self.take_snapshot(*run, old, when),
            Fact::Delta(delta) => self.take_delta(&delta),
            Fact::Nodes(rows) => self.take_nodes(rows, at),
            Fact::Supplement(supplement) => self.take_supplement(*supplement, when),
            Fact::Boundary(boundary) => self.run.set_boundary(boundary),
            Fact::Node(event) => self.take_node(event, at),
            Fact::Log { run, from_nodes } => self.take_log(run, from_nodes),
            Fact::State(event) => {
                let at = if event.is_completion() { at.or(Some(now)) } else { at };
                self.take_state_event(&event, at);
            }
            Fact::Rewind => self.rewind(),
        }
    }
}
