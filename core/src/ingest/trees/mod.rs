//! Trees of the systems whose documents contain none: what belongs to a run becomes nodes, so that one pane shows all trees.

mod conductor;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

pub(super) use conductor::conductor_tree;
pub(crate) use conductor::{last_visit, visit_state};

use crate::json::Writer;
use crate::pill::Taxonomy;
use crate::smithers::wire::{NodeState, NodeStatus};
use crate::time::Millis;
use crate::tree::{NodeId, Tree};
use crate::word::Word;

/// The states of nodes that are not in the words of Smithers' nodes.
pub(crate) type NodeStates = HashMap<NodeId, (Taxonomy, String)>;

/// A tree made of a document of lionagi or tnh-conductor.
#[derive(Debug)]
pub(crate) struct SystemTree {
    pub(crate) tree: Tree,
    pub(crate) states: NodeStates,
}

/// A node before it is in a tree.
#[derive(Debug, Default)]
struct Draft {
    /// The kind of node as a word: `step`.
    node_type: &'static str,
    title: String,
    /// The id by which the node is selected, and whether it is a unit of work; `None` for a run as a whole.
    work_id: Option<String>,
    iteration: u32,
    /// The kind of work, if it says more than the type.
    kind: Option<String>,
    /// The state in the words of the node's system.
    state: Option<(Taxonomy, String)>,
    /// The state for the counts of the nodes above.
    counted: Option<NodeState>,
    started_at: Option<Millis>,
    finished_at: Option<Millis>,
    children: Vec<Draft>,
}

impl Draft {
    /// The id in the tree. It depends only on what the node is, so a selection survives nodes that are added before it.
    fn id(&self) -> NodeId {
        let mut hasher = DefaultHasher::new();
        (self.node_type, &self.work_id).hash(&mut hasher);
        // JavaScript represents whole numbers of 53 bits exactly.
        NodeId((hasher.finish() >> 11).cast_signed())
    }

    /// The tree below this node; `None` if it is too deep or too large.
    fn into_tree(self) -> Option<SystemTree> {
        let (mut out, mut statuses, mut states) = (Writer::default(), Vec::new(), NodeStates::new());
        self.write(&mut out, &mut statuses, &mut states);
        let mut tree = Tree::from_json(&out.finish()).ok()?;
        tree.join(&statuses);
        Some(SystemTree { tree, states })
    }

    fn write(&self, out: &mut Writer, statuses: &mut Vec<NodeStatus>, states: &mut NodeStates) {
        let id = self.id();
        out.object(|out| {
            out.key("id").number(id.0 as f64);
            out.key("type").text(self.node_type);
            out.key("name").text(&self.title);
            if let Some(work_id) = &self.work_id {
                out.key("task").object(|out| {
                    out.key("nodeId").text(work_id);
                    out.key("iteration").number(f64::from(self.iteration));
                    out.optional_text("kind", self.kind.as_deref());
                });
            }
            out.key("children").list(&self.children, |out, child| child.write(out, statuses, states));
        });
        if let (Some(work_id), Some(state)) = (&self.work_id, self.counted) {
            statuses.push(NodeStatus {
                started_at: self.started_at,
                finished_at: self.finished_at,
                ..NodeStatus::from_state(work_id.clone(), self.iteration, Word::Known(state))
            });
        }
        states.extend(self.state.clone().map(|state| (id, state)));
    }
}
