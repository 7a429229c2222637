//! Conclusions from a session's stored status alone: the exit code, the allowed transitions, and whether the row was written
//! by the server's housekeeping or before the status vocabulary existed.

use crate::format;
use crate::lionagi::wire::{End, ReasonCode, SessionRow, SessionStatus, StoredStatus};
use crate::text::concat;
use crate::word::Vocabulary;

/// The time in seconds after which a dashboard calls a running session slow (seed 001).
///
/// ```
/// use runstate::lionagi::derive::{SLOW_RUN_SECONDS, STUCK_RUN_SECONDS};
///
/// assert_eq!((SLOW_RUN_SECONDS, STUCK_RUN_SECONDS), (3600.0, 3600.0));
/// ```
pub const SLOW_RUN_SECONDS: f64 = 60.0 * 60.0;

/// The time in seconds after which a dashboard calls a running session stuck (seed 001).
pub const STUCK_RUN_SECONDS: f64 = 60.0 * 60.0;

/// The label and the tone of each status in the words of the specification (seed 001). `pill` has those of this crate.
///
/// ```
/// use runstate::lionagi::derive::DISPLAY_MAP;
/// use runstate::lionagi::wire::SessionStatus;
///
/// // A timeout is no error, but a boundary: the answer is to try again with more time.
/// assert!(DISPLAY_MAP.contains(&(SessionStatus::TimedOut, "Timed out", "pending")));
/// ```
pub const DISPLAY_MAP: [(SessionStatus, &str, &str); 6] = [
    (SessionStatus::Running, "Running", "running"),
    (SessionStatus::Completed, "Completed", "ok"),
    (SessionStatus::Failed, "Failed", "failed"),
    (SessionStatus::TimedOut, "Timed out", "pending"),
    (SessionStatus::Aborted, "Aborted", "neutral"),
    (SessionStatus::Cancelled, "Cancelled", "neutral"),
];

/// The exit code of a session with this status: ADR-0025, and 1 for `completed_empty`, which lionagi 0.36 added.
///
/// `None` for a running session, NULL and unknown statuses. ADR-0025 only requires a non-zero code for a failed session; every
/// release uses 1. A status is never derived from an exit code: for Ctrl-C the two disagree.
///
/// ```
/// use runstate::lionagi::wire::StoredStatus;
/// use runstate::lionagi::derive::exit_code;
///
/// assert_eq!(exit_code(&StoredStatus::new(Some("timed_out"))), Some(124));
/// assert_eq!(exit_code(&StoredStatus::new(Some("running"))), None);
/// assert_eq!(exit_code(&StoredStatus::Legacy), None);
/// ```
pub fn exit_code(status: &StoredStatus) -> Option<u8> {
    match status.known()? {
        SessionStatus::Running => None,
        SessionStatus::Completed => Some(0),
        SessionStatus::CompletedEmpty | SessionStatus::Failed => Some(1),
        SessionStatus::TimedOut => Some(124),
        SessionStatus::Aborted => Some(130),
        SessionStatus::Cancelled => Some(143),
    }
}

/// The statuses that an administrator may set (ADR-0025). Only the system sets the others.
pub const ADMIN_TRANSITION_TARGETS: [SessionStatus; 3] =
    [SessionStatus::Failed, SessionStatus::Aborted, SessionStatus::Cancelled];

/// Whether a session's status may change from one word to another: only from `running` to a terminal status.
///
/// Five targets are those of ADR-0025. The sixth, `completed_empty`, is not in the ADR: lionagi 0.28.0, the last release
/// with this function, allows it after `running`, and 0.36.0 declares the same edge. Resuming a session sets it back to
/// `running` by an override, which is not a transition.
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
    from == SessionStatus::Running.as_str()
        && SessionStatus::from_word(to).is_some_and(SessionStatus::is_terminal)
}

