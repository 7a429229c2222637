//! Reads the rows of a list one by one; an unreadable row is reported.

use super::join::joined_row;
use crate::ingest::rows::{MAX_RUNS, RowNames, read_rows};
use crate::json::{ReadError, Slice};
use crate::lionagi::wire::RowProblems;
use crate::problem::Problems;
use crate::run::lionagi::SessionInspection;
use crate::text::{concat, quoted};
use crate::time::Millis;

/// Reads the rows of a list. An unreadable row is reported and skipped.
pub(crate) fn each_row<'a>(
    list: Slice<'a>,
    problems: &mut Problems,
    read: &mut dyn FnMut(Slice<'a>, &mut RowProblems) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let mut notes = RowProblems::default();
    let names = RowNames { one: "Entry", many: "entries", limit: MAX_RUNS };
    read_rows(list, names, problems, |row, _| {
        let before = notes.len();
        // The problems of a skipped row are irrelevant.
        read(row, &mut notes).inspect_err(|_| notes.truncate(before))
    })?;
    report(&notes, list, problems);
    Ok(())
}

/// Joins a row with the known row of the same session, and reports the differences.
pub(crate) fn join_duplicate(
    notes: &mut RowProblems,
    row: Slice<'_>,
    known: &mut SessionInspection,
    session: SessionInspection,
    now: Millis,
) {
    let id = quoted(known.row.session_id.as_deref().unwrap_or_default());
    if let Some(what) = joined_row(known, session, now) {
        let here = row.refuse(concat(&["The session ", &id, " occurs twice."]));
        notes.push(here, what.to_owned());
    }
}

/// Adds the notes to the problems, each with its position.
pub(crate) fn report(notes: &RowProblems, whole: Slice<'_>, problems: &mut Problems) {
    for (error, done) in notes.iter() {
        problems.add_error(whole.whole(), error, done);
    }
}
