//! Which status may follow which (ADR-0025).

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

/// Whether a session's status may go from one word to another: from `running` to an end.
///
/// Five ends are those of ADR-0025. The sixth, `completed_empty`, is not in the ADR: lionagi 0.28.0, the last release with a
/// function of this name, lets it follow `running`, and 0.36.0 declares the same edge. A session that was resumed goes from
/// its end back to `running`, by an override: an end is not for ever.
///
/// ```
/// use runstate::lionagi::derive::can_transition;
///
/// assert!(can_transition("running", "timed_out"));
/// assert!(can_transition("running", "completed_empty"));
/// assert!(!can_transition("completed", "running"));
/// assert!(!can_transition("running", "running"));
/// assert!(!can_transition("Running", "failed"));
/// ```
pub fn can_transition(from: &str, to: &str) -> bool {
    use crate::word::Vocabulary;
    from == SessionStatus::Running.as_str()
        && SessionStatus::from_word(to).is_some_and(SessionStatus::is_terminal)
}
