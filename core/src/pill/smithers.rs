//! The pills of Smithers.

use super::{Icon, Look, Tone, look};
use crate::smithers::wire::{NodeState, RunState};

crate::vocabulary! {
    /// The kinds of [`ReasonBlocked`](crate::smithers::wire::ReasonBlocked).
    ///
    /// ```
    /// use runstate::pill::BlockedKind;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(BlockedKind::from_word("quota"), Some(BlockedKind::Quota));
    /// assert_eq!(BlockedKind::from_word("weather"), None);
    /// ```
    pub enum BlockedKind ("blocked kind") {
        /// `approval`.
        Approval = "approval",
        /// `approval-decided-resume-required`.
        ApprovalDecidedResumeRequired = "approval-decided-resume-required",
        /// `event`.
        Event = "event",
        /// `external-trigger`.
        ExternalTrigger = "external-trigger",
        /// `timer`.
        Timer = "timer",
        /// `quota`.
        Quota = "quota",
        /// `provider`.
        Provider = "provider",
        /// `tool`.
        Tool = "tool",
    }
}

crate::vocabulary! {
    /// The kinds of [`ReasonUnhealthy`](crate::smithers::wire::ReasonUnhealthy).
    ///
    /// ```
    /// use runstate::pill::UnhealthyKind;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(UnhealthyKind::DbLock.as_str(), "db-lock");
    /// ```
    pub enum UnhealthyKind ("unhealthy kind") {
        /// `engine-heartbeat-stale`.
        EngineHeartbeatStale = "engine-heartbeat-stale",
        /// `ui-heartbeat-stale`.
        UiHeartbeatStale = "ui-heartbeat-stale",
        /// `timer-overdue`.
        TimerOverdue = "timer-overdue",
        /// `db-lock`.
        DbLock = "db-lock",
        /// `sandbox-unreachable`.
        SandboxUnreachable = "sandbox-unreachable",
        /// `supervisor-backoff`.
        SupervisorBackoff = "supervisor-backoff",
    }
}

crate::vocabulary! {
    /// States of a node that are shown in addition to [`NodeState`].
    pub(crate) enum ShownNode ("shown node state") {
        /// In progress again after a failed attempt.
        Retrying = "retrying",
        /// No longer in the tree; its last known data is shown.
        Unmounted = "unmounted",
    }
}

impl RunState {
    pub(super) fn look(self) -> Look {
        match self {
            Self::Running => look(Tone::Running, Icon::Activity, "Running"),
            Self::WaitingApproval => look(Tone::Review, Icon::Hand, "Waiting for approval"),
            Self::WaitingEvent => look(Tone::Neutral, Icon::Inbox, "Waiting for event"),
            Self::WaitingTimer => look(Tone::Neutral, Icon::Clock, "Waiting for timer"),
            Self::WaitingQuota => look(Tone::Warning, Icon::Gauge, "Waiting for quota"),
            Self::Paused => look(Tone::Neutral, Icon::Pause, "Paused"),
            Self::Recovering => look(Tone::Warning, Icon::RefreshCw, "Recovering"),
            Self::Stale => look(Tone::Stale, Icon::HeartOff, "Stale"),
            Self::Orphaned => look(Tone::Stale, Icon::Unlink, "Orphaned"),
            Self::Failed => look(Tone::Error, Icon::CircleX, "Failed"),
            Self::Cancelled => look(Tone::Neutral, Icon::Slash, "Cancelled"),
            Self::Succeeded => look(Tone::Success, Icon::Check, "Succeeded"),
            Self::Unknown => look(Tone::Neutral, Icon::CircleQuestionMark, "Unknown"),
        }
    }
}

impl BlockedKind {
    pub(super) fn look(self) -> Look {
        match self {
            Self::Approval => look(Tone::Review, Icon::Hand, "Approval"),
            Self::ApprovalDecidedResumeRequired => {
                look(Tone::Warning, Icon::StepForward, "Decided, resume required")
                    .spoken("approval decided, resume required")
            }
            Self::Event => look(Tone::Neutral, Icon::Inbox, "Event"),
            Self::ExternalTrigger => look(Tone::Neutral, Icon::Webhook, "External trigger"),
            Self::Timer => look(Tone::Neutral, Icon::Clock, "Timer"),
            Self::Quota => look(Tone::Warning, Icon::Gauge, "Quota"),
            Self::Provider => look(Tone::Warning, Icon::CloudOff, "Provider"),
            Self::Tool => look(Tone::Warning, Icon::Wrench, "Tool"),
        }
    }
}

impl UnhealthyKind {
    pub(super) fn look(self) -> Look {
        match self {
            Self::EngineHeartbeatStale => look(Tone::Stale, Icon::HeartOff, "Engine heartbeat stale"),
            Self::UiHeartbeatStale => {
                look(Tone::Stale, Icon::WifiOff, "Feed lost").spoken("viewer lost the feed")
            }
            Self::TimerOverdue => look(Tone::Warning, Icon::ClockAlert, "Timer overdue"),
            Self::DbLock => look(Tone::Warning, Icon::Lock, "Database locked"),
            Self::SandboxUnreachable => look(Tone::Warning, Icon::Box, "Sandbox unreachable"),
            Self::SupervisorBackoff => look(Tone::Warning, Icon::RotateCcw, "Supervisor backing off"),
        }
    }
}

impl NodeState {
    pub(super) fn look(self) -> Look {
        match self {
            Self::Pending => look(Tone::Neutral, Icon::CircleDashed, "Pending"),
            Self::InProgress => look(Tone::Running, Icon::Activity, "In progress"),
            Self::WaitingApproval => look(Tone::Review, Icon::Hand, "Waiting for approval"),
            Self::WaitingEvent => look(Tone::Neutral, Icon::Inbox, "Waiting for event"),
            Self::WaitingTimer => look(Tone::Neutral, Icon::Clock, "Waiting for timer"),
            Self::WaitingQuota => look(Tone::Warning, Icon::Gauge, "Waiting for quota"),
            Self::WaitingBound => look(Tone::Neutral, Icon::Link, "Waiting for bound value"),
            Self::BoundStale => look(Tone::Stale, Icon::Link2Off, "Bound value stale"),
            Self::Finished => look(Tone::Success, Icon::Check, "Finished"),
            Self::Failed => look(Tone::Error, Icon::CircleX, "Failed"),
            Self::Cancelled => look(Tone::Neutral, Icon::Slash, "Cancelled"),
            Self::Skipped => look(Tone::Neutral, Icon::Redo2, "Skipped"),
        }
    }
}

impl ShownNode {
    pub(super) fn look(self) -> Look {
        match self {
            Self::Retrying => look(Tone::Warning, Icon::RotateCw, "Retrying"),
            Self::Unmounted => {
                look(Tone::Neutral, Icon::Ghost, "Unmounted").spoken("unmounted, last known data")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn pill_of_a_retried_node() {
        use crate::pill::{ShownNode, Taxonomy, pill};
        use crate::word::Vocabulary;
        // For the server the node is `in-progress`.
        assert_eq!(pill(Taxonomy::Node, ShownNode::Retrying.as_str()).label, "Retrying");
    }
}
