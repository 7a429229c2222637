//! Finishes a run: determines the shown state and the states from other sources.

use super::RunBuilder;
use crate::run::{RunInspection, Witness, WitnessSource, compare_witnesses};
use crate::smithers::wire::{NodeState, RunState};
use crate::word::Vocabulary;

impl RunBuilder {
    /// Finishes the run: determines the shown state and the states from other sources.
    pub(crate) fn finish(mut self) -> RunInspection {
        self.join_gating();
        if !self.run.all_witnesses().any(|witness| witness.source == WitnessSource::Snapshot) {
            self.run.witnesses.extend(self.header.take().map(|header| *header));
        }
        if let Some(implied) = self.pushed_events.implied_state(&self.run) {
            self.add_event_state(Some(implied.verdict), self.pushed_events.has_news(), true, |run| {
                run.continued = implied.continued;
            });
        }
        if let Some((log, from_nodes)) = self.log.take() {
            self.join_log(*log, from_nodes);
        }
        self.remove_outdated_reason();
        self.join_supplements();
        self.run.join_nodes();
        if let Some(tree) = &self.run.tree {
            let root = tree.node(tree.root());
            // The first frame of a stream is often empty, without a name.
            let name = || (!tree.is_empty()).then(|| root.name.clone());
            self.run.workflow = self.run.workflow.take().or_else(name);
        }
        self.run
    }

    /// Adds the state that events imply. It is shown if no other state is known, or if it differs and is `newer` or has
    /// more weight; otherwise it becomes a witness if it is `informative`.
    fn add_event_state(
        &mut self,
        witness: Option<Witness>,
        newer: bool,
        informative: bool,
        shown: impl FnOnce(&mut RunInspection),
    ) {
        let Some(witness) = witness else { return };
        let known = self.run.view().map(|view| &view.state);
        let differs = known.is_some_and(|state| *state != witness.view.state);
        let is_chosen = || {
            informative
                && compare_witnesses(self.run.all_witnesses().chain([&witness])).shown == Some(&witness)
        };
        if known.is_none() || differs && (newer || is_chosen()) {
            if differs {
                self.run.reported_blockers.clear();
            }
            let others = self.run.verdict.replace(witness);
            self.run.witnesses.splice(0..0, others);
            shown(&mut self.run);
        } else if informative {
            self.run.witnesses.push(witness);
        }
    }

    fn join_log(&mut self, log: RunInspection, from_nodes: bool) {
        let informative = !from_nodes || !log.attempts.is_empty() || log.known_state().is_some_and(is_wait);
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
        self.add_event_state(log.verdict, self.row_says_nothing(), informative, |run| {
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
        self.run.denied = log.denied;
        self.run.boundary = self.run.boundary.take().or(log.boundary);
    }

    /// Whether the row lacks what its state follows from, so that an event says more, however old it is.
    fn row_says_nothing(&self) -> bool {
        let verdict = self.run.verdict.as_ref().filter(|verdict| verdict.is_derived());
        verdict.is_some_and(|verdict| verdict.view.state.known() == Some(RunState::Unknown))
    }
}

fn is_wait(state: RunState) -> bool {
    NodeState::ALL.iter().any(|node| node.waiting_run_state() == Some(state))
}
