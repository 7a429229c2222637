//! One run, as more and more is told of it. Which answer is worth what is the table of the live feed.

use std::collections::BTreeMap;

use super::beside::Beside;
use super::pushed::Pushed;
use super::{NodeEvent, When};
use crate::document::newest;
use crate::inspection::{NodeStatus, RunInspection, Verdict};
use crate::smithers::{Attempt, Delta, NodeState, RunStateView, Witness, WitnessSource, weigh, witnesses};
use crate::text::concat;
use crate::time::Millis;
use crate::word::Vocabulary;

/// What makes an attempt this one and no other.
fn key(attempt: &Attempt) -> String {
    let number = attempt.attempt.map(|number| number.to_string()).unwrap_or_default();
    concat(&[&attempt.node_id, "\0", &attempt.iteration.to_string(), "\0", &number])
}

/// One run.
#[derive(Default)]
pub(super) struct Board {
    pub(super) run: RunInspection,
    /// Somebody asked about this run; else it was only in a list.
    pub(super) asked_for: bool,
    /// An answer about the run itself gave the verdict, a snapshot's word counts only where it differs.
    from_row: bool,
    /// When the last answer or row was told.
    pub(super) when: When,
    /// How many answers said another state, and nothing tells which is newer.
    doubts: usize,
    /// When the tree was told.
    drawn: When,
    /// Where the row of each node is, by its id and by id and iteration, as far as they were looked at.
    places: BTreeMap<String, u64>,
    indexed: usize,
    /// A list of all nodes was read.
    pub(super) whole: bool,
    /// When it was told, as far as that is known.
    listed_at: Option<Millis>,
    /// The nodes that hold the run up by the last `smithers status`, and when it was printed.
    gating: Vec<NodeStatus>,
    gating_at: Option<Millis>,
    /// What the last snapshot's header said.
    header: Option<Witness>,
    /// What the events of a socket say.
    pushed: Pushed,
    /// What the event log says, and whether its state only follows from what nodes did.
    log: Option<(RunInspection, bool)>,
    /// What tells something of the run beside its state.
    pub(super) beside: Beside,
    /// Deltas since the last snapshot that did not fit it.
    pub(super) unfit: usize,
}

impl Board {
    pub(super) fn new(run_id: &str) -> Self {
        Self {
            run: RunInspection { run_id: Some(run_id.to_owned()), ..Default::default() },
            ..Self::default()
        }
    }

    /// An answer about the run itself. One that is older than a row that was read counts for nothing.
    pub(super) fn take_answer(&mut self, fresh: RunInspection, when: When) {
        if self.is_newer(&fresh, when) {
            self.take_run(fresh);
        } else {
            self.asked_for = true;
        }
    }

    /// Whether what is told is newer than what is known, by their moments, in one file by their order. Where neither tells, the
    /// one that has ended is shown, for a run ends after it ran, and that is said.
    fn is_newer(&mut self, fresh: &RunInspection, when: When) -> bool {
        let known = std::mem::replace(&mut self.when, when);
        let newer = match (known.at, when.at) {
            _ if fresh.verdict == Verdict::Absent || self.run.verdict == Verdict::Absent => true,
            (Some(known), Some(fresh)) if known != fresh => fresh > known,
            // The verdict until now is that of no answer; or one file tells in order.
            _ if known.piece == 0 || known.piece == when.piece => true,
            (_, _) if newest::differ(&self.run, fresh) => {
                self.doubts += 1;
                !newest::ended(&self.run)
            }
            (_, _) => true,
        };
        if !newer {
            self.when = known;
        }
        newer
    }

    /// What is to be said where two answers contradict each other and have no moments.
    pub(super) fn doubt(&self) -> Option<String> {
        let run = self.run.run_id.as_deref().unwrap_or_default();
        let state = self.run.verdict.view().map(|view| view.state.as_str()).unwrap_or_default();
        let message = [
            run,
            ": two answers say different states, and nothing tells which is newer. Shown is ",
            state,
            ".",
        ];
        (self.doubts > 0).then(|| concat(&message))
    }

