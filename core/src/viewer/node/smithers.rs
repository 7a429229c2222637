//! The detail of a node of a Smithers run.

use super::props::props;
use super::window::{Iterations, NodeRequest, NodeWindow};
use super::{Context, Missing};
use crate::format;
use crate::header::{Field, FieldValue};
use crate::pill::{Pill, Taxonomy, Tone, pill};
use crate::run::RunInspection;
use crate::smithers::wire::{ApprovalRequest, Attempt, NodeState, NodeStatus, ReasonBlocked, dependencies};
use crate::summary::{AnswerPill, failed_node};
use crate::text::without_escape_sequences;
use crate::time::Millis;
use crate::tree::{Node, NodeIndex, Tree};
use crate::viewer::NodeKey;
use crate::viewer::tree::{duration, kind};
use crate::word::Word;

/// The maximum number of nodes above the node that are named.
const MAX_PATH: usize = 4;

/// The maximum number of nodes that are listed in one field.
const MAX_LISTED: usize = 8;

/// The selected node, in the tree, in the server's list, or in both.
struct Found<'a> {
    run: &'a RunInspection,
    /// The node of the tree, in whichever iteration the tree has it.
    place: Option<(&'a Tree, NodeIndex)>,
    /// The server's row of the selected iteration.
    status: Option<&'a NodeStatus>,
    /// Whether the tree has the node in the selected iteration.
    is_in_tree: bool,
    key: Option<NodeKey>,
}

/// The detail of the selected node; `None` if the run does not have the node.
pub(super) fn window(run: &RunInspection, context: &Context<'_>) -> Option<NodeWindow> {
    let found = Found::new(run, context)?;
    let node = found.node();
    let title =
        node.map_or_else(|| found.node_id().unwrap_or_default().to_owned(), |node| node.title().to_owned());
    let mut window = NodeWindow::new(found.key.clone(), title, Taxonomy::Node);
    window.path = found.path();
    window.kind = node.and_then(kind);
    window.state = found.state().map(|state| state_pill(state, context));
    window.iterations = found.iterations();
    let mut missing = found.missing();
    window.request = found.approval().and_then(request);
    let is_question = |field: &Field| {
        let question = window.request.as_ref().map(|request| &request.title);
        field.field == "label" && matches!(&field.value, FieldValue::Text(label) if Some(label) == question)
    };
    window.fields = found.fields(context).into_iter().flatten().filter(|field| !is_question(field)).collect();
    if found.waits_for_decision() && window.request.is_none() {
        missing.push(Missing::Request);
    }
    match found.error() {
        Some(error) => missing.extend(window.set_error(&error)),
        None if found.known_state() == Some(NodeState::Failed) => missing.push(Missing::Error),
        None => {}
    }
    let (props, more) = node.map(|node| props(node.props())).unwrap_or_default();
    window.props = props;
    missing.extend((more > 0).then_some(Missing::Properties { more }));
    window.missing = missing.into_iter().map(|missing| missing.sentence(context.origin)).collect();
    Some(window)
}

impl<'a> Found<'a> {
    fn new(run: &'a RunInspection, context: &Context<'a>) -> Option<Self> {
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
        (place.is_some() || status.is_some()).then(|| Self {
            run,
            place,
            status,
            is_in_tree,
            key: key.cloned(),
        })
    }

