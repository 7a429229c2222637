//! What documents tell of a run beside its state, as it joins what its answers told.

use super::When;
use super::run_builder::RunBuilder;
use super::supplement::Supplement;
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::run::{RunInspection, Verdict};
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::{RunState, RunStateView};
use crate::text::{concat, join};
use crate::time::Millis;
use crate::word::{Vocabulary, Word};

/// How many documents are named one by one.
const MAX_NAMED: usize = 10;

/// What was told of a run beside its state, each with its moment.
pub(super) type Supplements = Vec<(Supplement, Option<Millis>)>;

impl RunBuilder {
    /// What joins the run where its answers leave it out. Attempts are told nowhere else. Where the same was asked again, the
    /// answer before is over.
    pub(super) fn take_part(&mut self, mut part: Supplement, when: When) {
        self.take_attempts(std::mem::take(&mut part.run.attempts));
        let again = |(known, _): &(Supplement, _)| known.question == part.question;
        if part.question.is_some()
            && let Some(place) = self.beside.iter().position(again)
        {
            self.beside.remove(place);
        }
        self.beside.push((part, when.at));
    }

    /// The run that started this one, where that was told.
    pub(super) fn parent_run_id(&self) -> Option<&str> {
        let beside = || self.beside.iter().find_map(|(part, _)| part.run.parent_run_id.as_deref());
        self.run.parent_run_id.as_deref().or_else(beside)
    }

    /// Whether this run was created before another one ended.
    pub(super) fn began_before_the_end_of(&self, other: &RunInspection) -> bool {
        other.finished_at.zip(self.run.created_at).is_some_and(|(end, begin)| begin < end)
    }

    /// Joins what answers left out: nodes that no list of all and no tree tells of, and a tree where there is none.
    pub(super) fn join_beside(&mut self) {
        let parts = std::mem::take(&mut self.beside);
        let drawn_by_snapshot = self.run.tree.is_some();
        let (mut told, mut read_from, mut last) = (Vec::new(), Vec::new(), None);
        let mut awaited = Vec::new();
        self.forget_places();
        for (part, at) in parts {
            let words = part.told();
            let Supplement { run, name, read_from: from, waits, .. } = part;
            let RunInspection { workflow, parent_run_id, nodes, tree, frame_no, .. } = run;
            self.run.workflow = self.run.workflow.take().or(workflow);
            self.run.parent_run_id = self.run.parent_run_id.take().or(parent_run_id);
            if tree.is_some() && !drawn_by_snapshot && self.run.frame_no <= frame_no {
                (self.run.tree, self.run.frame_no) = (tree, frame_no);
            }
            let older = at.zip(self.when.at).is_some_and(|(told, answered)| told < answered);
            for node in nodes {
                if !older && !self.whole && !self.knows(&node) {
                    self.run.nodes.push(node);
                }
            }
            if !older {
                awaited.extend(waits);
            }
            last = at.or(last);
            if told.len() < MAX_NAMED {
                told.push(Input {
                    name,
                    value: Value::Text(words),
                    at: None,
                    limit_ms: None,
                    decisive: false,
                });
                if !read_from.contains(&from) {
                    read_from.push(from);
                }
            }
        }
        self.tell_reason(awaited);
        // A snapshot without a state says for itself that it has none.
        if !told.is_empty() && self.run.verdict == Verdict::Absent && !drawn_by_snapshot {
            self.say_unknown(told, &read_from, last);
        }
    }

    /// Whether the state of a node is told already.
    fn knows(&mut self, node: &NodeStatus) -> bool {
        let (id, iteration) = (&node.node_id, Some(node.iteration));
        let tree = self.run.tree.as_ref();
        let in_tree = tree.and_then(|tree| tree.node(tree.find_node(id, iteration)?).state()).is_some();
        in_tree || self.place(id, iteration).is_some()
    }

    /// Nothing tells the run's state: what was read, and that it does not.
    fn say_unknown(&mut self, mut inputs: Vec<Input>, read_from: &[String], at: Option<Millis>) {
        self.run.caveats = inputs.iter().map(sentence).collect();
        inputs.push(Input {
            name: Signal::StateSource,
            value: Value::Absent,
            at: None,
            limit_ms: None,
            decisive: true,
        });
        let named: Vec<&str> = read_from.iter().map(String::as_str).collect();
        self.run.verdict = Verdict::Derived {
            view: RunStateView {
                run_id: self.run.run_id.clone().unwrap_or_default(),
                computed_at: at.and_then(|at| at.to_iso().ok()),
                state: Word::Known(RunState::Unknown),
                blocked: None,
                unhealthy: None,
            },
            evidence: Evidence { inputs, read_from: join(&named, ", "), read_at: at },
        };
    }
}

/// What a document says, as a note.
fn sentence(told: &Input) -> String {
    let words = match &told.value {
        Value::Text(words) => words.as_str(),
        Value::Absent | Value::Word(_) | Value::Time(_) => "",
    };
    let end = if words.ends_with(['.', '?', '!']) { "" } else { "." };
    let mut text = concat(&[told.name.as_str(), ": ", words, end]);
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}
