//! Holds the client's model: the inspection and its change counters.

mod list;

use super::io::Revision;
use super::requests::Method;
use super::row_answers::{RowAnswers, same_header};
use super::row_nodes::RowNodes;
use crate::problem::{Problem, Problems};
use crate::refusal::Refusal;
use crate::run::{DeltaOutcome, DocumentKind, Inspection, RunInspection, Witness};
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::{ApprovalRequest, Attempt, Boundary, NodeState, RunState, RunStateView};
use crate::text::concat;
use crate::time::Millis;
use crate::tree::{Delta, InvalidDelta, Op, Snapshot};
use crate::word::Word;

/// Minimum step of `computedAt`, in milliseconds, that raises the header's counter: `computedAt` changes with every
/// answer.
const COMPUTED_AT_STEP_MS: f64 = 1000.0;

/// A part of the model that can have a problem while the others work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ProblemArea {
    Run,
    Nodes,
    Attempts,
    Approvals,
    RowReasons,
    Tree,
    List,
    Frames,
}

impl ProblemArea {
    pub(super) fn from_method(method: Method) -> Self {
        match method {
            Method::GetRun | Method::Connect => Self::Run,
            Method::ListNodeStates => Self::Nodes,
            Method::ListAttempts => Self::Attempts,
            Method::ListApprovals => Self::Approvals,
            Method::GetListedRun | Method::ListRowNodes => Self::RowReasons,
            Method::GetSnapshot | Method::StreamDevTools => Self::Tree,
            Method::ListRuns => Self::List,
        }
    }
}

/// Maximum number of stored attempts. A run never has as many attempts that run or can be retried at once.
const MAX_ATTEMPTS: usize = 1000;

/// The inspection with its revision counters.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) inspection: Inspection,
    pub(super) revision: Revision,
    /// The problems, sorted by area.
    problems: Vec<(ProblemArea, String)>,
    /// The Gateway's refusal of the tree, as long as it lasts.
    pub(super) tree_refusal: Option<Refusal>,
    /// The `computedAt` of the last header revision.
    shown_computed_at: Option<Millis>,
    /// Whether a delta has changed tasks since the rows were joined.
    needs_join: bool,
    /// The answer from which the list of runs was read.
    pub(super) listed: Option<Box<str>>,
    /// The last answer to `listApprovals`, about all runs.
    approvals: Vec<ApprovalRequest>,
    row_answers: RowAnswers,
    pub(super) row_nodes: RowNodes,
    /// The revision of the list in which each of its rows last changed.
    row_revisions: Vec<u64>,
    /// The revision of the list in which rows were last added, removed or moved.
    moved_in: u64,
}

impl Model {
    pub(super) fn new() -> Self {
        let inspection = Inspection {
            kind: DocumentKind::Gateway,
            run: None,
            runs: Vec::new(),
            refusal: None,
            problems: Problems::default(),
        };
        Self {
            inspection,
            revision: Revision::default(),
            problems: Vec::new(),
            tree_refusal: None,
            shown_computed_at: None,
            needs_join: false,
            listed: None,
            approvals: Vec::new(),
            row_answers: RowAnswers::default(),
            row_nodes: RowNodes::default(),
            row_revisions: Vec::new(),
            moved_in: 0,
        }
    }

    /// Returns the watched run's state according to the last `getRun`.
    pub(super) fn state(&self) -> Option<&Word<RunState>> {
        self.inspection.run.as_ref()?.view().map(|view| &view.state)
    }

    /// Whether the run has ended according to the last `getRun`.
    pub(super) fn ended(&self) -> bool {
        self.state().and_then(Word::known).is_some_and(RunState::is_terminal)
    }

    /// Forgets the watched run before the client watches another one. Its last answer, of `read_at`, stays on its row of the
    /// list, unless the list is newer and contradicts it.
    pub(super) fn forget_run(&mut self, read_at: Option<Millis>, list_read_at: Option<Millis>) {
        if let Some(run) = self.inspection.run.take() {
            self.keep_answer(run, read_at, read_at >= list_read_at);
            self.revision.tree += 1;
        }
        (self.inspection.refusal, self.tree_refusal) = (None, None);
        self.shown_computed_at = None;
        self.problems.retain(|(area, _)| matches!(area, ProblemArea::List | ProblemArea::Frames));
        self.write_problems();
        self.revision.header += 1;
    }

    pub(super) fn refuse(&mut self, refusal: Option<Refusal>) {
        if self.inspection.refusal != refusal {
            self.inspection.refusal = refusal;
            self.revision.header += 1;
        }
    }

