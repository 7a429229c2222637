//! Joins supplements with the answers about a run.

use std::collections::{BTreeMap, HashMap};

use super::supplement::SupplementRequest;
use super::{RunBuilder, Supplement, Wait};
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::run::RunInspection;
use crate::run::newest::{StatementTime, is_later, latest_time};
use crate::smithers::wire::{NodeStatus, ReasonBlocked};
use crate::text::{concat, join};
use crate::time::Millis;
use crate::word::Vocabulary;

/// Maximum number of documents that the evidence lists.
const MAX_NAMED: usize = 10;

/// The supplements of a run in the order of their arrival.
#[derive(Clone, Default)]
pub(super) struct Supplements {
    /// Each supplement and its time, by its number.
    by_number: BTreeMap<usize, (Supplement, Option<Millis>)>,
    /// The number of the next supplement.
    next: usize,
    /// The number of the response to each request.
    responses: HashMap<SupplementRequest, usize>,
}

impl Supplements {
    /// Adds a supplement. A response to the same request replaces the earlier response.
    fn add(&mut self, supplement: Supplement, at: Option<Millis>) {
        let question = supplement.question.clone();
        if let Some(before) = question.and_then(|question| self.responses.insert(question, self.next)) {
            self.by_number.remove(&before);
        }
        self.by_number.insert(self.next, (supplement, at));
        self.next += 1;
    }

    /// The times of the supplements.
    pub(super) fn times(&mut self) -> impl Iterator<Item = &mut Option<Millis>> {
        self.by_number.values_mut().map(|(_, at)| at)
    }
}

impl RunBuilder {
    /// Takes a supplement. Only supplements have attempts.
    pub(super) fn take_supplement(&mut self, mut supplement: Supplement, when: StatementTime) {
        let attempts = std::mem::take(&mut supplement.run.attempts);
        self.run.merge_attempts(attempts, &mut self.attempt_index);
        self.run.approvals.append(&mut supplement.run.approvals);
        self.supplements.add(supplement, when.at);
    }

    /// Returns the id of the parent run, if known.
    pub(crate) fn parent_run_id(&self) -> Option<&str> {
        let mut supplements = self.supplements.by_number.values();
        let parent = || supplements.find_map(|(supplement, _)| supplement.run.parent_run_id.as_deref());
        self.run.parent_run_id.as_deref().or_else(parent)
    }

    /// Whether this run was created before another one ended.
    pub(crate) fn was_created_before_end_of(&self, other: &RunInspection) -> bool {
        other.finished_at.zip(self.run.created_at).is_some_and(|(end, begin)| begin < end)
    }

    /// Joins the facts that the answers do not contain: nodes that are in no list and no tree, and a tree if none is
    /// known.
    pub(super) fn join_supplements(&mut self) {
        let supplements = std::mem::take(&mut self.supplements).by_number.into_values();
        let drawn_by_snapshot = self.run.tree.is_some();
        let (mut inputs, mut read_from, mut last) = (Vec::new(), Vec::new(), None);
        let mut awaited = Vec::new();
        self.clear_node_index();
        for (supplement, at) in supplements {
            let words = supplement.description();
            let Supplement { run, name, read_from: from, waits, .. } = supplement;
            let is_older = is_later(self.answer_time.at, at);
            // A list of unknown time may be from before the run waited.
            let answer = self.answer_time.at.or_else(|| latest_time(&self.run));
            let is_newer = at.zip(answer).is_some_and(|(at, answer)| at >= answer);
            self.run.lacks_request |= run.lacks_request && is_newer;
            self.join_facts(run, drawn_by_snapshot, is_older);
            if !is_older {
                awaited.extend(waits);
            }
            last = at.or(last);
            if inputs.len() < MAX_NAMED {
                inputs.push(Input::new(name, Value::Text(words), false));
                if !read_from.contains(&from) {
                    read_from.push(from);
                }
            }
        }
        awaited.extend(self.run.approvals.iter().filter_map(|request| {
            let (node_id, requested_at) = (request.node_id.clone(), request.requested_at?.to_iso().ok()?);
            let reason = ReasonBlocked::Approval { node_id: node_id.clone(), requested_at };
            Some(Wait { node_id, iteration: request.iteration, reason })
        }));
        self.add_reason_of_waits(awaited);
        // A snapshot without a state is shown without a state.
        if !inputs.is_empty() && self.run.verdict.is_none() && !drawn_by_snapshot {
            self.set_unknown(inputs, &read_from, last);
        }
    }

    /// Joins the facts of one supplement. Nodes of one that is older than the answer are not taken.
    fn join_facts(&mut self, facts: RunInspection, drawn_by_snapshot: bool, is_older: bool) {
        let RunInspection { workflow, parent_run_id, nodes, tree, frame_no, .. } = facts;
        self.run.workflow = self.run.workflow.take().or(workflow);
        self.run.parent_run_id = self.run.parent_run_id.take().or(parent_run_id);
        if tree.is_some() && !drawn_by_snapshot && self.run.frame_no <= frame_no {
            (self.run.tree, self.run.frame_no) = (tree, frame_no);
        }
        for node in nodes {
            if !is_older && !self.has_all_nodes && !self.has_node(&node) {
                self.run.nodes.push(node);
            }
        }
    }

    /// Whether the state of a node is known.
    fn has_node(&mut self, node: &NodeStatus) -> bool {
        let (id, iteration) = (&node.node_id, Some(node.iteration));
        let tree = self.run.tree.as_ref();
        let in_tree = tree.and_then(|tree| tree.node(tree.find_node(id, iteration)?).state()).is_some();
        in_tree || self.node_place(id, iteration).is_some()
    }

    /// Sets the state to unknown; the evidence lists the documents that were read.
    fn set_unknown(&mut self, mut inputs: Vec<Input>, read_from: &[String], at: Option<Millis>) {
        self.run.caveats = inputs.iter().map(|input| sentence(input).into()).collect();
        inputs.push(Input::new(Signal::StateSource, Value::Absent, true));
        let named: Vec<&str> = read_from.iter().map(String::as_str).collect();
        let evidence = Evidence { inputs, read_from: join(&named, ", "), read_at: at };
        self.run.verdict = Some(self.run.unknown_state(evidence));
    }
}

/// Describes a supplement as a caveat.
fn sentence(input: &Input) -> String {
    let words = match &input.value {
        Value::Text(words) => words.as_str(),
        Value::Absent | Value::Word(_) | Value::Time(_) => "",
    };
    let end = if words.ends_with(['.', '?', '!']) { "" } else { "." };
    let mut text = concat(&[input.name.as_str(), ": ", words, end]);
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}
