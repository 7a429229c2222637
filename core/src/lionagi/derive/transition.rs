//! Which status may follow which (ADR-0025). What the released server accepts beyond that is in
//! [`policy`](super::policy).

use crate::lionagi::wire::SessionStatus;

/// The statuses that an administrator may set (ADR-0025): the others are for the system to find.
///
/// ```
/// use runstate::lionagi::derive::ADMIN_TRANSITION_TARGETS;
/// use runstate::lionagi::wire::SessionStatus;
///
/// assert!(!ADMIN_TRANSITION_TARGETS.contains(&SessionStatus::Completed), "nobody decrees success");
/// ```
pub const ADMIN_TRANSITION_TARGETS: [SessionStatus; 3] =
    [SessionStatus::Failed, SessionStatus::Aborted, SessionStatus::Cancelled];

/// Whether a session's status may go from one word to another by ADR-0025: from `running` to one of its five ends.
///
/// `completed_empty` is not in the ADR; see [`policy::update_status`](super::policy::update_status) for what lionagi 0.36
/// writes. A session that was resumed goes from its end back to `running`, by an override: an end is not for ever.
///
/// ```
/// use runstate::lionagi::derive::can_transition;
///
/// assert!(can_transition("running", "timed_out"));
/// assert!(!can_transition("completed", "running"));
/// assert!(!can_transition("running", "running"));
/// assert!(!can_transition("Running", "failed"));
/// ```
pub fn can_transition(from: &str, to: &str) -> bool {
    use crate::word::Vocabulary;
    from == SessionStatus::Running.as_str()
        && SessionStatus::from_word(to).is_some_and(|to| match to {
            SessionStatus::Completed
            | SessionStatus::Failed
            | SessionStatus::TimedOut
            | SessionStatus::Aborted
            | SessionStatus::Cancelled => true,
            SessionStatus::Running | SessionStatus::CompletedEmpty => false,
        })
}

/// Whether an administrator may set this status.
///
/// ```
/// use runstate::lionagi::derive::is_admin_target;
///
/// assert!(is_admin_target("cancelled"));
/// assert!(!is_admin_target("completed"));
/// ```
pub fn is_admin_target(to: &str) -> bool {
    use crate::word::Vocabulary;
    SessionStatus::from_word(to).is_some_and(|to| ADMIN_TRANSITION_TARGETS.contains(&to))
}
