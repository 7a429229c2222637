//! The filters of the tree by what has happened to a node.

use serde::{Deserialize, Serialize};

use crate::smithers::wire::NodeState;
use crate::time::Millis;
use crate::tree::Node;
use crate::word::Word;

/// How far back [`NodeFilter::Changed`] goes, ms.
const LATELY_MS: f64 = 60_000.0;

crate::vocabulary! {
    /// A filter of the nodes of a tree.
    ///
    /// ```
    /// use runstate::viewer::NodeFilter;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(NodeFilter::from_word("waits-for-you"), Some(NodeFilter::WaitsForYou));
    /// assert_eq!(NodeFilter::Changed.label(), "Changed in the last minute");
    /// ```
    pub enum NodeFilter ("node filter") {
        /// Failed, also if it will be tried again.
        Failed = "failed",
        /// Waits for a person's decision.
        WaitsForYou = "waits-for-you",
        /// Had more than one attempt.
        Retried = "retried",
        /// At work.
        Running = "running",
        /// Started, ended or changed its state in the minute before the nodes were read.
        Changed = "changed",
    }
}

/// A filter of the tree with the number of nodes that pass it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FilterCount {
    /// The filter.
    pub filter: NodeFilter,
    /// The number of nodes.
    pub count: u32,
    /// Whether the filter is on.
    pub is_on: bool,
}

impl NodeFilter {
    /// The display name.
    pub fn label(self) -> &'static str {
        match self {
            Self::Failed => "Failed",
            Self::WaitsForYou => "Waits for you",
            Self::Retried => "Retried",
            Self::Running => "Running",
            Self::Changed => "Changed in the last minute",
        }
    }

    /// Whether a node passes; `known_until` is the time up to which the nodes are known.
    pub(super) fn has(self, node: &Node, known_until: Option<Millis>) -> bool {
        let is = |state| node.state().and_then(Word::known) == Some(state);
        match self {
            Self::Failed => is(NodeState::Failed),
            Self::WaitsForYou => is(NodeState::WaitingApproval),
            Self::Retried => node.attempt().is_some_and(|attempt| attempt > 1),
            Self::Running => is(NodeState::InProgress),
            Self::Changed => known_until.is_some_and(|until| changed_lately(node, until)),
        }
    }
}

fn changed_lately(node: &Node, until: Millis) -> bool {
    let Some(status) = &node.status else { return false };
    let times = [status.updated_at, status.started_at, status.finished_at];
    // A time that is as far ahead is not of this minute either.
    times.into_iter().flatten().any(|time| (-LATELY_MS..=LATELY_MS).contains(&until.since(time)))
}
