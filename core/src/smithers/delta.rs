//! A change of a `DevTools` snapshot (protocol section 3.4).

use std::fmt;

use crate::json::{ReadError, Slice, fields, items};
use crate::tree::{NodeId, Props, Subtree, Task, read_id, read_props, read_subtree, read_task};

/// What changed between two snapshots of one run.
#[derive(Clone, Debug)]
pub struct Delta {
    /// The format's version, 1.
    pub version: f64,
    /// The sequence number of the snapshot that the delta changes.
    pub base_seq: f64,
    /// The sequence number after it.
    pub seq: f64,
    /// The steps, in order.
    pub ops: Vec<Op>,
}

/// One step of a [`Delta`].
#[derive(Clone, Debug)]
pub enum Op {
    /// Puts a node under another.
    AddNode {
        /// The node above.
        parent: NodeId,
        /// The place among the children, from 0; clamped into the list.
        index: f64,
        /// The node with all that is under it.
        node: Subtree,
    },
    /// Takes a node away with all that is under it.
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
        /// The task; `None` where the node is no task any more.
        task: Option<Task>,
    },
    /// Replaces everything.
    ReplaceRoot {
        /// The new root with all that is under it.
        node: Subtree,
    },
}

/// The delta is not one, or does not fit the snapshot. Upstream's `InvalidDeltaError`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidDelta {
    /// Always `InvalidDelta`.
    pub code: &'static str,
    /// What is wrong, in upstream's words where upstream has them.
    pub message: String,
}

impl InvalidDelta {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { code: "InvalidDelta", message: message.into() }
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
    /// # Errors
    /// [`InvalidDelta`] for broken JSON, another version than 1, and operations that are not known or incomplete.
    pub fn from_json(json: &str) -> Result<Self, InvalidDelta> {
        read_delta(Slice::new(json))
    }
}

pub(super) fn read_delta(slice: Slice<'_>) -> Result<Delta, InvalidDelta> {
    let [version, base_seq, seq, ops] = fields(slice, ["version", "baseSeq", "seq", "ops"])?;
    if version.and_then(Slice::number) != Some(1.0) {
        return Err(InvalidDelta::new(format!("Unsupported delta version: {}", shown(version))));
    }
    let Some(base_seq) = base_seq.and_then(Slice::number) else {
        return Err(InvalidDelta::new(format!("Delta base seq {} is not a number.", shown(base_seq))));
    };
    let Some(seq) = seq.and_then(Slice::number) else {
        return Err(InvalidDelta::new(format!("Delta seq {} is not a number.", shown(seq))));
    };
    let ops = ops.ok_or_else(|| InvalidDelta::new("Delta has no ops."))?;
    let mut steps = Vec::new();
    for op in items(ops)? {
        steps.push(read_op(op?)?);
    }
    Ok(Delta { version: 1.0, base_seq, seq, ops: steps })
}

fn read_op(slice: Slice<'_>) -> Result<Op, InvalidDelta> {
    let [op, id, parent, index, node, props, task] =
        fields(slice, ["op", "id", "parentId", "index", "node", "props", "task"])?;
    let name = op.and_then(Slice::text);
    match name.as_deref() {
        Some("addNode") => {
            let index = index
                .and_then(Slice::number)
                .ok_or_else(|| InvalidDelta::new("addNode requires a numeric index."));
            let node = subtree(node, "addNode requires a node.")?;
            Ok(Op::AddNode { parent: node_id(parent, "parent")?, index: index?, node })
        }
        Some("removeNode") => Ok(Op::RemoveNode { id: node_id(id, "node")? }),
        Some("updateProps") => {
            let props = props.filter(|props| props.is_object());
            let props = props.ok_or_else(|| InvalidDelta::new("updateProps requires a props object."))?;
            Ok(Op::UpdateProps { id: node_id(id, "node")?, props: read_props(props)? })
        }
        Some("updateTask") => {
            if task.is_some_and(|task| !task.is_object()) {
                return Err(InvalidDelta::new("updateTask requires a task object or undefined."));
            }
            Ok(Op::UpdateTask { id: node_id(id, "node")?, task: task.map(read_task).transpose()? })
        }
        Some("replaceRoot") => Ok(Op::ReplaceRoot { node: subtree(node, "replaceRoot requires a node.")? }),
        Some(_) | None => Err(InvalidDelta::new(format!("Unknown op: {}", shown(op)))),
    }
}

fn subtree(node: Option<Slice<'_>>, refusal: &str) -> Result<Subtree, InvalidDelta> {
    let node = node.filter(|node| node.is_object()).ok_or_else(|| InvalidDelta::new(refusal))?;
    Ok(read_subtree(node)?)
}

fn node_id(id: Option<Slice<'_>>, what: &str) -> Result<NodeId, InvalidDelta> {
    id.and_then(|id| read_id(id).ok())
        .ok_or_else(|| InvalidDelta::new(format!("Unknown {what} id: {}", shown(id))))
}

/// A value as JavaScript puts it into a message.
fn shown(value: Option<Slice<'_>>) -> String {
    value.map_or_else(
        || "undefined".to_owned(),
        |value| value.text().unwrap_or_else(|| value.json().to_owned()),
    )
}
