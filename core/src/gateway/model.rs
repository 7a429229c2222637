//! What the feed knows, and which part of it changed.

use super::io::Revision;
use crate::refusal::Refusal;
use crate::run::{Inspection, Recognised, RunInspection, Verdict};
use crate::run::{Witness, WitnessSource};
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::{Attempt, Boundary, NodeState, RunState, RunStateView};
use crate::time::Millis;
use crate::tree::{Delta, InvalidDelta, Op, Snapshot};
use crate::word::Word;

/// `computedAt` moves with every answer; surfaces hear of it once a second when nothing else changed.
const COMPUTED_AT_STEP_MS: f64 = 1000.0;

/// A part that can have a problem while the rest works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ProblemArea {
    Run,
    Nodes,
    Tree,
    List,
    Frames,
}

/// What a delta did to the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Applied {
    /// It fitted.
    Done,
    /// It was known already.
    Old,
    /// It belongs to a tree that we do not have.
    Unfit,
}

/// More attempts than are ever under way or open to be tried again at once.
const KEPT_ATTEMPTS: usize = 1000;

/// The inspection with its revision counters.
#[derive(Debug)]
pub(super) struct Model {
    inspection: Inspection,
    revision: Revision,
    /// In the order of the parts.
    problems: Vec<(ProblemArea, String)>,
    /// The `computedAt` that the last header revision showed.
    shown_computed_at: Option<Millis>,
    /// A delta changed tasks after the rows were joined.
    unjoined: bool,
    /// The answer that the list of runs is from.
    listed: Option<Box<str>>,
}

impl Model {
    pub(super) fn new() -> Self {
        let inspection = Inspection {
            recognised: Recognised::Gateway,
            run: None,
            runs: Vec::new(),
            refusal: None,
            problems: Vec::new(),
        };
        Self {
            inspection,
            revision: Revision::default(),
            problems: Vec::new(),
            shown_computed_at: None,
            unjoined: false,
            listed: None,
        }
    }

    pub(super) fn inspection(&self) -> &Inspection {
        &self.inspection
    }

    pub(super) fn revision(&self) -> Revision {
        self.revision
    }

    /// The watched run's state, as `getRun` said it last.
    pub(super) fn state(&self) -> Option<&Word<RunState>> {
        self.inspection.run.as_ref()?.verdict.view().map(|view| &view.state)
    }

    /// Whether `getRun` said last that the run has ended.
    pub(super) fn ended(&self) -> bool {
        self.state().and_then(Word::known).is_some_and(RunState::is_terminal)
    }

    /// Another run is watched: nothing of the one before is about it.
    pub(super) fn forget_run(&mut self) {
        if self.inspection.run.take().is_some() {
            self.revision.tree += 1;
        }
        self.inspection.refusal = None;
        self.shown_computed_at = None;
        self.problems.retain(|(part, _)| matches!(part, ProblemArea::List | ProblemArea::Frames));
        self.write_problems();
        self.revision.header += 1;
    }

    pub(super) fn refuse(&mut self, refusal: Option<Refusal>) {
        if self.inspection.refusal != refusal {
            self.inspection.refusal = refusal;
            self.revision.header += 1;
        }
    }

    /// Notes a part's problem, or that it has none any more.
    pub(super) fn note(&mut self, part: ProblemArea, problem: Option<String>) {
        let at = self.problems.iter().position(|(noted, _)| *noted >= part).unwrap_or(self.problems.len());
        let noted = self.problems.get(at).filter(|(noted, _)| *noted == part).map(|(_, text)| text);
        if noted != problem.as_ref() {
            if noted.is_some() {
                self.problems.remove(at);
            }
            if let Some(text) = problem {
                self.problems.insert(at, (part, text));
            }
            self.write_problems();
            self.revision.header += 1;
        }
    }

    fn write_problems(&mut self) {
        self.inspection.problems = self.problems.iter().map(|(_, text)| text.clone()).collect();
    }

