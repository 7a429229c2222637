//! A change between two frames, as data and as a sentence.

use crate::smithers::wire::NodeState;
use crate::text::{quoted, slice};
use crate::tree::NodeId;
use crate::word::Word;

/// A change between two frames.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// The node, by its id on the wire.
    pub node: NodeId,
    /// The node's title.
    pub title: String,
    /// The kind of change.
    pub kind: ChangeKind,
}

/// The kind of a change.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The node was added.
    Added {
        /// The number of nodes added below it.
        below: u32,
        /// The title of its parent; `None` for the root.
        under: Option<String>,
    },
    /// The node was removed.
    Removed {
        /// The number of nodes removed with it.
        below: u32,
    },
    /// The node has another parent.
    Moved {
        /// The title of the new parent.
        under: String,
    },
    /// The children of the node have another order.
    Reordered,
    /// The node became another element.
    Element {
        /// The element before.
        from: String,
        /// The element from then on.
        to: String,
    },
    /// The loop around the node went on to another round, or a rewind went back to one.
    Round {
        /// The round before.
        from: Option<u32>,
        /// The round from then on.
        to: Option<u32>,
    },
    /// The node began to work.
    Started,
    /// The node ended, its work done.
    Finished,
    /// The node ended with an error.
    Failed,
    /// The node was tried again.
    Retried {
        /// The attempt's number, from 2.
        attempt: u32,
    },
    /// Any other change of the state.
    State {
        /// The state before, if any.
        from: Option<Word<NodeState>>,
        /// The state from then on.
        to: Word<NodeState>,
    },
    /// A property changed.
    Prop {
        /// The property.
        name: String,
        /// Its value before as JSON; `None` if it was absent.
        from: Option<String>,
        /// Its value afterwards; `None` if it was removed.
        to: Option<String>,
    },
    /// A field of the task changed: the agent, the prompt, the label, ….
    Task {
        /// The field; empty if the whole task was added or removed.
        field: String,
        /// Its value before as JSON.
        from: Option<String>,
        /// Its value from then on.
        to: Option<String>,
    },
}

impl Change {
    /// The change as a sentence.
    pub fn sentence(&self) -> String {
        let node = quoted(&self.title);
        match &self.kind {
            ChangeKind::Added { below, under } => {
                let under = under.as_ref().map(|under| format!(" under {}", quoted(under)));
                format!("{node} was added{}{}.", under.unwrap_or_default(), descendants_clause(*below))
            }
            ChangeKind::Removed { below } => format!("{node} was removed{}.", descendants_clause(*below)),
            ChangeKind::Moved { under } => format!("{node} was moved under {}.", quoted(under)),
            ChangeKind::Reordered => format!("The children of {node} stand in another order."),
            ChangeKind::Element { from, to } => format!("{node} became {to}; it was {from}."),
            ChangeKind::Round { from, to } => round_sentence(&node, *from, *to),
            ChangeKind::Started => format!("{node} started."),
            ChangeKind::Finished => format!("{node} finished."),
            ChangeKind::Failed => format!("{node} failed."),
            ChangeKind::Retried { attempt } => format!("{node} was tried again (attempt {attempt})."),
            ChangeKind::State { from, to } => state_sentence(&node, from.as_ref(), to),
            ChangeKind::Prop { name, from, to } => value_sentence(
                &format!("The property {} of {node}", quoted(name)),
                from.as_deref(),
                to.as_deref(),
            ),
            ChangeKind::Task { field, from: None, .. } if field.is_empty() => {
                format!("{node} became a task.")
            }
            ChangeKind::Task { field, .. } if field.is_empty() => format!("{node} is no task any more."),
            ChangeKind::Task { field, from, to } => value_sentence(
                &format!("The task field {} of {node}", quoted(field)),
                from.as_deref(),
                to.as_deref(),
            ),
        }
    }
}

fn descendants_clause(below: u32) -> String {
    match below {
        0 => String::new(),
        1 => ", with 1 node under it".to_owned(),
        many => format!(", with {many} nodes under it"),
    }
}

fn round_sentence(node: &str, from: Option<u32>, to: Option<u32>) -> String {
    match (from, to) {
        (Some(from), Some(to)) if to < from => format!("{node} went back from round {from} to round {to}."),
        (Some(from), Some(to)) => format!("{node} went on from round {from} to round {to}."),
        (None, Some(to)) => format!("{node} is in round {to}."),
        (_, None) => format!("{node} is in no round any more."),
    }
}

fn state_sentence(node: &str, from: Option<&Word<NodeState>>, to: &Word<NodeState>) -> String {
    let waits = match to.known() {
        Some(NodeState::WaitingApproval) => "an approval",
        Some(NodeState::WaitingEvent) => "an event",
        Some(NodeState::WaitingTimer) => "its timer",
        Some(NodeState::WaitingQuota) => "a usage limit to lift",
        Some(NodeState::WaitingBound) => "a bound value",
        Some(NodeState::Skipped) => return format!("{node} was skipped."),
        Some(NodeState::Cancelled) => return format!("{node} was cancelled."),
        Some(
            NodeState::Pending
            | NodeState::InProgress
            | NodeState::BoundStale
            | NodeState::Finished
            | NodeState::Failed,
        )
        | None => {
            return match from {
                Some(from) => format!("{node} went from {from} to {to}."),
                None => format!("{node} is {to}."),
            };
        }
    };
    format!("{node} waits for {waits}.")
}

/// Maximum length of a value in a sentence, characters.
const MAX_VALUE_CHARS: usize = 60;

fn value_sentence(what: &str, from: Option<&str>, to: Option<&str>) -> String {
    let shorten = |json: &str| match json.char_indices().nth(MAX_VALUE_CHARS) {
        Some((end, _)) => format!("{}…", slice(json, 0..end)),
        None => json.to_owned(),
    };
    match (from, to) {
        (Some(from), Some(to)) => format!("{what} changed from {} to {}.", shorten(from), shorten(to)),
        (None, Some(to)) => format!("{what} was added: {}.", shorten(to)),
        (Some(from), None) => format!("{what} was removed; it was {}.", shorten(from)),
        (None, None) => format!("{what} is not there."),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_retry_as_a_sentence() {
        use crate::history::{Change, ChangeKind};
        use crate::tree::NodeId;
        let change =
            Change { node: NodeId(7), title: "build".into(), kind: ChangeKind::Retried { attempt: 2 } };
        assert_eq!(change.sentence(), r#""build" was tried again (attempt 2)."#);
    }

    #[test]
    fn a_change_as_a_sentence() {
        use crate::history::{Change, ChangeKind};
        use crate::tree::NodeId;
        let kind =
            ChangeKind::Prop { name: "until".into(), from: Some("false".into()), to: Some("true".into()) };
        let change = Change { node: NodeId(7), title: "polish".into(), kind };
        assert_eq!(change.sentence(), r#"The property "until" of "polish" changed from false to true."#);
    }
}