/// The reason code that lionagi stores with a status if the writer gives none.
pub(crate) fn default_reason_code(status: SessionStatus) -> ReasonCode {
    match status {
        SessionStatus::Running => ReasonCode::Started,
        SessionStatus::Completed => ReasonCode::Completed,
        SessionStatus::CompletedEmpty => ReasonCode::NoEvidence,
        SessionStatus::Failed => ReasonCode::Exception,
        SessionStatus::TimedOut => ReasonCode::Deadline,
        SessionStatus::Aborted => ReasonCode::AbortedByUser,
        SessionStatus::Cancelled => ReasonCode::CancelledBySystem,
    }
}

/// The server's housekeeping task that wrote a status. How such a session really ended is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reaper {
    /// `phantom_reaped`, every five minutes: the row said `running` but its process did not exist.
    Phantom,
    /// `mirror_idle_reaped`: a mirrored transcript was inactive for too long.
    MirrorIdle,
    /// `process_exited_without_status`, at startup: the row had no status and no live process.
    NoStatus,
}

/// The reason summary and the status that each housekeeping task writes.
const REAPERS: [(&str, SessionStatus, Reaper); 3] = [
    ("phantom_reaped", SessionStatus::Failed, Reaper::Phantom),
    ("mirror_idle_reaped", SessionStatus::Completed, Reaper::MirrorIdle),
    ("process_exited_without_status", SessionStatus::Failed, Reaper::NoStatus),
];

/// The housekeeping task that wrote the stored status, if one did.
pub(crate) fn detect_reaper(row: &SessionRow) -> Option<Reaper> {
    let (summary, status) = (row.reason_summary.as_deref()?, row.status.known()?);
    let found = REAPERS.iter().find(|(mark, written, _)| *mark == summary && *written == status);
    found.map(|(_, _, reaper)| *reaper)
}

/// The tooltip of the chip for all legacy sessions (ADR-0025).
pub const LEGACY_TOOLTIP: &str =
    "Sessions created before the current status vocabulary. Excluded from live operational metrics.";

/// The label of the chip for all legacy sessions; `None` if there are none.
pub(crate) fn legacy_chip(count: u64) -> Option<String> {
    match count {
        0 => None,
        1 => Some("1 legacy session".to_owned()),
        many => Some(concat(&[&format::count(many as f64), " legacy sessions"])),
    }
}

/// Whether the row probably has a NULL status, although the server says `completed`: most routes serve NULL that way. Such a
/// row has neither an end nor a reason. This is a heuristic.
pub(crate) fn looks_legacy(row: &SessionRow) -> bool {
    row.status.known() == Some(SessionStatus::Completed)
        && row.ended_at == End::Open
        && row.has_reason_column
        && row.reason_code.is_none()
}

#[cfg(test)]
mod tests {
    use super::{legacy_chip, looks_legacy};
    use crate::lionagi::wire::read_session;

    #[test]
    fn the_legacy_chip_counts_sessions() {
        assert_eq!(legacy_chip(376).as_deref(), Some("376 legacy sessions"));
        assert_eq!(legacy_chip(1).as_deref(), Some("1 legacy session"));
        assert_eq!(legacy_chip(0), None);
    }

    #[test]
    fn completed_without_end_and_reason_looks_legacy() {
        let row =
            read_session(r#"{"status":"completed","ended_at":null,"status_reason_code":null}"#).unwrap();
        assert!(looks_legacy(&row));
        let ended =
            r#"{"status":"completed","ended_at":1716300000.0,"status_reason_code":"run.completed.ok"}"#;
        assert!(!looks_legacy(&read_session(ended).unwrap()));
    }

    #[test]
    fn a_status_of_the_housekeeping_is_recognised() {
        use crate::lionagi::derive::{Reaper, detect_reaper};

        let row = read_session(r#"{"status":"failed","status_reason_summary":"phantom_reaped"}"#).unwrap();
        assert_eq!(detect_reaper(&row), Some(Reaper::Phantom));
        let row = read_session(r#"{"status":"failed","status_reason_summary":"ValueError: no"}"#).unwrap();
        assert_eq!(detect_reaper(&row), None);
    }
}
