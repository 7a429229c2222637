//! The header of a Smithers run.

use super::actions::summarize;
use super::{EvidenceLine, Field, FieldValue, Header, evidence_lines};
use crate::clock::Reading;
use crate::format;
use crate::freshness::Freshness;
use crate::header::report::RunReport;
use crate::pill::Taxonomy;
use crate::run::RunInspection;
use crate::run::Testimony;
use crate::smithers::wire::RunStateView;
use crate::summary::{AnswerPill, agreement, freshness_pill};
use crate::time::Millis;

/// The header of a Smithers run. `now` is the server-anchored now.
///
/// ```
/// use runstate::freshness::Freshness;
/// use runstate::header::of_run;
/// use runstate::run::RunInspection;
/// use runstate::time::Millis;
///
/// let run = RunInspection { workflow: Some("deploy".into()), ..RunInspection::default() };
/// let header = of_run(&run, &Freshness::Recorded { at: None }, Millis(0.0));
/// assert_eq!((header.name.as_str(), header.state.as_deref()), ("deploy", None));
/// ```
pub fn of_run(run: &RunInspection, freshness: &Freshness, now: Millis) -> Header {
    of_run_by(run, freshness, Reading::exact(now))
}

/// The same with a clock error, which the header shows.
///
/// ```
/// use runstate::clock::Reading;
/// use runstate::freshness::Freshness;
/// use runstate::header::{of_run, of_run_by};
/// use runstate::run::RunInspection;
/// use runstate::time::Millis;
///
/// let (run, freshness) = (RunInspection::default(), Freshness::Recorded { at: None });
/// let now = Millis(1_700_000_000_000.0);
/// // A clock that is known exactly adds nothing.
/// assert_eq!(of_run_by(&run, &freshness, Reading::exact(now)), of_run(&run, &freshness, now));
/// ```
pub fn of_run_by(run: &RunInspection, freshness: &Freshness, clock: Reading) -> Header {
    let now = clock.now;
    let view = run.verdict.view();
    let (fresh, word) = freshness_pill(freshness, now);
    let RunReport { answer, testimony, actions, .. } = RunReport::new(run, freshness, clock);
    Header {
        name: run.workflow.clone().or_else(|| run.run_id.clone()).unwrap_or_else(|| "run without id".into()),
        state: view.map(|view| view.state.as_str().to_owned()),
        blocked: view.and_then(|view| view.blocked.as_ref()).map(|reason| reason.kind().to_owned()),
        unhealthy: view.and_then(|view| view.unhealthy.as_ref()).map(|reason| reason.kind().to_owned()),
        label: "Run state".into(),
        taxonomy: Taxonomy::Run,
        answer,
        axes: Vec::new(),
        actions: summarize(&actions),
        fields: fields(run, &testimony, now),
        evidence: evidence(run, &testimony, clock),
        freshness: AnswerPill::Pill { pill: fresh, value: word.into(), as_of: None },
    }
}

fn evidence(run: &RunInspection, testimony: &Testimony, clock: Reading) -> Vec<EvidenceLine> {
    let against = testimony.against().into_iter().map(|witness| &witness.evidence);
    let all = run.verdict.evidence().into_iter().chain(against);
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

fn fields(run: &RunInspection, testimony: &Testimony, now: Millis) -> Vec<Field> {
    [
        Field::id("runId", "Run", run.run_id.clone()),
        Field::text("workflow", "Workflow", run.workflow.clone()),
        Field::text("frameNo", "Frame", run.frame_no.map(format::count)),
        Field::text("seq", "Seq", run.seq.map(format::count)),
        Field::time("startedAt", "Started", run.started_at, now),
        run.verdict.view().and_then(|view| computed(view, now)),
        Field::text("witnesses", "Witnesses", agreement(testimony)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// `computedAt` exactly as it came, and as a moment if it is one.
fn computed(view: &RunStateView, now: Millis) -> Option<Field> {
    let wire = view.computed_at.as_ref()?;
    let text = view.said_at().map_or_else(|| wire.clone(), |at| format::moment(at, now));
    let value = FieldValue::Time { iso: Some(wire.clone()), text };
    Some(Field { field: "computedAt".into(), label: "Computed".into(), value })
}
