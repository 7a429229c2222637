//! One node of the tree.

use std::sync::Arc;

use super::member_order::MemberOrder;
use super::{NodeId, NodeIndex};
use crate::json::{ReadError, Slice, Token, fields, optional, optionals};
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::{NodeState, NodeType, TaskKind};
use crate::word::Word;

/// One node of a [`Tree`](super::Tree).
///
/// ```
/// use runstate::smithers::wire::NodeState;
/// use runstate::tree::Tree;
///
/// let tree = Tree::from_json(
///     r#"{"id":9,"type":"task","name":"smithers:task","props":{"label":"Build"},
///         "task":{"nodeId":"build","kind":"agent","state":"in-progress","iteration":2,"attempt":1,"maxAttempts":3}}"#,
/// )?;
/// let node = tree.node(tree.root());
/// assert_eq!((node.node_id(), node.label()), (Some("build"), Some("Build")));
/// assert_eq!(node.state().and_then(|state| state.known()), Some(NodeState::InProgress));
/// assert_eq!((node.iteration(), node.attempt(), node.max_attempts()), (Some(2), Some(1), Some(3)));
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Node {
    /// The id on the wire.
    pub id: NodeId,
    /// The element that the node stands for.
    pub node_type: Word<NodeType>,
    /// The element's name.
    pub name: String,
    /// The work, on nodes that are tasks. Shared, so that a tree of the past costs little.
    pub task: Option<Arc<Task>>,
    /// How far below the root, as the wire says; from the structure where it says nothing.
    pub depth: u32,
    /// The node above; `None` for the root.
    pub parent: Option<NodeIndex>,
    /// The nodes below, in order.
    pub children: Vec<NodeIndex>,
    /// The server's own row of this node, where `listNodeStates` was joined.
    pub status: Option<NodeStatus>,
    pub(super) props: Props,
    /// What else it came with, so that it goes out as it came.
    pub(super) shape: MemberOrder,
}

/// A node's properties: the raw JSON, and the three that a person reads.
#[derive(Clone, Debug, Default)]
pub struct Props(Option<Arc<PropFields>>);

#[derive(Debug)]
struct PropFields {
    json: Box<str>,
    id: Option<Box<str>>,
    name: Option<Box<str>>,
    label: Option<Box<str>>,
}

/// The work of a task node (protocol section 3.4).
///
/// The task keeps its text, so that what Runstate does not read is not lost.
///
/// ```
/// use runstate::tree::Tree;
///
/// let tree = Tree::from_json(r#"{"id":9,"type":"task","name":"t","task":{"nodeId":"build","prompt":"Build it."}}"#)?;
/// let task = tree.node(tree.root()).task.as_ref().unwrap();
/// assert_eq!(task.node_id, "build");
/// assert_eq!(task.json(), r#"{"nodeId":"build","prompt":"Build it."}"#);
/// assert_eq!(task.state, None); // absent, which is not `pending`
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// The node's id as the workflow author wrote it.
    pub node_id: String,
    /// How the work is done.
    pub kind: Option<Word<TaskKind>>,
    /// The agent that does it.
    pub agent: Option<String>,
    /// The label.
    pub label: Option<String>,
    /// Which round of a loop.
    pub iteration: Option<u32>,
    /// The state when the snapshot was made. It lags (protocol section 5, item 2).
    pub state: Option<Word<NodeState>>,
    /// The last attempt's number, from 1; 0 before the first.
    pub attempt: Option<u32>,
    /// How often it is tried at most.
    pub max_attempts: Option<u32>,
    json: Box<str>,
}

impl Task {
    /// The task as it came.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// The same task with another state and attempt, and the text that says so.
    pub(super) fn with(&self, state: Option<Word<NodeState>>, attempt: Option<u32>, json: &str) -> Self {
        Self { state, attempt, json: json.into(), ..self.clone() }
    }
}

impl Node {
    /// The id that the workflow author gave: the task's `nodeId`, else the property `id`.
    ///
    /// The server turns ids that look like JSON into JSON (protocol section 5, item 5): `42` becomes a number, and is
    /// given back here as the text `42`.
    pub fn node_id(&self) -> Option<&str> {
        self.task.as_ref().map(|task| task.node_id.as_str()).or(self.props.id())
    }

    /// What a person calls the node: its [`node_id`](Self::node_id), else the property `name`, else the element's
    /// name.
    pub fn title(&self) -> &str {
        self.node_id().or(self.props.part(|parts| parts.name.as_deref())).unwrap_or(&self.name)
    }

    /// The label that the author gave: the task's, else the property, else the one in the server's row.
    pub fn label(&self) -> Option<&str> {
        let task = self.task.as_ref().and_then(|task| task.label.as_deref());
        let row = self.status.as_ref().and_then(|status| status.label.as_deref());
        task.or(self.props.part(|parts| parts.label.as_deref())).or(row)
    }

    /// The state: of the server's row where one was joined, else as the snapshot had it.
    pub fn state(&self) -> Option<&Word<NodeState>> {
        let row = self.status.as_ref().map(|status| &status.state);
        row.or_else(|| self.task.as_ref().and_then(|task| task.state.as_ref()))
    }

    /// Which round of a loop, where the wire tells.
    pub fn iteration(&self) -> Option<u32> {
        let task = self.task.as_ref().and_then(|task| task.iteration);
        task.or_else(|| self.status.as_ref().map(|status| status.iteration))
    }

    /// The last attempt's number: of the server's row where it has one, else as the snapshot had it.
    pub fn attempt(&self) -> Option<u32> {
        let row = self.status.as_ref().and_then(|status| status.last_attempt);
        row.or_else(|| self.task.as_ref().and_then(|task| task.attempt))
    }

