//! The closed vocabularies of Smithers.

crate::vocabulary! {
    /// The present state of a run (seed 000; `WaitingQuota` and `Paused` are from Smithers 0.32).
    ///
    /// ```
    /// use runstate::smithers::wire::RunState;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(RunState::from_word("waiting-quota"), Some(RunState::WaitingQuota));
    /// assert!(RunState::Succeeded.is_terminal());
    /// assert!(!RunState::Unknown.is_terminal(), "nothing is known of it, not even that it ended");
    /// ```
    pub enum RunState ("run state") {
        /// The owner is alive and work progresses.
        Running = "running",
        /// Blocked on a human decision.
        WaitingApproval = "waiting-approval",
        /// Blocked on an external signal.
        WaitingEvent = "waiting-event",
        /// Blocked on a scheduled wake-up.
        WaitingTimer = "waiting-timer",
        /// Blocked by a provider's usage limit.
        WaitingQuota = "waiting-quota",
        /// Stopped by a person until it is resumed.
        Paused = "paused",
        /// A supervisor is taking the run over.
        Recovering = "recovering",
        /// The owner's heartbeat expired; it may still be working.
        Stale = "stale",
        /// The owner is gone and no supervisor takes over.
        Orphaned = "orphaned",
        /// Ended with an error.
        Failed = "failed",
        /// Ended by request.
        Cancelled = "cancelled",
        /// Ended, its work done.
        Succeeded = "succeeded",
        /// The signals are not sufficient for a state.
        Unknown = "unknown",
    }
}

impl NodeState {
    /// The state of a run that waits for this node, if no other node is in progress.
    pub(crate) fn waiting_run_state(self) -> Option<RunState> {
        match self {
            Self::WaitingApproval => Some(RunState::WaitingApproval),
            Self::WaitingEvent => Some(RunState::WaitingEvent),
            Self::WaitingTimer => Some(RunState::WaitingTimer),
            Self::WaitingQuota => Some(RunState::WaitingQuota),
            Self::Pending
            | Self::InProgress
            | Self::WaitingBound
            | Self::BoundStale
            | Self::Finished
            | Self::Failed
            | Self::Cancelled
            | Self::Skipped => None,
        }
    }
}

impl RunState {
    /// Whether the run has ended. For `unknown` that is undecided, so `false`.
    pub fn is_terminal(self) -> bool {
        match self {
            Self::Failed | Self::Cancelled | Self::Succeeded => true,
            Self::Running
            | Self::WaitingApproval
            | Self::WaitingEvent
            | Self::WaitingTimer
            | Self::WaitingQuota
            | Self::Paused
            | Self::Recovering
            | Self::Stale
            | Self::Orphaned
            | Self::Unknown => false,
        }
    }
}

crate::vocabulary! {
    /// The `status` column of a run row (seed 000's legacy mapping; `WaitingQuota` and `Paused` are 0.32's).
    ///
    /// The words of the column are not those of the state: `finished` and `continued` both mean `succeeded`.
    ///
    /// ```
    /// use runstate::smithers::derive::{DeriveRunStateInput, derive_run_state};
    /// use runstate::smithers::wire::read_run;
    /// use runstate::time::Millis;
    ///
    /// for status in ["finished", "continued"] {
    ///     let row = read_run(&format!(r#"{{"runId":"r1","status":"{status}"}}"#))?;
    ///     let answer = derive_run_state(&DeriveRunStateInput::new(&row, Millis(0.0)))?;
    ///     assert_eq!(answer.view.state.as_str(), "succeeded");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub enum RunStatus ("run status") {
        /// An engine owns the run.
        Running = "running",
        /// Parked on an approval.
        WaitingApproval = "waiting-approval",
        /// Parked on an event.
        WaitingEvent = "waiting-event",
        /// Parked on a timer.
        WaitingTimer = "waiting-timer",
        /// Parked on a usage limit.
        WaitingQuota = "waiting-quota",
        /// Paused by request.
        Paused = "paused",
        /// Ended, its work done.
        Finished = "finished",
        /// Ended; another run continues its work.
        Continued = "continued",
        /// Ended with an error.
        Failed = "failed",
        /// Ended by request.
        Cancelled = "cancelled",
    }
}

