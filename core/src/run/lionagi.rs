//! The inspection of lionagi's sessions.

use std::sync::Arc;

use crate::evidence::{Evidence, Signal};
use crate::lionagi::derive::{
    Disagreement, EffectiveState, Health, NormalizedState, Reaper, Signals, detect_reaper, effective_state,
    normalize, row_disagreements, session_health, status_input,
};
use crate::lionagi::wire::{
    Delivery, LionagiDocumentKind, Play, Seconds, SessionDetail, SessionHealth, SessionRow, Show,
    StoredStatus, Stream, delivery,
};
use crate::problem::Problems;
use crate::refusal::Refusal;
use crate::text::quoted;
use crate::time::Millis;

/// The word for NULL in `/api/stats`.
pub(crate) const NULL_STATUS: &str = "(null)";

/// The result of reading one document of lionagi, or of joining several.
///
/// ```
/// use runstate::ingest::lionagi::read;
/// use runstate::time::Millis;
///
/// let list = r#"{"runs":[{"session_id":"s1","status":null},{"session_id":"s2","status":"failed"}],"per_page":20}"#;
/// let inspection = read(list, "/api/runs", Millis(1_716_300_000_000.0))?;
/// assert!(inspection.session.is_none()); // a list
/// assert_eq!((inspection.sessions.len(), inspection.legacy_sessions()), (2, 1));
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct LionagiInspection {
    /// The kind of the document.
    pub kind: LionagiDocumentKind,
    /// The session or invocation that the document is about; `None` if it is a list or an error.
    pub session: Option<SessionInspection>,
    /// The sessions of a list, or of the invocation.
    pub sessions: Vec<SessionInspection>,
    /// The shows of a list.
    pub shows: Vec<Show>,
    /// The plays of a list.
    pub plays: Vec<Play>,
    /// The number of sessions with each stored status, from `/api/stats`. The word for NULL is `(null)`.
    pub status_counts: Vec<(String, u64)>,
    /// The server's refusal, if the document is one.
    pub refusal: Option<Refusal>,
    /// The parts of the document that could not be read.
    pub problems: Problems,
}

impl LionagiInspection {
    pub(crate) fn new(kind: LionagiDocumentKind) -> Self {
        Self {
            kind,
            session: None,
            sessions: Vec::new(),
            shows: Vec::new(),
            plays: Vec::new(),
            status_counts: Vec::new(),
            refusal: None,
            problems: Problems::default(),
        }
    }

    /// Whether it has neither sessions nor shows nor plays.
    pub(crate) fn has_no_rows(&self) -> bool {
        let rows = self.sessions.is_empty() && self.shows.is_empty() && self.plays.is_empty();
        rows && self.session.is_none()
    }

    /// Clears what may be different after the end of a truncated text: the number of plays, and the status of a session that
    /// has not ended. Returns that status.
    pub(crate) fn clear_uncertain(&mut self, read_from: &str, now: Millis) -> Option<String> {
        if self.kind == LionagiDocumentKind::Show {
            self.shows.iter_mut().for_each(|show| show.play_count = None);
        }
        let session = self.session.as_mut()?;
        let mut row = std::mem::take(&mut session.row);
        let hidden_status = row.status.label().filter(|_| !row.status.is_terminal()).map(quoted);
        if hidden_status.is_some() {
            row.status = StoredStatus::Absent;
        }
        *session = SessionInspection::from_row(row, session.source, read_from, now);
        hidden_status
    }

    /// The number of sessions of a list with a NULL status: by the server's count, or by the rows of the list.
    pub fn legacy_sessions(&self) -> u64 {
        if let Some((_, count)) = self.status_counts.iter().find(|(status, _)| status == NULL_STATUS) {
            return *count;
        }
        // An invocation is not a session.
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
/// // There is no evidence of work.
/// assert_eq!(session.delivery, Some(Delivery::Invalid));
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SessionInspection {
    /// The kind of document that it was read from.
    pub source: LionagiDocumentKind,
    /// The row.
    pub row: SessionRow,
    /// Its health, if it is known.
    pub health: Option<Health>,
    /// Status and health in one word; `None` if the document has no status.
    pub effective: Option<EffectiveState>,
    /// Whether it delivered its artifacts; `None` if the document does not say.
    pub delivery: Option<Delivery>,
    /// Its state on the axes of ADR-0033.
    pub normalized: NormalizedState,
    /// The housekeeping task that wrote its status.
    pub reaper: Option<Reaper>,
    /// Contradictions in the server's answers.
    pub disagreements: Vec<Disagreement>,
    /// The inputs of its state.
    pub evidence: Evidence,
    /// Its event stream, if one was read.
    pub stream: Option<Stream>,
    /// Its branches with their messages, if its detail was read.
    pub(crate) detail: Option<Arc<SessionDetail>>,
}

impl SessionInspection {
    /// Inspects a row. If the server reported no health, it is classified without knowledge of the process.
    pub(crate) fn from_row(
        row: SessionRow,
        source: LionagiDocumentKind,
        read_from: &str,
        now: Millis,
    ) -> Self {
        let signals = Signals { now: Some(Seconds::from(now)), ..Signals::default() };
        let health = session_health(&row, &signals);
        // The command line does not look at processes: without a sign of trouble the health is not known.
        let is_known = |health: &Health| {
            source != LionagiDocumentKind::AgentStatus
                || health.reported
                || health.process_alive.is_some()
                || health.word.known() != Some(SessionHealth::Healthy)
        };
        let health = health.filter(is_known);
        let reaper = detect_reaper(&row);
        let effective = effective_state(&row.status, health.as_ref().map(|health| &health.word), reaper);
        let mut evidence = Evidence {
            inputs: vec![status_input(&row)],
            read_from: read_from.to_owned(),
            read_at: Some(now),
        };
        if let Some(health) = &health {
            // If the health is known, its inputs are decisive, otherwise the status.
            let has_status = health.evidence.inputs.iter().any(|input| input.name == Signal::SessionStatus);
            if has_status {
                evidence.inputs.clear();
            } else {
                evidence.inputs.iter_mut().for_each(|input| input.decisive = false);
            }
            evidence.inputs.extend(health.evidence.inputs.iter().cloned());
        }
        Self {
            source,
            delivery: delivery(&row.status, &row.contract),
            normalized: normalize(&row, health.as_ref(), &signals),
            disagreements: row_disagreements(&row),
            health,
            effective,
            reaper,
            evidence,
            stream: None,
            detail: None,
            row,
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn inspection_of_a_session() -> Result<(), Box<dyn std::error::Error>> {
        use crate::lionagi::wire::{LionagiDocumentKind, read_session};
        use crate::run::lionagi::SessionInspection;
        use crate::time::Millis;
        let row = read_session(r#"{"session_id":"s1","status":"running","effective_health":"stale"}"#)?;
        let now = Millis(1_716_300_000_000.0);
        let session = SessionInspection::from_row(row, LionagiDocumentKind::Session, "/api/runs", now);
        assert_eq!(session.effective.unwrap().word, "stale running");
        Ok(())
    }
}
