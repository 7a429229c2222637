//! Sessions, shows and plays of lionagi.

use runstate::lionagi::wire::{Play, Show};
use runstate::refusal::Refusal;
use runstate::run::lionagi;
use std::collections::BTreeMap;

use runstate::word::Vocabulary;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use tsify::Tsify;

use crate::error::Error;
use crate::output::{Json, read_own};

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
#[skip_serializing_none]
#[derive(Serialize, Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SessionInspection {
    session_id: Option<String>,
    name: Option<String>,
    /// The stored status, `null` for NULL; absent if the document does not contain it.
    #[serde(default, deserialize_with = "present")]
    #[tsify(type = "string | null")]
    status: Option<Json>,
    #[tsify(type = "string | null")]
    state: Json,
    #[tsify(type = "string | null")]
    health: Json,
    #[tsify(type = "string | null")]
    delivery: Json,
    /// Whether the server's reaper set the status.
    reaped: bool,
    normalized: NormalizedState,
    disagreements: Vec<Disagreement>,
    #[tsify(type = "Evidence")]
    evidence: Json,
}

/// The normalized state of a session by ADR-0033, with the keys of the ADR. `evaluated_at` is in seconds since 1970;
/// `source` tells that a viewer computed it.
#[derive(Serialize, Deserialize, Tsify)]
pub struct NormalizedState {
    #[tsify(type = "string | null")]
    lifecycle: Json,
    #[tsify(type = "string | null")]
    outcome: Json,
    #[tsify(type = "string | null")]
    health: Json,
    #[tsify(type = "string | null")]
    delivery: Json,
    #[tsify(type = "Severity")]
    severity: String,
    #[tsify(type = "SeverityTone")]
    tone: String,
    reasons: Vec<NormalizedReason>,
    #[tsify(type = "number | null")]
    evaluated_at: Json,
    policy_version: String,
    source: String,
}

/// Why a session has its severity.
#[derive(Serialize, Deserialize, Tsify)]
pub struct NormalizedReason {
    code: String,
    message: String,
    claim_status: String,
    #[tsify(type = "\"session\"")]
    entity_type: String,
    #[tsify(type = "string | null")]
    entity_id: Json,
    #[tsify(type = "EvidenceInput[]")]
    evidence: Json,
}

/// A contradiction between answers of the server.
#[skip_serializing_none]
#[derive(Serialize, Deserialize, Tsify)]
pub struct Disagreement {
    question: String,
    answers: Vec<DisagreementAnswer>,
    why: Option<String>,
}

/// One of the contradicting answers.
#[derive(Serialize, Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct DisagreementAnswer {
    said: String,
    read_from: String,
}

/// Distinguishes `null` from an absent field.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

impl LionagiInspection {
    pub(crate) fn new(inspection: &lionagi::LionagiInspection, problems: &[String]) -> Result<Self, Error> {
        let session =
            |session: &lionagi::SessionInspection| read_own::<SessionInspection>(&session.to_json());
        Ok(Self {
            system: "lionagi",
            recognised: inspection.kind.as_str(),
            session: inspection.session.as_ref().map(session).transpose()?,
            sessions: inspection.sessions.iter().map(session).collect::<Result<_, _>>()?,
            shows: inspection.shows.clone(),
            plays: inspection.plays.clone(),
            status_counts: inspection.status_counts.iter().cloned().collect(),
            refusal: inspection.refusal.clone(),
            problems: problems.to_vec(),
        })
    }
}