    /// An answer about the run itself: its fields replace those of the one before.
    fn take_run(&mut self, fresh: RunInspection) {
        self.asked_for = true;
        let old = std::mem::take(&mut self.run);
        // A bare view knows the state and nothing else.
        let bare = fresh.workflow.is_none() && fresh.created_at.is_none() && fresh.status.is_none();
        let has_verdict = fresh.verdict != Verdict::Absent;
        if has_verdict {
            self.pushed.answered();
        }
        self.from_row = has_verdict && !bare || self.from_row && !has_verdict;
        let verdict = if has_verdict { fresh.verdict } else { old.verdict };
        if bare {
            self.run = RunInspection { verdict, ..old };
            return;
        }
        self.forget_places();
        if !fresh.nodes.is_empty() {
            self.whole = true;
            self.listed_at = verdict.view().and_then(RunStateView::said_at);
        }
        self.run = RunInspection {
            verdict,
            workflow: fresh.workflow.or(old.workflow),
            created_at: fresh.created_at.or(old.created_at),
            started_at: fresh.started_at.or(old.started_at),
            parent_run_id: fresh.parent_run_id.or(old.parent_run_id),
            summary: if fresh.summary.is_empty() { old.summary } else { fresh.summary },
            nodes: if fresh.nodes.is_empty() { old.nodes } else { fresh.nodes },
            tree: old.tree,
            frame_no: old.frame_no,
            seq: old.seq,
            attempts: old.attempts,
            boundary: old.boundary,
            ..fresh
        };
    }

    /// The output of `smithers status`. Its few nodes are told beside the list of all, whichever was opened first.
    pub(super) fn take_status(&mut self, mut fresh: RunInspection, when: When) {
        self.gating = std::mem::take(&mut fresh.nodes);
        self.gating_at = fresh.verdict.view().and_then(RunStateView::said_at);
        self.take_answer(fresh, when);
    }

    /// A row of a list: it counts where nobody asked about the run itself, or where the run ended since then.
    pub(super) fn take_listed(&mut self, row: RunInspection, when: When) {
        let when = When { at: when.at.or_else(|| newest::moment(&row)), ..when };
        let ended_since = || {
            let later = self.when.at.zip(when.at).is_some_and(|(known, row)| row > known);
            later && newest::ended(&row) && !self.ended()
        };
        if (!self.from_row || ended_since()) && self.is_newer(&row, when) {
            let asked_for = self.asked_for;
            self.take_run(row);
            (self.asked_for, self.from_row) = (asked_for, false);
        }
    }

    /// What the event log says: the last word where nobody else says anything, and a witness otherwise.
    pub(super) fn take_log(&mut self, log: RunInspection, from_nodes: bool) {
        self.asked_for = true;
        self.log = Some((log, from_nodes));
    }

