//! The list of runs in the client's model.

use super::Model;
use crate::gateway::row_answers::same_header;
use crate::run::{RunInspection, Witness, newest};
use crate::smithers::wire::RunState;
use crate::time::Millis;

impl Model {
    /// Stores a `listRuns` answer and its text; it was requested at `asked_at`, on the local clock.
    pub(in crate::gateway) fn take_list(
        &mut self,
        mut runs: Vec<RunInspection>,
        answer: &str,
        asked_at: Millis,
    ) {
        self.listed = Some(answer.into());
        for row in &mut runs {
            row.name_approval(&self.approvals);
            let is_same = |known: &&RunInspection| known.run_id == row.run_id;
            row.lacks_request = row.waits_without_reason()
                && self.inspection.runs.iter().find(is_same).is_some_and(|known| known.lacks_request);
        }
        self.row_answers.show(&mut runs, asked_at);
        self.row_nodes.show(&mut runs, asked_at);
        let (next, known) = (self.revision.runs + 1, &self.inspection.runs);
        // The first answer counts as a change even if it is empty: it shows that the Gateway has no runs.
        let has_same_rows = self.revision.runs > 0
            && runs.len() == known.len()
            && runs.iter().zip(known).all(|(new, old)| new.run_id == old.run_id);
        if has_same_rows {
            let changed =
                runs.iter().zip(known).map(|(new, old)| !same_header(old, new) || *old.nodes != *new.nodes);
            for (revision, _) in self.row_revisions.iter_mut().zip(changed).filter(|(_, changed)| *changed) {
                (*revision, self.revision.runs) = (next, next);
            }
        } else {
            self.row_revisions = vec![next; runs.len()];
            (self.moved_in, self.revision.runs) = (next, next);
        }
        self.inspection.runs = runs;
    }

    /// The rows of the list that changed after a revision of it; `None` if rows were added, removed or moved.
    pub(in crate::gateway) fn rows_changed_after(&self, revision: u64) -> Option<Vec<usize>> {
        let rows = || self.row_revisions.iter().enumerate();
        let changed = || rows().filter(|(_, changed)| **changed > revision).map(|(row, _)| row).collect();
        (self.moved_in <= revision).then(changed)
    }

    /// Whether the list has a row of this run.
    pub(in crate::gateway) fn lists(&self, run_id: &str) -> bool {
        self.inspection.runs.iter().any(|row| row.run_id.as_deref() == Some(run_id))
    }

    /// Whether the list shows the watched run in progress although it has ended according to the last `getRun`, or the
    /// reverse.
    pub(in crate::gateway) fn list_reopens(&self, run_id: &str) -> bool {
        let row = self.inspection.runs.iter().find(|row| row.run_id.as_deref() == Some(run_id));
        let (Some(row), Some(run)) = (row, &self.inspection.run) else { return false };
        newest::has_ended(row) != newest::has_ended(run)
    }

    /// Whether a row of the list other than that of a run waits for a decision.
    pub(in crate::gateway) fn lists_approval(&self, run_id: Option<&str>) -> bool {
        let waits = |verdict: &Witness| {
            verdict.is_derived() && verdict.view.state.known() == Some(RunState::WaitingApproval)
        };
        let others = self.inspection.runs.iter().filter(|run| run.run_id.as_deref() != run_id);
        others.filter_map(|run| run.verdict.as_ref()).any(waits)
    }

    /// Names the reason why a listed run waits on its row, or that its engine is gone. A row and an answer with other states were
    /// read at different times, so that this reason is not the row's.
    pub(in crate::gateway) fn take_row_reason(&mut self, answer: &RunInspection, now: Millis) {
        let Some(row) = self.inspection.runs.iter().find(|row| row.run_id == answer.run_id) else { return };
        let Some(derived) = row.view().filter(|_| row.verdict.as_ref().is_some_and(Witness::is_derived))
        else {
            return;
        };
        let is_silent = derived.state.known() == Some(RunState::Stale);
        if is_silent && answer.known_state() == Some(RunState::Orphaned) {
            let orphaned = RunInspection { verdict: answer.verdict.clone(), ..row.clone() };
            return self.keep_answer(orphaned, Some(now), true);
        }
        let same = answer.view().filter(|view| view.state == derived.state);
        let reasons = same.map(|view| (view.blocked.clone(), view.unhealthy.clone())).unwrap_or_default();
        if (&derived.blocked, &derived.unhealthy) != (&reasons.0, &reasons.1) {
            let mut named = row.clone();
            if let Some(verdict) = &mut named.verdict {
                (verdict.view.blocked, verdict.view.unhealthy) = reasons;
            }
            self.keep_answer(named, Some(now), true);
        }
    }

    /// Shows the last answer about a run in the place of its row, until the row changes.
    pub(super) fn keep_answer(
        &mut self,
        run: RunInspection,
        read_at: Option<Millis>,
        is_newer_than_list: bool,
    ) {
        if let Some(place) =
            self.row_answers.keep(&mut self.inspection.runs, run, read_at, is_newer_than_list)
        {
            // The row was that of the header until now.
            self.mark_row(place);
        }
    }

    /// Records that a row of the list has changed.
    pub(in crate::gateway) fn mark_row(&mut self, place: usize) {
        self.revision.runs += 1;
        self.row_revisions[place] = self.revision.runs;
    }
}
