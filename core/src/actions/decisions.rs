//! Decisions at approvals and signals for waiting nodes.

use super::command::{Arg, ShellCommand};
use super::{Action, ActionKind, RunContext};
use crate::json::{Slice, fields};
use crate::run::{Blocker, RunInspection, Target};
use crate::smithers::wire::{Attempt, NodeType, TaskKind};
use crate::summary::line::Line;
use crate::text::{concat, visible_json as json};

/// The two decisions: kind, start of the sentence, command, and parameter of the call.
const DECISIONS: [(ActionKind, &str, &str, &str); 2] = [
    (ActionKind::Approve, "Approve at ", "smithers approve", r#","decision":{"approved":true}"#),
    (ActionKind::Deny, "Deny at ", "smithers deny", r#","decision":{"approved":false}"#),
];

impl RunContext<'_> {
    /// Adds approve and deny. A human task instead needs an answer, whose form only its workflow defines.
    pub(super) fn add_decisions(&self, node_id: &str, iteration: u32, found: &mut Vec<Action>) {
        let blocker = Some(Blocker::WaitingApproval);
        if self.task_kind(node_id, iteration) == Some(TaskKind::Human) {
            let line = Line::new("Answer the question at ").node_iteration(node_id, iteration).words(".");
            found.push(Action::new(ActionKind::Answer, blocker, line).with_node(node_id, iteration));
            return;
        }
        let target = Target { node_id: node_id.to_owned(), iteration };
        for (kind, start, command, decision) in DECISIONS {
            let line = Line::new(start).node_iteration(node_id, iteration).words(".");
            let command = self.decision_command(command, &target);
            let call = self.commands.node_call("submitApproval", node_id, iteration, decision);
            found.push(
                Action::new(kind, blocker, line)
                    .with_node(node_id, iteration)
                    .with_command(command, Some(call)),
            );
        }
    }

    /// The command that approves or denies at a node.
    pub(super) fn decision_command(&self, verb: &str, node: &Target) -> Option<ShellCommand> {
        self.commands.shell(&[
            Arg::Literal(verb),
            Arg::RunId,
            Arg::Literal("--node"),
            Arg::Quoted(&node.node_id),
            Arg::Literal("--iteration"),
            Arg::Literal(&node.iteration.to_string()),
        ])
    }

    /// The command that sends a signal. `{}` is a placeholder for the data, which the workflow defines.
    pub(super) fn signal_command(&self, name: &str, correlation_id: Option<&str>) -> Option<ShellCommand> {
        let mut words = vec![Arg::Literal("smithers signal"), Arg::RunId, Arg::Quoted(name)];
        words.push(Arg::Literal("--data '{}'"));
        if let Some(id) = correlation_id {
            words.extend([Arg::Literal("--correlation"), Arg::Quoted(id)]);
        }
        self.commands.shell(&words)
    }

    /// The signal that a node waits for, or its known parts.
    pub(super) fn signal_action(&self, node_id: &str, iteration: u32, key: &str) -> Action {
        let action = |line| {
            Action::new(ActionKind::Signal, Some(Blocker::WaitingEvent), line).with_node(node_id, iteration)
        };
        let Some(signal) = awaited_signal(self.run, node_id, iteration, key) else {
            let line = Line::new("Send the signal that is awaited at ").node_iteration(node_id, iteration);
            return action(if key.is_empty() {
                line.words(". Its exact name is not known here.")
            } else {
                let rest = " is its name or its correlation id: the server does not say which.";
                line.words(". ").code(key).words(rest)
            });
        };
        let mut line = Line::new("Send the signal ").code(&signal.name);
        let command = self.signal_command(&signal.name, signal.correlation_id.as_deref());
        let mut params = concat(&[r#""signalName":"#, &json(&signal.name)]);
        if let Some(id) = &signal.correlation_id {
            line = line.words(" with the correlation id ").code(id);
            params = concat(&[&params, r#","correlationKey":"#, &json(id)]);
        }
        let line = line.words(" to ").node_iteration(node_id, iteration).words(".");
        let call = self.commands.call("submitSignal", &concat(&[&params, r#","payload":{}"#]));
        action(line).with_command(command, Some(call))
    }
}

/// A signal with the name under which it must be sent (protocol section 5, quirk 12).
///
/// The reported `correlationKey` is the node's correlation id, or the signal's name if there is none, without a distinction.
/// A name sent as correlation key has no effect.
#[derive(Clone, Debug, PartialEq)]
struct Signal {
    name: String,
    correlation_id: Option<String>,
}

/// The signal that a node waits for. `key` is the reported key, empty if there was none. `None` if the name or the
/// correlation id is uncertain.
fn awaited_signal(run: &RunInspection, node_id: &str, iteration: u32, key: &str) -> Option<Signal> {
    let (event, correlation) = signal_from_attempt(run, node_id, iteration)
        .or_else(|| signal_from_tree(run, node_id, iteration))
        .or_else(|| signal_from_label(run, node_id, iteration, key))?;
    let key = Some(key).filter(|key| !key.is_empty()).map(str::to_owned);
    Some(match (correlation, key) {
        // The reported key is as the author wrote it; texts of the tree may have been converted.
        (Property::Text(_) | Property::Converted, Some(key)) => {
            Signal { name: event.text()?, correlation_id: Some(key) }
        }
        (Property::Text(id), None) => Signal { name: event.text()?, correlation_id: Some(id) },
        (Property::Converted, None) => return None,
        (Property::Absent, Some(key)) => Signal { name: key, correlation_id: None },
        (Property::Absent, None) => Signal { name: event.text()?, correlation_id: None },
    })
}

/// A property of a node's element.
enum Property {
    Text(String),
    /// Not a string. The server converts strings that look like JSON to JSON (protocol section 5, quirk 5), so the
    /// original text is unknown.
    Converted,
    Absent,
}

impl Property {
    fn read(value: Option<Slice<'_>>) -> Self {
        match value.filter(|value| value.json() != "null") {
            None => Self::Absent,
            Some(value) => match value.text() {
                Some(text) if text.trim().is_empty() => Self::Absent,
                Some(text) => Self::Text(text),
                None => Self::Converted,
            },
        }
    }

    fn text(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text),
            Self::Converted | Self::Absent => None,
        }
    }
}

/// Signal and correlation id from the node's last attempt.
fn signal_from_attempt(run: &RunInspection, node_id: &str, iteration: u32) -> Option<(Property, Property)> {
    let is_of_node = |attempt: &&Attempt| attempt.node_id == node_id && attempt.iteration == iteration;
    let attempt = run.attempts.iter().rev().find(is_of_node)?;
    let id = attempt.correlation_id.clone().map_or(Property::Absent, Property::Text);
    Some((Property::Text(attempt.signal.clone()?), id))
}

/// Signal and correlation id from the node's properties `event` and `correlationId`.
fn signal_from_tree(run: &RunInspection, node_id: &str, iteration: u32) -> Option<(Property, Property)> {
    let tree = run.tree.as_ref()?;
    let index = tree.find_node(node_id, Some(iteration)).or_else(|| tree.find_node(node_id, None))?;
    let node = tree.node(index);
    if node.node_type.known() != Some(NodeType::WaitForEvent) {
        return None;
    }
    let [event, correlation] =
        fields(Slice::from_text(node.props()).ok()?, ["event", "correlationId"]).ok()?;
    Some((Property::read(event), Property::read(correlation)))
}

/// Signal and correlation id from the node's label, which is `wait:NAME` by default. Only the reported key then shows
/// whether there is a correlation id.
fn signal_from_label(
    run: &RunInspection,
    node_id: &str,
    iteration: u32,
    key: &str,
) -> Option<(Property, Property)> {
    let node = run.nodes.iter().find(|node| node.node_id == node_id && node.iteration == iteration)?;
    let name = node.label.as_deref()?.strip_prefix("wait:").filter(|name| !name.is_empty())?;
    let correlation = match key {
        "" => return None,
        _ if key == name => Property::Absent,
        _ => Property::Text(key.to_owned()),
    };
    Some((Property::Text(name.to_owned()), correlation))
}
