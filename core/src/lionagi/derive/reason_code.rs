//! Why a status was written: the code that lionagi itself writes where the writer names none.

use crate::lionagi::wire::SessionStatus;

/// The code that a session gets where the writer names none.
///
/// ```
/// use runstate::lionagi::wire::SessionStatus;
/// use runstate::lionagi::derive::default_reason;
///
/// assert_eq!(default_reason(SessionStatus::TimedOut), "run.timed_out.deadline");
/// ```
pub fn default_reason(status: SessionStatus) -> &'static str {
    match status {
        SessionStatus::Running => "run.started.ok",
        SessionStatus::Completed => "run.completed.ok",
        SessionStatus::CompletedEmpty => "run.completed_empty.no_evidence",
        SessionStatus::Failed => "run.failed.exception",
        SessionStatus::TimedOut => "run.timed_out.deadline",
        SessionStatus::Aborted => "run.aborted.user",
        SessionStatus::Cancelled => "run.cancelled.system",
    }
}
