//! Sessions, shows and plays of lionagi.

use runstate::lionagi::wire;
use runstate::lionagi::wire::Seconds;
use runstate::run::lionagi;
use std::collections::BTreeMap;

use runstate::word::{Vocabulary, Word};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use tsify::Tsify;

use crate::error::Error;
use crate::evidence::{Evidence, EvidenceInput};
use crate::inspect::Refusal;
use crate::output::{Json, read_own};

/// A document of lionagi: an answer of Studio, or the output of `li`.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct LionagiInspection {
    #[tsify(type = "\"lionagi\"")]
    system: &'static str,
    #[tsify(type = "LionagiRecognised")]
    recognised: &'static str,
    /// The session in view; absent where the document is a list or an error.
    session: Option<SessionInspection>,
    sessions: Vec<SessionInspection>,
    shows: Vec<Show>,
    plays: Vec<Play>,
    /// How many sessions have which stored status; `(null)` is NULL.
    #[tsify(type = "Record<string, number>")]
    status_counts: BTreeMap<String, u64>,
    refusal: Option<Refusal>,
    problems: Vec<String>,
}

/// What is known of one session.
#[skip_serializing_none]
#[derive(Serialize, Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SessionInspection {
    session_id: Option<String>,
    name: Option<String>,
    /// As it is stored, `null` for NULL; absent where the document does not contain it.
    #[serde(default, deserialize_with = "present")]
    #[tsify(type = "string | null")]
    status: Option<Json>,
    #[tsify(type = "string | null")]
    state: Json,
    #[tsify(type = "string | null")]
    health: Json,
    #[tsify(type = "string | null")]
    delivery: Json,
    /// Whether the status was set by the server's housekeeping.
    reaped: bool,
    normalized: NormalizedState,
    disagreements: Vec<Disagreement>,
    evidence: Evidence,
}

/// A session on the axes of ADR-0033, in the keys of the ADR. `source` says that a viewer computed it.
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
    evidence: Vec<EvidenceInput>,
}

/// Where the server contradicts itself.
#[skip_serializing_none]
#[derive(Serialize, Deserialize, Tsify)]
pub struct Disagreement {
    question: String,
    answers: Vec<DisagreementAnswer>,
    why: Option<String>,
}

/// One of the answers that contradict each other.
#[derive(Serialize, Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct DisagreementAnswer {
    said: String,
    read_from: String,
}

/// A show of plays, as it is stored.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Show {
    topic: String,
    goal: Option<String>,
    status: Option<String>,
    play_count: Option<f64>,
    updated_at_ms: Option<f64>,
    evidence: Evidence,
}

/// A play of a show: work that a session does behind a gate.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Play {
    topic: String,
    name: String,
    status: Option<String>,
    session_id: Option<String>,
    attempt: Option<f64>,
    /// What its gate says.
    feedback: Option<String>,
    /// Why the server could not read the play itself.
    live_error: Option<String>,
    started_at_ms: Option<f64>,
    updated_at_ms: Option<f64>,
    ended_at_ms: Option<f64>,
    evidence: Evidence,
}

/// Keeps `null` apart from an absent field.
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
            shows: inspection.shows.iter().map(Show::from).collect(),
            plays: inspection.plays.iter().map(Play::from).collect(),
            status_counts: inspection.status_counts.iter().cloned().collect(),
            refusal: inspection.refusal.as_ref().map(Refusal::from),
            problems: problems.to_vec(),
        })
    }
}

impl From<&wire::Show> for Show {
    fn from(show: &wire::Show) -> Self {
        Self {
            topic: show.topic.clone(),
            goal: show.goal.clone(),
            status: show.status.as_ref().map(Word::to_string),
            play_count: show.play_count.map(|count| count as f64),
            updated_at_ms: millis(show.updated_at),
            evidence: (&show.evidence).into(),
        }
    }
}

impl From<&wire::Play> for Play {
    fn from(play: &wire::Play) -> Self {
        Self {
            topic: play.topic.clone(),
            name: play.name.clone(),
            status: play.status.as_ref().map(Word::to_string),
            session_id: play.session_id.clone(),
            attempt: play.attempt.map(|attempt| attempt as f64),
            feedback: play.feedback.clone(),
            live_error: play.live_error.clone(),
            started_at_ms: millis(play.started_at),
            updated_at_ms: millis(play.updated_at),
            ended_at_ms: millis(play.ended_at),
            evidence: (&play.evidence).into(),
        }
    }
}

fn millis(at: Option<Seconds>) -> Option<f64> {
    at.map(|at| at.to_millis().0)
}
