//! Rows that the server itself put in order: housekeeping, not an end that the run found.

use crate::lionagi::wire::{SessionRow, SessionStatus};

/// Which housekeeping wrote the status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaped {
    /// A row said `running` and its process was gone (`phantom_reaped`, written every five minutes).
    Phantom,
    /// A mirrored transcript went quiet (`mirror_idle_reaped`).
    MirrorIdle,
    /// A row had no status and no live process (`process_exited_without_status`, written at start).
    NoStatus,
}

/// The reason's summary that each housekeeping leaves, and the status that it writes.
const MARKS: [(&str, SessionStatus, Reaped); 3] = [
    ("phantom_reaped", SessionStatus::Failed, Reaped::Phantom),
    ("mirror_idle_reaped", SessionStatus::Completed, Reaped::MirrorIdle),
    ("process_exited_without_status", SessionStatus::Failed, Reaped::NoStatus),
];

/// Whether the stored status is the server's housekeeping. How such a session really ended is not known.
///
/// ```
/// use runstate::lionagi::derive::{Reaped, reaped};
/// use runstate::lionagi::wire::read_session;
///
/// let row = read_session(r#"{"status":"failed","status_reason_summary":"phantom_reaped"}"#)?;
/// assert_eq!(reaped(&row), Some(Reaped::Phantom));
/// let row = read_session(r#"{"status":"failed","status_reason_summary":"ValueError: no"}"#)?;
/// assert_eq!(reaped(&row), None);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn reaped(row: &SessionRow) -> Option<Reaped> {
    let (summary, status) = (row.reason_summary.as_deref()?, row.status.known()?);
    MARKS
        .iter()
        .find(|(mark, written, _)| *mark == summary && *written == status)
        .map(|(_, _, reaped)| *reaped)
}
