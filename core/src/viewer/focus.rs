//! The moment that is shown and what a person has selected, the same in every pane.

use serde::{Deserialize, Serialize};

use crate::tree::{Node, NodeId};

/// One iteration of a node, by the author's id. Trees, logs and answers use it alike.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeKey {
    /// The author's id.
    pub node_id: String,
    /// The iteration, from 0.
    pub iteration: u32,
}

impl NodeKey {
    /// The key of a node of a tree; `None` for one without an author's id.
    pub(super) fn from_node(node: &Node) -> Option<Self> {
        let node_id = node.node_id()?.to_owned();
        Some(Self { node_id, iteration: node.iteration().unwrap_or(0) })
    }
}

/// The selected node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Selection {
    /// The node of the tree; `None` until a tree contains the key.
    pub node: Option<NodeId>,
    /// The author's id and the iteration; `None` for a node without an author's id.
    pub key: Option<NodeKey>,
}

impl Selection {
    /// Whether both select the same node. A key is the same before and after a tree has resolved it.
    pub(super) fn is_same_node(&self, other: &Self) -> bool {
        self.key == other.key && (self.key.is_some() || self.node == other.node)
    }

    /// The same selection before a tree has resolved its key.
    pub(super) fn unresolved(&self) -> Self {
        Self { node: self.node.filter(|_| self.key.is_none()), key: self.key.clone() }
    }
}

/// The moment of the run that the panes show.
///
/// Whoever reads the run matches it without a wildcard, so another moment is an error of the compiler wherever it is not
/// considered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Cursor {
    /// The newest state of the source; of a document, the recorded one.
    #[default]
    Live,
}

/// The moment that is shown of the run on screen, and what a person has selected in it.
///
/// It outlives updates of the run and reconnections, and is cleared for another run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Focus {
    /// The moment that the panes show.
    pub cursor: Cursor,
    /// The selected node, if there is one.
    pub selection: Option<Selection>,
}

impl Focus {
    /// The key of the selected node, if it has one.
    pub fn selected_key(&self) -> Option<&NodeKey> {
        self.selection.as_ref()?.key.as_ref()
    }

    /// The selected node of the tree.
    pub(super) fn node(&self) -> Option<NodeId> {
        self.selection.as_ref()?.node
    }

    /// Selects a node of the tree.
    pub(super) fn select(&mut self, node: &Node) {
        self.selection = Some(Selection { node: Some(node.id), key: NodeKey::from_node(node) });
    }

    /// Selects a node by its key, which the next tree resolves.
    pub(super) fn select_key(&mut self, key: NodeKey) {
        self.selection = Some(Selection { node: None, key: Some(key) });
    }

    /// The key that no tree has resolved yet.
    pub(super) fn unresolved(&self) -> Option<&NodeKey> {
        let selection = self.selection.as_ref().filter(|selection| selection.node.is_none())?;
        selection.key.as_ref()
    }
}
