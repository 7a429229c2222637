//! Sessions, shows and plays of lionagi.

use std::collections::BTreeMap;

use runstate::evidence::Evidence;
use runstate::lionagi::derive::{Disagreement, NormalizedState};
use runstate::lionagi::wire::{Delivery, Play, Show, StoredStatus};
use runstate::refusal::Refusal;
use runstate::run::lionagi;
use runstate::word::Vocabulary;
use serde::Serialize;
use serde_with::skip_serializing_none;
use tsify::Tsify;

/// The result of `inspect` for a lionagi document: a response of Studio, or the output of `li`.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct LionagiInspection {
    #[tsify(type = "\"lionagi\"")]
    system: &'static str,
    #[tsify(type = "LionagiRecognised")]
    recognised: &'static str,
    /// The document's only session; absent if the document is a list or an error.
    session: Option<SessionInspection>,
    sessions: Vec<SessionInspection>,
    shows: Vec<Show>,
    plays: Vec<Play>,
    /// The number of sessions with each stored status; the key `(null)` stands for NULL.
    #[tsify(type = "Record<string, number>")]
    status_counts: BTreeMap<String, u64>,
    refusal: Option<Refusal>,
    problems: Vec<String>,
}

/// All facts about a session.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SessionInspection {
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The stored status, `null` for NULL; absent if the document does not contain it.
    #[serde(skip_serializing_if = "is_absent")]
    #[tsify(optional, type = "string | null")]
    status: StoredStatus,
    #[tsify(type = "string | null")]
    state: Option<String>,
    #[tsify(type = "string | null")]
    health: Option<String>,
    #[tsify(type = "string | null")]
    delivery: Option<Delivery>,
    /// Whether the server's reaper set the status.
    reaped: bool,
    normalized: NormalizedState,
    disagreements: Vec<Disagreement>,
    evidence: Evidence,
}

impl From<&lionagi::SessionInspection> for SessionInspection {
    fn from(session: &lionagi::SessionInspection) -> Self {
        Self {
            session_id: session.row.session_id.clone(),
            name: session.row.name.clone(),
            status: session.row.status.clone(),
            state: session.effective.as_ref().map(|state| state.word.to_string()),
            health: session.health.as_ref().map(|health| health.word.to_string()),
            delivery: session.delivery,
            reaped: session.reaper.is_some(),
            normalized: session.normalized.clone(),
            disagreements: session.disagreements.clone(),
            evidence: session.evidence.clone(),
        }
    }
}

fn is_absent(status: &StoredStatus) -> bool {
    *status == StoredStatus::Absent
}

impl LionagiInspection {
    pub(crate) fn new(inspection: &lionagi::LionagiInspection, problems: &[String]) -> Self {
        Self {
            system: "lionagi",
            recognised: inspection.kind.as_str(),
            session: inspection.session.as_ref().map(SessionInspection::from),
            sessions: inspection.sessions.iter().map(SessionInspection::from).collect(),
            shows: inspection.shows.clone(),
            plays: inspection.plays.clone(),
            status_counts: inspection.status_counts.iter().cloned().collect(),
            refusal: inspection.refusal.clone(),
            problems: problems.to_vec(),
        }
    }
}
