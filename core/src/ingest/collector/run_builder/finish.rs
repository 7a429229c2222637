//! The run, with what others than the source of its verdict said of it.

use super::RunBuilder;
use crate::run::{RunInspection, Verdict};
use crate::run::{Witness, WitnessSource, weigh, witnesses};
use crate::smithers::wire::NodeState;
use crate::word::Vocabulary;

impl RunBuilder {
    /// The run, with what others than the source of its verdict said of it.
    pub(crate) fn finish(mut self) -> RunInspection {
        self.join_gating();
        if let Some(witness) = self.header.take().filter(|header| !self.is_the_verdict(header)) {
            self.run.witnesses.push(witness);
        }
        if let Some(told) = self.pushed.told(&self.run) {
            self.hear(told.verdict, self.pushed.is_news(), true, |run| run.continued = told.continued);
        }
        if let Some((log, from_nodes)) = self.log.take() {
            self.join_log(log, from_nodes);
        }
        self.settle_reason();
        self.join_beside();
        if let Some(tree) = &mut self.run.tree {
            tree.join(&self.run.nodes);
            let root = tree.node(tree.root());
            // The first frame of a stream is often the empty one, without a name.
            let name = || (!tree.is_empty()).then(|| root.name.clone());
            self.run.workflow = self.run.workflow.take().or_else(name);
        }
        self.run
    }

    fn is_the_verdict(&self, witness: &Witness) -> bool {
        self.run.verdict.evidence().is_some_and(|evidence| *evidence == witness.evidence)
    }

    /// What events say: the verdict where nobody else says anything, where they are `newer`, or where they weigh more; else a
    /// witness, if they tell enough.
    fn hear(&mut self, verdict: Verdict, newer: bool, tells: bool, shown: impl FnOnce(&mut RunInspection)) {
        let Some(witness) = Witness::of_verdict(WitnessSource::Events, &verdict) else { return };
        let mut all = witnesses(&self.run);
        let agrees = all.first().is_some_and(|first| first.state == witness.state);
        all.push(witness.clone());
        let weighs_more = || tells && weigh(all.clone()).shown().is_some_and(|best| *best == witness);
        if self.run.verdict == Verdict::Absent || !agrees && (newer || weighs_more()) {
            if self.run.verdict != Verdict::Absent && !agrees {
                self.run.told.clear();
            }
            self.run.witnesses = all;
            self.run.verdict = verdict;
            shown(&mut self.run);
        } else if tells {
            self.run.witnesses.push(witness);
        }
    }

    fn join_log(&mut self, log: RunInspection, from_nodes: bool) {
        let RunInspection {
            error,
            failed_children,
            failed_child_count,
            continued,
            continued_as,
            finished_at,
            caveats,
            ..
        } = log;
        let tells = !from_nodes || !log.attempts.is_empty() || is_wait(&log.verdict);
        self.hear(log.verdict, false, tells, |run| {
            run.error = run.error.take().or(error);
            (run.failed_children, run.continued, run.finished_at) = (failed_children, continued, finished_at);
            run.failed_child_count = failed_child_count;
            run.caveats = caveats;
        });
        self.run.continued_as = self.run.continued_as.take().or(continued_as);
        self.run.workflow = self.run.workflow.take().or(log.workflow);
        self.run.started_at = self.run.started_at.or(log.started_at);
        if self.run.nodes.is_empty() {
            self.run.nodes = log.nodes;
        }
        if self.run.summary.is_empty() {
            self.run.summary = log.summary;
        }
        if self.run.attempts.is_empty() {
            self.run.attempts = log.attempts;
        }
        self.run.boundary = self.run.boundary.take().or(log.boundary);
    }
}

fn is_wait(verdict: &Verdict) -> bool {
    let state = verdict.view().and_then(|view| view.state.known());
    state.is_some_and(|state| NodeState::ALL.iter().any(|node| node.holds_up() == Some(state)))
}
