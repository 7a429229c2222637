//! Plays and the shows that they belong to, as `/api/shows/` serves them. A play has a vocabulary of its own.

use super::Seconds;
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::word::Word;

crate::vocabulary! {
    /// Where a play of a show stands (the `status` column of plays in 0.36).
    ///
    /// ```
    /// use runstate::lionagi::wire::PlayStatus;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(PlayStatus::from_word("merged"), Some(PlayStatus::Merged));
    /// // The work is done, and a gate still decides.
    /// assert!(!PlayStatus::RunningComplete.is_terminal());
    /// ```
    pub enum PlayStatus ("play status") {
        /// Not started.
        Pending = "pending",
        /// Its place is made, and nobody works yet.
        Prepared = "prepared",
        /// At work.
        Running = "running",
        /// The work is done, its gate has not decided.
        RunningComplete = "running_complete",
        /// Its gate asks a person.
        Gated = "gated",
        /// Its gate refused it.
        GateFailed = "gate_failed",
        /// At work once more after its gate.
        Redoing = "redoing",
        /// Ended well, and merged.
        Merged = "merged",
        /// Handed to a person.
        Escalated = "escalated",
        /// Held up for good.
        Blocked = "blocked",
        /// Ended by somebody after its work was done.
        AbortedAfterFinish = "aborted_after_finish",
    }
}

impl PlayStatus {
    /// Whether the play has ended.
    pub fn is_terminal(self) -> bool {
        match self {
            Self::Pending
            | Self::Prepared
            | Self::Running
            | Self::RunningComplete
            | Self::Gated
            | Self::Redoing => false,
            Self::GateFailed | Self::Merged | Self::Escalated | Self::Blocked | Self::AbortedAfterFinish => {
                true
            }
        }
    }
}

crate::vocabulary! {
    /// Where a show stands (the `status` column of shows in 0.36).
    ///
    /// ```
    /// use runstate::lionagi::wire::ShowStatus;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(ShowStatus::from_word("imported"), Some(ShowStatus::Imported));
    /// assert_eq!(ShowStatus::from_word("running"), None);
    /// assert!(!ShowStatus::Imported.is_terminal());
    /// ```
    pub enum ShowStatus ("show status") {
        /// Its plays go on.
        Active = "active",
        /// Ended.
        Completed = "completed",
        /// Ended by somebody.
        Aborted = "aborted",
        /// Taken over from somewhere else.
        Imported = "imported",
    }
}

impl ShowStatus {
    /// Whether the show has ended.
    pub fn is_terminal(self) -> bool {
        match self {
            Self::Active | Self::Imported => false,
            Self::Completed | Self::Aborted => true,
        }
    }
}

/// What is known of one play.
///
/// ```
/// use runstate::lionagi::wire::PlayStatus;
/// use runstate::ingest::lionagi::read;
/// use runstate::time::Millis;
/// use runstate::word::Word;
///
/// let rows = r#"[{"id":"play:demo:api","topic":"demo","play_name":"api","status":"gated","feedback":"look"}]"#;
/// let found = read(rows, "/api/shows/gated-plays", Millis(0.0))?;
/// assert_eq!(found.plays[0].status, Some(Word::Known(PlayStatus::Gated)));
/// assert!(found.sessions.is_empty(), "a play is no session");
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Play {
    /// The show.
    pub topic: String,
    /// Its name within the show.
    pub name: String,
    /// Where it stands; `None` where the server told none.
    pub status: Option<Word<PlayStatus>>,
    /// The session that works on it.
    pub session_id: Option<String>,
    /// Which try it is, from 1.
    pub attempt: Option<u64>,
    /// What its gate says.
    pub feedback: Option<String>,
    /// Why the server could not look at the play itself.
    pub live_error: Option<String>,
    /// The start.
    pub started_at: Option<Seconds>,
    /// The last write.
    pub updated_at: Option<Seconds>,
    /// The end.
    pub ended_at: Option<Seconds>,
    /// What the status rests on.
    pub evidence: Evidence,
}

/// What is known of one show: its own status, and how many plays it has.
///
/// ```
/// use runstate::lionagi::wire::ShowStatus;
/// use runstate::ingest::lionagi::read;
/// use runstate::time::Millis;
/// use runstate::word::Word;
///
/// let detail = r#"{"topic":"demo","status":"active","plays":[{"name":"api","meta":{"status":"merged"}}]}"#;
/// let found = read(detail, "/api/shows/demo", Millis(0.0))?;
/// assert_eq!(found.shows[0].status, Some(Word::Known(ShowStatus::Active)));
/// assert_eq!(found.shows[0].play_count, Some(1));
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Show {
    /// Its name.
    pub topic: String,
    /// What it is for.
    pub goal: Option<String>,
    /// Where it stands; `None` where the server told none.
    pub status: Option<Word<ShowStatus>>,
    /// How many plays it has, where that is told.
    pub play_count: Option<u64>,
    /// The last write.
    pub updated_at: Option<Seconds>,
    /// What the status rests on.
    pub evidence: Evidence,
}

/// The evidence of a status that is served as it is stored.
pub(crate) fn evidence(name: Signal, status: Option<&str>, read_from: &str) -> Evidence {
    let value = status.map_or(Value::Absent, |status| Value::Word(status.to_owned()));
    let input = Input { name, value, at: None, limit_ms: None, decisive: true };
    Evidence { inputs: vec![input], read_from: read_from.to_owned(), read_at: None }
}
