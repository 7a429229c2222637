//! What the status column holds: a word, NULL, or nothing that we were told.

use super::SessionStatus;
use crate::json::{ReadError, Slice};
use crate::word::Word;

/// The status of a session as it is stored. Three different things: a field that is not there, NULL, and a word.
///
/// ```
/// use runstate::lionagi::wire::{SessionStatus, StoredStatus};
///
/// assert_eq!(StoredStatus::new(Some("running")).known(), Some(SessionStatus::Running));
/// assert_eq!(StoredStatus::new(None), StoredStatus::Legacy);
/// assert_eq!(StoredStatus::new(Some("COMPLETED")).known(), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StoredStatus {
    /// The document has no status field.
    #[default]
    Absent,
    /// NULL: the row is older than the vocabulary (ADR-0025's `legacy`).
    Legacy,
    /// A word.
    Word(Word<SessionStatus>),
}

impl StoredStatus {
    /// A column's content.
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

    /// What a pill shows: the word verbatim, `legacy` for NULL, nothing where there is no field.
    ///
    /// ```
    /// use runstate::lionagi::wire::StoredStatus;
    ///
    /// assert_eq!(StoredStatus::new(Some("hibernating")).shown(), Some("hibernating"));
    /// assert_eq!(StoredStatus::Legacy.shown(), Some("legacy"));
    /// assert_eq!(StoredStatus::Absent.shown(), None);
    /// ```
    pub fn shown(&self) -> Option<&str> {
        match self {
            Self::Absent => None,
            Self::Legacy => Some("legacy"),
            Self::Word(word) => Some(word.as_str()),
        }
    }

    /// Whether the session has ended, as far as its status says.
    ///
    /// ```
    /// use runstate::lionagi::wire::StoredStatus;
    ///
    /// assert!(StoredStatus::new(Some("completed_empty")).is_terminal());
    /// assert!(!StoredStatus::new(Some("hibernating")).is_terminal(), "a word that nobody knows ends nothing");
    /// ```
    pub fn is_terminal(&self) -> bool {
        self.known().is_some_and(SessionStatus::is_terminal)
    }

    /// What Python takes for no status at all: an absent field, NULL and empty text.
    pub(crate) fn is_falsy(&self) -> bool {
        match self {
            Self::Absent | Self::Legacy => true,
            Self::Word(word) => word.as_str().is_empty(),
        }
    }

    pub(crate) fn read(field: Option<Slice<'_>>) -> Result<Self, ReadError> {
        match field {
            None => Ok(Self::Absent),
            Some(field) if field.json() == "null" => Ok(Self::Legacy),
            Some(field) => Ok(Self::Word(field.read_word()?)),
        }
    }
}
