//! Reads the rows of a list one by one; a row that cannot be read is reported.

use super::join::joined_row;
use crate::json::{ReadError, Slice, items};
use crate::lionagi::wire::RowProblems;
use crate::problem::{Problem, Problems};
use crate::run::lionagi::SessionInspection;
use crate::text::{concat, quoted};
use crate::time::Millis;

/// Maximum number of rows that are read; more are reported. A session takes two kilobytes of the reader's few hundred
/// megabytes.
const MAX_ROWS: usize = 100_000;

/// Reads the rows of a list. A row that cannot be read is reported and skipped.
pub(crate) fn each_row<'a>(
    list: Slice<'a>,
    problems: &mut Problems,
    read: &mut dyn FnMut(Slice<'a>, &mut RowProblems) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let mut notes = RowProblems::default();
    for (place, row) in items(list)?.enumerate() {
        let row = row?;
        if place >= MAX_ROWS {
            let first = MAX_ROWS.to_string();
            problems.append_all(Problem::new(concat(&[
                "Only the first ",
                &first,
                " rows of the list are shown.",
            ])));
            break;
        }
        let before = notes.len();
        if let Err(error) = read(row, &mut notes) {
            // The problems of a skipped row do not matter.
            notes.truncate(before);
            problems.add_error(list.whole(), &error, "Row skipped.");
        }
    }
    report(&notes, list, problems);
    Ok(())
}

/// Joins a row with the known row of the same session, and reports where they differ.
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

/// Adds the notes to the problems, each with its place.
pub(crate) fn report(notes: &RowProblems, whole: Slice<'_>, problems: &mut Problems) {
    for (error, done) in notes.iter() {
        problems.add_error(whole.whole(), error, done);
    }
}
