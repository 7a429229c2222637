//! Builds one run from the statements about it. The sources have the same order of trust as those of the live Gateway.

mod carry_over;
mod fact;
mod finish;
mod nodes;
mod pushed_events;
mod reason;
mod supplement;
mod supplements;
mod tree;

use std::collections::BTreeMap;

use crate::run::newest::{self, Order, StatementTime};
use crate::run::{AttemptIndex, RunInspection, Witness, WitnessSource};
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::RunStateView;
use crate::text::concat;
use crate::time::Millis;
pub(crate) use fact::{Fact, NodeEvent, StateEvent};
use pushed_events::PushedEvents;
pub(crate) use supplement::{Supplement, Wait};

use carry_over::{carry_over, carry_over_to_view};
use supplements::Supplements;

/// A run and the bookkeeping that decides which statement is newer.
#[derive(Clone, Default)]
pub(crate) struct RunBuilder {
    pub(crate) run: RunInspection,
    /// Whether the run itself was requested; otherwise it was only in a list.
    pub(crate) is_requested: bool,
    /// Whether a response about the run itself gave the state; the state of a snapshot then counts only if it differs.
    has_own_answer: bool,
    /// The time of the last answer or row.
    pub(super) answer_time: StatementTime,
    /// The number of answers that contradict an earlier answer while it is unknown which one is newer.
    contradictions: usize,
    /// The time of the tree.
    tree_time: StatementTime,
    /// The index of each node's row by id, and by id and iteration, for the first `indexed_nodes` rows.
    node_places: BTreeMap<String, u64>,
    indexed_nodes: usize,
    attempt_index: AttemptIndex,
    /// Whether a list of all nodes was read.
    pub(crate) has_all_nodes: bool,
    /// The time of that list, if known.
    listed_at: Option<Millis>,
    /// The nodes that block the run according to the last `smithers status`.
    gating_nodes: Vec<NodeStatus>,
    gating_at: Option<Millis>,
    /// The time at which `smithers why` reported the blockers.
    blockers_at: Option<Millis>,
    /// The state in the header of the last snapshot.
    header: Option<Box<Witness>>,
    /// The events of a socket.
    pushed_events: PushedEvents,
    /// The run according to its event log, and whether its state only follows from events of nodes.
    log: Option<(Box<RunInspection>, bool)>,
    /// Facts other than the state.
    supplements: Supplements,
    /// The number of deltas since the last snapshot that could not be applied to it.
    pub(crate) unapplied_deltas: usize,
}

impl RunBuilder {
    pub(crate) fn new(run_id: &str) -> Self {
        Self {
            run: RunInspection { run_id: Some(run_id.to_owned()), ..Default::default() },
            ..Self::default()
        }
    }

    /// Begins with the run according to its event log.
    pub(crate) fn from_log(run: RunInspection, from_nodes: bool) -> Self {
        let mut builder = Self::new(run.run_id.as_deref().unwrap_or_default());
        builder.take_log(Box::new(run), from_nodes);
        builder
    }

    /// Takes an answer about the run itself unless it is older than a known row.
    fn take_answer(&mut self, fresh: RunInspection, when: StatementTime) {
        if self.is_newer(&fresh, when) {
            self.take_run(fresh);
        } else {
            self.is_requested = true;
        }
    }

    /// Whether an answer is newer than the known one. If their order is unknown and their states differ, the
    /// contradiction is reported.
    fn is_newer(&mut self, fresh: &RunInspection, when: StatementTime) -> bool {
        let order = match when.order_after(self.answer_time) {
            _ if fresh.verdict.is_none() || self.run.verdict.is_none() => Order::Newer,
            Order::Unknown if !newest::states_differ(&self.run, fresh) => Order::Newer,
            order => order,
        };
        self.contradictions += usize::from(order == Order::Unknown);
        let newer = order.shows_second(&self.run, fresh).unwrap_or(true);
        if newer {
            self.answer_time = when;
        }
        newer
    }

    /// Returns the problem of answers that contradict each other and have no times.
    pub(crate) fn contradiction(&self) -> Option<String> {
        let run = self.run.run_id.as_deref().unwrap_or_default();
        let state = self.run.view().map(|view| view.state.as_str()).unwrap_or_default();
        let message = [
            run,
            ": two responses give different states, and neither says which is newer. The state shown is ",
            state,
            ".",
        ];
        (self.contradictions > 0).then(|| concat(&message))
    }

