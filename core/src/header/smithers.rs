//! The header of a Smithers run.

use super::actions::summarize;
use super::{EvidenceLine, Field, FieldValue, Header, evidence_lines};
use crate::actions::{Action, actions};
use crate::clock::Reading;
use crate::format;
use crate::freshness::Freshness;
use crate::pill::Taxonomy;
use crate::run::{Hidden, RunInspection, WitnessComparison};
use crate::smithers::wire::RunStateView;
use crate::summary::{Answer, Span, agreement, answer_with_hidden, failed_node, text};
use crate::text::without_escape_sequences;
use crate::time::Millis;

/// A run at one time: its state as text, and the actions. The panel's header and the result of the JavaScript module
/// are both made from it, so they cannot contradict each other.
///
/// ```
/// use runstate::header::RunReport;
/// use runstate::summary::text;
/// use runstate::ingest::inspect;
/// use runstate::freshness::Freshness;
/// use runstate::time::Millis;
///
/// let now = Millis::parse_iso("2026-11-21T14:06:10.000Z").unwrap();
/// let json = br#"{"runId":"r1","status":"waiting-approval","runState":{"runId":"r1","state":"waiting-approval",
///     "computedAt":"2026-11-21T14:06:08.000Z",
///     "blocked":{"kind":"approval","nodeId":"gate","requestedAt":"2026-11-21T14:00:00.000Z"}}}"#;
/// let run = inspect(json, None, now)?.run.unwrap();
/// let report = RunReport::new(&run, &Freshness::Live { read_at: now }, now.into());
/// assert_eq!(text(&report.answer.sentence), "Waiting for a decision at gate.");
/// assert_eq!(report.actions[0].command.as_deref(), Some("smithers approve r1 --node gate --iteration 0"));
/// // While the feed is lost, it is unknown whether the run still waits.
/// let lost = Freshness::Lost { as_of: now, attempt: 1, retry_at: None, silence_limit_ms: None };
/// assert!(RunReport::new(&run, &lost, now.into()).actions.is_empty());
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunReport {
    /// The state, the sentence, and why.
    pub answer: Answer,
    /// The facts that the state hides, each with its sentence. The answer's notes contain those that its other sentences
    /// omit.
    pub hidden: Vec<(Hidden, Vec<Span>)>,
    /// The possible actions, the most urgent first.
    pub actions: Vec<Action>,
}

impl RunReport {
    /// Makes the report. `clock` is the current time of the server with its error.
    pub fn new(run: &RunInspection, freshness: &Freshness, clock: Reading) -> Self {
        let (answer, hidden) = answer_with_hidden(run, freshness, clock);
        let actions = actions_at(run, freshness, clock).map(|now| actions(run, now)).unwrap_or_default();
        Self { answer, hidden, actions }
    }
}

/// The time for which actions are computed: for a recording, the time of recording; if that is unknown, nothing counts as
/// overdue. `None` while the connection is lost or the server refuses to answer: no actions are offered.
fn actions_at(run: &RunInspection, freshness: &Freshness, clock: Reading) -> Option<Millis> {
    let at = match freshness {
        Freshness::Live { .. } | Freshness::Late { .. } | Freshness::Traffic { old_state: None, .. } => {
            clock.now
        }
        Freshness::Traffic { old_state: Some(at), .. } => *at,
        Freshness::Recorded { at } => at.or_else(|| run.view()?.computed_time()).unwrap_or(Millis(f64::NAN)),
        Freshness::Connecting
        | Freshness::Resyncing { .. }
        | Freshness::Refused { .. }
        | Freshness::Lost { .. } => return None,
    };
    // With an uncertain clock, only times that are certainly in the past count as overdue.
    Some(if at == clock.now && !clock.is_sure() { Millis(at.0 - clock.error_ms) } else { at })
}

/// The header of a Smithers run. `clock` is the server's time; a [`Reading`] with a known error adds that error to the
/// header.
///
/// ```
/// use runstate::freshness::Freshness;
/// use runstate::header::smithers_header;
/// use runstate::run::RunInspection;
/// use runstate::time::Millis;
///
/// let mut run = RunInspection::default();
/// run.workflow = Some("deploy".into());
/// let header = smithers_header(&run, &Freshness::Recorded { at: None }, Millis(0.0));
/// assert_eq!((header.name.as_str(), header.state.as_deref()), ("deploy", None));
/// ```
pub fn smithers_header(run: &RunInspection, freshness: &Freshness, clock: impl Into<Reading>) -> Header {
    let clock = clock.into();
    let now = clock.now;
    let view = run.view();
    let RunReport { answer, actions, .. } = RunReport::new(run, freshness, clock);
    let comparison = run.compare_witnesses();
    let name = run.workflow.clone().or_else(|| run.run_id.clone()).unwrap_or_else(|| "run without id".into());
    Header {
        state: view.map(|view| view.state.as_str().to_owned()),
        blocked: view.and_then(|view| view.blocked.as_ref()).map(|reason| reason.kind().to_owned()),
        unhealthy: view.and_then(|view| view.unhealthy.as_ref()).map(|reason| reason.kind().to_owned()),
        actions: summarize(&actions),
        fields: fields(run, &comparison, &answer, now),
        evidence: evidence(run, &comparison, clock),
        ..Header::new(name, Taxonomy::Run, answer, freshness, now)
    }
}

fn evidence(run: &RunInspection, comparison: &WitnessComparison<'_>, clock: Reading) -> Vec<EvidenceLine> {
    let contradicting = comparison.contradicting().into_iter().map(|witness| &witness.evidence);
    let all = run.evidence().into_iter().chain(contradicting);
    let mut lines = Vec::new();
    for evidence in all {
        let first = lines.len();
        lines.extend(evidence_lines(evidence, clock.now));
        // An age by an unbounded clock is not shown.
        if evidence.read_at == Some(clock.now) && !clock.error_ms.is_finite() {
            lines[first..].iter_mut().for_each(|line: &mut EvidenceLine| line.age.clear());
        }
    }
    lines
}

fn fields(
    run: &RunInspection,
    comparison: &WitnessComparison<'_>,
    answer: &Answer,
    now: Millis,
) -> Vec<Field> {
    [
        Field::id("runId", "Run", run.run_id.clone()),
        Field::text("workflow", "Workflow", run.workflow.clone()),
        Field::text("frameNo", "Frame", run.frame_no.map(format::count)),
        Field::text("seq", "Seq", run.seq.map(format::count)),
        Field::time("startedAt", "Started", run.started_at, now),
        run.view().and_then(|view| computed(view, now)),
        Field::text("witnesses", "Sources", agreement(comparison)),
        Field::text("error", "Error", whole_error(run, answer)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The whole text of an error of which the sentence shows only the beginning.
fn whole_error(run: &RunInspection, answer: &Answer) -> Option<String> {
    let error = without_escape_sequences(run.error.as_deref()?.trim()).into_owned();
    let (_, reason) = failed_node(&error);
    let is_shown = text(&answer.sentence).contains(reason.trim().trim_end_matches('.'));
    (!error.is_empty() && !is_shown).then_some(error)
}

/// `computedAt`, verbatim, and as a time if it is valid.
fn computed(view: &RunStateView, now: Millis) -> Option<Field> {
    let wire = view.computed_at.as_ref()?;
    let text = view.computed_time().map_or_else(|| wire.clone(), |at| format::moment(at, now));
    let value = FieldValue::Time { iso: Some(wire.clone()), text };
    Some(Field { field: "computedAt".into(), label: "State as of".into(), value })
}
