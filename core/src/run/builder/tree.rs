//! Takes snapshots of the tree, and deltas.

use super::RunBuilder;
use crate::run::newest::StatementTime;
use crate::run::{DeltaOutcome, RunInspection, Witness, WitnessSource};
use crate::tree::Delta;

impl RunBuilder {
    /// Takes a snapshot. A frame requested by its number is old: it counts only if no other snapshot is known.
    pub(super) fn take_snapshot(&mut self, snapshot: RunInspection, old: bool, when: StatementTime) {
        self.is_requested = true;
        self.header = snapshot.verdict.clone().map(Box::new);
        if self.header.is_some() {
            self.pushed_events.mark_as_older();
        }
        let known = self.run.view().map(|view| view.state.clone());
        if let Some(verdict) = snapshot.verdict
            && (!self.has_own_answer || known.as_ref() != Some(&verdict.view.state))
        {
            self.use_snapshot_state(verdict);
        }
        self.run.workflow = self.run.workflow.take().or(snapshot.workflow);
        let is_older = when.is_older_frame(snapshot.frame_no, self.tree_time, self.run.frame_no);
        if (old || is_older) && self.run.tree.is_some() {
            return;
        }
        self.tree_time = when;
        self.unapplied_deltas = 0;
        self.run.replace_tree(snapshot.tree, snapshot.frame_no, snapshot.seq);
    }

    /// Takes the state of a snapshot's header. The state of the run's row stays a witness with its own time; facts that
    /// belong to a state other than the header's are removed.
    fn use_snapshot_state(&mut self, verdict: Witness) {
        let differs = self.run.view().is_none_or(|known| known.state != verdict.view.state);
        let known = self.run.verdict.replace(verdict);
        if self.run.status.is_some() {
            let known = known.filter(|known| known.source != WitnessSource::Snapshot);
            self.run.witnesses.splice(0..0, known);
        }
        if self.run.status.is_some() && differs {
            self.run.reported_blockers.clear();
            self.run.summary.clear();
            self.run.error = None;
        }
        self.has_own_answer = false;
    }

    /// Takes a delta.
    pub(super) fn take_delta(&mut self, delta: &Delta) {
        match self.run.apply_delta(delta) {
            Ok(DeltaOutcome::Done | DeltaOutcome::Old) => {}
            Ok(DeltaOutcome::WrongBase) | Err(_) => self.unapplied_deltas += 1,
        }
    }
}
