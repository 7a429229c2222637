//! The nodes of a run by state.

use crate::run::RunInspection;
use crate::smithers::wire::NodeState;
use crate::time::Millis;
use crate::tree::Node;

/// A node named in a sentence.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) id: &'a str,
    pub(crate) iteration: u32,
    pub(crate) started_at: Option<Millis>,
    pub(crate) updated_at: Option<Millis>,
    pub(crate) attempts: Option<u32>,
}

/// The nodes in a state, in the order of their source: the server's own list, else the tree, which lags behind it.
pub(crate) fn in_state(run: &RunInspection, state: NodeState) -> Vec<Place<'_>> {
    if let (true, Some(tree)) = (run.nodes.is_empty(), &run.tree) {
        return tree.in_state(state).filter_map(|index| tree_place(tree.node(index))).collect();
    }
    run.nodes
        .in_state(state)
        .map(|node| Place {
            id: &node.node_id,
            iteration: node.iteration,
            started_at: node.started_at,
            updated_at: node.updated_at,
            attempts: node.last_attempt,
        })
        .collect()
}

/// Whether the server's list or the tree has the node, in any state and iteration.
pub(crate) fn is_known(run: &RunInspection, id: &str) -> bool {
    run.nodes.iter().any(|node| node.node_id == id)
        || run.tree.as_ref().is_some_and(|tree| tree.find_node(id, None).is_some())
}

/// A node of a tree; `None` for one without an author's id.
fn tree_place(node: &Node) -> Option<Place<'_>> {
    Some(Place {
        id: node.node_id()?,
        iteration: node.iteration().unwrap_or(0),
        started_at: None,
        updated_at: None,
        attempts: node.attempt(),
    })
}

/// The number of nodes in a state: the server's count, else the number of known nodes.
pub(crate) fn count(run: &RunInspection, state: NodeState) -> usize {
    let counted = run.summary.iter().find(|(word, _)| word.known() == Some(state));
    counted.map_or_else(
        || in_state(run, state).len(),
        |(_, number)| usize::try_from(*number).unwrap_or(usize::MAX),
    )
}

/// The node with this id, in its latest iteration that is in `state`; without a list of nodes only the id is known.
pub(crate) fn named<'a>(run: &'a RunInspection, id: &'a str, state: NodeState) -> Place<'a> {
    in_state(run, state)
        .into_iter()
        .filter(|node| node.id == id)
        .max_by_key(|node| node.iteration)
        .unwrap_or(Place { id, iteration: 0, started_at: None, updated_at: None, attempts: None })
}