    /// Replaces the answer about the run itself; facts that the new answer does not contain stay while the state is the
    /// same.
    fn take_run(&mut self, mut fresh: RunInspection) {
        self.is_requested = true;
        let mut old = std::mem::take(&mut self.run);
        // A view contains only the state.
        let bare = fresh.workflow.is_none() && fresh.created_at.is_none() && fresh.status.is_none();
        let has_verdict = fresh.verdict.is_some();
        if has_verdict {
            self.pushed_events.mark_as_older();
        }
        self.has_own_answer = has_verdict && !bare || self.has_own_answer && !has_verdict;
        if !fresh.reported_blockers.is_empty() {
            self.blockers_at = self.answer_time.at;
        }
        if bare {
            carry_over_to_view(&mut old, &mut fresh);
            if let Some(verdict) = fresh.verdict {
                old.set_answer(verdict);
            }
            self.run = old;
            return;
        }
        carry_over(&mut old, &mut fresh);
        let verdict = fresh.verdict.take().or(old.verdict.take());
        self.clear_node_index();
        if !fresh.nodes.is_empty() {
            self.has_all_nodes = true;
            self.listed_at = verdict.as_ref().and_then(|verdict| verdict.view.computed_time());
        }
        let answer = RunInspection {
            verdict,
            workflow: fresh.workflow.or(old.workflow.take()),
            created_at: fresh.created_at.or(old.created_at),
            started_at: fresh.started_at.or(old.started_at),
            parent_run_id: fresh.parent_run_id.or(old.parent_run_id.take()),
            summary: if fresh.summary.is_empty() { std::mem::take(&mut old.summary) } else { fresh.summary },
            ..fresh
        };
        self.run = old;
        self.run.replace_answer(answer);
    }

    /// Takes the output of `smithers status`. Its few nodes are joined with the list of all nodes, in any order of
    /// opening.
    fn take_status(&mut self, mut fresh: RunInspection, when: StatementTime) {
        self.gating_nodes = std::mem::take(&mut fresh.nodes).into_iter().collect();
        self.gating_at = fresh.view().and_then(RunStateView::computed_time);
        self.take_answer(fresh, when);
    }

    /// Takes a row of a list unless the run itself was requested and has not ended since then.
    fn take_listed(&mut self, row: RunInspection, when: StatementTime) {
        let when = StatementTime { at: when.at.or_else(|| newest::latest_time(&row)), ..when };
        let ended_since =
            || newest::is_later(when.at, self.answer_time.at) && newest::has_ended(&row) && !self.has_ended();
        if (!self.has_own_answer || ended_since()) && self.is_newer(&row, when) {
            let requested = self.is_requested;
            self.take_run(row);
            (self.is_requested, self.has_own_answer) = (requested, false);
        }
    }

    /// Moves the times of the statements by `ms`: the estimate of the server's clock has changed. Times in the server's rows
    /// stay.
    pub(crate) fn move_times(&mut self, ms: f64) {
        let statements = [
            &mut self.answer_time.at,
            &mut self.tree_time.at,
            &mut self.listed_at,
            &mut self.gating_at,
            &mut self.blockers_at,
        ];
        let witnesses = self
            .header
            .as_deref_mut()
            .into_iter()
            .chain(&mut self.run.verdict)
            .chain(&mut self.run.witnesses);
        let witnesses = witnesses.filter(|witness| witness.source != WitnessSource::Rows);
        let times = statements.into_iter().chain(witnesses.map(|witness| &mut witness.at));
        times
            .chain(self.pushed_events.times())
            .chain(self.supplements.times())
            .flatten()
            .for_each(|at| at.0 += ms);
    }

    /// Takes the run according to its event log.
    fn take_log(&mut self, log: Box<RunInspection>, from_nodes: bool) {
        self.is_requested = true;
        self.log = Some((log, from_nodes));
    }

    /// Takes an event about the run's state. The server sends `run.completed` two or three times: the first one counts.
    fn take_state_event(&mut self, event: &StateEvent, at: Option<Millis>) {
        self.is_requested = true;
        self.pushed_events.observe(event, at);
    }

    /// Takes a rewind: the end is no longer valid, and the state is unknown.
    fn rewind(&mut self) {
        let ended = self.has_ended();
        self.pushed_events = PushedEvents::default();
        if ended {
            self.run.verdict = None;
            self.run.witnesses.retain(|witness| witness.source != WitnessSource::Rows);
            self.run.reported_blockers.clear();
            self.has_own_answer = false;
        }
    }

    fn has_ended(&self) -> bool {
        self.pushed_events.is_at_end() || !self.pushed_events.has_news() && newest::has_ended(&self.run)
    }
}