    /// Sets or clears the problem of an area.
    pub(super) fn note(&mut self, area: ProblemArea, problem: Option<String>) {
        if area == ProblemArea::Tree {
            self.tree_refusal = None;
        }
        let at = self.problems.iter().position(|(noted, _)| *noted >= area).unwrap_or(self.problems.len());
        let noted = self.problems.get(at).filter(|(noted, _)| *noted == area).map(|(_, text)| text);
        if noted != problem.as_ref() {
            if noted.is_some() {
                self.problems.remove(at);
            }
            if let Some(text) = problem {
                self.problems.insert(at, (area, text));
            }
            self.write_problems();
            self.revision.header += 1;
        }
    }

    /// Notes the Gateway's refusal as the problem of an area.
    pub(super) fn note_refusal(&mut self, area: ProblemArea, refusal: &Refusal) {
        self.note(area, Some(sentence(refusal)));
        if area == ProblemArea::Tree {
            self.tree_refusal = Some(refusal.clone());
            self.write_problems();
        }
    }

    /// Lists the problems. A failure of the server concerns several methods, and is one line. The refusal of a tree is not listed
    /// where it is the reason why there is none.
    fn write_problems(&mut self) {
        let has_tree = self.inspection.run.as_ref().is_some_and(|run| run.tree.is_some());
        let is_listed = |area| area != ProblemArea::Tree || self.tree_refusal.is_none() || has_tree;
        let mut lines: Vec<(String, &str)> = Vec::new();
        for (_, text) in self.problems.iter().filter(|(area, _)| is_listed(*area)) {
            let (method, message) = text.split_once(": ").unwrap_or(("", text));
            match lines.iter_mut().find(|(_, known)| !method.is_empty() && *known == message) {
                Some((methods, _)) => *methods = concat(&[methods, ", ", method]),
                None => lines.push((method.to_owned(), message)),
            }
        }
        let texts = lines.into_iter().map(|(methods, message)| match methods.as_str() {
            "" => message.to_owned(),
            methods => concat(&[methods, ": ", message]),
        });
        self.inspection.problems = texts.map(Problem::new).collect();
    }

    /// Replaces the run by a `getRun` answer and keeps the answers of other methods.
    pub(super) fn take_run(&mut self, fresh: RunInspection) {
        let changed = !self.inspection.run.as_ref().is_some_and(|old| same_header(old, &fresh));
        let run = self.inspection.run.get_or_insert_default();
        run.replace_answer(fresh);
        let computed_at = run.view().and_then(RunStateView::computed_time);
        let moved = match (computed_at, self.shown_computed_at) {
            (Some(new), Some(shown)) => new.since(shown).abs() >= COMPUTED_AT_STEP_MS,
            (new, shown) => new != shown,
        };
        if changed || moved {
            self.shown_computed_at = computed_at;
            self.revision.header += 1;
        }
        self.refuse(None);
    }

    /// Replaces the witness of the pushed events.
    pub(super) fn set_event_witness(&mut self, witness: Option<Witness>) {
        let Some(run) = &mut self.inspection.run else { return };
        let before = run.event_witness();
        if before.map(|before| &before.view.state) != witness.as_ref().map(|witness| &witness.view.state) {
            self.revision.header += 1;
        }
        run.set_event_witness(witness);
    }

    /// Sets whether the reason why the run waits is too new to act on it.
    pub(super) fn set_reason_is_new(&mut self, is_new: bool) {
        let Some(run) = &mut self.inspection.run else { return };
        if run.reason_is_new != is_new {
            run.reason_is_new = is_new;
            self.revision.header += 1;
        }
    }

    /// Records that time travel crossed side effects outside the run.
    pub(super) fn set_boundary(&mut self, boundary: Option<Boundary>) {
        if let (Some(run), Some(boundary)) = (&mut self.inspection.run, boundary) {
            run.set_boundary(boundary);
            self.revision.header += 1;
        }
    }

    /// Stores a `listNodeStates` answer, once the run itself is known.
    pub(super) fn take_nodes(&mut self, nodes: Vec<NodeStatus>) {
        let Some(run) = &mut self.inspection.run else { return };
        if std::mem::take(&mut self.needs_join) || *run.nodes != *nodes {
            run.replace_nodes(nodes);
            run.join_nodes();
            self.revision.tree += 1;
        }
    }

    /// Stores an `attempts.list` answer, which has all attempts of one node in one iteration.
    pub(super) fn take_attempts(&mut self, rows: Vec<Attempt>) {
        if let (Some(run), false) = (&mut self.inspection.run, rows.is_empty()) {
            // The attempts with the oldest requests are most likely over.
            run.replace_attempts(rows, MAX_ATTEMPTS);
            self.revision.header += 1;
        }
    }

