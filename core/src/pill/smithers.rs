//! The pills of Smithers.

use super::{Icon, Style, Tone, style};
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
    pub(super) fn style(self) -> Style {
        match self {
            Self::Running => style(Tone::Running, Icon::Activity, "Running"),
            Self::WaitingApproval => style(Tone::Review, Icon::Hand, "Waiting for approval"),
            Self::WaitingEvent => style(Tone::Neutral, Icon::Inbox, "Waiting for event"),
            Self::WaitingTimer => style(Tone::Neutral, Icon::Clock, "Waiting for timer"),
            Self::WaitingQuota => style(Tone::Warning, Icon::Gauge, "Waiting for quota"),
            Self::Paused => style(Tone::Neutral, Icon::Pause, "Paused"),
            Self::Recovering => style(Tone::Warning, Icon::RefreshCw, "Recovering"),
            Self::Stale => style(Tone::Stale, Icon::HeartOff, "Stale"),
            Self::Orphaned => style(Tone::Stale, Icon::Unlink, "Orphaned"),
            Self::Failed => style(Tone::Error, Icon::CircleX, "Failed"),
            Self::Cancelled => style(Tone::Neutral, Icon::Slash, "Cancelled"),
            Self::Succeeded => style(Tone::Success, Icon::Check, "Succeeded"),
            Self::Unknown => style(Tone::Neutral, Icon::CircleQuestionMark, "Unknown"),
        }
    }
}

impl BlockedKind {
    pub(super) fn style(self) -> Style {
        match self {
            Self::Approval => style(Tone::Review, Icon::Hand, "Approval"),
            Self::ApprovalDecidedResumeRequired => {
                style(Tone::Warning, Icon::StepForward, "Decided, resume required")
                    .spoken("approval decided, resume required")
            }
            Self::Event => style(Tone::Neutral, Icon::Inbox, "Event"),
            Self::ExternalTrigger => style(Tone::Neutral, Icon::Webhook, "External trigger"),
            Self::Timer => style(Tone::Neutral, Icon::Clock, "Timer"),
            Self::Quota => style(Tone::Warning, Icon::Gauge, "Quota"),
            Self::Provider => style(Tone::Warning, Icon::CloudOff, "Provider"),
            Self::Tool => style(Tone::Warning, Icon::Wrench, "Tool"),
        }
    }
}

impl UnhealthyKind {
    pub(super) fn style(self) -> Style {
        match self {
            Self::EngineHeartbeatStale => style(Tone::Stale, Icon::HeartOff, "Engine heartbeat stale"),
            Self::UiHeartbeatStale => {
                style(Tone::Stale, Icon::WifiOff, "Feed lost").spoken("viewer lost the feed")
            }
            Self::TimerOverdue => style(Tone::Warning, Icon::ClockAlert, "Timer overdue"),
            Self::DbLock => style(Tone::Warning, Icon::Lock, "Database locked"),
            Self::SandboxUnreachable => style(Tone::Warning, Icon::Box, "Sandbox unreachable"),
            Self::SupervisorBackoff => style(Tone::Warning, Icon::RotateCcw, "Supervisor backing off"),
        }
    }
}

impl NodeState {
    pub(super) fn style(self) -> Style {
        match self {
            Self::Pending => style(Tone::Neutral, Icon::CircleDashed, "Pending"),
            Self::InProgress => style(Tone::Running, Icon::Activity, "In progress"),
            Self::WaitingApproval => style(Tone::Review, Icon::Hand, "Waiting for approval"),
            Self::WaitingEvent => style(Tone::Neutral, Icon::Inbox, "Waiting for event"),
            Self::WaitingTimer => style(Tone::Neutral, Icon::Clock, "Waiting for timer"),
            Self::WaitingQuota => style(Tone::Warning, Icon::Gauge, "Waiting for quota"),
            Self::WaitingBound => style(Tone::Neutral, Icon::Link, "Waiting for bound value"),
            Self::BoundStale => style(Tone::Stale, Icon::Link2Off, "Bound value stale"),
            Self::Finished => style(Tone::Success, Icon::Check, "Finished"),
            Self::Failed => style(Tone::Error, Icon::CircleX, "Failed"),
            Self::Cancelled => style(Tone::Neutral, Icon::Slash, "Cancelled"),
            Self::Skipped => style(Tone::Neutral, Icon::Redo2, "Skipped"),
        }
    }
}

impl ShownNode {
    pub(super) fn style(self) -> Style {
        match self {
            Self::Retrying => style(Tone::Warning, Icon::RotateCw, "Retrying"),
            Self::Unmounted => {
                style(Tone::Neutral, Icon::Ghost, "Unmounted").spoken("unmounted, last known data")
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