    /// The run, with what others than the source of its verdict said of it.
    pub(super) fn finish(mut self) -> RunInspection {
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
            self.run.witnesses = all;
            self.run.verdict = verdict;
            shown(&mut self.run);
        } else if tells {
            self.run.witnesses.push(witness);
        }
    }

    fn join_log(&mut self, log: RunInspection, from_nodes: bool) {
        let RunInspection { error, failed_children, continued, finished_at, caveats, .. } = log;
        let tells = !from_nodes || !log.attempts.is_empty() || is_wait(&log.verdict);
        self.hear(log.verdict, false, tells, |run| {
            run.error = run.error.take().or(error);
            (run.failed_children, run.continued, run.finished_at) = (failed_children, continued, finished_at);
            run.caveats = caveats;
        });
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

    /// A whole tree. A frame that was asked for by its number is the past: it counts where there is no other.
    pub(super) fn take_snapshot(&mut self, snapshot: RunInspection, old: bool, when: When) {
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
            self.run.verdict = snapshot.verdict;
            self.from_row = false;
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

    /// A change of the tree on hand.
    pub(super) fn take_delta(&mut self, delta: &Delta) {
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

    /// The list of all nodes; a row without a time of its own is as old as the list.
    pub(super) fn take_nodes(&mut self, rows: Vec<NodeStatus>, at: Option<Millis>) {
        self.asked_for = true;
        self.forget_places();
        (self.whole, self.listed_at) = (true, at);
        self.run.nodes = rows;
    }

    pub(super) fn forget_places(&mut self) {
        self.places.clear();
        self.indexed = 0;
    }

    /// Joins the nodes that `smithers status` named: of two words about a node the younger one counts, and in doubt that of
    /// the list. A node that a younger list of all does not have is gone.
    fn join_gating(&mut self) {
        let at = self.gating_at;
        let newest = self.run.nodes.iter().map(|row| row.updated_at).chain([self.listed_at]).flatten();
        let newest = newest.reduce(|a, b| if b > a { b } else { a });
        let gone = self.whole && !is_younger(at, newest);
        for node in std::mem::take(&mut self.gating) {
            let place = self.place(&node.node_id, Some(node.iteration));
            match place.and_then(|place| self.run.nodes.get_mut(place)) {
                Some(row) if is_younger(at, row.updated_at.or(self.listed_at)) => {
                    if row.state != node.state {
                        // When it came to this, the command does not say.
                        (row.state, row.updated_at, row.finished_at) = (node.state, None, None);
                    }
                }
                Some(_) => {}
                None if gone => {}
                None => self.run.nodes.push(node),
            }
        }
    }

    /// Rows of attempts: those of one node may come alone.
    pub(super) fn take_attempts(&mut self, rows: Vec<Attempt>) {
        if !self.run.attempts.is_empty() {
            let mut again: BTreeMap<String, u64> = BTreeMap::new();
            for row in &rows {
                again.insert(key(row), 0);
            }
            self.run.attempts.retain(|known| !again.contains_key(&key(known)));
        }
        self.run.attempts.extend(rows);
    }

    /// An event about a node. After the end the server sends the whole run's events once more (protocol section 5, item
    /// 6): nothing of it is news.
    pub(super) fn take_node(&mut self, event: NodeEvent, at: Option<Millis>) {
        if self.ended() {
            return;
        }
        self.pushed.heard(&event, at);
        let place = self.place(&event.node_id, event.iteration);
        if let Some(row) = place.and_then(|place| self.run.nodes.get_mut(place)) {
            if row.state != event.state {
                // The server tells the same again now and then: the first time is the moment.
                row.updated_at = at.or(row.updated_at);
            }
            row.state = event.state;
            row.last_attempt = event.attempt.or(row.last_attempt);
            return;
        }
        let round =
            || self.gating.iter().rev().find(|node| node.node_id == event.node_id).map(|node| node.iteration);
        let round = event.iteration.or_else(round).unwrap_or(0);
        self.run.nodes.push(NodeStatus {
            last_attempt: event.attempt,
            updated_at: at,
            ..NodeStatus::bare(event.node_id, round, event.state)
        });
    }

    /// Where the row of a node is; the last one where the iteration is not told.
    pub(super) fn place(&mut self, node_id: &str, iteration: Option<u32>) -> Option<usize> {
        let indexed = self.indexed;
        self.indexed = self.run.nodes.len();
        for (place, row) in self.run.nodes.iter().enumerate().skip(indexed) {
            self.places.insert(row.node_id.clone(), place as u64);
            self.places.insert(in_round(&row.node_id, row.iteration), place as u64);
        }
        let found = match iteration {
            Some(iteration) => self.places.get(&in_round(node_id, iteration)),
            None => self.places.get(node_id),
        };
        found.map(|place| *place as usize)
    }

    /// `run.completed` comes two or three times; the first one, or the server's own answer, stands.
    pub(super) fn end(&mut self, status: &str, read_from: &str, at: Millis) {
        self.asked_for = true;
        let run_id = self.run.run_id.clone().unwrap_or_default();
        self.pushed.end(&run_id, status, read_from, at);
    }

    /// The run was opened again: an end that was told before is over, and nothing says yet what is now.
    pub(super) fn jump(&mut self) {
        let ended = self.ended();
        self.pushed = Pushed::default();
        if ended {
            self.run.verdict = Verdict::Absent;
            self.from_row = false;
        }
    }

    fn ended(&self) -> bool {
        self.pushed.ended() || !self.pushed.is_news() && newest::ended(&self.run)
    }
}

fn is_wait(verdict: &Verdict) -> bool {
    let state = verdict.view().and_then(|view| view.state.known());
    state.is_some_and(|state| NodeState::ALL.iter().any(|node| node.holds_up() == Some(state)))
}

fn is_younger(at: Option<Millis>, other: Option<Millis>) -> bool {
    at.zip(other).is_some_and(|(at, other)| at > other)
}

/// A node in one round of its loop; no id has a line break.
fn in_round(node_id: &str, iteration: u32) -> String {
    concat(&[node_id, "\n", &iteration.to_string()])
}
