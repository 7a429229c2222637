//! What Studio's frontend shows for a run (0.35): six words for everything. Ours are not made of them; they are here to say
//! where Studio will show something else.

crate::vocabulary! {
    /// Studio's display status.
    ///
    /// Studio calls everything that it does not know `running`; Runstate shows the stored word instead.
    ///
    /// ```
    /// use runstate::lionagi::derive::{DisplayStatus, display_status};
    ///
    /// assert_eq!(display_status("paused", None, None, None).status, DisplayStatus::Running);
    /// ```
    pub enum DisplayStatus ("display status") {
        /// Not started.
        Queued = "queued",
        /// At work, and everything that Studio does not know.
        Running = "running",
        /// Ended well.
        Completed = "completed",
        /// Ended by an error.
        Failed = "failed",
        /// Ended by somebody or by its deadline.
        Cancelled = "cancelled",
        /// Written by the server's housekeeping.
        Orphaned = "orphaned",
    }
}

/// What Studio shows for a run.
// Four questions that Studio asks one by one, and answers with yes or no.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Displayed {
    /// The word.
    pub status: DisplayStatus,
    /// Whether Studio knows the stored status. What it does not know it shows as running: `completed_empty`, `paused` and
    /// every new word, which is why Runstate shows the stored word instead.
    pub recognised: bool,
    /// Whether the reason says that the server's housekeeping wrote the status.
    pub orphaned_reason: bool,
    /// Whether Studio counts it as an end without success.
    pub unsuccessful_terminal: bool,
    /// Whether Studio counts it as active.
    pub effectively_active: bool,
}

/// What Studio shows for a run with this stored status, health and reason.
///
/// ```
/// use runstate::lionagi::derive::{DisplayStatus, display_status};
///
/// assert_eq!(display_status("timed_out", None, None, None).status, DisplayStatus::Cancelled);
/// let empty = display_status("completed_empty", None, None, None);
/// assert_eq!((empty.status, empty.recognised), (DisplayStatus::Running, false));
/// ```
pub fn display_status(
    status: &str,
    health: Option<&str>,
    reason_code: Option<&str>,
    reason_summary: Option<&str>,
) -> Displayed {
    let known = of_word(&status.trim().to_ascii_lowercase());
    let orphaned_reason =
        reason_summary == Some("phantom_reaped") && reason_code != Some("session.zombie.stale_locks");
    let status =
        if orphaned_reason { DisplayStatus::Orphaned } else { known.unwrap_or(DisplayStatus::Running) };
    Displayed {
        status,
        recognised: known.is_some(),
        orphaned_reason,
        unsuccessful_terminal: match status {
            DisplayStatus::Failed | DisplayStatus::Cancelled | DisplayStatus::Orphaned => true,
            DisplayStatus::Queued | DisplayStatus::Running | DisplayStatus::Completed => false,
        },
        effectively_active: match status {
            DisplayStatus::Queued => true,
            DisplayStatus::Running => !matches!(health, Some("stale" | "orphaned" | "zombie")),
            DisplayStatus::Completed
            | DisplayStatus::Failed
            | DisplayStatus::Cancelled
            | DisplayStatus::Orphaned => false,
        },
    }
}

fn of_word(word: &str) -> Option<DisplayStatus> {
    Some(match word {
        "queued" | "pending" | "planned" | "received" | "scheduled" | "waiting" => DisplayStatus::Queued,
        "running" | "active" | "director-managed" | "executing" | "in_progress" | "open" => {
            DisplayStatus::Running
        }
        "completed" | "director-managed-complete" | "done" | "finished" | "running_complete" | "success" => {
            DisplayStatus::Completed
        }
        "failed" | "error" | "failure" => DisplayStatus::Failed,
        "cancelled" | "canceled" | "aborted" | "timed_out" | "timeout" => DisplayStatus::Cancelled,
        _ => return None,
    })
}

crate::vocabulary! {
    /// ADR-0025's tones for a status. Runstate's pills have seven tones of their own.
    pub enum DisplayTone ("display tone") {
        /// Blue.
        Running = "running",
        /// Green.
        Ok = "ok",
        /// Red.
        Failed = "failed",
        /// Amber.
        Pending = "pending",
        /// Grey.
        Neutral = "neutral",
    }
}

/// ADR-0025's display map: label and tone for each of its six statuses; `None` for any other word.
///
/// ```
/// use runstate::lionagi::derive::{DisplayTone, display_map};
///
/// assert_eq!(display_map("timed_out"), Some(("Timed out", DisplayTone::Pending)));
/// assert_eq!(display_map("paused"), None);
/// ```
pub fn display_map(status: &str) -> Option<(&'static str, DisplayTone)> {
    Some(match status {
        "running" => ("Running", DisplayTone::Running),
        "completed" => ("Completed", DisplayTone::Ok),
        "failed" => ("Failed", DisplayTone::Failed),
        "timed_out" => ("Timed out", DisplayTone::Pending),
        "aborted" => ("Aborted", DisplayTone::Neutral),
        "cancelled" => ("Cancelled", DisplayTone::Neutral),
        _ => return None,
    })
}
