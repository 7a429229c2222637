//! Trees of the systems whose documents contain none: what belongs to a run becomes nodes, so that one pane shows all trees.

mod conductor;
mod lionagi;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

pub(super) use conductor::conductor_tree;
pub(crate) use conductor::{last_visit, visit_state};
pub(super) use lionagi::lionagi_tree;

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
    /// The id by which the node is selected.
    id: Option<String>,
    /// Whether it is a unit of work, which the nodes above count.
    is_work: bool,
    iteration: u32,
    /// The kind of work, if it says more than the type.
    kind: Option<String>,
    label: Option<String>,
    /// The state in the words of the node's system.
    state: Option<(Taxonomy, String)>,
    /// The state for the counts of the nodes above.
    counted: Option<NodeState>,
    started_at: Option<Millis>,
    finished_at: Option<Millis>,
    children: Vec<Draft>,
}

/// What is not in the JSON of a tree.
#[derive(Default)]
struct Parts {
    ids: Ids,
    statuses: Vec<NodeStatus>,
    states: NodeStates,
    titles: Vec<(NodeId, String)>,
}

/// The ids of the nodes of one tree.
#[derive(Default)]
struct Ids {
    used: HashSet<NodeId>,
    /// The number of nodes of each type and id.
    counts: HashMap<(&'static str, Option<String>), u32>,
}

impl Ids {
    /// The id of the next node. It depends only on what the node is and on the number of equal nodes before it, so a selection
    /// survives other nodes that are added before it.
    fn add(&mut self, node: &Draft) -> NodeId {
        let key = (node.node_type, node.id.clone());
        loop {
            let count = self.counts.entry(key.clone()).or_default();
            let mut hasher = DefaultHasher::new();
            (&key, *count).hash(&mut hasher);
            *count += 1;
            // JavaScript represents whole numbers of 53 bits exactly.
            let id = NodeId((hasher.finish() >> 11).cast_signed());
            if self.used.insert(id) {
                return id;
            }
        }
    }
}

impl Draft {
    /// The tree below this node; `None` if it is too deep or too large.
    fn into_tree(self) -> Option<SystemTree> {
        let (mut out, mut parts) = (Writer::default(), Parts::default());
        self.write(&mut out, &mut parts);
        let mut tree = Tree::from_json(&out.finish()).ok()?;
        tree.join(&parts.statuses);
        tree.set_titles(parts.titles);
        Some(SystemTree { tree, states: parts.states })
    }

    fn write(&self, out: &mut Writer, parts: &mut Parts) {
        let id = parts.ids.add(self);
        out.object(|out| {
            out.key("id").number(id.0 as f64);
            out.key("type").text(self.node_type);
            out.key("name").text(&self.title);
            out.key("props").object(|out| {
                out.optional_text("id", self.id.as_deref().filter(|_| !self.is_work));
                out.optional_text("label", self.label.as_deref());
            });
            if let Some(id) = self.id.as_ref().filter(|_| self.is_work) {
                out.key("task").object(|out| {
                    out.key("nodeId").text(id);
                    out.key("iteration").number(f64::from(self.iteration));
                    out.optional_text("kind", self.kind.as_deref());
                });
            }
            out.key("children").list(&self.children, |out, child| child.write(out, parts));
        });
        if let (Some(node_id), Some(state)) = (&self.id, self.counted) {
            parts.statuses.push(NodeStatus {
                started_at: self.started_at,
                finished_at: self.finished_at,
                ..NodeStatus::from_state(node_id.clone(), self.iteration, Word::Known(state))
            });
        }
        parts.states.extend(self.state.clone().map(|state| (id, state)));
        parts.titles.push((id, self.title.clone()));
    }
}
