//! Which nodes are in which state.

use crate::inspection::RunInspection;
use crate::smithers::NodeState;
use crate::time::Millis;

/// A node that a sentence names.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) id: &'a str,
    pub(super) iteration: u32,
    pub(super) started_at: Option<Millis>,
    pub(super) updated_at: Option<Millis>,
    pub(super) attempts: Option<u32>,
}

/// The nodes in a state, in the order of their source: the server's own list, the truth where there is one.
pub(super) fn in_state(run: &RunInspection, state: NodeState) -> Vec<Place<'_>> {
    run.nodes
        .iter()
        .filter(|node| node.state.known() == Some(state))
        .map(|node| Place {
            id: &node.node_id,
            iteration: node.iteration,
            started_at: node.started_at,
            updated_at: node.updated_at,
            attempts: node.last_attempt,
        })
        .collect()
}

/// How many nodes are in a state: the server's count, else ours.
pub(super) fn count(run: &RunInspection, state: NodeState) -> usize {
    let counted = run.summary.iter().find(|(word, _)| word.known() == Some(state));
    counted.map_or_else(
        || in_state(run, state).len(),
        |(_, number)| usize::try_from(*number).unwrap_or(usize::MAX),
    )
}

/// The node with this id in its latest round that is in `state`; without a list of nodes, the id is all there is.
pub(super) fn named<'a>(run: &'a RunInspection, id: &'a str, state: NodeState) -> Place<'a> {
    in_state(run, state)
        .into_iter()
        .filter(|node| node.id == id)
        .max_by_key(|node| node.iteration)
        .unwrap_or(Place { id, iteration: 0, started_at: None, updated_at: None, attempts: None })
}
