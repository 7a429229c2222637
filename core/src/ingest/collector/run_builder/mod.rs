//! One run, as more and more is told of it. Which answer is worth what is the table of the live feed.

mod finish;
mod keep;
mod nodes;
mod reason;
mod tree;

use std::collections::{BTreeMap, HashMap};

use super::When;
use super::pushed::Pushed;
use super::supplements::Supplements;
use crate::ingest::newest;
use crate::run::Witness;
use crate::run::{RunInspection, Verdict};
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::RunStateView;
use crate::text::concat;
use crate::time::Millis;
use keep::{keep, keep_beside_view};
pub(super) use reason::Wait;

/// One run.
#[derive(Default)]
pub(super) struct RunBuilder {
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
    /// Index of each attempt in those of the run, by node, iteration and number.
    attempt_places: HashMap<(String, u32, Option<u32>), usize>,
    /// A list of all nodes was read.
    pub(super) whole: bool,
    /// When it was told, as far as that is known.
    listed_at: Option<Millis>,
    /// The nodes that hold the run up by the last `smithers status`, and when it was printed.
    gating: Vec<NodeStatus>,
    gating_at: Option<Millis>,
    /// When `smithers why` told what holds the run up.
    told_at: Option<Millis>,
    /// What the last snapshot's header said.
    header: Option<Witness>,
    /// What the events of a socket say.
    pushed: Pushed,
    /// What the event log says, and whether its state only follows from what nodes did.
    log: Option<(RunInspection, bool)>,
    /// What tells something of the run beside its state.
    pub(super) beside: Supplements,
    /// Deltas since the last snapshot that did not fit it.
    pub(super) unfit: usize,
}

impl RunBuilder {
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

    /// An answer about the run itself: its fields replace those of the one before, and what it leaves out stays while the state
    /// does.
    fn take_run(&mut self, mut fresh: RunInspection) {
        self.asked_for = true;
        let mut old = std::mem::take(&mut self.run);
        // A bare view knows the state and nothing else.
        let bare = fresh.workflow.is_none() && fresh.created_at.is_none() && fresh.status.is_none();
        let has_verdict = fresh.verdict != Verdict::Absent;
        if has_verdict {
            self.pushed.answered();
        }
        self.from_row = has_verdict && !bare || self.from_row && !has_verdict;
        if !fresh.told.is_empty() {
            self.told_at = self.when.at;
        }
        if bare {
            keep_beside_view(&mut old, &mut fresh);
            let verdict = if has_verdict { fresh.verdict } else { old.verdict };
            self.run = RunInspection { verdict, ..old };
            return;
        }
        keep(&mut old, &mut fresh);
        let verdict = if has_verdict { fresh.verdict } else { old.verdict };
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
            self.run.told.clear();
            self.from_row = false;
        }
    }

    fn ended(&self) -> bool {
        self.pushed.ended() || !self.pushed.is_news() && newest::ended(&self.run)
    }
}
