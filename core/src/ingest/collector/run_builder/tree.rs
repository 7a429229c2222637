//! The tree of a run: whole, then changed.

use super::RunBuilder;
use crate::ingest::collector::When;
use crate::ingest::newest;
use crate::run::{RunInspection, Verdict};
use crate::run::{Witness, WitnessSource, witnesses};
use crate::tree::Delta;

impl RunBuilder {
    /// A whole tree. A frame that was asked for by its number is the past: it counts where there is no other.
    pub(crate) fn take_snapshot(&mut self, snapshot: RunInspection, old: bool, when: When) {
        self.asked_for = true;
        self.header = Witness::of_verdict(WitnessSource::Snapshot, &snapshot.verdict);
        if self.header.is_some() {
            self.pushed.answered();
        }
        let differs = match (snapshot.verdict.view(), self.run.verdict.view()) {
            (Some(new), Some(known)) => new.state != known.state,
            (Some(_), None) => true,
            (None, _) => false,
        };
        if differs || (!self.from_row && snapshot.verdict != Verdict::Absent) {
            self.hear_header(snapshot.verdict);
        }
        self.run.workflow = self.run.workflow.take().or(snapshot.workflow);
        // Two files without moments: the later frame is the newer one.
        let earlier = self.drawn.piece != when.piece
            && self.drawn.at == when.at
            && self.run.frame_no.zip(snapshot.frame_no).is_some_and(|(known, fresh)| fresh < known);
        if (old || earlier) && self.run.tree.is_some() {
            return;
        }
        self.drawn = when;
        self.unfit = 0;
        self.run.tree = snapshot.tree;
        (self.run.frame_no, self.run.seq) = (snapshot.frame_no, snapshot.seq);
    }

    /// The word of a snapshot's header takes the place of the one before. What the server said of its row stays that, with its
    /// own moment, and what goes with another state than that of the header is over.
    fn hear_header(&mut self, verdict: Verdict) {
        if self.run.status.is_some() && newest::state(&self.run.verdict) != newest::state(&verdict) {
            let mut others = witnesses(&self.run);
            others.retain(|witness| witness.source != WitnessSource::Snapshot);
            others.extend(self.header.clone());
            self.run.witnesses = others;
            self.run.told.clear();
            self.run.summary.clear();
            self.run.error = None;
        }
        self.run.verdict = verdict;
        self.from_row = false;
    }

    /// A change of the tree on hand.
    pub(crate) fn take_delta(&mut self, delta: &Delta) {
        let (Some(tree), Some(seq)) = (&mut self.run.tree, self.run.seq) else {
            self.unfit += 1;
            return;
        };
        if delta.seq <= seq && delta.base_seq < seq {
            return;
        }
        if delta.base_seq != seq || tree.apply(delta).is_err() {
            self.unfit += 1;
            return;
        }
        (self.run.frame_no, self.run.seq) = (Some(delta.seq), Some(delta.seq));
    }
}
