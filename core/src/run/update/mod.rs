//! Updates of a run, the same for the answers and events of a live Gateway and for those in documents.

mod attempts;

pub(crate) use attempts::AttemptIndex;

use super::nodes::{Place, named};
use super::{RunInspection, Witness, WitnessSource};
use crate::smithers::wire::{
    ApprovalRequest, Boundary, NodeState, NodeStatus, ReasonBlocked, RunState, RunStateView,
};
use crate::tree::{Delta, InvalidDelta, Tree};

/// The outcome of applying a delta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeltaOutcome {
    /// The tree was changed.
    Done,
    /// The tree already has the change.
    Old,
    /// The delta's base is not this tree.
    WrongBase,
}

impl RunInspection {
    /// Replaces all data from the answer about the run itself. Data from other methods is kept: the tree, the attempts, the
    /// boundary and the events; also the nodes, unless the answer contains them.
    pub(crate) fn replace_answer(&mut self, answer: Self) {
        let old = std::mem::replace(self, answer);
        if self.nodes.is_empty() {
            self.nodes = old.nodes;
        }
        (self.tree, self.frame_no, self.seq) = (old.tree, old.frame_no, old.seq);
        self.approvals = old.approvals;
        self.lacks_request = old.lacks_request && self.waits_without_reason();
        (self.attempts, self.boundary, self.reason_is_new) = (old.attempts, old.boundary, old.reason_is_new);
        self.witnesses.extend(old.witnesses.into_iter().filter(is_by_events));
    }

    /// Whether the run waits for a decision, and the server does not say at which node.
    pub(crate) fn waits_without_reason(&self) -> bool {
        let waits = |view: &RunStateView| view.state.known() == Some(RunState::WaitingApproval);
        self.view().is_some_and(|view| waits(view) && view.blocked.is_none())
    }

    /// Whether the run waits for a decision that nobody is asked for.
    pub(crate) fn waits_without_request(&self) -> bool {
        self.lacks_request && self.waits_without_reason()
    }

    /// Names the node of the oldest request for a decision, in a state that was derived from the row alone. Without a request
    /// the node is not known.
    pub(crate) fn name_approval(&mut self, requests: &[ApprovalRequest]) {
        let Some(derived) = self.verdict.as_mut().filter(|verdict| verdict.is_derived()) else { return };
        if derived.view.state.known() != Some(RunState::WaitingApproval) {
            return;
        }
        let of_run = requests.iter().filter(|request| request.run_id == self.run_id);
        let dated = of_run.filter_map(|request| Some((request, request.requested_at?)));
        let oldest = dated.min_by(|(_, one), (_, other)| one.0.total_cmp(&other.0));
        derived.view.blocked = oldest.and_then(|(request, at)| {
            Some(ReasonBlocked::Approval {
                node_id: request.node_id.clone(),
                requested_at: at.to_iso().ok()?,
            })
        });
    }

    /// The request for the decision at a node; the last answer is the newest.
    pub(crate) fn approval_at(&self, node: &Place<'_>) -> Option<&ApprovalRequest> {
        self.approvals
            .iter()
            .rfind(|request| request.node_id == node.id && request.iteration == node.iteration)
    }

    /// The request for the decision that the state names as its reason.
    pub(crate) fn named_approval(&self) -> Option<&ApprovalRequest> {
        let Some(ReasonBlocked::Approval { node_id, .. }) = &self.view()?.blocked else { return None };
        self.approval_at(&named(self, node_id, NodeState::WaitingApproval))
    }

    /// Replaces the server's list of all nodes.
    pub(crate) fn replace_nodes(&mut self, rows: Vec<NodeStatus>) {
        self.nodes = rows.into();
    }

    /// Joins the rows of the nodes to the tree.
    pub(crate) fn join_nodes(&mut self) {
        if let Some(tree) = &mut self.tree {
            tree.join(&self.nodes);
        }
    }

    /// Replaces the tree regardless of its frame number, because time travel goes back.
    pub(crate) fn replace_tree(&mut self, tree: Option<Tree>, frame_no: Option<f64>, seq: Option<f64>) {
        (self.tree, self.frame_no, self.seq) = (tree, frame_no, seq);
    }

