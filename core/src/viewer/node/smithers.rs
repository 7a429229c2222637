//! The detail of a node of a Smithers run.

mod decision;
mod error;
mod fields;
mod retry;

use std::sync::Arc;

use super::attempts::in_order;
use super::props::props;
use super::request::{request, request_of};
use super::window::{Iterations, NodeRequest, NodeWindow};
use super::{Context, Missing, Origin};
use crate::header::{Field, FieldValue};
use crate::pill::{Pill, Taxonomy, Tone, pill};
use crate::run::RunInspection;
use crate::smithers::wire::{
    ApprovalRequest, Attempt, LongText, NodeState, NodeStatus, ReasonBlocked, TaskKind,
};
use crate::summary::AnswerPill;
use crate::tree::{Node, NodeIndex, Tree};
use crate::viewer::NodeKey;
use crate::viewer::tree::kind;
use crate::word::Word;
use decision::Decision;

/// The maximum number of nodes above the node that are named.
const MAX_PATH: usize = 4;

/// The selected node, in the tree, in the server's list, or in both.
pub(super) struct Found<'a> {
    run: &'a RunInspection,
    /// The node of the tree, in whichever iteration the tree has it.
    place: Option<(&'a Tree, NodeIndex)>,
    /// The server's row of the selected iteration.
    status: Option<&'a NodeStatus>,
    /// Whether the tree has the node in the selected iteration.
    is_in_tree: bool,
    key: Option<NodeKey>,
    /// The pending request for a decision on the node.
    request: Option<ApprovalRequest>,
    decision: Option<Decision>,
    /// The attempts by the events.
    logged: Arc<[Attempt]>,
}

/// The summary of the selected node. The reasons say why the question of an approval is not there, and who decided it.
pub(super) fn window(
    found: &Found<'_>,
    context: &Context<'_>,
    [no_request, no_decider]: [Missing; 2],
) -> NodeWindow {
    let node = found.node();
    let title =
        node.map_or_else(|| found.node_id().unwrap_or_default().to_owned(), |node| node.title().to_owned());
    let mut window = NodeWindow::new(found.key.clone(), title, Taxonomy::Node);
    window.path = found.path();
    window.kind = node.and_then(kind);
    window.state = found.state().map(|state| state_pill(state, context));
    window.iterations = found.iterations();
    let mut missing = found.missing();
    window.request = found.request.as_ref().and_then(request).map(|request| NodeRequest {
        // Afterwards, nobody may decide.
        who: request.who.filter(|_| found.waits_for_decision()),
        ..request
    });
    let is_question = |field: &Field| {
        let question = window.request.as_ref().map(|request| &request.title);
        field.field == "label" && matches!(&field.value, FieldValue::Text(label) if Some(label) == question)
    };
    window.fields = found.fields(context).into_iter().flatten().filter(|field| !is_question(field)).collect();
    if found.waits_for_decision() && window.request.is_none() {
        missing.push(no_request);
    }
    missing.extend(found.lacks_decider().then_some(no_decider));
    match found.error() {
        Some(LongText { start, total }) => {
            missing.extend(window.set_error(&start));
            missing.extend(total.map(|total| Missing::Rest { shown: start.chars().count(), total }));
        }
        None if found.known_state() == Some(NodeState::Failed) && !found.is_decided() => {
            missing.push(Missing::Error);
        }
        None => {}
    }
    let (props, more) = node.map(|node| props(node.props())).unwrap_or_default();
    window.props = props;
    missing.extend((more > 0).then_some(Missing::Properties { more }));
    window.missing =
        missing.into_iter().map(|missing| missing.sentence(context.origin, context.system)).collect();
    window
}