    fn node(&self) -> Option<&'a Node> {
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
        let rows = self.run.nodes.iter().filter(|row| row.node_id == key.node_id).map(|row| row.iteration);
        Iterations::new(key.iteration, rows.chain(self.node().and_then(Node::iteration)))
    }

    /// The pending request for a decision on the node.
    fn approval(&self) -> Option<&'a ApprovalRequest> {
        let (node_id, iteration) = (self.node_id()?, self.iteration());
        let mut requests = self.run.approvals.iter();
        requests.find(|request| request.node_id == node_id && request.iteration == iteration)
    }

    /// Why the run waits, if it waits for this node.
    fn blocked(&self) -> Option<&'a ReasonBlocked> {
        let blocked = self.run.view()?.blocked.as_ref()?;
        blocked.node_id().filter(|node_id| Some(*node_id) == self.node_id())?;
        // The reason does not name an iteration; a node that does not wait is not the one.
        self.known_state().is_some_and(is_waiting).then_some(blocked)
    }

    /// The error of the run, if it names this node.
    fn error(&self) -> Option<String> {
        if self.known_state() != Some(NodeState::Failed) {
            return None;
        }
        let error = without_escape_sequences(self.run.error.as_deref()?.trim()).into_owned();
        let (node_id, reason) = failed_node(&error);
        node_id.filter(|node_id| Some(*node_id) == self.node_id())?;
        let reason = reason.trim();
        (!reason.is_empty()).then(|| reason.to_owned())
    }

    fn fields(&self, context: &Context<'_>) -> Vec<Option<Field>> {
        let node = self.node_here();
        let (status, now) = (self.status, context.now);
        let label = node.and_then(Node::label).or_else(|| status.and_then(|status| status.label.as_deref()));
        let label = label.filter(|label| Some(*label) != self.node().map(Node::title));
        let took =
            status.map(|status| duration(status, context.data.known_until)).filter(|took| !took.is_empty());
        let is_over = status.is_some_and(|status| status.finished_at.is_some());
        let agent = node.and_then(|node| node.task.as_ref()).and_then(|task| task.agent.clone());
        let mut fields = vec![
            Field::text("label", "Label", label.map(str::to_owned)),
            self.iteration_field(),
            Field::text("attempt", "Attempt", self.attempt()),
            Field::text("agent", "Agent", agent),
        ];
        fields.extend(self.wait_fields(now));
        fields.extend([
            Field::time("startedAt", "Started", status.and_then(|status| status.started_at), now),
            Field::time("finishedAt", "Ended", status.and_then(|status| status.finished_at), now),
            Field::text("duration", if is_over { "Took" } else { "Running for" }, took),
        ]);
        fields.extend(self.attempt_fields(now));
        fields.push(Field::text("dependsOn", "Depends on", self.dependencies()));
        fields.extend(self.descendant_fields());
        fields
    }

    /// The iteration, of a node that can have several.
    fn iteration_field(&self) -> Option<Field> {
        let key = self.key.as_ref()?;
        let in_tree = self.node().and_then(Node::iteration);
        let text = match in_tree {
            Some(other) if other != key.iteration => {
                format!("{}; the tree shows {}", number(key.iteration), number(other))
            }
            Some(_) | None if key.iteration > 0 || self.iterations().is_some() => number(key.iteration),
            Some(_) | None => return None,
        };
        Field::text("iteration", "Iteration", Some(text))
    }

    /// `2 of 3`.
    fn attempt(&self) -> Option<String> {
        let of_row = self.status.and_then(|status| status.last_attempt);
        let attempt = self.node_here().map_or(of_row, Node::attempt).filter(|attempt| *attempt > 0)?;
        let max = self.node_here().and_then(Node::max_attempts).or_else(|| {
            let mut attempts = self.attempts();
            attempts.find_map(|attempt| attempt.retries).map(|retries| retries.saturating_add(1))
        });
        Some(max.map_or_else(|| number(attempt), |max| format!("{} of {}", number(attempt), number(max))))
    }

    /// The attempts in the selected iteration, as far as they were read.
    fn attempts(&self) -> impl Iterator<Item = &'a Attempt> {
        let (node_id, iteration) = (self.node_id().map(str::to_owned), self.iteration());
        self.run.attempts.iter().filter(move |attempt| {
            Some(&attempt.node_id) == node_id.as_ref() && attempt.iteration == iteration
        })
    }

    /// What the node waits for.
    fn wait_fields(&self, now: Millis) -> Vec<Option<Field>> {
        let time = |text: &str| Millis::parse_iso(text);
        let asked = self.approval().and_then(|request| request.requested_at);
        let Some(blocked) = self.blocked() else {
            return vec![Field::time(
                "requestedAt",
                "Asked",
                asked.filter(|_| self.waits_for_decision()),
                now,
            )];
        };
        match blocked {
            ReasonBlocked::Approval { requested_at, .. } => {
                vec![Field::time("requestedAt", "Asked", time(requested_at).or(asked), now)]
            }
            ReasonBlocked::Event { correlation_key, .. } => {
                let key = (!correlation_key.is_empty()).then(|| correlation_key.clone());
                vec![Field::code("correlationKey", "Waits for", key)]
            }
            ReasonBlocked::Timer { wake_at, .. } => vec![Field::time("wakeAt", "Wakes", time(wake_at), now)],
            ReasonBlocked::Provider { code, .. } => {
                vec![Field::code("providerCode", "Provider", Some(code.as_str().to_owned()))]
            }
            ReasonBlocked::Tool { tool_name, code, .. } => vec![
                Field::code("tool", "Tool", Some(tool_name.clone())),
                Field::code("toolCode", "Code", Some(code.clone())),
            ],
            ReasonBlocked::ApprovalDecidedResumeRequired { .. } => {
                let text = "the decision is made; the run must be resumed";
                vec![Field::text("waitsFor", "Waits for", Some(text.to_owned()))]
            }
            ReasonBlocked::ExternalTrigger | ReasonBlocked::Quota { .. } | ReasonBlocked::Foreign(_) => {
                Vec::new()
            }
        }
    }

    /// What only the attempts contain.
    fn attempt_fields(&self, now: Millis) -> Vec<Option<Field>> {
        let failed =
            self.attempts().filter(|attempt| attempt.state.known() == Some(NodeState::Failed)).count();
        let last = self.attempts().max_by_key(|attempt| attempt.attempt);
        let is_running = self.known_state() == Some(NodeState::InProgress);
        let heartbeat = last.filter(|_| is_running).and_then(|attempt| attempt.heartbeat_at);
        let limit = last.filter(|_| is_running).and_then(|attempt| attempt.heartbeat_timeout_ms);
        let waits = self.known_state() == Some(NodeState::WaitingEvent);
        let waiting = last.filter(|_| waits);
        vec![
            Field::text(
                "failedAttempts",
                "Failed attempts",
                (failed > 0).then(|| format::count(failed as f64)),
            ),
            Field::time("heartbeatAt", "Last heartbeat", heartbeat, now),
            Field::text("heartbeatLimit", "Heartbeat limit", limit.map(format::duration)),
            Field::code("signal", "Signal", waiting.and_then(|attempt| attempt.signal.clone())),
            Field::code(
                "correlationId",
                "Correlation",
                waiting.and_then(|attempt| attempt.correlation_id.clone()),
            ),
        ]
    }

    /// The nodes that this one depends on, each with its state.
    fn dependencies(&self) -> Option<String> {
        let (tree, index) = self.place?;
        let on = dependencies(tree.node(index).props()).on;
        let mut texts: Vec<String> = on
            .iter()
            .take(MAX_LISTED)
            .map(|node_id| {
                let state = tree.find_node(node_id, None).and_then(|index| tree.node(index).state());
                match state {
                    Some(state) => format!("{node_id} ({})", label(state).to_lowercase()),
                    None => node_id.clone(),
                }
            })
            .collect();
        if on.len() > MAX_LISTED {
            texts.push(format!("{} more", format::count((on.len() - MAX_LISTED) as f64)));
        }
        (!texts.is_empty()).then(|| texts.join(", "))
    }

    /// The nodes below, by their states.
    fn descendant_fields(&self) -> Vec<Option<Field>> {
        let Some((tree, index)) = self.place.filter(|(tree, index)| !tree.node(*index).children.is_empty())
        else {
            return Vec::new();
        };
        let rollup = tree.rollup(index);
        let some = |count: u32| (count > 0).then(|| number(count));
        let done =
            (rollup.known > 0).then(|| format!("{} of {} done", number(rollup.ended), number(rollup.tasks)));
        vec![
            Field::text("tasks", "Tasks inside", done.or_else(|| some(rollup.tasks))),
            Field::text("failedInside", "Failed inside", some(rollup.failed)),
            Field::text("waitingInside", "Waiting inside", some(rollup.waiting)),
            Field::text("runningInside", "Running inside", some(rollup.in_progress)),
        ]
    }

    /// What the source does not have of a node in its state.
    fn missing(&self) -> Vec<Missing> {
        if self.node_here().is_none() && self.status.is_none() {
            return vec![Missing::Iteration];
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

fn number(number: u32) -> String {
    format::count(f64::from(number))
}

fn label(state: &Word<NodeState>) -> String {
    pill(Taxonomy::Node, state.as_str()).label.to_string()
}

/// The pill of a state, neutral if the state may be out of date.
fn state_pill(state: &Word<NodeState>, context: &Context<'_>) -> AnswerPill {
    let pill = pill(Taxonomy::Node, state.as_str());
    let as_of = context.data.age.clone();
    let pill = if as_of.is_some() { Pill { tone: Tone::Neutral, ..pill } } else { pill };
    AnswerPill::Pill { pill, value: state.as_str().to_owned(), as_of }
}

/// The question of a request; `None` if the server sent none.
fn request(approval: &ApprovalRequest) -> Option<NodeRequest> {
    let (title, summary) = match (&approval.title, &approval.summary) {
        (Some(title), summary) => (title.clone(), summary.clone()),
        (None, Some(summary)) => (summary.clone(), None),
        (None, None) => return None,
    };
    Some(NodeRequest { title, summary, options: Vec::new() })
}
