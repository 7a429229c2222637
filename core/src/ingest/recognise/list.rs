//! Lists of rows of runs. A broken row is named and passed over, the others load.

use std::collections::BTreeMap;

use super::payload::{is_row, of_another_run};
use super::{MAX_PROBLEMS, Origin, Whose, at_place, inspection, problem};
use crate::ingest::validate::refuse_duplicates;
use crate::ingest::{DocumentError, acknowledged, hints, newest};
use crate::json::{ReadError, Slice, fields, items};
use crate::run::{Inspection, Recognised, RunInspection};
use crate::smithers::wire::RunRow;
use crate::text::{concat, quoted};

/// How many runs of a list are read; more is said. A run takes two kilobytes, and the reader has some hundred megabytes.
const MAX_RUNS: usize = 100_000;

/// Reads a list of rows.
pub(super) fn list(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, DocumentError> {
    let asked_for_runs = matches!(origin.method.as_deref(), Some("listRuns" | "runs.list"));
    let (mut known, mut empty, mut broken) = (false, true, None);
    for row in items(slice)? {
        empty = false;
        let row = row?;
        match is_run(row) {
            Ok(run) => known = run && Whose::other(row).is_none(),
            // One row does not speak for the others.
            Err(error) => broken = broken.or(Some(error)),
        }
        if known {
            break;
        }
    }
    match (known, broken) {
        (true, _) => {}
        (false, Some(error)) => return Err(error.into()),
        (false, None) if empty && asked_for_runs => return Ok(inspection(Recognised::RunList, None)),
        (false, None) => return Err(hints::not_recognised(slice)),
    }
    let read_from = origin.read_from("run row");
    read_rows(slice, &|row| {
        let others = fields(row, ["nodeId", "node_id", "frameNo", "frame_no", "type"])?;
        if others.iter().any(Option::is_some) || acknowledged::refusal(row, None)?.is_some() {
            return Err(row.refuse("Expected a run's row, found something else."));
        }
        if let Some(system) = Whose::other(row) {
            return Err(row.refuse(concat(&["Expected a run's row, found something of ", system, "."])));
        }
        RunRow::read(row).map(|row| RunInspection::from_row_by_clock(&row, &read_from, origin.clock))
    })
}

/// Reads the rows of a list. A broken row is named and passed over, the others load.
pub(super) fn read_rows(
    slice: Slice<'_>,
    read: &dyn Fn(Slice<'_>) -> Result<RunInspection, ReadError>,
) -> Result<Inspection, DocumentError> {
    let mut found = inspection(Recognised::RunList, None);
    let (mut broken, mut first) = (0, None);
    let mut places: BTreeMap<String, u64> = BTreeMap::new();
    for (place, row) in items(slice)?.enumerate() {
        let row = row?;
        if place >= MAX_RUNS {
            found.problems.push(format!("Only the first {MAX_RUNS} runs of the list are shown."));
            break;
        }
        match refuse_duplicates(row).and_then(|()| read(row)) {
            Ok(run) => {
                let other = of_another_run(row, &run).filter(|_| found.problems.len() < MAX_PROBLEMS);
                found.problems.extend(other);
                found.problems.extend(add(&mut found.runs, &mut places, run, row));
            }
            Err(error) => {
                broken += 1;
                if broken == 1 {
                    first = Some(error.clone());
                }
                if broken <= MAX_PROBLEMS {
                    found.problems.push(problem(slice, &error, "Run skipped."));
                }
            }
        }
    }
    if let Some(error) = first.filter(|_| found.runs.is_empty()) {
        return Err(error.into());
    }
    if broken > MAX_PROBLEMS {
        found.problems.push(format!("{} more runs skipped.", broken - MAX_PROBLEMS));
    }
    Ok(found)
}

/// Adds a row, or joins it with one about the same run that the list has already.
fn add(
    runs: &mut Vec<RunInspection>,
    places: &mut BTreeMap<String, u64>,
    run: RunInspection,
    row: Slice<'_>,
) -> Option<String> {
    let id = run.run_id.clone().unwrap_or_default();
    let place = *places.entry(id).or_insert(runs.len() as u64) as usize;
    let Some(known) = runs.get_mut(place) else {
        runs.push(run);
        return None;
    };
    let differ = newest::differ(known, &run);
    let (counts, by_moments) = newest::second_counts(known, &run);
    if counts {
        *known = run;
    }
    let what = if by_moments { "The newer row is shown." } else { "Nothing tells which row is newer." };
    let what =
        concat(&["The run ", &quoted(known.run_id.as_deref().unwrap_or_default()), " is here twice. ", what]);
    differ.then(|| at_place(row, row.begin(), &what))
}

/// Whether an item of a list is a run's row.
pub(crate) fn is_run(row: Slice<'_>) -> Result<bool, ReadError> {
    Ok(row.is_object() && has_run_id(row)? && is_row(row)? && acknowledged::refusal(row, None)?.is_none())
}

fn has_run_id(slice: Slice<'_>) -> Result<bool, ReadError> {
    Ok(fields(slice, ["runId", "run_id"])?.iter().any(Option::is_some))
}
