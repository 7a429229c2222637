//! The facts about a tree node that every result contains.

use runstate::tree::{Node, NodeIndex, Tree};
use runstate::word::Word;
use serde::Serialize;
use serde_with::skip_serializing_none;
use tsify::Tsify;

use crate::output::Json;

/// A node of a tree. Fields that the snapshot does not contain are absent.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct NodeFacts {
    /// The node's id in snapshots.
    id: f64,
    #[serde(rename = "type")]
    node_type: String,
    name: String,
    /// The displayed name of the node.
    title: String,
    /// The id that the workflow's author chose.
    node_id: Option<String>,
    label: Option<String>,
    state: Option<String>,
    iteration: Option<u32>,
    attempt: Option<u32>,
    max_attempts: Option<u32>,
}

/// A node with its descendants.
#[derive(Serialize, Tsify)]
pub struct TreeNode {
    #[serde(flatten)]
    facts: NodeFacts,
    depth: u32,
    #[tsify(type = "Record<string, unknown>")]
    props: Json,
    children: Vec<TreeNode>,
}

impl From<&Node> for NodeFacts {
    fn from(node: &Node) -> Self {
        Self {
            id: node.id.0 as f64,
            node_type: node.node_type.to_string(),
            name: node.name.clone(),
            title: node.title().to_owned(),
            node_id: node.node_id().map(str::to_owned),
            label: node.label().map(str::to_owned),
            state: node.state().map(Word::to_string),
            iteration: node.iteration(),
            attempt: node.attempt(),
            max_attempts: node.max_attempts(),
        }
    }
}

impl TreeNode {
    /// The subtree of a node. The recursion is safe because the core limits the depth.
    pub(crate) fn new(tree: &Tree, index: NodeIndex) -> Self {
        let node = tree.node(index);
        Self {
            facts: node.into(),
            depth: node.depth,
            props: Json::parse(node.props()),
            children: node.children.iter().map(|child| Self::new(tree, *child)).collect(),
        }
    }
}
