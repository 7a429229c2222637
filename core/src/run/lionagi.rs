//! The inspection of lionagi's sessions.

use crate::evidence::{Evidence, Signal};
use crate::lionagi::derive::status_input;
use crate::lionagi::derive::within;
use crate::lionagi::derive::{
    Disagreement, EffectiveState, Health, NormalizedState, Reaped, Signals, effective_state, health_of,
    normal, reaped,
};
use crate::lionagi::wire::{
    Delivery, LionagiRecognised, Play, Seconds, SessionRow, Show, StoredStatus, Stream, delivery,
};
use crate::refusal::Refusal;
use crate::text::quoted;
use crate::time::Millis;

/// Everything that is known after reading one document of lionagi, or several that were joined.
///
/// ```
/// use runstate::ingest::lionagi::read;
/// use runstate::time::Millis;
///
/// let list = r#"{"runs":[{"session_id":"s1","status":null},{"session_id":"s2","status":"failed"}],"per_page":20}"#;
/// let inspection = read(list, "/api/runs", Millis(1_716_300_000_000.0))?;
/// assert!(inspection.session.is_none(), "a list, nobody chose one yet");
/// assert_eq!((inspection.sessions.len(), inspection.legacy_sessions()), (2, 1));
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Debug)]
pub struct LionagiInspection {
    /// What was recognised.
    pub recognised: LionagiRecognised,
    /// The session in view, or the invocation; `None` where the document is a list or an error.
    pub session: Option<SessionInspection>,
    /// The sessions to choose from; an invocation's own sessions.
    pub sessions: Vec<SessionInspection>,
    /// The shows to choose from.
    pub shows: Vec<Show>,
    /// The plays to choose from.
    pub plays: Vec<Play>,
    /// How many sessions have which stored status, as `/api/stats` counts them. NULL is `(null)` there.
    pub status_counts: Vec<(String, u64)>,
    /// What the server refused, if the document is a refusal.
    pub refusal: Option<Refusal>,
    /// What could not be read although the rest loads.
    pub problems: Vec<String>,
}

impl LionagiInspection {
    pub(crate) fn new(recognised: LionagiRecognised) -> Self {
        Self {
            recognised,
            session: None,
            sessions: Vec::new(),
            shows: Vec::new(),
            plays: Vec::new(),
            status_counts: Vec::new(),
            refusal: None,
            problems: Vec::new(),
        }
    }

    /// Whether there is nothing to show in it but a refusal or counts.
    pub(crate) fn says_nothing(&self) -> bool {
        let rows = self.sessions.is_empty() && self.shows.is_empty() && self.plays.is_empty();
        rows && self.session.is_none()
    }

    /// Clears what was derived from absent fields, where the text is truncated: the status of a session that has not ended, and
    /// the number of plays. Returns the status that is no longer shown.
    pub(crate) fn doubt(&mut self, read_from: &str, now: Millis) -> Option<String> {
        if self.recognised == LionagiRecognised::Show {
            self.shows.iter_mut().for_each(|show| show.play_count = None);
        }
        let session = self.session.as_mut()?;
        let mut row = std::mem::take(&mut session.row);
        let hidden_status = row.status.shown().filter(|_| !row.status.is_terminal()).map(quoted);
        if hidden_status.is_some() {
            row.status = StoredStatus::Absent;
        }
        *session = SessionInspection::from_row(row, session.source, read_from, now);
        hidden_status
    }

    /// How many sessions of a list are older than the vocabulary: by the server's count, else by the rows that are here. A
    /// session that is in view alone says so itself and is not counted.
    pub fn legacy_sessions(&self) -> u64 {
        if let Some((_, count)) = self.status_counts.iter().find(|(status, _)| status == "(null)") {
            return *count;
        }
        // An invocation groups sessions and is none.
        let legacy = |session: &&SessionInspection| {
            session.row.status == StoredStatus::Legacy && session.row.session_count.is_none()
        };
        self.sessions.iter().filter(legacy).count() as u64
    }
}

/// The inspection of one session or invocation.
///
/// ```
/// use runstate::lionagi::wire::Delivery;
/// use runstate::ingest::lionagi::read;
/// use runstate::pill::Taxonomy;
/// use runstate::time::Millis;
///
/// let row = r#"{"session_id":"s1","agent_name":"reviewer","status":"completed_empty","invocation_kind":"agent",
///     "artifact_contract_json":null}"#;
/// let session = read(row, "/api/sessions/s1", Millis(1_716_300_000_000.0))?.session.unwrap();
/// assert_eq!(session.name(), Some("reviewer"));
/// assert_eq!(session.state(), (Taxonomy::Session, Some("completed_empty")));
/// // It ended normally, and left no evidence of work.
/// assert_eq!(session.delivery, Some(Delivery::Invalid));
/// assert!(session.to_json().contains(r#""delivery":"invalid""#));
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SessionInspection {
    /// The kind of document that it was read from.
    pub source: LionagiRecognised,
    /// The row.
    pub row: SessionRow,
    /// Its health, where it is known.
    pub health: Option<Health>,
    /// Status and health in one word; `None` where the document has no status.
    pub effective: Option<EffectiveState>,
    /// Whether it delivered; `None` where the document does not say.
    pub delivery: Option<Delivery>,
    /// The same on the axes of ADR-0033, by our own projection.
    pub normalized: NormalizedState,
    /// Whether the status is the server's housekeeping.
    pub reaped: Option<Reaped>,
    /// Where the server disagrees with itself.
    pub disagreements: Vec<Disagreement>,
    /// The inputs of the state.
    pub evidence: Evidence,
    /// Its stream, where one was read.
    pub stream: Option<Stream>,
}

impl SessionInspection {
    /// Makes the inspection of a row. Without the server's health the row is classified here; a viewer cannot probe the process,
    /// so whether it lives is unknown.
    ///
    /// ```
    /// use runstate::lionagi::wire::{LionagiRecognised, read_session};
    /// use runstate::run::lionagi::SessionInspection;
    /// use runstate::time::Millis;
    ///
    /// let row = read_session(r#"{"session_id":"s1","status":"running","effective_health":"stale"}"#)?;
    /// let now = Millis(1_716_300_000_000.0);
    /// let session = SessionInspection::from_row(row, LionagiRecognised::Session, "/api/runs", now);
    /// assert_eq!(session.effective.unwrap().word, "stale running");
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn from_row(row: SessionRow, source: LionagiRecognised, read_from: &str, now: Millis) -> Self {
        let signals = Signals { now: Some(Seconds::from(now)), ..Signals::default() };
        let health = health_of(&row, &signals);
        let reaped = reaped(&row);
        let effective = effective_state(&row.status, health.as_ref().map(|health| &health.word), reaped);
        let mut evidence = Evidence {
            inputs: vec![status_input(&row)],
            read_from: read_from.to_owned(),
            read_at: Some(now),
        };
        if let Some(health) = &health {
            // What decided the health is what the answer rests on; the status alone decides where there is no health.
            let stated = health.evidence.inputs.iter().any(|input| input.name == Signal::SessionStatus);
            if stated {
                evidence.inputs.clear();
            } else {
                evidence.inputs.iter_mut().for_each(|input| input.decisive = false);
            }
            evidence.inputs.extend(health.evidence.inputs.iter().cloned());
        }
        Self {
            source,
            delivery: delivery(&row.status, &row.contract),
            normalized: normal::normalize(&row, health.as_ref(), &signals),
            disagreements: within(&row),
            health,
            effective,
            reaped,
            evidence,
            stream: None,
            row,
        }
    }
}
