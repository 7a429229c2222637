//! The state of one node of a run, from the signals that `/api/sessions/{id}/signals` streams (Studio's lanes).

use super::Seconds;

crate::vocabulary! {
    /// What a node is doing.
    pub enum LaneState ("lane state") {
        /// Not started.
        Queued = "queued",
        /// At work.
        Running = "running",
        /// Waits for a decision.
        AwaitingApproval = "awaiting_approval",
        /// Held.
        Paused = "paused",
        /// Ended well.
        Succeeded = "succeeded",
        /// Ended by an error.
        Failed = "failed",
        /// Passed over.
        Skipped = "skipped",
        /// Ended by request.
        Cancelled = "cancelled",
        /// Handed to a person.
        Escalated = "escalated",
    }
}

crate::vocabulary! {
    /// The signals that move a node. Every other signal leaves it where it is.
    ///
    /// ```
    /// use runstate::lionagi::wire::LaneSignal;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(LaneSignal::from_word("NodeEscalated"), Some(LaneSignal::Escalated));
    /// assert_eq!(LaneSignal::from_word("ToolCallStarted"), None); // moves no node
    /// ```
    pub enum LaneSignal ("lane signal") {
        /// It waits for its turn.
        Queued = "NodeQueued",
        /// It works.
        Started = "NodeStarted",
        /// It asks.
        AwaitingApproval = "NodeAwaitingApproval",
        /// It is held.
        Paused = "NodePaused",
        /// It is done.
        Completed = "NodeCompleted",
        /// It failed.
        Failed = "NodeFailed",
        /// It is not needed.
        Skipped = "NodeSkipped",
        /// It was ended.
        Cancelled = "NodeCancelled",
        /// It was handed over.
        Escalated = "NodeEscalated",
    }
}

impl LaneState {
    /// Whether the node has ended.
    ///
    /// ```
    /// use runstate::lionagi::wire::LaneState;
    ///
    /// assert!(LaneState::Skipped.is_terminal());
    /// assert!(!LaneState::AwaitingApproval.is_terminal());
    /// ```
    pub fn is_terminal(self) -> bool {
        match self {
            Self::Queued | Self::Running | Self::AwaitingApproval | Self::Paused => false,
            Self::Succeeded | Self::Failed | Self::Skipped | Self::Cancelled | Self::Escalated => true,
        }
    }

    /// The state after a signal. An end holds until the node is queued or started again. `route` is the signal's own: an
    /// escalation that only notifies moves nothing.
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
        let Some(next) = Self::told_by(signal, route) else { return self };
        let again = matches!(next, Self::Queued | Self::Running);
        if self.is_terminal() && !again { self } else { next }
    }

    /// The state that a signal tells; `None` where it moves no node.
    pub(crate) fn told_by(signal: &str, route: Option<&str>) -> Option<Self> {
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

/// What is known of a session from its streams.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stream {
    /// Whether the server ended it with `done`.
    pub done: bool,
    /// The last signal about the run itself: `RunStart`, `RunEnd` or `RunFailed`.
    pub run_signal: Option<String>,
    /// When the last thing was sent, by its own time.
    pub last_at: Option<Seconds>,
    /// The nodes in the order in which they were named first.
    pub nodes: Vec<StreamNode>,
}

/// A node of a session, as its signals tell.
///
/// ```
/// use runstate::lionagi::wire::{LaneState, StreamNode};
///
/// let node = StreamNode { id: "op-1".into(), name: None, state: LaneState::Running };
/// assert_eq!(node.shown(), "op-1");
/// assert_eq!(StreamNode { name: Some("review".into()), ..node }.shown(), "review");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamNode {
    /// Its id (`op_id`).
    pub id: String,
    /// Its name, where a signal told one.
    pub name: Option<String>,
    /// What it was doing at last.
    pub state: LaneState,
}

impl StreamNode {
    /// What a person calls it: its name, else its id.
    pub fn shown(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.id)
    }
}