    /// How often the task is tried at most, where the wire tells.
    pub fn max_attempts(&self) -> Option<u32> {
        self.task.as_ref().and_then(|task| task.max_attempts)
    }

    /// The properties as they came, a JSON object.
    ///
    /// ```
    /// use runstate::tree::Tree;
    ///
    /// let tree = Tree::from_json(r#"{"id":1,"type":"timer","name":"timer","props":{ "id" : "nap", "ms":5000 }}"#)?;
    /// assert_eq!(tree.node(tree.root()).props(), r#"{ "id" : "nap", "ms":5000 }"#);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn props(&self) -> &str {
        self.props.json()
    }

    /// The property `id` as text.
    pub(crate) fn props_id(&self) -> Option<&str> {
        self.props.id()
    }

    /// The node itself, without its place in a tree.
    pub(crate) fn clone_alone(&self) -> Self {
        Self {
            id: self.id,
            node_type: self.node_type.clone(),
            name: self.name.clone(),
            task: self.task.clone(),
            depth: self.depth,
            parent: None,
            children: Vec::new(),
            status: self.status.clone(),
            props: self.props.clone(),
            shape: self.shape.clone(),
        }
    }

    /// Whether the node is a unit of work, not a container: it can have a state of its own.
    ///
    /// ```
    /// use runstate::tree::Tree;
    ///
    /// let timer = Tree::from_json(r#"{"id":1,"type":"timer","name":"timer"}"#)?;
    /// let sequence = Tree::from_json(r#"{"id":1,"type":"sequence","name":"sequence"}"#)?;
    /// assert!(timer.node(timer.root()).is_work());
    /// assert!(!sequence.node(sequence.root()).is_work());
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn is_work(&self) -> bool {
        self.task.is_some()
            || match self.node_type.known() {
                Some(
                    NodeType::Task
                    | NodeType::Approval
                    | NodeType::Timer
                    | NodeType::Subflow
                    | NodeType::WaitForEvent,
                ) => true,
                Some(
                    NodeType::Workflow
                    | NodeType::Sequence
                    | NodeType::Parallel
                    | NodeType::MergeQueue
                    | NodeType::Branch
                    | NodeType::Loop
                    | NodeType::Worktree
                    | NodeType::Saga
                    | NodeType::TryCatch
                    | NodeType::Fragment
                    | NodeType::Unknown,
                )
                | None => false,
            }
    }
}

impl Props {
    /// The properties as they came, a JSON object.
    ///
    /// The default stands for a node whose `props` are absent.
    ///
    /// ```
    /// assert_eq!(runstate::tree::Props::default().json(), "{}");
    /// ```
    pub fn json(&self) -> &str {
        self.given().unwrap_or("{}")
    }

    /// The same; nothing where they are absent.
    pub(super) fn given(&self) -> Option<&str> {
        self.part(|parts| Some(&parts.json))
    }

    pub(super) fn id(&self) -> Option<&str> {
        self.part(|parts| parts.id.as_deref())
    }

    /// Whether these are the very same, not another reading of them.
    pub(super) fn is(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    fn part<'a>(&'a self, part: impl FnOnce(&'a PropFields) -> Option<&'a str>) -> Option<&'a str> {
        self.0.as_deref().and_then(part)
    }
}

/// Reads the `props` of a node.
pub(crate) fn read_props(slice: Slice<'_>) -> Result<Props, ReadError> {
    let [id, name, label] = fields(slice, ["id", "name", "label"])?;
    let parts =
        PropFields { json: slice.json().into(), id: shown(id), name: shown(name), label: shown(label) };
    Ok(Props(Some(Arc::new(parts))))
}

/// A property as text: text as it is, null and absent as nothing, any other JSON without its white space.
fn shown(value: Option<Slice<'_>>) -> Option<Box<str>> {
    let value = value?;
    match value.token().ok()? {
        Token::String(text) => Some(text.decode().into()),
        Token::Null => None,
        Token::Number(_)
        | Token::Bool
        | Token::ObjectStart
        | Token::ArrayStart
        | Token::ObjectEnd
        | Token::ArrayEnd
        | Token::Key(_) => Some(without_space(value.json()).into()),
    }
}

fn without_space(json: &str) -> String {
    let (mut quoted, mut escaped) = (false, false);
    let keep = |letter: &char| {
        if quoted {
            quoted = escaped || *letter != '"';
            escaped = !escaped && *letter == '\\';
            return true;
        }
        quoted = *letter == '"';
        !letter.is_ascii_whitespace()
    };
    json.chars().filter(keep).collect()
}

/// Reads the `task` of a node.
pub(crate) fn read_task(slice: Slice<'_>) -> Result<Arc<Task>, ReadError> {
    let [node_id, kind, agent, label, iteration, state, attempt, max_attempts] =
        fields(slice, ["nodeId", "kind", "agent", "label", "iteration", "state", "attempt", "maxAttempts"])?;
    let [agent, label] = optionals([agent, label], Slice::read_text)?;
    let [iteration, attempt, max_attempts] =
        optionals([iteration, attempt, max_attempts], Slice::read_small)?;
    Ok(Arc::new(Task {
        node_id: slice.need("nodeId", node_id)?.read_text()?,
        kind: optional(kind, Slice::read_word)?,
        agent,
        label,
        iteration,
        state: optional(state, Slice::read_word)?,
        attempt,
        max_attempts,
        json: slice.json().into(),
    }))
}

#[cfg(test)]
mod tests {
    use super::without_space;

    #[test]
    fn space_goes_outside_of_quotes_only() {
        assert_eq!(without_space("[\n 1,\n 2\n]"), "[1,2]");
        assert_eq!(without_space(r#"{ "a b" : "\" \\" , "c" : 1 }"#), r#"{"a b":"\" \\","c":1}"#);
    }
}
