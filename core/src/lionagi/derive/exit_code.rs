//! The exit code that belongs to a status. A status is never derived from an exit code: for Ctrl-C the two disagree.

use crate::lionagi::wire::{SessionStatus, StoredStatus};

/// The exit code of a session with this status: ADR-0025, and 1 for `completed_empty`, which lionagi 0.36 added.
///
/// `None` where there is none: a running session, NULL, and a word that is not known. ADR-0025 asks for "not 0" where a
/// session failed; it is 1 in every release.
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
