//! The status column of a session: a word, NULL, or absent from the document.

use serde::Serialize;

use super::SessionStatus;
use super::column::Column;
use crate::json::{ReadError, Slice};
use crate::word::Word;

/// The status of a session as it is stored.
///
/// ```
/// use runstate::lionagi::wire::{SessionStatus, StoredStatus};
///
/// assert_eq!(StoredStatus::new(Some("running")).known(), Some(SessionStatus::Running));
/// assert_eq!(StoredStatus::new(None), StoredStatus::Legacy);
/// assert_eq!(StoredStatus::new(Some("COMPLETED")).known(), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum StoredStatus {
    /// The document has no status field.
    #[default]
    Absent,
    /// NULL: the row is older than the status vocabulary (`legacy` in ADR-0025).
    Legacy,
    /// A word.
    Word(Word<SessionStatus>),
}

impl StoredStatus {
    /// The status for the content of the column; `None` is NULL.
    pub fn new(column: Option<&str>) -> Self {
        column.map_or(Self::Legacy, |word| Self::Word(Word::new(word)))
    }

    /// The known word, if it is one.
    pub fn known(&self) -> Option<SessionStatus> {
        match self {
            Self::Absent | Self::Legacy => None,
            Self::Word(word) => word.known(),
        }
    }

    /// The word verbatim, `legacy` for NULL, or `None` if the document has no such field.
    ///
    /// ```
    /// use runstate::lionagi::wire::StoredStatus;
    ///
    /// assert_eq!(StoredStatus::new(Some("hibernating")).label(), Some("hibernating"));
    /// assert_eq!(StoredStatus::Legacy.label(), Some("legacy"));
    /// assert_eq!(StoredStatus::Absent.label(), None);
    /// ```
    pub fn label(&self) -> Option<&str> {
        match self {
            Self::Absent => None,
            Self::Legacy => Some("legacy"),
            Self::Word(word) => Some(word.as_str()),
        }
    }

    /// Whether the status means that the session has ended; `false` for an unknown word.
    ///
    /// ```
    /// use runstate::lionagi::wire::StoredStatus;
    ///
    /// assert!(StoredStatus::new(Some("completed_empty")).is_terminal());
    /// assert!(!StoredStatus::new(Some("hibernating")).is_terminal());
    /// ```
    pub fn is_terminal(&self) -> bool {
        self.known().is_some_and(SessionStatus::is_terminal)
    }

    /// Whether the status is false in Python: an absent field, NULL or empty text.
    pub(crate) fn is_falsy(&self) -> bool {
        match self {
            Self::Absent | Self::Legacy => true,
            Self::Word(word) => word.as_str().is_empty(),
        }
    }

    pub(crate) fn read(field: Option<Slice<'_>>) -> Result<Self, ReadError> {
        field.map_or(Ok(Column::Absent), Slice::read).map(Self::from)
    }
}

impl From<Column<Word<SessionStatus>>> for StoredStatus {
    fn from(column: Column<Word<SessionStatus>>) -> Self {
        match column {
            Column::Absent => Self::Absent,
            Column::Null => Self::Legacy,
            Column::Value(word) => Self::Word(word),
        }
    }
}
