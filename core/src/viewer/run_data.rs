//! The data of the run on screen that panes share.

use crate::ingest::trees::NodeStates;
use crate::time::Millis;
use crate::tree::Tree;

/// The data of the run on screen; empty if no run is shown.
#[derive(Clone, Debug, Default)]
pub(super) struct RunData<'a> {
    /// The tree, if the run has one.
    pub(super) tree: Option<&'a Tree>,
    /// The states in the tree that are not in the words of Smithers.
    pub(super) states: Option<&'a NodeStates>,
    /// The time up to which the nodes of the tree are known, by the server's clock; `None` if a document does not contain
    /// it.
    pub(super) known_until: Option<Millis>,
    /// The age of the tree and of the states in it, if they are older than the source's requests allow.
    pub(super) age: Option<String>,
}
