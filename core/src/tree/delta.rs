//! A change of a `DevTools` snapshot (protocol section 3.4).

use std::fmt;
use std::sync::Arc;

use crate::json::{Items, ReadError, Slice, Writer, fields, items};
use crate::tree::{NodeId, Props, Subtree, Task, read_id, read_props, read_subtree, read_task};

/// The changes between two snapshots of one run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Delta {
    /// The format's version, 1.
    pub version: f64,
    /// The sequence number of the snapshot that the delta changes.
    pub base_seq: f64,
    /// The sequence number after it.
    pub seq: f64,
    /// The operations, in order.
    pub ops: Vec<Op>,
}

/// One operation of a [`Delta`].
///
/// ```
/// use runstate::tree::{Delta, Op};
/// use runstate::tree::NodeId;
///
/// let delta = Delta::from_json(
///     r#"{"version":1,"baseSeq":3,"seq":4,"ops":[
///         {"op":"addNode","parentId":1,"index":0,"node":{"id":7,"type":"task","name":"t","children":[]}},
///         {"op":"updateTask","id":2}]}"#,
/// )?;
/// assert_eq!((delta.base_seq, delta.seq), (3.0, 4.0));
/// assert!(matches!(&delta.ops[0], Op::AddNode { parent: NodeId(1), .. }));
/// assert!(matches!(&delta.ops[1], Op::UpdateTask { task: None, .. }), "node 2 is no task any more");
/// # Ok::<(), runstate::tree::InvalidDelta>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Op {
    /// Adds a node under another.
    AddNode {
        /// The parent.
        parent: NodeId,
        /// The index among the children, from 0; clamped into the list.
        index: f64,
        /// The node with its descendants.
        node: Subtree,
    },
    /// Removes a node with its descendants.
    RemoveNode {
        /// The node.
        id: NodeId,
    },
    /// Replaces a node's properties.
    UpdateProps {
        /// The node.
        id: NodeId,
        /// All its properties from now on.
        props: Props,
    },
    /// Replaces a node's task.
    UpdateTask {
        /// The node.
        id: NodeId,
        /// The task; `None` if the node is no longer a task.
        task: Option<Arc<Task>>,
    },
    /// Replaces the whole tree.
    ReplaceRoot {
        /// The new root with its descendants.
        node: Subtree,
    },
}

/// The delta is malformed or does not fit the snapshot. Upstream's `InvalidDeltaError`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidDelta {
    /// The message, in upstream's words if upstream has them.
    pub message: String,
}

