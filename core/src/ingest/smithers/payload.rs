//! Recognises an object about a run by its keys, and reads it.

use super::inspect_output::read_inspect_output;
use super::inspection::{add_other_run_state, new_inspection};
use super::list::{list, read_rows};
use super::origin::Origin;
use super::ps;
use super::status_output::read_status_output;
use super::why_output::read_why_output;
use crate::ingest::validate::refuse_duplicates;
use crate::ingest::{DocumentError, acknowledgement, hints, partial};
use crate::json::{ReadError, Slice, fields};
use crate::kind::{self, Keys, SmithersKind};
use crate::problem::{Problem, Problems};
use crate::run::{DocumentKind, Inspection, RunInspection};
use crate::run::{error_text, server_witness};
use crate::smithers::wire::{RunRow, RunStateView, RunStatus};
use crate::word::Word;

/// Reads a payload.
pub(super) fn read_payload(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, DocumentError> {
    if slice.is_array() {
        return list(slice, origin);
    }
    if !slice.is_object() {
        return Err(hints::not_recognised(slice));
    }
    let keys = Keys::read(slice)?;
    if let Some(refusal) = acknowledgement::refusal(&keys, origin.request.method.as_deref()) {
        return Err(refusal);
    }
    let kind = kind::smithers(&keys).ok_or_else(|| not_recognised(slice, &keys))?;
    if !matches!(kind, SmithersKind::Snapshot | SmithersKind::PsOutput) {
        refuse_duplicates(slice)?;
    }
    Ok(match kind {
        SmithersKind::Snapshot => return read_snapshot(slice, origin),
        SmithersKind::InspectOutput => {
            let run = read_inspect_output(slice, &origin.read_from("smithers inspect"))?;
            run_inspection(DocumentKind::InspectOutput, slice, run)
        }
        SmithersKind::WhyOutput => read_why(slice, origin)?,
        SmithersKind::StatusOutput => read_status(slice, origin)?,
        SmithersKind::RunState => read_run_state(slice, origin)?,
        SmithersKind::Run => read_run(slice, origin)?,
        SmithersKind::PsOutput => {
            let rows = keys.get("runs").unwrap_or(slice);
            let read_from = origin.read_from("smithers ps");
            read_rows(rows, &|row| ps::read_row(row, &read_from))?
        }
    })
}

/// Returns the error of an object of no known kind.
fn not_recognised(slice: Slice<'_>, keys: &Keys<'_>) -> DocumentError {
    if keys.all(["runId", "state"]) && !keys.any(["nodeId", "type"]) {
        slice.refuse("The run state has no \"computedAt\".").into()
    } else {
        hints::not_recognised(slice)
    }
}

/// Reads the output of `smithers why`.
fn read_why(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, ReadError> {
    let run = read_why_output(slice, &origin.read_from("smithers why"))?;
    let [more] = fields(slice, ["information"])?;
    let more = more.filter(|more| !matches!(more.json(), "[]" | "null"));
    let message = "The content of `information` is not shown.";
    let unread = more.map(|more| Problem::at(slice.whole(), more.begin(), message));
    let problems = unread.into_iter().collect();
    Ok(Inspection { problems, ..new_inspection(DocumentKind::WhyOutput, Some(run)) })
}

/// Reads the output of `smithers status`.
fn read_status(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, ReadError> {
    let (run, refused) = read_status_output(slice, &origin.read_from("smithers status"))?;
    let kept =
        refused.map(|error| Problem::from_error(slice.whole(), &error, "The quota is shown unchanged."));
    let problems = kept.into_iter().collect();
    Ok(Inspection { problems, ..new_inspection(DocumentKind::StatusOutput, Some(run)) })
}

/// Reads a bare `RunStateView`.
fn read_run_state(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, ReadError> {
    let view = RunStateView::read(slice)?;
    let run = RunInspection {
        run_id: Some(view.run_id.clone()),
        verdict: Some(server_witness(view, None, &origin.read_from("run state"))),
        ..RunInspection::default()
    };
    Ok(new_inspection(DocumentKind::RunState, Some(run)))
}

/// Reads a run's row, or the result of `runWorkflow`, whose error is the thrown one.
fn read_run(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, ReadError> {
    let row = RunRow::read(slice)?;
    let mut run = RunInspection::from_row(&row, &origin.read_from("run row"), origin.clock);
    if run.error.is_none() && run.status == Some(Word::Known(RunStatus::Failed)) {
        let [error] = fields(slice, ["error"])?;
        run.error = error.and_then(|error| error_text(error.json()));
    }
    Ok(run_inspection(DocumentKind::Run, slice, run))
}

/// Reads a snapshot.
pub(super) fn read_snapshot(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, DocumentError> {
    let (run, mut problems) = partial::read(slice, &origin.read_from("runState of the snapshot"))?;
    add_other_run_state(&mut problems, slice, &run);
    Ok(Inspection { problems, ..new_inspection(DocumentKind::Snapshot, Some(run)) })
}

/// Makes a run with a problem if the state next to it belongs to another run.
fn run_inspection(kind: DocumentKind, slice: Slice<'_>, run: RunInspection) -> Inspection {
    let mut problems = Problems::default();
    add_other_run_state(&mut problems, slice, &run);
    Inspection { problems, ..new_inspection(kind, Some(run)) }
}
