//! What an object says of a run, by its keys.

use super::list::{list, read_rows};
use super::{Origin, at_place, inspection, is_text, problem};
use crate::ingest::smithers::ps;
use crate::ingest::smithers::{read_inspect_output, read_status_output, read_why_output};
use crate::ingest::validate::refuse_duplicates;
use crate::ingest::{DocumentError, acknowledged, hints, partial};
use crate::json::{ReadError, Slice, fields};
use crate::run::{Inspection, Recognised, RunInspection};
use crate::run::{error_text, said};
use crate::smithers::wire::{RunRow, RunStateView, RunStatus};
use crate::text::{concat, quoted};
use crate::word::Word;

/// What an object says of a run.
enum Payload<'a> {
    Snapshot,
    InspectOutput,
    WhyOutput,
    StatusOutput,
    RunState,
    Run,
    /// With its rows.
    PsOutput(Slice<'a>),
}

/// What an object says, by its keys; `None` where it is nothing that is read.
fn kind(slice: Slice<'_>) -> Result<Option<Payload<'_>>, ReadError> {
    let names = ["version", "root", "run", "runState", "steps", "nodes", "blockers", "summary"];
    let [version, root, run, run_state, steps, nodes, blockers, summary] = fields(slice, names)?;
    let names = ["runId", "run_id", "state", "computedAt", "verdict", "counts"];
    let [run_id, row_id, state, computed_at, verdict, counts] = fields(slice, names)?;
    let header = || version.and(run_state).and(run_id).is_some();
    Ok(if root.is_some() && (version.is_some() || run_id.is_some()) || header() {
        Some(Payload::Snapshot)
    } else if run.is_some_and(Slice::is_object) && run_state.or(steps).or(nodes).is_some() {
        Some(Payload::InspectOutput)
    } else if run_id.is_some() && blockers.is_some_and(Slice::is_array) && is_text(summary) {
        Some(Payload::WhyOutput)
    } else if is_text(verdict) && counts.is_some_and(Slice::is_object) {
        Some(Payload::StatusOutput)
    } else if run_id.is_some() && state.is_some() && computed_at.is_some() {
        Some(Payload::RunState)
    } else if run_id.or(row_id).is_some() && is_row(slice)? {
        Some(Payload::Run)
    } else if run_id.and(state).is_some() && fields(slice, ["nodeId", "type"])?.iter().all(Option::is_none) {
        return Err(slice.refuse("The run state has no \"computedAt\"."));
    } else {
        ps::rows(slice)?.map(Payload::PsOutput)
    })
}

/// Reads what an envelope held, or a document without one.
pub(super) fn payload(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, DocumentError> {
    if slice.is_array() {
        return list(slice, origin);
    }
    let kind = if slice.is_object() {
        if let Some(refusal) = acknowledged::refusal(slice, origin.method.as_deref())? {
            return Err(refusal);
        }
        kind(slice)?
    } else {
        None
    };
    let kind = kind.ok_or_else(|| hints::not_recognised(slice))?;
    if !matches!(kind, Payload::Snapshot | Payload::PsOutput(_)) {
        refuse_duplicates(slice)?;
    }
    Ok(match kind {
        Payload::Snapshot => return of_snapshot(slice, origin),
        Payload::InspectOutput => {
            let run = read_inspect_output(slice, &origin.read_from("smithers inspect"))?;
            with_state(Recognised::InspectOutput, slice, run)
        }
        Payload::WhyOutput => {
            let run = read_why_output(slice, &origin.read_from("smithers why"))?;
            let [more] = fields(slice, ["information"])?;
            let more = more.filter(|more| !matches!(more.json(), "[]" | "null"));
            let unread =
                more.map(|more| at_place(slice, more.begin(), "What stands in `information` is not shown."));
            Inspection {
                problems: unread.into_iter().collect(),
                ..inspection(Recognised::WhyOutput, Some(run))
            }
        }
        Payload::StatusOutput => {
            let (run, refused) = read_status_output(slice, &origin.read_from("smithers status"))?;
            let kept = refused.map(|error| problem(slice, &error, "Quota kept as it came."));
            Inspection {
                problems: kept.into_iter().collect(),
                ..inspection(Recognised::StatusOutput, Some(run))
            }
        }
        Payload::RunState => {
            let view = RunStateView::read(slice)?;
            let run = RunInspection {
                run_id: Some(view.run_id.clone()),
                verdict: said(view, None, &origin.read_from("run state")),
                ..RunInspection::default()
            };
            inspection(Recognised::RunState, Some(run))
        }
        Payload::Run => {
            let row = RunRow::read(slice)?;
            let mut run = RunInspection::from_row_by_clock(&row, &origin.read_from("run row"), origin.clock);
            if run.error.is_none() && run.status == Some(Word::Known(RunStatus::Failed)) {
                // What `runWorkflow` answers is no row, and has its error as it was thrown.
                let [error] = fields(slice, ["error"])?;
                run.error = error.and_then(|error| error_text(error.json()));
            }
            with_state(Recognised::Run, slice, run)
        }
        Payload::PsOutput(rows) => {
            let read_from = origin.read_from("smithers ps");
            read_rows(rows, &|row| ps::read_row(row, &read_from))?
        }
    })
}

/// Whether an object with a run id is a run's row. Rows of nodes, attempts, approvals and frames, and
/// events have run ids too.
pub(super) fn is_row(slice: Slice<'_>) -> Result<bool, ReadError> {
    let names = ["status", "createdAtMs", "created_at_ms", "workflowName", "workflow_name", "runState"];
    let others = fields(slice, ["nodeId", "node_id", "frameNo", "frame_no", "type"])?;
    Ok(others.iter().all(Option::is_none) && fields(slice, names)?.iter().any(Option::is_some))
}

pub(super) fn of_snapshot(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, DocumentError> {
    let (run, mut problems) = partial::read(slice, &origin.read_from("runState of the snapshot"))?;
    problems.extend(of_another_run(slice, &run));
    Ok(Inspection { problems, ..inspection(Recognised::Snapshot, Some(run)) })
}

/// What was read of a run beside a state that may be another one's.
fn with_state(recognised: Recognised, slice: Slice<'_>, run: RunInspection) -> Inspection {
    let problems = of_another_run(slice, &run).into_iter().collect();
    Inspection { problems, ..inspection(recognised, Some(run)) }
}

/// What is wrong where the state beside a run names another run: it is left out.
pub(super) fn of_another_run(slice: Slice<'_>, run: &RunInspection) -> Option<String> {
    let [state] = fields(slice, ["runState"]).ok()?;
    let state = state?;
    let [named] = fields(state, ["runId"]).ok()?;
    let (named, own) = (named?.text()?, run.run_id.as_deref()?);
    let what =
        concat(&["This is the state of the run ", &quoted(&named), ", not of ", &quoted(own), ". Left out."]);
    (named != own).then(|| at_place(slice, state.begin(), &what))
}
