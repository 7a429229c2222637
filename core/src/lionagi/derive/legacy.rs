//! Rows from before the status vocabulary: no state, and in no count of what goes on (ADR-0025).

use crate::format;
use crate::lionagi::wire::{End, SessionRow, StoredStatus};
use crate::text::concat;

/// What the chip says to those who ask.
///
/// ```
/// assert!(runstate::lionagi::derive::LEGACY_TOOLTIP.contains("before the current status vocabulary"));
/// ```
pub const LEGACY_TOOLTIP: &str =
    "Sessions created before the current status vocabulary. Excluded from live operational metrics.";

/// The one muted chip that stands for all legacy sessions; `None` where there are none.
///
/// ```
/// use runstate::lionagi::derive::legacy_chip;
///
/// assert_eq!(legacy_chip(376).as_deref(), Some("376 legacy sessions"));
/// assert_eq!(legacy_chip(1).as_deref(), Some("1 legacy session"));
/// assert_eq!(legacy_chip(0), None);
/// ```
pub fn legacy_chip(count: u64) -> Option<String> {
    match count {
        0 => None,
        1 => Some("1 legacy session".to_owned()),
        many => Some(concat(&[&format::count(many as f64), " legacy sessions"])),
    }
}

/// Whether the row looks like one without a status, although the server says `completed`: most routes serve NULL so. It
/// has neither an end nor a reason. A likeness, not a proof.
///
/// ```
/// use runstate::lionagi::derive::looks_legacy;
/// use runstate::lionagi::wire::read_session;
///
/// let row = read_session(r#"{"status":"completed","ended_at":null,"status_reason_code":null}"#)?;
/// assert!(looks_legacy(&row));
/// let row = read_session(r#"{"status":"completed","ended_at":1716300000.0,"status_reason_code":"run.completed.ok"}"#)?;
/// assert!(!looks_legacy(&row));
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn looks_legacy(row: &SessionRow) -> bool {
    matches!(&row.status, StoredStatus::Word(word) if word.as_str() == "completed")
        && row.ended_at == End::Open
        && row.tells_reason
        && row.reason_code.is_none()
}
