//! What a row of a log stands for.

/// What a row of a log stands for. It stays the same while events are added and filters change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum RowId {
    /// The event with this number; of several in one row, the first.
    Event(u64),
    /// The missing events before an event, or the gap with this number.
    Gap(u64),
    /// The unreadable lines with this number.
    Unread(u64),
}
