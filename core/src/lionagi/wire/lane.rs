//! The nodes of a session (Studio's lanes), with the state that follows from the signals of `/api/sessions/{id}/signals`.

use super::{Message, Seconds};

crate::vocabulary! {
    /// The state of a node.
    pub enum LaneState ("lane state") {
        /// Not started.
        Queued = "queued",
        /// Running.
        Running = "running",
        /// Waiting for a decision.
        AwaitingApproval = "awaiting_approval",
        /// Paused.
        Paused = "paused",
        /// Ended successfully.
        Succeeded = "succeeded",
        /// Ended with an error.
        Failed = "failed",
        /// Not executed.
        Skipped = "skipped",
        /// Ended on request.
        Cancelled = "cancelled",
        /// Passed on to a person.
        Escalated = "escalated",
    }
}

crate::vocabulary! {
    /// The signals that change the state of a node. Other signals have no effect on it.
    ///
    /// ```
    /// use runstate::lionagi::wire::LaneSignal;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(LaneSignal::from_word("NodeEscalated"), Some(LaneSignal::Escalated));
    /// assert_eq!(LaneSignal::from_word("ToolCallStarted"), None);
    /// ```
    pub enum LaneSignal ("lane signal") {
        /// Queued.
        Queued = "NodeQueued",
        /// Started.
        Started = "NodeStarted",
        /// Waiting for a decision.
        AwaitingApproval = "NodeAwaitingApproval",
        /// Paused.
        Paused = "NodePaused",
        /// Completed.
        Completed = "NodeCompleted",
        /// Failed.
        Failed = "NodeFailed",
        /// Skipped.
        Skipped = "NodeSkipped",
        /// Cancelled.
        Cancelled = "NodeCancelled",
        /// Passed on to a person, or only reported (route `notify`).
        Escalated = "NodeEscalated",
    }
}

impl LaneState {
    /// Whether the node has ended.
    pub(crate) fn is_terminal(self) -> bool {
        match self {
            Self::Queued | Self::Running | Self::AwaitingApproval | Self::Paused => false,
            Self::Succeeded | Self::Failed | Self::Skipped | Self::Cancelled | Self::Escalated => true,
        }
    }

    /// The state after a signal with this `route`. A terminal state changes only if the node is queued or started again. An
    /// escalation with the route `notify` has no effect.
    ///
    /// ```
    /// use runstate::lionagi::wire::LaneState;
    ///
    /// let after = LaneState::Queued.after("NodeStarted", None).after("NodeFailed", None);
    /// assert_eq!(after, LaneState::Failed);
    /// assert_eq!(after.after("NodeCompleted", None), LaneState::Failed);
    /// assert_eq!(after.after("NodeQueued", None), LaneState::Queued);
    /// assert_eq!(after.after("ToolCallStarted", None), LaneState::Failed);
    /// ```
    #[must_use]
    pub fn after(self, signal: &str, route: Option<&str>) -> Self {
        let Some(next) = Self::from_signal(signal, route) else { return self };
        let restarted = matches!(next, Self::Queued | Self::Running);
        if self.is_terminal() && !restarted { self } else { next }
    }

    /// The state that a signal reports; `None` if it has no effect on a node.
    pub(crate) fn from_signal(signal: &str, route: Option<&str>) -> Option<Self> {
        use crate::word::Vocabulary;
        Some(match LaneSignal::from_word(signal)? {
            LaneSignal::Queued => Self::Queued,
            LaneSignal::Started => Self::Running,
            LaneSignal::AwaitingApproval => Self::AwaitingApproval,
            LaneSignal::Paused => Self::Paused,
            LaneSignal::Completed => Self::Succeeded,
            LaneSignal::Failed => Self::Failed,
            LaneSignal::Skipped => Self::Skipped,
            LaneSignal::Cancelled => Self::Cancelled,
            LaneSignal::Escalated if route == Some("notify") => return None,
            LaneSignal::Escalated => Self::Escalated,
        })
    }
}

/// The contents of a session's event streams.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Stream {
    /// Whether the server ended the stream with `done`.
    pub done: bool,
    /// The last signal about the run: `RunStart`, `RunEnd` or `RunFailed`.
    pub run_signal: Option<String>,
    /// The time of the last event.
    pub last_at: Option<Seconds>,
    /// The nodes in the order of their first signals.
    pub nodes: Vec<StreamNode>,
    /// The last signals, in the order of their numbers.
    pub last_signals: Vec<StreamSignal>,
    /// The number of earlier signals, which are not kept.
    pub(crate) dropped_signals: u64,
    /// The messages, in the order of their arrival.
    pub(crate) messages: Vec<StreamMessage>,
}

/// A message of a stream.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StreamMessage {
    /// The branch that it belongs to.
    pub(crate) branch_id: Option<String>,
    pub(crate) message: Message,
}

impl Stream {
    /// The maximum number of last signals to keep.
    const MAX_LAST_SIGNALS: usize = 20_000;

    pub(crate) fn push_signal(&mut self, signal: StreamSignal) {
        if self.last_signals.len() == Self::MAX_LAST_SIGNALS {
            // Many at once: removing the first one moves all others.
            let dropped = Self::MAX_LAST_SIGNALS / 4;
            self.last_signals.drain(..dropped);
            self.dropped_signals += dropped as u64;
        }
        self.last_signals.push(signal);
    }
}

/// A signal about a session or one of its nodes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StreamSignal {
    /// Its number in the stream.
    pub seq: u64,
    /// Its kind, such as `NodeFailed`.
    pub kind: String,
    /// The id of the node (`op_id`); empty for a signal about the session.
    pub node_id: String,
    /// When it was written.
    pub at: Option<Seconds>,
    /// The error that it reports.
    pub error: Option<String>,
}

/// A node of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StreamNode {
    /// Its id (`op_id`).
    pub id: String,
    /// Its name, if a signal contains one.
    pub name: Option<String>,
    /// Its state after the last signal.
    pub state: LaneState,
}

impl StreamNode {
    /// Its name, or its id.
    pub fn display_name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.id)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn skipped_nodes_have_ended() {
        use crate::lionagi::wire::LaneState;
        assert!(LaneState::Skipped.is_terminal());
        assert!(!LaneState::AwaitingApproval.is_terminal());
    }

    #[test]
    fn a_node_is_shown_by_its_name() {
        use crate::lionagi::wire::{LaneState, StreamNode};
        let node = StreamNode { id: "op-1".into(), name: None, state: LaneState::Running };
        assert_eq!(node.display_name(), "op-1");
        assert_eq!(StreamNode { name: Some("review".into()), ..node }.display_name(), "review");
    }
}
