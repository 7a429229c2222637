//! Reads lists of runs. An unreadable row is reported and skipped.

use crate::problem::{Problem, Problems};
use std::collections::BTreeMap;

use super::inspection::{add_other_run_state, new_inspection};
use super::origin::Origin;
use crate::ingest::rows::{self, MAX_RUNS, RowNames};
use crate::ingest::validate::refuse_duplicates;
use crate::ingest::{DocumentError, hints};
use crate::json::{ReadError, Slice, items};
use crate::kind::acknowledgement::is_acknowledgement;
use crate::kind::{ItemKind, Keys, is_run};
use crate::run::newest::{self, Order};
use crate::run::{DocumentKind, Inspection, RunInspection};
use crate::smithers::wire::RunRow;
use crate::text::{concat, quoted};

/// Reads a list of rows.
pub(super) fn list(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, DocumentError> {
    let requested_runs = matches!(origin.request.method.as_deref(), Some("listRuns" | "runs.list"));
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
            return Err(row.refuse("Expected a run, found something else."));
        }
        if let Some(system) = ItemKind::other_system(&keys) {
            return Err(row.refuse(concat(&["Expected a run, found something of ", system, "."])));
        }
        RunRow::read(row).map(|row| RunInspection::from_row(&row, &read_from, origin.clock))
    })
}

/// Reads the rows of a list. An unreadable row is reported and skipped.
pub(super) fn read_rows(
    slice: Slice<'_>,
    read: &dyn Fn(Slice<'_>) -> Result<RunInspection, ReadError>,
) -> Result<Inspection, DocumentError> {
    let mut found = new_inspection(DocumentKind::RunList, None);
    let mut places: BTreeMap<String, u64> = BTreeMap::new();
    let names = RowNames { one: "Run", many: "runs", limit: MAX_RUNS };
    let (runs, problems) = (&mut found.runs, &mut found.problems);
    let result = rows::read_rows(slice, names, problems, |row, problems| {
        refuse_duplicates(row)?;
        let run = read(row)?;
        add_other_run_state(problems, row, &run);
        add(runs, problems, &mut places, run, row);
        Ok(())
    })?;
    result.error_of_all()?;
    Ok(found)
}

/// Adds a row or joins it with a row of the same run.
fn add(
    runs: &mut Vec<RunInspection>,
    problems: &mut Problems,
    places: &mut BTreeMap<String, u64>,
    run: RunInspection,
    row: Slice<'_>,
) {
    let id = run.run_id.clone().unwrap_or_default();
    let place = *places.entry(id).or_insert(runs.len() as u64) as usize;
    let Some(known) = runs.get_mut(place) else {
        return runs.push(run);
    };
    let differ = newest::states_differ(known, &run);
    let order = Order::by_time(newest::latest_time(known), newest::latest_time(&run));
    if order.shows_second(known, &run) == Some(true) {
        *known = run;
    }
    let what = match order {
        Order::Newer | Order::Older => "The newer one is shown.",
        Order::Unknown => "Which one is newer is not recorded.",
    };
    if differ {
        let run_id = quoted(known.run_id.as_deref().unwrap_or_default());
        let message = concat(&["The run ", &run_id, " occurs twice. ", what]);
        problems.add_with(|| Problem::at(row.whole(), row.begin(), message));
    }
}
