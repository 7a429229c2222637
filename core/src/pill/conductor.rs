//! The pills of tnh-conductor (seed 004).

use super::{Icon, Style, Tone, style};
use crate::conductor::wire::{GateOutcome, PlannerStatus, Termination};

crate::vocabulary! {
    /// The state of a tnh-conductor run as it is shown. A run that reached its end after a failed step is not shown as a
    /// success.
    ///
    /// ```
    /// use runstate::pill::{Taxonomy, Tone, pill};
    ///
    /// assert_eq!(pill(Taxonomy::Conductor, "completed").tone, Tone::Success);
    /// assert_ne!(pill(Taxonomy::Conductor, "completed-unclean").tone, Tone::Success);
    /// ```
    pub(crate) enum ShownRun ("shown run state") {
        /// In a step, or about to begin.
        Running = "running",
        /// The next step is chosen.
        BetweenSteps = "between-steps",
        /// At a gate.
        Waiting = "waiting",
        /// Blocked, by the planner. Only steps have this state.
        Blocked = "blocked",
        /// The kernel gave up.
        Failed = "failed",
        /// STOP was reached after a step that succeeded.
        Completed = "completed",
        /// STOP was reached after a step that did not succeed.
        CompletedUnclean = "completed-unclean",
        /// STOP was reached, and how the last step ended is not known.
        CompletedExitUnknown = "completed-exit-unknown",
        /// The status is too old.
        Stale = "stale",
        /// Unknown.
        Unknown = "unknown",
    }
}

impl ShownRun {
    pub(super) fn style(self) -> Style {
        match self {
            Self::Running => style(Tone::Running, Icon::Activity, "Running"),
            Self::BetweenSteps => style(Tone::Running, Icon::ChevronsRight, "Running, between steps"),
            Self::Waiting => style(Tone::Review, Icon::Hand, "Waiting at gate"),
            Self::Blocked => style(Tone::Warning, Icon::OctagonAlert, "Blocked"),
            Self::Failed => style(Tone::Error, Icon::CircleX, "Failed"),
            Self::Completed => style(Tone::Success, Icon::Check, "Completed"),
            Self::CompletedUnclean => style(Tone::Warning, Icon::TriangleAlert, "Completed, unclean exit"),
            Self::CompletedExitUnknown => style(Tone::Neutral, Icon::Flag, "Completed, exit not known"),
            Self::Stale => style(Tone::Stale, Icon::HeartOff, "Stale"),
            Self::Unknown => style(Tone::Neutral, Icon::CircleQuestionMark, "Unknown"),
        }
    }
}

impl Termination {
    pub(super) fn style(self) -> Style {
        match self {
            Self::Completed => style(Tone::Success, Icon::Check, "Completed"),
            Self::Error => style(Tone::Error, Icon::CircleX, "Error"),
            Self::KilledTimeout => style(Tone::Warning, Icon::Hourglass, "Killed, timeout"),
            Self::KilledIdle => style(Tone::Warning, Icon::Moon, "Killed, idle"),
            Self::KilledPolicy => style(Tone::Error, Icon::ShieldBan, "Killed, policy"),
        }
    }
}

impl PlannerStatus {
    pub(super) fn style(self) -> Style {
        match self {
            Self::Success => style(Tone::Success, Icon::Check, "Success"),
            Self::Partial => style(Tone::Warning, Icon::Contrast, "Partial"),
            Self::Blocked => style(Tone::Warning, Icon::OctagonAlert, "Blocked"),
            Self::Unsafe => style(Tone::Error, Icon::TriangleAlert, "Unsafe"),
            Self::NeedsHuman => style(Tone::Review, Icon::Hand, "Needs a human"),
        }
    }
}

impl GateOutcome {
    pub(super) fn style(self) -> Style {
        match self {
            Self::Approved => style(Tone::Success, Icon::ThumbsUp, "Gate approved"),
            Self::Rejected => style(Tone::Error, Icon::ThumbsDown, "Gate rejected"),
            Self::TimedOut => style(Tone::Warning, Icon::Hourglass, "Gate timed out"),
        }
    }
}
