//! The difference between two frames as a list of changes.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Change, ChangeKind, PastFrame, PastState};
use crate::smithers::wire::NodeState;
use crate::tree::{Node, NodeId, Task, json_eq, members};
use crate::word::Word;

/// The changes from one frame to another.
///
/// ```
/// use runstate::history::History;
/// use runstate::tree::Snapshot;
/// use runstate::time::Millis;
///
/// let frame = |number: u32, children: &str| {
///     Snapshot::from_json(&format!(
///         r#"{{"version":1,"runId":"r","frameNo":{number},"seq":{number},
///             "root":{{"id":1,"type":"workflow","name":"w","children":[{children}]}}}}"#
///     ))
/// };
/// let mut history = History::new();
/// history.take_snapshot(&frame(1, "")?, Millis(0.0));
/// history.take_snapshot(&frame(2, r#"{"id":2,"type":"timer","name":"timer","props":{"id":"nap"}}"#)?, Millis(9.0));
/// let difference = history.diff(1.0, 2.0)?;
/// assert_eq!((difference.from, difference.to, difference.changes.len()), (1.0, 2.0, 1));
/// assert_eq!(difference.changes[0].title, "nap");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FrameDiff {
    /// The number of the frame before.
    pub from: f64,
    /// The number of the frame after.
    pub to: f64,
    /// The changes in reading order of the frame after, followed by the removed nodes in that of the frame before.
    pub changes: Vec<Change>,
    /// The number of nodes in both frames with a state that is unknown in one of them.
    pub states_not_known: usize,
}

impl FrameDiff {
    /// The warning to show with the changes, if states of nodes are unknown.
    pub fn caveat(&self) -> Option<String> {
        match self.states_not_known {
            0 => None,
            1 => Some(
                "The state of 1 node is not known in one of the frames: whether it changed cannot be determined."
                    .into(),
            ),
            many => Some(format!(
                "The states of {many} nodes are not known in one of the frames: whether they changed cannot be determined."
            )),
        }
    }
}

/// A node's own state and attempt.
type StateAndAttempt = Option<(Word<NodeState>, Option<u32>)>;

/// A node of a frame, with its known state.
#[derive(Debug)]
struct KnownNode {
    node: Node,
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    below: u32,
    state: StateAndAttempt,
    not_known: bool,
}

/// The nodes of a frame by id. Of nodes with the same id the first is taken.
#[derive(Debug)]
pub(super) struct FrameNodes {
    number: f64,
    order: Vec<NodeId>,
    by_id: HashMap<NodeId, KnownNode>,
}

impl FrameNodes {
    pub(super) fn new(past: &PastFrame<'_>) -> Self {
        let tree = past.tree();
        let mut known = Self { number: past.number, order: Vec::new(), by_id: HashMap::new() };
        for index in tree.preorder(tree.root()) {
            let node = tree.node(index);
            if known.by_id.contains_key(&node.id) {
                continue;
            }
            let then = past.state(index);
            known.order.push(node.id);
            let ids = node.children.iter().map(|child| tree.node(*child).id);
            let known_node = KnownNode {
                node: node.clone_alone(),
                parent: node.parent.map(|parent| tree.node(parent).id),
                children: ids.collect(),
                below: tree.weight(index) - 1,
                not_known: then == PastState::NotKnown,
                state: match then {
                    PastState::Known { state, attempt, .. } => Some((state.clone(), attempt)),
                    PastState::NotKnown | PastState::Stateless => None,
                },
            };
            known.by_id.insert(node.id, known_node);
        }
        known
    }

    fn title(&self, id: NodeId) -> String {
        self.by_id.get(&id).map(|known| known.node.title().to_owned()).unwrap_or_default()
    }
}

/// Compares two frames.
pub(super) fn compare(from: &FrameNodes, to: &FrameNodes) -> FrameDiff {
    let mut difference =
        FrameDiff { from: from.number, to: to.number, changes: Vec::new(), states_not_known: 0 };
    for id in &to.order {
        let Some(after) = to.by_id.get(id) else { continue };
        let mut push = |kind| {
            difference.changes.push(Change { node: *id, title: after.node.title().to_owned(), kind });
        };
        let Some(before) = from.by_id.get(id) else {
            // Nodes under an added node are counted with it.
            if after.parent.is_none_or(|parent| from.by_id.contains_key(&parent)) {
                push(ChangeKind::Added { below: after.below, under: after.parent.map(|id| to.title(id)) });
            }
            continue;
        };
        push_structure_changes(before, after, from, to, &mut push);
        if before.not_known || after.not_known {
            difference.states_not_known += 1;
        } else {
            state_changes(before, after).into_iter().for_each(&mut push);
        }
        value_changes(before, after).into_iter().for_each(push);
    }
    for id in from.order.iter().filter(|id| !to.by_id.contains_key(id)) {
        let Some(removed) = from.by_id.get(id) else { continue };
        if removed.parent.is_none_or(|parent| to.by_id.contains_key(&parent)) {
            let kind = ChangeKind::Removed { below: removed.below };
            difference.changes.push(Change { node: *id, title: removed.node.title().to_owned(), kind });
        }
    }
    difference
}

