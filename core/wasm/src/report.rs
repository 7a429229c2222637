//! The panel's description of a Smithers run in words: the answer, the witnesses and the possible actions.

use runstate::actions;
use runstate::actions::Call;
use runstate::clock::Reading;
use runstate::freshness::Freshness;
use runstate::header::RunReport;
use runstate::run::{self, Hidden, RunInspection, Witness};
use runstate::summary;
use runstate::summary::{AnswerPill, Span, agreement, disagreement, text};
use runstate::word::Vocabulary;
use serde::Serialize;
use serde_with::skip_serializing_none;
use tsify::Tsify;

use crate::evidence::Evidence;
use crate::node::NodeRound;
use crate::output::{Json, millis};
use crate::pill::Pill;

/// What the panel says about a run.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    answer: Answer,
    /// How many failures a run that succeeded tolerated; 0 for any other.
    tolerated_failures: u64,
    /// A sentence for each thing that the state hides; `answer.notes` has those that no other sentence of the answer mentions.
    hidden: Vec<String>,
    witness_comparison: RunWitnessComparison,
    /// What can be done, the most pressing first: now for a document that is `live`, else when it was written.
    actions: Vec<Action>,
}

/// What a run is doing, in words.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
pub struct Answer {
    /// The tone of the whole answer; a note may raise it above that of the pill.
    #[tsify(type = "Tone")]
    tone: &'static str,
    /// Absent where there is no state.
    pill: Option<StatePill>,
    sentence: String,
    /// What there is to add: since when, until when.
    meta: String,
    /// Why, in one line.
    because: String,
    /// What must not be missed besides the state.
    notes: Vec<String>,
}

/// The pill of a state.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct StatePill {
    #[serde(flatten)]
    pill: Pill,
    /// The word of the state as it came.
    value: String,
    /// How old it is, where that must be said.
    as_of: Option<String>,
}

/// One thing to do about a run.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    #[tsify(type = "ActionKind")]
    kind: &'static str,
    /// What holds the run up; absent where nothing does and there is only something to see.
    #[tsify(type = "Blocker")]
    blocker: Option<&'static str>,
    sentence: String,
    /// Where; absent for the run as a whole.
    node: Option<NodeRound>,
    /// The command that does it; `WORKFLOW_FILE` in it stands for a path that only the user knows.
    command: Option<String>,
    /// The Gateway's method that does it.
    call: Option<GatewayCall>,
    /// Until when to wait.
    until_ms: Option<f64>,
}

/// A call to a Gateway.
#[derive(Serialize, Tsify)]
pub struct GatewayCall {
    method: &'static str,
    #[tsify(type = "Record<string, unknown>")]
    params: Json,
}

/// The witnesses of the run's state, compared.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[tsify(type = "WitnessComparison<RunWitness>")]
pub struct RunWitnessComparison {
    witnesses: Vec<RunWitness>,
    shown: Option<RunWitness>,
    reason: &'static str,
    contradicting: Vec<RunWitness>,
    note: Option<String>,
    agreement: Option<String>,
}

/// What one source reports, and what that rests on.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct RunWitness {
    #[tsify(type = "WitnessSource")]
    source: &'static str,
    #[tsify(type = "RunState | (string & {})")]
    state: String,
    /// As of when, on the server's clock.
    at_ms: Option<f64>,
    evidence: Evidence,
}

impl Report {
    pub(crate) fn new(run: &RunInspection, freshness: &Freshness, clock: Reading) -> Self {
        let report = RunReport::new(run, freshness, clock);
        let failures = report.hidden.iter().find_map(|(hidden, _)| match hidden {
            Hidden::ToleratedFailures { count, .. } => Some(*count),
            Hidden::Waiting { .. } | Hidden::Retrying { .. } | Hidden::Continued => None,
        });
        Self {
            answer: (&report.answer).into(),
            tolerated_failures: failures.unwrap_or_default(),
            hidden: report.hidden.iter().map(|(_, sentence)| text(sentence)).collect(),
            witness_comparison: run.compare_witnesses().into(),
            actions: report.actions.iter().map(Action::from).collect(),
        }
    }
}

impl From<&summary::Answer> for Answer {
    fn from(answer: &summary::Answer) -> Self {
        Self {
            tone: answer.tone.as_str(),
            pill: StatePill::of(&answer.pill),
            sentence: text(&answer.sentence),
            meta: text(&answer.meta),
            because: text(&answer.because),
            notes: answer.notes.iter().map(|parts: &Vec<Span>| text(parts)).collect(),
        }
    }
}

impl StatePill {
    pub(crate) fn of(pill: &AnswerPill) -> Option<Self> {
        match pill {
            AnswerPill::Absent => None,
            AnswerPill::Pill { pill, value, as_of } => {
                Some(Self { pill: pill.into(), value: value.clone(), as_of: as_of.clone() })
            }
        }
    }
}

impl From<&actions::Action> for Action {
    fn from(action: &actions::Action) -> Self {
        let call = |call: &Call| GatewayCall { method: call.method, params: Json::parse(&call.params) };
        Self {
            kind: action.kind.as_str(),
            blocker: action.blocker.map(Vocabulary::as_str),
            sentence: text(&action.sentence),
            node: action.node.as_ref().map(NodeRound::from),
            command: action.command.clone(),
            call: action.call.as_ref().map(call),
            until_ms: millis(action.until),
        }
    }
}

impl From<run::WitnessComparison<'_>> for RunWitnessComparison {
    fn from(comparison: run::WitnessComparison<'_>) -> Self {
        Self {
            witnesses: comparison.witnesses.iter().copied().map(RunWitness::from).collect(),
            shown: comparison.shown.map(RunWitness::from),
            reason: comparison.reason(),
            contradicting: comparison.contradicting().into_iter().map(RunWitness::from).collect(),
            note: disagreement(&comparison).map(|note| text(&note)),
            agreement: agreement(&comparison),
        }
    }
}

impl From<&Witness> for RunWitness {
    fn from(witness: &Witness) -> Self {
        Self {
            source: witness.source.as_str(),
            state: witness.view.state.to_string(),
            at_ms: millis(witness.at),
            evidence: (&witness.evidence).into(),
        }
    }
}
