//! Plays and the shows that contain them (`/api/shows/`). A play is not a session: it has its own statuses.
//!
//! ```
//! use runstate::lionagi::wire::PlayStatus;
//! use runstate::ingest::lionagi::read;
//! use runstate::time::Millis;
//! use runstate::word::Word;
//!
//! let rows = r#"[{"id":"play:demo:api","topic":"demo","play_name":"api","status":"gated","feedback":"look"}]"#;
//! let found = read(rows, "/api/shows/gated-plays", Millis(0.0))?;
//! assert_eq!(found.plays[0].status, Some(Word::Known(PlayStatus::Gated)));
//! assert!(found.sessions.is_empty());
//! # Ok::<(), runstate::ingest::DocumentError>(())
//! ```
//!
//! ```
//! use runstate::lionagi::wire::ShowStatus;
//! use runstate::ingest::lionagi::read;
//! use runstate::time::Millis;
//! use runstate::word::Word;
//!
//! let detail = r#"{"topic":"demo","status":"active","plays":[{"name":"api","meta":{"status":"merged"}}]}"#;
//! let found = read(detail, "/api/shows/demo", Millis(0.0))?;
//! assert_eq!(found.shows[0].status, Some(Word::Known(ShowStatus::Active)));
//! assert_eq!(found.shows[0].play_count, Some(1));
//! # Ok::<(), runstate::ingest::DocumentError>(())
//! ```

use serde::{Serialize, Serializer};

use super::Seconds;
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::text::concat;
use crate::word::Word;

crate::vocabulary! {
    /// The `status` column of a play, as of lionagi 0.36.
    ///
    /// ```
    /// use runstate::lionagi::wire::PlayStatus;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(PlayStatus::from_word("merged"), Some(PlayStatus::Merged));
    /// assert!(!PlayStatus::RunningComplete.is_terminal()); // its gate has not decided
    /// ```
    pub enum PlayStatus ("play status") {
        /// Not started.
        Pending = "pending",
        /// Its workspace is prepared; not started.
        Prepared = "prepared",
        /// Running.
        Running = "running",
        /// The work is done; its gate has not decided.
        RunningComplete = "running_complete",
        /// Its gate waits for a person.
        Gated = "gated",
        /// Its gate rejected it.
        GateFailed = "gate_failed",
        /// Running again after its gate.
        Redoing = "redoing",
        /// Ended successfully, and merged.
        Merged = "merged",
        /// Passed on to a person.
        Escalated = "escalated",
        /// Blocked permanently.
        Blocked = "blocked",
        /// Aborted after its work was done.
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
    /// The `status` column of a show, as of lionagi 0.36.
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
        /// Its plays are going on.
        Active = "active",
        /// Ended.
        Completed = "completed",
        /// Aborted.
        Aborted = "aborted",
        /// Imported from elsewhere.
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

/// A play of a show: the work of one session, which a gate accepts or refuses. Times are milliseconds since 1970.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(tsify::Tsify))]
#[non_exhaustive]
pub struct Play {
    /// The name of its show.
    pub topic: String,
    /// Its name within the show.
    pub name: String,
    /// Its status; `None` if the server sent none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, tsify(type = "string"))]
    pub status: Option<Word<PlayStatus>>,
    /// The session that works on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The number of the attempt, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u64>,
    /// The message of its gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// The server's error when it could not read the play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live_error: Option<String>,
    /// When it started.
    #[serde(rename = "startedAtMs", serialize_with = "as_millis", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, tsify(type = "number"))]
    pub started_at: Option<Seconds>,
    /// When it was last written.
    #[serde(rename = "updatedAtMs", serialize_with = "as_millis", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, tsify(type = "number"))]
    pub updated_at: Option<Seconds>,
    /// When it ended.
    #[serde(rename = "endedAtMs", serialize_with = "as_millis", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, tsify(type = "number"))]
    pub ended_at: Option<Seconds>,
    /// The evidence of its status.
    pub evidence: Evidence,
}

/// A show, as it is stored. `updatedAtMs` is in milliseconds since 1970.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(tsify::Tsify))]
#[non_exhaustive]
pub struct Show {
    /// Its name.
    pub topic: String,
    /// Its goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// Its status; `None` if the server sent none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, tsify(type = "string"))]
    pub status: Option<Word<ShowStatus>>,
    /// The number of its plays, if the document contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub play_count: Option<u64>,
    /// When it was last written.
    #[serde(rename = "updatedAtMs", serialize_with = "as_millis", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, tsify(type = "number"))]
    pub updated_at: Option<Seconds>,
    /// The evidence of its status.
    pub evidence: Evidence,
}

/// Writes a time in milliseconds, as all times of the JavaScript module.
#[allow(clippy::ref_option, reason = "serde passes the field")]
fn as_millis<S: Serializer>(at: &Option<Seconds>, serializer: S) -> Result<S::Ok, S::Error> {
    at.map(Seconds::to_millis).serialize(serializer)
}

impl Play {
    /// Its name with that of its show: a play has no other id in all documents.
    pub(crate) fn id(&self) -> String {
        concat(&[&self.topic, " / ", &self.name])
    }
}

/// The evidence of a status that the server sent as it is stored.
pub(crate) fn evidence(name: Signal, status: Option<&str>, read_from: &str) -> Evidence {
    let value = status.map_or(Value::Absent, |status| Value::Word(status.to_owned()));
    Evidence { inputs: vec![Input::new(name, value, true)], read_from: read_from.to_owned(), read_at: None }
}