    /// Records that time travel crossed side effects outside the run.
    pub(crate) fn set_boundary(&mut self, boundary: Boundary) {
        self.boundary = Some(boundary.into());
    }

    /// The witness of the pushed events.
    pub(crate) fn event_witness(&self) -> Option<&Witness> {
        self.witnesses.iter().find(|witness| is_by_events(witness))
    }

    /// Replaces the witness of the pushed events.
    pub(crate) fn set_event_witness(&mut self, witness: Option<Witness>) {
        self.witnesses.retain(|known| !is_by_events(known));
        self.witnesses.extend(witness);
    }

    /// Applies a delta to the tree.
    ///
    /// # Errors
    /// [`InvalidDelta`] if the delta has this tree's number as its base but does not fit the tree, which then stays
    /// unchanged.
    pub(crate) fn apply_delta(&mut self, delta: &Delta) -> Result<DeltaOutcome, InvalidDelta> {
        let (Some(tree), Some(seq)) = (&mut self.tree, self.seq) else { return Ok(DeltaOutcome::WrongBase) };
        if delta.seq <= seq && delta.base_seq < seq {
            return Ok(DeltaOutcome::Old);
        }
        if delta.base_seq != seq {
            return Ok(DeltaOutcome::WrongBase);
        }
        tree.apply(delta)?;
        (self.frame_no, self.seq) = (Some(delta.seq), Some(delta.seq));
        Ok(DeltaOutcome::Done)
    }
}

fn is_by_events(witness: &Witness) -> bool {
    witness.source == WitnessSource::Events
}

#[cfg(test)]
mod tests {
    use super::DeltaOutcome;
    use crate::run::RunInspection;
    use crate::tree::{Delta, Snapshot};

    fn run(seq: u32) -> RunInspection {
        let root = r#"{"id":1,"type":"workflow","name":"w","props":{},"task":null,"children":[],"depth":0}"#;
        let text = format!(r#"{{"version":1,"runId":"r","frameNo":{seq},"seq":{seq},"root":{root}}}"#);
        let Snapshot { tree, frame_no, seq, .. } = Snapshot::from_json(&text).unwrap();
        let mut run = RunInspection::default();
        run.replace_tree(Some(tree), Some(frame_no), Some(seq));
        run
    }

    fn delta(base: u32, seq: u32, ops: &str) -> Delta {
        Delta::from_json(&format!(r#"{{"version":1,"baseSeq":{base},"seq":{seq},"ops":[{ops}]}}"#)).unwrap()
    }

    #[test]
    fn only_a_delta_for_this_tree_changes_it() {
        for (base, seq, expected, after) in [
            (5, 6, DeltaOutcome::Done, 6.0),
            (5, 9, DeltaOutcome::Done, 9.0),
            (3, 4, DeltaOutcome::Old, 5.0),
            (4, 5, DeltaOutcome::Old, 5.0),
            (4, 6, DeltaOutcome::WrongBase, 5.0),
            (6, 7, DeltaOutcome::WrongBase, 5.0),
            (6, 5, DeltaOutcome::WrongBase, 5.0),
        ] {
            let mut run = run(5);
            assert_eq!(run.apply_delta(&delta(base, seq, "")), Ok(expected), "{base} to {seq}");
            assert_eq!((run.seq, run.frame_no), (Some(after), Some(after)), "{base} to {seq}");
        }
    }

    #[test]
    fn a_delta_without_a_tree_has_the_wrong_base() {
        let mut run = RunInspection::default();
        assert_eq!(run.apply_delta(&delta(5, 6, "")), Ok(DeltaOutcome::WrongBase));
        assert_eq!(run.seq, None);
    }

    #[test]
    fn a_delta_that_does_not_fit_changes_nothing() {
        let mut run = run(5);
        assert!(run.apply_delta(&delta(5, 6, r#"{"op":"removeNode","id":99}"#)).is_err());
        assert_eq!(run.seq, Some(5.0));
    }
}