    /// Takes in a `getRun` answer; what other answers told of the run stays.
    pub(super) fn take_run(&mut self, mut fresh: RunInspection) {
        let mut changed = true;
        if let Some(old) = self.inspection.run.take() {
            changed = !same_header(&old, &fresh);
            fresh.tree = old.tree;
            fresh.nodes = old.nodes;
            fresh.attempts = old.attempts;
            (fresh.frame_no, fresh.seq) = (old.frame_no, old.seq);
            fresh.boundary = old.boundary;
            fresh.witnesses.extend(old.witnesses.into_iter().filter(is_of_events));
        }
        let computed_at = fresh.verdict.view().and_then(RunStateView::said_at);
        let moved = match (computed_at, self.shown_computed_at) {
            (Some(new), Some(shown)) => new.since(shown).abs() >= COMPUTED_AT_STEP_MS,
            (new, shown) => new != shown,
        };
        if changed || moved {
            self.shown_computed_at = computed_at;
            self.revision.header += 1;
        }
        self.inspection.run = Some(fresh);
        self.refuse(None);
    }

    /// What the pushed events say of the run, or that they say nothing that could be compared.
    pub(super) fn testify(&mut self, witness: Option<Witness>) {
        let Some(run) = &mut self.inspection.run else { return };
        let place = run.witnesses.iter().position(is_of_events);
        let before = place.and_then(|place| run.witnesses.get(place)).map(|witness| witness.state.clone());
        if before.is_none() && witness.is_none() {
            return;
        }
        if before != witness.as_ref().map(|witness| witness.state.clone()) {
            self.revision.header += 1;
        }
        run.witnesses.retain(|witness| !is_of_events(witness));
        run.witnesses.extend(witness);
    }

    /// Time travel went over effects outside the run.
    pub(super) fn cross(&mut self, boundary: Option<Boundary>) {
        if let (Some(run), Some(_)) = (&mut self.inspection.run, &boundary) {
            run.boundary = boundary;
            self.revision.header += 1;
        }
    }

    /// Takes in a `listNodeStates` answer, once the run itself is known.
    pub(super) fn take_nodes(&mut self, nodes: Vec<NodeStatus>) {
        let Some(run) = &mut self.inspection.run else { return };
        if std::mem::take(&mut self.unjoined) || run.nodes != nodes {
            if let Some(tree) = &mut run.tree {
                tree.join(&nodes);
            }
            run.nodes = nodes;
            self.revision.tree += 1;
        }
    }

    /// Takes in an answer to `attempts.list`: all attempts at the rounds that are in it.
    pub(super) fn take_attempts(&mut self, mut rows: Vec<Attempt>) {
        let Some(run) = &mut self.inspection.run else { return };
        let is_again = |known: &Attempt| {
            rows.iter().any(|row| (&row.node_id, row.iteration) == (&known.node_id, known.iteration))
        };
        run.attempts.retain(|known| !is_again(known));
        rows.append(&mut run.attempts);
        // What was asked for longest ago is most likely over.
        rows.truncate(KEPT_ATTEMPTS);
        run.attempts = rows;
        self.revision.header += 1;
    }

    /// Whether the counts of `getRun` and the list of nodes tell different stories.
    pub(super) fn nodes_are_old(&self) -> bool {
        let Some(run) = &self.inspection.run else { return false };
        // The summary is in the order of its words; what is left of its counts is no node of the list.
        let mut left: Vec<u64> = run.summary.iter().map(|(_, count)| *count).collect();
        for node in &run.nodes {
            let at = run.summary.binary_search_by(|(state, _)| state.as_str().cmp(node.state.as_str()));
            match at.ok().and_then(|at| left.get_mut(at)) {
                Some(count) if *count > 0 => *count -= 1,
                Some(_) | None => return true,
            }
        }
        left.iter().any(|count| *count > 0)
    }

    /// The counts by `getRun`.
    pub(super) fn summary(&self) -> &[(Word<NodeState>, u64)] {
        self.inspection.run.as_ref().map_or(&[], |run| &run.summary)
    }

    /// Takes in a whole tree: a new baseline, whatever its number. Time travel makes it go back.
    pub(super) fn take_snapshot(&mut self, snapshot: Snapshot) {
        let Some(run) = &mut self.inspection.run else { return };
        let Snapshot { mut tree, frame_no, seq, .. } = snapshot;
        tree.join(&run.nodes);
        (run.tree, run.frame_no, run.seq) = (Some(tree), Some(frame_no), Some(seq));
        self.revision.tree += 1;
        self.revision.header += 1;
    }