impl InvalidDelta {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl From<ReadError> for InvalidDelta {
    fn from(error: ReadError) -> Self {
        Self::new(error.message)
    }
}

impl fmt::Display for InvalidDelta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for InvalidDelta {}

impl Delta {
    /// Reads a delta.
    ///
    /// ```
    /// use runstate::tree::Delta;
    ///
    /// let refused = Delta::from_json(r#"{"version":1,"baseSeq":3,"seq":4,"ops":[{"op":"explode"}]}"#).unwrap_err();
    /// assert_eq!(refused.message, "Unknown op: explode");
    /// let refused = Delta::from_json(r#"{"version":2,"baseSeq":3,"seq":4,"ops":[]}"#).unwrap_err();
    /// assert_eq!(refused.message, "Unsupported delta version: 2");
    /// ```
    ///
    /// # Errors
    /// [`InvalidDelta`] for broken JSON, another version than 1, and operations that are not known or incomplete.
    pub fn from_json(json: &str) -> Result<Self, InvalidDelta> {
        read_delta(Slice::new(json))
    }
}

impl Delta {
    /// The delta as the wire writes it.
    ///
    /// ```
    /// use runstate::tree::Delta;
    ///
    /// let json = r#"{"version":1,"baseSeq":3,"seq":4,"ops":[{"op":"removeNode","id":7}]}"#;
    /// assert_eq!(Delta::from_json(json)?.to_json(), json);
    /// # Ok::<(), runstate::tree::InvalidDelta>(())
    /// ```
    pub fn to_json(&self) -> String {
        let mut out = Writer::default();
        out.object(|out| {
            out.key("version").number(self.version);
            out.key("baseSeq").number(self.base_seq);
            out.key("seq").number(self.seq);
            out.key("ops").list(&self.ops, |out, op| op.write(out));
        });
        out.finish()
    }
}

impl Op {
    fn write(&self, out: &mut Writer) {
        let name = match self {
            Self::AddNode { .. } => "addNode",
            Self::RemoveNode { .. } => "removeNode",
            Self::UpdateProps { .. } => "updateProps",
            Self::UpdateTask { .. } => "updateTask",
            Self::ReplaceRoot { .. } => "replaceRoot",
        };
        out.object(|out| {
            out.key("op").text(name);
            match self {
                Self::AddNode { parent, index, node } => {
                    out.key("parentId").number(parent.0 as f64);
                    out.key("index").number(*index);
                    node.write(out.key("node"));
                }
                Self::RemoveNode { id } => out.key("id").number(id.0 as f64),
                Self::UpdateProps { id, props } => {
                    out.key("id").number(id.0 as f64);
                    out.key("props").raw(props.json());
                }
                Self::UpdateTask { id, task } => {
                    out.key("id").number(id.0 as f64);
                    if let Some(task) = task {
                        out.key("task").raw(task.json());
                    }
                }
                Self::ReplaceRoot { node } => node.write(out.key("node")),
            }
        });
    }
}

pub(crate) fn read_delta(slice: Slice<'_>) -> Result<Delta, InvalidDelta> {
    let [base_seq, seq, ops] = read_header(slice)?;
    let Some(base_seq) = base_seq.and_then(Slice::number) else {
        return Err(InvalidDelta::new(format!("Delta base seq {} is not a number.", js_text(base_seq))));
    };
    let seq = read_seq(seq)?;
    let mut steps = Vec::new();
    for op in read_ops(ops)? {
        steps.push(read_op(op?, |_| true)?);
    }
    Ok(Delta { version: 1.0, base_seq, seq, ops: steps })
}

/// Reads the base, the sequence number and the operations of a delta of version 1.
pub(crate) fn read_header(slice: Slice<'_>) -> Result<[Option<Slice<'_>>; 3], InvalidDelta> {
    let [version, base_seq, seq, ops] = fields(slice, ["version", "baseSeq", "seq", "ops"])?;
    if version.and_then(Slice::number) != Some(1.0) {
        return Err(InvalidDelta::new(format!("Unsupported delta version: {}", js_text(version))));
    }
    Ok([base_seq, seq, ops])
}

pub(crate) fn read_seq(seq: Option<Slice<'_>>) -> Result<f64, InvalidDelta> {
    seq.and_then(Slice::number)
        .ok_or_else(|| InvalidDelta::new(format!("Delta seq {} is not a number.", js_text(seq))))
}

pub(crate) fn read_ops(ops: Option<Slice<'_>>) -> Result<Items<'_>, InvalidDelta> {
    Ok(items(ops.ok_or_else(|| InvalidDelta::new("Delta has no ops."))?)?)
}

/// Reads an operation. Its fields are checked in upstream's order, so that the first error is the same.
pub(crate) fn read_op(slice: Slice<'_>, known: impl Fn(NodeId) -> bool) -> Result<Op, InvalidDelta> {
    let [op, id, parent, index, node, props, task] =
        fields(slice, ["op", "id", "parentId", "index", "node", "props", "task"])?;
    let target = |id: Option<Slice<'_>>, what: &str| {
        let found = id.and_then(|id| read_id(id).ok()).filter(|id| known(*id));
        found.ok_or_else(|| InvalidDelta::new(format!("Unknown {what} id: {}", js_text(id))))
    };
    match op.and_then(Slice::text).as_deref() {
        Some("addNode") => {
            let node = object(node, "addNode requires a node.")?;
            let index = index
                .and_then(Slice::number)
                .ok_or_else(|| InvalidDelta::new("addNode requires a numeric index."))?;
            let parent = target(parent, "parent")?;
            Ok(Op::AddNode { parent, index, node: read_subtree(node)? })
        }
        Some("removeNode") => Ok(Op::RemoveNode { id: target(id, "node")? }),
        Some("updateProps") => {
            let props = object(props, "updateProps requires a props object.")?;
            Ok(Op::UpdateProps { id: target(id, "node")?, props: read_props(props)? })
        }
        Some("updateTask") => {
            let id = target(id, "node")?;
            let Some(task) = task else { return Ok(Op::UpdateTask { id, task: None }) };
            let task = object(Some(task), "updateTask requires a task object or undefined.")?;
            Ok(Op::UpdateTask { id, task: Some(read_task(task)?) })
        }
        Some("replaceRoot") => {
            let node = object(node, "replaceRoot requires a node.")?;
            Ok(Op::ReplaceRoot { node: read_subtree(node)? })
        }
        Some(_) | None => Err(InvalidDelta::new(format!("Unknown op: {}", js_text(op)))),
    }
}

fn object<'a>(value: Option<Slice<'a>>, refusal: &str) -> Result<Slice<'a>, InvalidDelta> {
    value.filter(|value| value.is_object()).ok_or_else(|| InvalidDelta::new(refusal))
}

/// A value as JavaScript converts it to text in a message; objects and lists verbatim.
pub(crate) fn js_text(value: Option<Slice<'_>>) -> String {
    let Some(value) = value else { return "undefined".to_owned() };
    value.text().unwrap_or_else(|| value.json().to_owned())
}
