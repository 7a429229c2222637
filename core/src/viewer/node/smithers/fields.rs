//! The facts about a node, each with its name.

use super::Found;
use crate::format;
use crate::header::Field;
use crate::pill::{Taxonomy, pill};
use crate::smithers::wire::{Attempt, NodeState, ReasonBlocked, dependencies};
use crate::time::Millis;
use crate::tree::Node;
use crate::viewer::node::Context;
use crate::viewer::tree::duration;
use crate::word::Word;

/// The maximum number of nodes that are listed in one field.
const MAX_LISTED: usize = 8;

impl Found<'_> {
    /// The facts, in order.
    pub(super) fn fields(&self, context: &Context<'_>) -> Vec<Option<Field>> {
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
        fields.extend(self.decision_fields(now));
        fields.extend([
            Field::time("startedAt", "Started", status.and_then(|status| status.started_at), now),
            Field::time("finishedAt", "Ended", status.and_then(|status| status.finished_at), now),
            Field::text("duration", if is_over { "Took" } else { "Running for" }, took),
        ]);
        fields.extend(self.attempt_fields(now));
        fields.push(Field::text("dependsOn", "Depends on", self.dependencies()));
        fields.push(Field::text("places", "In the tree", self.places()));
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

    /// `2 of 3`. A node that was retried by hand may have had more attempts than its limit, which then says nothing.
    fn attempt(&self) -> Option<String> {
        let of_row = self.status.and_then(|status| status.last_attempt);
        let attempt = self.node_here().map_or(of_row, Node::attempt).filter(|attempt| *attempt > 0)?;
        let max = self.max_attempts(self.attempts()).filter(|max| attempt <= *max);
        Some(max.map_or_else(|| number(attempt), |max| format!("{} of {}", number(attempt), number(max))))
    }

    /// What the node waits for.
    fn wait_fields(&self, now: Millis) -> Vec<Option<Field>> {
        let time = |text: &str| Millis::parse_iso(text);
        let asked = self.request.as_ref().and_then(|request| request.requested_at);
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
        let last = self.attempts().max_by_key(|attempt| attempt.attempt);
        let has_later = |attempt: &Attempt| last.is_some_and(|last| attempt.attempt < last.attempt);
        let has_failed = |attempt: &&Attempt| {
            attempt.state.known() == Some(NodeState::Failed) || attempt.is_reset(has_later(attempt))
        };
        let failed = self.attempts().filter(has_failed).count();
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

    /// How often the tree has the id of the node; `None` if it does once.
    fn places(&self) -> Option<String> {
        let ((tree, _), key) = (self.place?, self.key.as_ref()?);
        let is_same = |node: &Node| match &node.task {
            Some(task) => task.node_id == key.node_id,
            None => node.props_id() == Some(&*key.node_id),
        };
        let count = tree.preorder(tree.root()).filter(|index| is_same(tree.node(*index))).count();
        (count > 1).then(|| format!("{} places", format::count(count as f64)))
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
}

fn number(number: u32) -> String {
    format::count(f64::from(number))
}

fn label(state: &Word<NodeState>) -> String {
    pill(Taxonomy::Node, state.as_str()).label.to_string()
}