    /// Whether no decision is pending although the watched run waits for one.
    pub(super) fn lacks_request(&self) -> bool {
        self.inspection.run.as_ref().is_some_and(|run| run.lacks_request)
    }

    /// Stores a `listApprovals` answer: the questions of the watched run, and the nodes of the rows that wait. What it does not
    /// list does not exist if it is complete and newer than the run, and than the list.
    pub(super) fn take_approvals(
        &mut self,
        requests: Vec<ApprovalRequest>,
        [lists_all_of_run, lists_all_of_rows]: [bool; 2],
    ) {
        if let Some(run) = &mut self.inspection.run {
            let of_run = requests.iter().filter(|request| request.run_id == run.run_id);
            let of_run: Vec<ApprovalRequest> = of_run.cloned().collect();
            let lacks_request = lists_all_of_run && of_run.is_empty() && run.waits_without_reason();
            if run.approvals != of_run || run.lacks_request != lacks_request {
                (run.approvals, run.lacks_request) = (of_run, lacks_request);
                self.revision.header += 1;
            }
        }
        let next = self.revision.runs + 1;
        for (row, revision) in self.inspection.runs.iter_mut().zip(&mut self.row_revisions) {
            let before = (row.view().and_then(|view| view.blocked.clone()), row.lacks_request);
            row.name_approval(&requests);
            row.lacks_request = lists_all_of_rows && row.waits_without_reason();
            let after = (row.view().and_then(|view| view.blocked.as_ref()), row.lacks_request);
            if after != (before.0.as_ref(), before.1) {
                (*revision, self.revision.runs) = (next, next);
            }
        }
        self.approvals = requests;
    }

    /// The pending requests for a decision of all runs.
    pub(super) fn approvals(&self) -> &[ApprovalRequest] {
        &self.approvals
    }

    /// Whether the node list contradicts the counts of `getRun`.
    pub(super) fn nodes_are_outdated(&self) -> bool {
        let Some(run) = &self.inspection.run else { return false };
        // The summary is sorted by state.
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

    /// The node counts of `getRun`.
    pub(super) fn summary(&self) -> &[(Word<NodeState>, u64)] {
        self.inspection.run.as_ref().map_or(&[], |run| &run.summary)
    }

    /// Replaces the tree by a snapshot of any number, because time travel goes back.
    pub(super) fn take_snapshot(&mut self, snapshot: Snapshot) {
        let Some(run) = &mut self.inspection.run else { return };
        let Snapshot { tree, frame_no, seq, .. } = snapshot;
        run.replace_tree(Some(tree), Some(frame_no), Some(seq));
        run.join_nodes();
        self.revision.tree += 1;
        self.revision.header += 1;
    }

    /// Applies a delta to the tree if its base matches.
    pub(super) fn apply(&mut self, delta: &Delta) -> Result<DeltaOutcome, InvalidDelta> {
        let Some(run) = &mut self.inspection.run else { return Ok(DeltaOutcome::WrongBase) };
        let applied = run.apply_delta(delta)?;
        if applied != DeltaOutcome::Done {
            return Ok(applied);
        }
        // Only added nodes have no row yet; a changed task gets its row from the next node list.
        self.needs_join |= delta.ops.iter().any(|op| matches!(op, Op::UpdateTask { .. }));
        let adds = delta.ops.iter().any(|op| matches!(op, Op::AddNode { .. } | Op::ReplaceRoot { .. }));
        if adds {
            run.join_nodes();
        }
        self.revision.tree += 1;
        self.revision.header += 1;
        Ok(DeltaOutcome::Done)
    }
}

/// Formats a refusal as one line.
fn sentence(refusal: &Refusal) -> String {
    let method = refusal.method.as_deref().unwrap_or("the Gateway");
    format!("{method}: {} ({})", refusal.message, refusal.code)
}

#[cfg(test)]
mod tests {
    use super::Model;
    use crate::run::RunInspection;
    use crate::smithers::wire::{read_node_states, read_run};
    use crate::time::Millis;

    /// Whether a list of nodes contradicts the counts of the run.
    fn is_old(counts: &str, states: &[&str]) -> bool {
        let row = format!(r#"{{"runId":"r","status":"running","summary":{counts}}}"#);
        let nodes: Vec<String> =
            states.iter().map(|state| format!(r#"{{"nodeId":"n","state":"{state}"}}"#)).collect();
        let mut model = Model::new();
        model.take_run(RunInspection::from_row(&read_run(&row).unwrap(), "getRun", Millis(0.0)));
        model.take_nodes(read_node_states(&format!("[{}]", nodes.join(","))).unwrap());
        model.nodes_are_outdated()
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