    /// Applies a delta if it fits the tree on hand.
    pub(super) fn apply(&mut self, delta: &Delta) -> Result<Applied, InvalidDelta> {
        let Some(run) = &mut self.inspection.run else { return Ok(Applied::Unfit) };
        let (Some(tree), Some(seq)) = (&mut run.tree, run.seq) else { return Ok(Applied::Unfit) };
        if delta.seq <= seq {
            return Ok(Applied::Old);
        }
        if delta.base_seq != seq {
            return Ok(Applied::Unfit);
        }
        tree.apply(delta)?;
        // Only what is new in the tree has no row yet; a task's new row comes with the next list of nodes.
        self.unjoined |= delta.ops.iter().any(|op| matches!(op, Op::UpdateTask { .. }));
        if delta.ops.iter().any(|op| matches!(op, Op::AddNode { .. } | Op::ReplaceRoot { .. })) {
            tree.join(&run.nodes);
        }
        (run.frame_no, run.seq) = (Some(delta.seq), Some(delta.seq));
        self.revision.tree += 1;
        self.revision.header += 1;
        Ok(Applied::Done)
    }

    pub(super) fn listed(&self) -> Option<&str> {
        self.listed.as_deref()
    }

    /// Takes in a `listRuns` answer and what it was read from.
    pub(super) fn take_list(&mut self, runs: Vec<RunInspection>, answer: &str) {
        self.listed = Some(answer.into());
        // The first answer is news even where it is empty: until then nothing says that there are no runs.
        let same = self.revision.runs > 0
            && runs.len() == self.inspection.runs.len()
            && runs.iter().zip(&self.inspection.runs).all(|(new, old)| same_header(old, new));
        self.inspection.runs = runs;
        if !same {
            self.revision.runs += 1;
        }
    }
}

fn is_of_events(witness: &Witness) -> bool {
    witness.source == WitnessSource::Events
}

/// Whether two readings of a run say the same, but for the moment at which they were computed.
fn same_header(a: &RunInspection, b: &RunInspection) -> bool {
    a.run_id == b.run_id
        && a.workflow == b.workflow
        && (a.created_at, a.started_at, a.finished_at) == (b.created_at, b.started_at, b.finished_at)
        && a.parent_run_id == b.parent_run_id
        && a.summary == b.summary
        && a.error == b.error
        && a.failed_children == b.failed_children
        && a.failed_child_count == b.failed_child_count
        && a.continued == b.continued
        && same_verdict(&a.verdict, &b.verdict)
}

fn same_verdict(a: &Verdict, b: &Verdict) -> bool {
    let (view_a, view_b) = match (a, b) {
        (Verdict::Absent, Verdict::Absent) => return true,
        (Verdict::Said { view: a, .. }, Verdict::Said { view: b, .. })
        | (Verdict::Derived { view: a, .. }, Verdict::Derived { view: b, .. }) => (a, b),
        (Verdict::Absent | Verdict::Said { .. } | Verdict::Derived { .. }, _) => return false,
    };
    view_a.run_id == view_b.run_id
        && view_a.state == view_b.state
        && view_a.blocked == view_b.blocked
        && view_a.unhealthy == view_b.unhealthy
        && a.evidence().map(|evidence| &evidence.inputs) == b.evidence().map(|evidence| &evidence.inputs)
}

#[cfg(test)]
mod tests {
    use super::Model;
    use crate::run::RunInspection;
    use crate::smithers::wire::{read_node_states, read_run};
    use crate::time::Millis;

    /// Whether that list of nodes is old beside those counts.
    fn is_old(counts: &str, states: &[&str]) -> bool {
        let row = format!(r#"{{"runId":"r","status":"running","summary":{counts}}}"#);
        let nodes: Vec<String> =
            states.iter().map(|state| format!(r#"{{"nodeId":"n","state":"{state}"}}"#)).collect();
        let mut board = Model::new();
        board.take_run(RunInspection::from_row(&read_run(&row).unwrap(), "getRun", Millis(0.0)));
        board.take_nodes(read_node_states(&format!("[{}]", nodes.join(","))).unwrap());
        board.nodes_are_old()
    }

    #[test]
    fn a_list_of_nodes_is_old_where_the_counts_are_others() {
        let counts = r#"{"pending":2,"melted":1,"failed":0}"#;
        assert!(!is_old(counts, &["pending", "melted", "pending"]));
        assert!(!is_old("{}", &[]));
        for states in [
            &[][..],
            &["pending", "melted"],
            &["pending", "pending"],
            &["pending", "pending", "pending", "melted"],
            &["pending", "pending", "melted", "failed"],
            &["pending", "pending", "melted", "frozen"],
        ] {
            assert!(is_old(counts, states), "{states:?}");
        }
    }
}