impl RunStatus {
    /// The run state of this status by seed 000, before other signals.
    ///
    /// ```
    /// use runstate::smithers::wire::{RunState, RunStatus};
    ///
    /// assert_eq!(RunStatus::Continued.state(), RunState::Succeeded);
    /// ```
    pub fn state(self) -> RunState {
        match self {
            Self::Running => RunState::Running,
            Self::WaitingApproval => RunState::WaitingApproval,
            Self::WaitingEvent => RunState::WaitingEvent,
            Self::WaitingTimer => RunState::WaitingTimer,
            Self::WaitingQuota => RunState::WaitingQuota,
            Self::Paused => RunState::Paused,
            Self::Finished | Self::Continued => RunState::Succeeded,
            Self::Failed => RunState::Failed,
            Self::Cancelled => RunState::Cancelled,
        }
    }
}

crate::vocabulary! {
    /// The state of one node (protocol section 3.6).
    ///
    /// ```
    /// use runstate::smithers::wire::NodeState;
    /// use runstate::word::Word;
    ///
    /// assert_eq!(Word::<NodeState>::new("bound-stale").known(), Some(NodeState::BoundStale));
    /// assert_eq!(Word::<NodeState>::new("retrying").known(), None); // a viewer's word, not the server's
    /// ```
    pub enum NodeState ("node state") {
        /// Not started.
        Pending = "pending",
        /// Being worked on.
        InProgress = "in-progress",
        /// Waits for a person.
        WaitingApproval = "waiting-approval",
        /// Waits for a signal.
        WaitingEvent = "waiting-event",
        /// Waits for a time.
        WaitingTimer = "waiting-timer",
        /// Waits for a usage limit to lift.
        WaitingQuota = "waiting-quota",
        /// Waits for a bound value.
        WaitingBound = "waiting-bound",
        /// Its bound value changed after it was read.
        BoundStale = "bound-stale",
        /// Done.
        Finished = "finished",
        /// Ended with an error, perhaps to be tried again.
        Failed = "failed",
        /// Ended by request.
        Cancelled = "cancelled",
        /// Skipped.
        Skipped = "skipped",
    }
}

crate::vocabulary! {
    /// The element of a tree node (protocol section 3.4).
    ///
    /// ```
    /// use runstate::smithers::wire::NodeType;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(NodeType::from_word("wait-for-event"), Some(NodeType::WaitForEvent));
    /// ```
    pub enum NodeType ("node type") {
        /// The workflow itself.
        Workflow = "workflow",
        /// A unit of work.
        Task = "task",
        /// Children one after another.
        Sequence = "sequence",
        /// Children side by side.
        Parallel = "parallel",
        /// Children merged one at a time.
        MergeQueue = "merge-queue",
        /// One of two ways.
        Branch = "branch",
        /// Children again and again.
        Loop = "loop",
        /// Children in a working tree of their own.
        Worktree = "worktree",
        /// A human decision.
        Approval = "approval",
        /// A scheduled wake-up.
        Timer = "timer",
        /// A run inside the run.
        Subflow = "subflow",
        /// An external signal.
        WaitForEvent = "wait-for-event",
        /// Steps with compensation.
        Saga = "saga",
        /// Children with a handler for errors.
        TryCatch = "try-catch",
        /// A group without meaning of its own.
        Fragment = "fragment",
        /// The server itself did not know the element.
        Unknown = "unknown",
    }
}

crate::vocabulary! {
    /// How a task does its work (protocol section 3.4).
    ///
    /// ```
    /// use runstate::smithers::wire::TaskKind;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(TaskKind::WORDS, ["agent", "compute", "static", "human", "approval"]);
    /// ```
    pub enum TaskKind ("task kind") {
        /// A model at work.
        Agent = "agent",
        /// A function.
        Compute = "compute",
        /// A fixed value.
        Static = "static",
        /// A person's answer.
        Human = "human",
        /// A person's decision.
        Approval = "approval",
    }
}

crate::vocabulary! {
    /// Why a provider blocks a run (seed 000).
    ///
    /// ```
    /// use runstate::smithers::wire::{ProviderCode, ReasonBlocked};
    ///
    /// let reason: ReasonBlocked = serde_json::from_str(r#"{"kind":"provider","nodeId":"plan","code":"auth"}"#)?;
    /// let ReasonBlocked::Provider { code, .. } = reason else { unreachable!() };
    /// assert_eq!(code.known(), Some(ProviderCode::Auth));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub enum ProviderCode ("provider code") {
        /// Too many requests.
        RateLimit = "rate-limit",
        /// The credentials were refused.
        Auth = "auth",
        /// No answer in time.
        Timeout = "timeout",
    }
}

#[cfg(test)]
mod tests {
    use crate::smithers::wire::{NodeState, RunState};

    #[test]
    fn a_run_waits_for_the_same_as_its_node() {
        assert_eq!(NodeState::WaitingTimer.waiting_run_state(), Some(RunState::WaitingTimer));
        assert_eq!(NodeState::Pending.waiting_run_state(), None);
    }
}
