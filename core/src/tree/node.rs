//! One node of the tree.

use std::sync::Arc;

use super::member_order::MemberOrder;
use super::{NodeId, NodeIndex};
use crate::json::{ReadError, Slice, Token, fields, record};
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
#[non_exhaustive]
pub struct Node {
    /// The id on the wire.
    pub id: NodeId,
    /// The element.
    pub node_type: Word<NodeType>,
    /// The element's name.
    pub name: String,
    /// The task, if the node is one. Shared between the trees of a history.
    pub task: Option<Arc<Task>>,
    /// The depth below the root on the wire, else in the structure.
    pub depth: u32,
    /// The parent; `None` for the root.
    pub parent: Option<NodeIndex>,
    /// The children, in order.
    pub children: Vec<NodeIndex>,
    /// The server's row of this node, if `listNodeStates` was joined.
    pub status: Option<NodeStatus>,
    pub(super) props: Props,
    /// The name to show in place of an id that says nothing to people.
    pub(super) own_title: Option<Box<str>>,
    /// The order of its JSON members, so that writing preserves it.
    pub(super) member_order: MemberOrder,
}

/// A node's properties: the JSON, and the three that are shown.
#[derive(Clone, Debug, Default)]
pub struct Props(Option<Arc<PropFields>>);

#[derive(Debug)]
struct PropFields {
    json: Box<str>,
    id: Option<Box<str>>,
    name: Option<Box<str>>,
    label: Option<Box<str>>,
}

record! {
    /// The task of a node (protocol section 3.4).
    ///
    /// The JSON is kept, so that unknown fields are not lost.
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
    #[serde(rename_all = "camelCase")]
    #[non_exhaustive]
    pub struct Task {
        /// The node's id as the workflow author wrote it.
        pub node_id: String,
        /// The kind of the task.
        pub kind: Option<Word<TaskKind>>,
        /// The agent.
        pub agent: Option<String>,
        /// The label.
        pub label: Option<String>,
        /// The iteration of a loop.
        pub iteration: Option<u32>,
        /// The state when the snapshot was made. It lags (protocol section 5, item 2).
        pub state: Option<Word<NodeState>>,
        /// The last attempt's number, from 1; 0 before the first.
        pub attempt: Option<u32>,
        /// Maximum number of attempts.
        pub max_attempts: Option<u32>,
        #[serde(skip)]
        json: Box<str>,
    }
}

impl Task {
    /// The task as JSON, verbatim.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// A copy of the task with another state, attempt and JSON.
    pub(super) fn with(&self, state: Option<Word<NodeState>>, attempt: Option<u32>, json: &str) -> Self {
        Self { state, attempt, json: json.into(), ..self.clone() }
    }
}

impl Node {
    /// The id that the workflow author wrote: the task's `nodeId`, else the property `id`.
    ///
    /// The server converts ids that look like JSON to JSON (protocol section 5, item 5): `42` becomes a number, which
    /// this method returns as the text `42`.
    pub fn node_id(&self) -> Option<&str> {
        self.task.as_ref().map(|task| task.node_id.as_str()).or(self.props.id())
    }

    /// The title of the node: its [`node_id`](Self::node_id) unless a name stands for it, else the property `name`, else the element's
    /// name.
    pub fn title(&self) -> &str {
        let id = self.own_title.as_deref().or(self.node_id());
        id.or(self.props.part(|parts| parts.name.as_deref())).unwrap_or(&self.name)
    }

    /// The label that the author gave: the task's, else the property, else the one in the server's row.
    pub fn label(&self) -> Option<&str> {
        let task = self.task.as_ref().and_then(|task| task.label.as_deref());
        let row = self.status.as_ref().and_then(|status| status.label.as_deref());
        task.or(self.props.part(|parts| parts.label.as_deref())).or(row)
    }

    /// The state: that of the server's row if one was joined, else that of the snapshot.
    pub fn state(&self) -> Option<&Word<NodeState>> {
        let row = self.status.as_ref().map(|status| &status.state);
        row.or_else(|| self.task.as_ref().and_then(|task| task.state.as_ref()))
    }

    /// The iteration of a loop, if the document contains it.
    pub fn iteration(&self) -> Option<u32> {
        let task = self.task.as_ref().and_then(|task| task.iteration);
        task.or_else(|| self.status.as_ref().map(|status| status.iteration))
    }

    /// The last attempt's number: that of the server's row if it has one, else that of the snapshot.
    pub fn attempt(&self) -> Option<u32> {
        let row = self.status.as_ref().and_then(|status| status.last_attempt);
        row.or_else(|| self.task.as_ref().and_then(|task| task.attempt))
    }

    /// The maximum number of attempts, if the document contains it.
    pub fn max_attempts(&self) -> Option<u32> {
        self.task.as_ref().and_then(|task| task.max_attempts)
    }

    /// The properties, a JSON object, verbatim.
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

    /// The node without its relations in a tree.
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
            own_title: self.own_title.clone(),
            member_order: self.member_order.clone(),
        }
    }

    /// Whether the node is a unit of work, not a container: it can have a state of its own.
    pub(crate) fn is_work(&self) -> bool {
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
    /// The properties, a JSON object, verbatim.
    ///
    /// The default is for a node whose `props` are absent.
    pub(crate) fn json(&self) -> &str {
        self.json_if_present().unwrap_or("{}")
    }

    /// The properties, verbatim; `None` if they are absent.
    pub(super) fn json_if_present(&self) -> Option<&str> {
        self.part(|parts| Some(&parts.json))
    }

    pub(super) fn id(&self) -> Option<&str> {
        self.part(|parts| parts.id.as_deref())
    }

    /// Whether both share the same allocation.
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
    let parts = PropFields {
        json: slice.json().into(),
        id: property_text(id),
        name: property_text(name),
        label: property_text(label),
    };
    Ok(Props(Some(Arc::new(parts))))
}

/// A property as text: `None` for null, and other JSON without white space.
fn property_text(value: Option<Slice<'_>>) -> Option<Box<str>> {
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
        | Token::Key(_) => Some(value.without_space().into()),
    }
}

/// Reads the `task` of a node.
pub(crate) fn read_task(slice: Slice<'_>) -> Result<Arc<Task>, ReadError> {
    Ok(Arc::new(Task { json: slice.json().into(), ..slice.read()? }))
}
