//! Keeps the answers to `getRun` that are shown in the place of rows of the list: a row knows less.

use crate::run::{RunInspection, Witness};
use crate::time::Millis;

/// The maximum number of rows in whose place an answer is shown.
const MAX_ANSWERS: usize = 50;

/// The rows of the list in whose place an answer is shown; the last one is the newest.
#[derive(Debug, Default)]
pub(super) struct RowAnswers {
    answers: Vec<RowAnswer>,
}

/// A row of the list of runs, and what was last known about the run while it was watched.
#[derive(Debug)]
struct RowAnswer {
    row: RunInspection,
    answer: RunInspection,
    /// When the answer was read, on the local clock.
    read_at: Option<Millis>,
}

impl RowAnswers {
    /// Shows an answer of `read_at` in the place of its row, until the row changes; an older one that contradicts the list is
    /// dropped. Returns the place of the row; `None` if the run is not listed.
    pub(super) fn keep(
        &mut self,
        runs: &mut [RunInspection],
        run: RunInspection,
        read_at: Option<Millis>,
        is_newer_than_list: bool,
    ) -> Option<usize> {
        let place = runs.iter().position(|row| row.run_id == run.run_id)?;
        let earlier = self.answers.iter().position(|earlier| earlier.answer.run_id == run.run_id);
        let row = match earlier {
            Some(earlier) => self.answers.remove(earlier).row,
            None => runs[place].clone(),
        };
        if is_newer_than_list || same_status(&row, &run) {
            let answer = RunInspection { tree: None, answer: None, ..run };
            runs[place] = answer.clone();
            if self.answers.len() == MAX_ANSWERS {
                self.answers.remove(0);
            }
            self.answers.push(RowAnswer { row, answer, read_at });
        } else {
            runs[place] = row;
        }
        Some(place)
    }

    /// Shows the answers in the place of the rows of a list that was requested at `asked_at`, and drops those of rows that
    /// have changed.
    pub(super) fn show(&mut self, runs: &mut [RunInspection], asked_at: Millis) {
        self.answers.retain(|answer| {
            let row = runs.iter_mut().find(|row| answer.is_of(row, asked_at));
            row.map(|row| *row = answer.answer.clone()).is_some()
        });
    }
}

impl RowAnswer {
    /// Whether this row is still the same, in a list that was requested at `asked_at`. A run can come back to an earlier row,
    /// so a later list that contradicts the answer is right.
    fn is_of(&self, row: &RunInspection, asked_at: Millis) -> bool {
        let is_same = same_header(&self.row, row) && self.row.status == row.status && self.row.row == row.row;
        is_same && (same_status(&self.answer, row) || self.read_at.is_some_and(|read_at| asked_at < read_at))
    }
}

/// Whether two statements about a run have the same status, which is stored, and not derived from ages.
fn same_status(one: &RunInspection, other: &RunInspection) -> bool {
    one.status == other.status && one.finished_at == other.finished_at
}

/// Whether two readings of a run are equal except for `computedAt`.
pub(super) fn same_header(a: &RunInspection, b: &RunInspection) -> bool {
    a.run_id == b.run_id
        && a.workflow == b.workflow
        && (a.created_at, a.started_at, a.finished_at) == (b.created_at, b.started_at, b.finished_at)
        && a.parent_run_id == b.parent_run_id
        && a.summary == b.summary
        && a.error == b.error
        && a.failed_children == b.failed_children
        && a.failed_child_count == b.failed_child_count
        && a.continued == b.continued
        && match (&a.verdict, &b.verdict) {
            (Some(a), Some(b)) => same_verdict(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
}

fn same_verdict(a: &Witness, b: &Witness) -> bool {
    a.source == b.source
        && a.view.run_id == b.view.run_id
        && a.view.state == b.view.state
        && a.view.blocked == b.view.blocked
        && a.view.unhealthy == b.view.unhealthy
        && a.evidence.inputs == b.evidence.inputs
}