impl<'a> Found<'a> {
    /// `None` if the run does not have the selected node.
    pub(super) fn new(
        run: &'a RunInspection,
        context: &Context<'a>,
        is_logged: impl FnOnce(&NodeKey) -> bool,
    ) -> Option<Self> {
        let (selection, tree) = (context.selection, context.data.tree);
        let key = selection.key.as_ref();
        let by_id = |tree: &'a Tree| Some((tree, tree.find(selection.node?)?));
        let by_key = |tree: &'a Tree| {
            let NodeKey { node_id, iteration } = key?;
            let index = tree.find_node(node_id, Some(*iteration)).or_else(|| tree.find_node(node_id, None));
            Some((tree, index?))
        };
        let place = tree.and_then(|tree| by_id(tree).or_else(|| by_key(tree)));
        let node = place.map(|(tree, index)| tree.node(index));
        let is_in_tree = node.is_some_and(|node| {
            key.is_none_or(|key| node.iteration().is_none_or(|iteration| iteration == key.iteration))
        });
        let row_of = |key: &NodeKey| {
            run.nodes.iter().find(|row| row.node_id == key.node_id && row.iteration == key.iteration)
        };
        let joined = node.filter(|_| is_in_tree).and_then(|node| node.status.as_ref());
        let status = joined.or_else(|| key.and_then(row_of));
        let request = key.and_then(|key| request_of(&run.approvals, key)).cloned();
        let is_known = |key: &NodeKey| {
            // Elsewhere, the node has left the tree.
            context.origin == Origin::Document
                && (run.nodes.iter().any(|row| row.node_id == key.node_id) || is_logged(key))
        };
        (place.is_some() || status.is_some() || key.is_some_and(is_known)).then(|| Self {
            run,
            place,
            status,
            is_in_tree,
            key: key.cloned(),
            request,
            decision: None,
            logged: Arc::default(),
        })
    }

    /// Takes the requests of the run that were read for this node.
    pub(super) fn take_requests(&mut self, requests: &[ApprovalRequest]) {
        let found = self.key.as_ref().and_then(|key| request_of(requests, key));
        self.request = found.cloned().or(self.request.take());
    }

    /// Takes the attempts by the events.
    pub(super) fn take_attempts(&mut self, attempts: Arc<[Attempt]>) {
        self.logged = attempts;
    }

    /// Whether the node waits for a decision whose question is not known.
    pub(super) fn lacks_request(&self) -> bool {
        self.waits_for_decision() && self.request.is_none()
    }

    /// Whether no decision of the run is pending although it waits for one.
    pub(super) fn run_lacks_request(&self) -> bool {
        self.run.waits_without_request()
    }

    /// Whether the node does work that is attempted and has results.
    pub(super) fn is_work(&self) -> bool {
        self.key.is_some() && self.node().map_or(self.status.is_some(), Node::is_work)
    }

    /// Whether the node has an id of its author, by which events name it.
    pub(super) fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// Whether an agent does the work, as far as it is known.
    pub(super) fn may_be_agent(&self) -> bool {
        let task = self.node().and_then(|node| node.task.as_ref());
        task.and_then(|task| task.kind.as_ref()?.known()).is_none_or(|kind| kind == TaskKind::Agent)
    }

    /// Whether the node is at work.
    pub(super) fn is_at_work(&self) -> bool {
        self.known_state() == Some(NodeState::InProgress)
    }

    /// The server's row of the selected iteration.
    pub(super) fn status(&self) -> Option<&'a NodeStatus> {
        self.status
    }

    /// The number of the last attempt.
    pub(super) fn last_attempt(&self) -> Option<u32> {
        self.status
            .and_then(|status| status.last_attempt)
            .or_else(|| self.node_here().and_then(Node::attempt))
    }

    /// The maximum number of attempts, by the tree or by an attempt.
    fn max_attempts<'b>(&self, mut known: impl Iterator<Item = &'b Attempt>) -> Option<u32> {
        let of_tree = self.node_here().and_then(Node::max_attempts);
        of_tree.or_else(|| Some(known.find_map(|attempt| attempt.retries)?.saturating_add(1)))
    }

    /// What changes when the answers about the node may change.
    pub(super) fn fingerprint(&self) -> String {
        let state = self.state().map_or("", Word::as_str);
        let times = self.status.map(|status| (status.started_at, status.finished_at));
        format!("{state} {:?} {times:?}", self.last_attempt())
    }

    pub(super) fn node(&self) -> Option<&'a Node> {
        self.place.map(|(tree, index)| tree.node(index))
    }

    fn node_id(&self) -> Option<&str> {
        self.key.as_ref().map(|key| &*key.node_id)
    }

    fn iteration(&self) -> u32 {
        self.key.as_ref().map_or(0, |key| key.iteration)
    }

    /// The node, if the tree has it in the selected iteration.
    fn node_here(&self) -> Option<&'a Node> {
        self.node().filter(|_| self.is_in_tree)
    }

    fn state(&self) -> Option<&'a Word<NodeState>> {
        let of_row = self.status.map(|status| &status.state);
        self.node_here().map_or(of_row, Node::state)
    }

    fn known_state(&self) -> Option<NodeState> {
        self.state().and_then(Word::known)
    }

    fn waits_for_decision(&self) -> bool {
        self.known_state() == Some(NodeState::WaitingApproval)
    }

    /// The titles of the nearest nodes above, the outermost first.
    fn path(&self) -> Vec<String> {
        let Some((tree, index)) = self.place else { return Vec::new() };
        let title = |index: NodeIndex| tree.node(index).title().to_owned();
        let mut path: Vec<String> = tree.ancestors(index).take(MAX_PATH).map(title).collect();
        path.reverse();
        path
    }

    fn iterations(&self) -> Option<Iterations> {
        let key = self.key.as_ref()?;
        let label = |state: &Word<NodeState>| pill(Taxonomy::Node, state.as_str()).label.to_string();
        let rows = self.run.nodes.iter().filter(|row| row.node_id == key.node_id);
        let rows = rows.map(|row| (row.iteration, Some(label(&row.state))));
        let of_tree = self.node().and_then(|node| Some((node.iteration()?, node.state().map(label))));
        Iterations::new(key.iteration, of_tree.into_iter().chain(rows))
    }

    /// Why the run waits, if it waits for this node.
    fn blocked(&self) -> Option<&'a ReasonBlocked> {
        let blocked = self.run.view()?.blocked.as_ref()?;
        blocked.node_id().filter(|node_id| Some(*node_id) == self.node_id())?;
        // The reason does not name an iteration; a node that does not wait is not the one.
        self.known_state().is_some_and(is_waiting).then_some(blocked)
    }

    /// The attempts in the selected iteration, as far as they were read.
    pub(super) fn attempts(&self) -> impl Iterator<Item = &'a Attempt> {
        let (node_id, iteration) = (self.node_id().map(str::to_owned), self.iteration());
        self.run.attempts.iter().filter(move |attempt| {
            Some(&attempt.node_id) == node_id.as_ref() && attempt.iteration == iteration
        })
    }

    /// The attempts in the selected iteration by the rows, and by the events those without a row, in order of time.
    pub(super) fn all_attempts(&self) -> Vec<Attempt> {
        in_order(&self.logged, self.attempts().cloned())
    }

    /// What the source does not have of a node in its state.
    fn missing(&self) -> Vec<Missing> {
        if self.node_here().is_none() && self.status.is_none() {
            let is_known = self.place.is_some()
                || self.run.nodes.iter().any(|row| self.node_id() == Some(&*row.node_id));
            return vec![if is_known { Missing::Iteration } else { Missing::State }];
        }
        let is_work = self.node_here().is_none_or(Node::is_work);
        let (has_started, has_ended) = match self.state() {
            None => return is_work.then_some(Missing::State).into_iter().collect(),
            Some(state) => state.known().map_or((false, false), |state| match state {
                NodeState::InProgress => (true, false),
                NodeState::Finished | NodeState::Failed => (true, true),
                NodeState::Pending
                | NodeState::WaitingApproval
                | NodeState::WaitingEvent
                | NodeState::WaitingTimer
                | NodeState::WaitingQuota
                | NodeState::WaitingBound
                | NodeState::BoundStale
                | NodeState::Cancelled
                | NodeState::Skipped => (false, false),
            }),
        };
        let lacks_start = has_started && self.status.is_none_or(|status| status.started_at.is_none());
        let lacks_end = has_ended && self.status.is_none_or(|status| status.finished_at.is_none());
        let start = lacks_start.then_some(Missing::Start);
        start.into_iter().chain(lacks_end.then_some(Missing::End)).collect()
    }
}

fn is_waiting(state: NodeState) -> bool {
    matches!(
        state,
        NodeState::WaitingApproval
            | NodeState::WaitingEvent
            | NodeState::WaitingTimer
            | NodeState::WaitingQuota
            | NodeState::WaitingBound
    )
}

/// The pill of a state, neutral if the state may be out of date.
fn state_pill(state: &Word<NodeState>, context: &Context<'_>) -> AnswerPill {
    let pill = pill(Taxonomy::Node, state.as_str());
    let as_of = context.data.age.clone();
    let pill = if as_of.is_some() { Pill { tone: Tone::Neutral, ..pill } } else { pill };
    AnswerPill::Pill { pill, value: state.as_str().to_owned(), as_of }
}
