//! The description of a Smithers run that the panel shows: the answer, the witnesses and the possible actions. The core has
//! sentences in parts, of which the panel makes links and counting times; here each is a text.

use runstate::actions;
use runstate::actions::Call;
use runstate::clock::Reading;
use runstate::evidence::Evidence;
use runstate::freshness::Freshness;
use runstate::header::RunReport;
use runstate::pill::Pill;
use runstate::run::{self, Hidden, RunInspection, Target as NodeRound, Witness};
use runstate::summary;
use runstate::summary::{AnswerPill, Span, agreement, disagreement, text};
use runstate::word::Vocabulary;
use serde::Serialize;
use serde_with::skip_serializing_none;
use tsify::Tsify;

use crate::output::{Json, millis};

/// The panel's description of a Smithers run.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    answer: Answer,
    /// The number of tolerated failures of a succeeded run; 0 for any other run.
    tolerated_failures: u64,
    /// One sentence for each fact that the state hides; `answer.notes` contains those that the answer does not mention
    /// otherwise.
    hidden: Vec<String>,
    witness_comparison: RunWitnessComparison,
    /// The possible actions, the most urgent first: now for a `live` document, else at the time when it was written.
    actions: Vec<Action>,
}

/// The state of a run in words.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
pub struct Answer {
    /// The tone of the answer. Because of a note it may be more severe than that of the pill.
    #[tsify(type = "Tone")]
    tone: &'static str,
    /// Absent if there is no state.
    pill: Option<StatePill>,
    sentence: String,
    /// Additional facts, such as the times since when and until when.
    meta: String,
    /// The reason for the state, in one line.
    because: String,
    /// Important facts besides the state, one sentence each.
    notes: Vec<String>,
}

/// The pill of a state.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct StatePill {
    #[serde(flatten)]
    pill: Pill,
    /// The word of the state, verbatim.
    value: String,
    /// The age of the state as text; absent if it need not be shown.
    as_of: Option<String>,
}

/// An action that a person can take about a run.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    #[tsify(type = "ActionKind")]
    kind: &'static str,
    /// What blocks the run; absent if nothing does, and the action only shows something.
    #[tsify(type = "Blocker")]
    blocker: Option<&'static str>,
    sentence: String,
    /// The node; absent for the run as a whole.
    node: Option<NodeRound>,
    /// The command for it. `WORKFLOW_FILE` is a placeholder for a path that Runstate does not know.
    command: Option<String>,
    /// The Gateway's method for it, with its parameters.
    call: Option<GatewayCall>,
    /// The time until which to wait, in milliseconds since 1970.
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

/// The state of a run according to one source, with its evidence.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct RunWitness {
    #[tsify(type = "WitnessSource")]
    source: &'static str,
    #[tsify(type = "RunState | (string & {})")]
    state: String,
    /// The time that the state refers to, on the server's clock, in milliseconds since 1970.
    at_ms: Option<f64>,
    evidence: Evidence,
}

impl Report {
    pub(crate) fn new(run: &RunInspection, freshness: &Freshness, clock: Reading) -> Self {
        let report = RunReport::new(run, freshness, clock);
        let failures = report.hidden.iter().find_map(|(hidden, _)| match hidden {
            Hidden::ToleratedFailures { count, .. } => Some(*count),
            Hidden::Waiting { .. }
            | Hidden::Retrying { .. }
            | Hidden::Continued
            | Hidden::CancelRequested { .. }
            | Hidden::PauseRequested { .. }
            | Hidden::EndRecorded { .. }
            | Hidden::UnfinishedNodes { .. } => None,
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
                Some(Self { pill: pill.clone(), value: value.clone(), as_of: as_of.clone() })
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
            node: action.node.clone(),
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
            evidence: witness.evidence.clone(),
        }
    }
}