fn push_structure_changes(
    before: &KnownNode,
    after: &KnownNode,
    from: &FrameNodes,
    to: &FrameNodes,
    push: &mut dyn FnMut(ChangeKind),
) {
    if let (true, Some(parent)) = (before.parent != after.parent, after.parent) {
        push(ChangeKind::Moved { under: to.title(parent) });
    }
    let element = |node: &Node| match node.node_type.as_str() {
        word if word == node.name => word.to_owned(),
        word => format!("{word} {}", node.name),
    };
    let (old, new) = (element(&before.node), element(&after.node));
    if old != new {
        push(ChangeKind::Element { from: old, to: new });
    }
    let stayed = |child: &&NodeId, other: &FrameNodes, parent: NodeId| {
        other.by_id.get(child).is_some_and(|known| known.parent == Some(parent))
    };
    let id = after.node.id;
    let old = before.children.iter().filter(|child| stayed(child, to, id));
    if !old.eq(after.children.iter().filter(|child| stayed(child, from, id))) {
        push(ChangeKind::Reordered);
    }
}

/// The changes of round, attempt and state.
fn state_changes(before: &KnownNode, after: &KnownNode) -> Vec<ChangeKind> {
    let (old_round, new_round) = (before.node.iteration(), after.node.iteration());
    let mut changes = Vec::new();
    let other_round = old_round != new_round;
    if other_round {
        changes.push(ChangeKind::Round { from: old_round, to: new_round });
    }
    let Some((state, attempt)) = &after.state else { return changes };
    let old = before.state.as_ref().filter(|_| !other_round);
    let tried = old.and_then(|(_, attempt)| *attempt).filter(|tried| *tried > 0);
    let again = attempt.filter(|attempt| tried.is_some_and(|tried| *attempt > tried));
    if let Some(attempt) = again {
        changes.push(ChangeKind::Retried { attempt });
    }
    let old = old.map(|(state, _)| state);
    if old == Some(state) {
        return changes;
    }
    let change = match state.known() {
        Some(NodeState::InProgress) if again.is_some() => return changes,
        Some(NodeState::InProgress) => ChangeKind::Started,
        Some(NodeState::Finished) => ChangeKind::Finished,
        Some(NodeState::Failed) => ChangeKind::Failed,
        Some(
            NodeState::Pending
            | NodeState::WaitingApproval
            | NodeState::WaitingEvent
            | NodeState::WaitingTimer
            | NodeState::WaitingQuota
            | NodeState::WaitingBound
            | NodeState::BoundStale
            | NodeState::Cancelled
            | NodeState::Skipped,
        )
        | None => ChangeKind::State { from: old.cloned(), to: state.clone() },
    };
    changes.push(change);
    changes
}

/// Task fields that other changes cover, or that have today's values in a requested frame.
const COVERED_FIELDS: [&str; 5] = ["state", "attempt", "iteration", "agentRan", "agentSummary"];

/// The changes of properties and of task fields.
fn value_changes(before: &KnownNode, after: &KnownNode) -> Vec<ChangeKind> {
    let props = differing_members(before.node.props(), after.node.props()).into_iter();
    let mut changes: Vec<ChangeKind> =
        props.map(|(name, from, to)| ChangeKind::Prop { name, from, to }).collect();
    match (&before.node.task, &after.node.task) {
        (Some(old), Some(new)) => {
            let fields = differing_members(old.json(), new.json()).into_iter();
            let fields = fields.filter(|(field, _, _)| !COVERED_FIELDS.contains(&field.as_str()));
            changes.extend(fields.map(|(field, from, to)| ChangeKind::Task { field, from, to }));
        }
        (None, None) => {}
        (old, new) => {
            let json = |task: &Option<Arc<Task>>| task.as_ref().map(|task| task.json().to_owned());
            changes.push(ChangeKind::Task { field: String::new(), from: json(old), to: json(new) });
        }
    }
    changes
}

/// The members that differ between two objects, those of the second first.
fn differing_members(from: &str, to: &str) -> Vec<(String, Option<String>, Option<String>)> {
    if json_eq(from, to) {
        return Vec::new();
    }
    let (old, new) = (members(from), members(to));
    let value = |members: &[(String, String)], name: &str| {
        members.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.clone())
    };
    let mut names: Vec<&String> = Vec::new();
    for (name, _) in new.iter().chain(&old) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let both = names.into_iter().map(|name| (name.clone(), value(&old, name), value(&new, name)));
    let differs = |(_, old, new): &(String, Option<String>, Option<String>)| match (old, new) {
        (Some(old), Some(new)) => !json_eq(old, new),
        (old, new) => old != new,
    };
    both.filter(differs).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn unknown_states_are_a_caveat() {
        use crate::history::FrameDiff;
        let difference = FrameDiff { from: 3.0, to: 9.0, changes: Vec::new(), states_not_known: 2 };
        assert!(
            difference.caveat().is_some_and(|text| text.starts_with("The states of 2 nodes are not known"))
        );
    }
}
