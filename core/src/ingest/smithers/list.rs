//! Reads lists of runs. A row that cannot be read is reported and skipped.

use crate::problem::Problem;
use std::collections::BTreeMap;

use super::document::{Origin, new_inspection};
use super::payload::add_other_run_state;
use crate::ingest::validate::refuse_duplicates;
use crate::ingest::{DocumentError, hints, newest};
use crate::json::{ReadError, Slice, items};
use crate::kind::acknowledgement::is_acknowledgement;
use crate::kind::{ItemKind, Keys, is_run};
use crate::run::{DocumentKind, Inspection, RunInspection};
use crate::smithers::wire::RunRow;
use crate::text::{concat, quoted};

/// Maximum number of runs that are read from a list; more are reported. A run takes two kilobytes of the reader's few
/// hundred megabytes.
const MAX_RUNS: usize = 100_000;

/// Reads a list of rows.
pub(super) fn list(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, DocumentError> {
    let requested_runs = matches!(origin.method.as_deref(), Some("listRuns" | "runs.list"));
    let (mut known, mut empty) = (false, true);
    for row in items(slice)? {
        empty = false;
        let row = row?;
        if row.is_object() {
            let keys = Keys::read(row)?;
            known = is_run(&keys) && ItemKind::other_system(&keys).is_none();
        }
        if known {
            break;
        }
    }
    if !known {
        return if empty && requested_runs {
            Ok(new_inspection(DocumentKind::RunList, None))
        } else {
            Err(hints::not_recognised(slice))
        };
    }
    let read_from = origin.read_from("run row");
    read_rows(slice, &|row| {
        let keys = Keys::read(row)?;
        if keys.any(["nodeId", "node_id", "frameNo", "frame_no", "type"]) || is_acknowledgement(&keys, None) {
            return Err(row.refuse("Expected a run's row, found something else."));
        }
        if let Some(system) = ItemKind::other_system(&keys) {
            return Err(row.refuse(concat(&["Expected a run's row, found something of ", system, "."])));
        }
        RunRow::read(row).map(|row| RunInspection::from_row(&row, &read_from, origin.clock))
    })
}

/// Reads the rows of a list. A row that cannot be read is reported and skipped.
pub(super) fn read_rows(
    slice: Slice<'_>,
    read: &dyn Fn(Slice<'_>) -> Result<RunInspection, ReadError>,
) -> Result<Inspection, DocumentError> {
    let mut found = new_inspection(DocumentKind::RunList, None);
    let mut first = None;
    let mut places: BTreeMap<String, u64> = BTreeMap::new();
    for (place, row) in items(slice)?.enumerate() {
        let row = row?;
        if place >= MAX_RUNS {
            let message = format!("Only the first {MAX_RUNS} runs of the list are shown.");
            found.problems.append_all(Problem::new(message));
            break;
        }
        match refuse_duplicates(row).and_then(|()| read(row)) {
            Ok(run) => {
                add_other_run_state(&mut found.problems, row, &run);
                add(&mut found, &mut places, run, row);
            }
            Err(error) => {
                found.problems.add_error(slice.whole(), &error, "Run skipped.");
                first = first.or(Some(error));
            }
        }
    }
    if let Some(error) = first.filter(|_| found.runs.is_empty()) {
        return Err(error.into());
    }
    Ok(found)
}

/// Adds a row, or joins it with a row of the same run.
fn add(found: &mut Inspection, places: &mut BTreeMap<String, u64>, run: RunInspection, row: Slice<'_>) {
    let Inspection { runs, problems, .. } = found;
    let id = run.run_id.clone().unwrap_or_default();
    let place = *places.entry(id).or_insert(runs.len() as u64) as usize;
    let Some(known) = runs.get_mut(place) else {
        return runs.push(run);
    };
    let differ = newest::states_differ(known, &run);
    let (counts, by_moments) = newest::is_second_shown(known, &run);
    if counts {
        *known = run;
    }
    let what = if by_moments { "The newer row is shown." } else { "Which row is newer is not recorded." };
    if differ {
        let run_id = quoted(known.run_id.as_deref().unwrap_or_default());
        let message = concat(&["The run ", &run_id, " occurs twice. ", what]);
        problems.add_with(|| Problem::at(row.whole(), row.begin(), message));
    }
}
