//! Which signal unparks a node (protocol section 5, quirk 12).

use crate::json::{Slice, fields};
use crate::run::RunInspection;
use crate::smithers::wire::{Attempt, NodeType};

/// A signal by the name that it must be sent under.
///
/// The reported `correlationKey` is the correlation id where the node has one, else the signal's name, and does not say
/// which. A name that is sent as a correlation key is accepted and does nothing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Signal {
    pub(super) name: String,
    pub(super) correlation_id: Option<String>,
}

/// The signal that this node waits for, by the reported key (empty where none was reported); `None` where the name or the
/// correlation id is not known for certain.
pub(super) fn awaited(run: &RunInspection, node_id: &str, iteration: u32, key: &str) -> Option<Signal> {
    let (event, correlation) = of_attempt(run, node_id, iteration)
        .or_else(|| in_tree(run, node_id, iteration))
        .or_else(|| labelled(run, node_id, iteration, key))?;
    let key = Some(key).filter(|key| !key.is_empty()).map(str::to_owned);
    Some(match (correlation, key) {
        // The reported key is as the author wrote it; the tree's texts may have been converted.
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
    /// Something else than text. The server turns texts that look like JSON into JSON (protocol section 5, quirk 5): how
    /// it was written is lost.
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

/// What the engine wrote down of the last attempt that was read.
fn of_attempt(run: &RunInspection, node_id: &str, iteration: u32) -> Option<(Property, Property)> {
    let of_node = |attempt: &&Attempt| attempt.node_id == node_id && attempt.iteration == iteration;
    let attempt = run.attempts.iter().rev().find(of_node)?;
    let id = attempt.correlation_id.clone().map_or(Property::Absent, Property::Text);
    Some((Property::Text(attempt.signal.clone()?), id))
}

/// What the node's element says: its `event` and its `correlationId`.
fn in_tree(run: &RunInspection, node_id: &str, iteration: u32) -> Option<(Property, Property)> {
    let tree = run.tree.as_ref()?;
    let index = tree.find_node(node_id, Some(iteration)).or_else(|| tree.find_node(node_id, None))?;
    let node = tree.node(index);
    if node.node_type.known() != Some(NodeType::WaitForEvent) {
        return None;
    }
    let [event, correlation] = fields(Slice::of_text(node.props()).ok()?, ["event", "correlationId"]).ok()?;
    Some((Property::read(event), Property::read(correlation)))
}

/// What the node's label says: Smithers labels it `wait:NAME` unless its author does otherwise. The reported key then
/// tells whether there is a correlation id; without a key nobody knows.
fn labelled(run: &RunInspection, node_id: &str, iteration: u32, key: &str) -> Option<(Property, Property)> {
    let node = run.nodes.iter().find(|node| node.node_id == node_id && node.iteration == iteration)?;
    let name = node.label.as_deref()?.strip_prefix("wait:").filter(|name| !name.is_empty())?;
    let correlation = match key {
        "" => return None,
        _ if key == name => Property::Absent,
        _ => Property::Text(key.to_owned()),
    };
    Some((Property::Text(name.to_owned()), correlation))
}
