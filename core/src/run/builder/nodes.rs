//! Takes the nodes of a run and their attempts.

use super::{NodeEvent, RunBuilder};
use crate::run::newest::is_later;
use crate::smithers::wire::NodeStatus;
use crate::text::concat;
use crate::time::Millis;

impl RunBuilder {
    /// Takes the list of all nodes; a row without a time gets the time of the list.
    pub(super) fn take_nodes(&mut self, rows: Vec<NodeStatus>, at: Option<Millis>) {
        self.is_requested = true;
        self.clear_node_index();
        (self.has_all_nodes, self.listed_at) = (true, at);
        self.run.replace_nodes(rows);
    }

    pub(super) fn clear_node_index(&mut self) {
        self.node_places.clear();
        self.indexed_nodes = 0;
    }

    /// Joins the nodes of `smithers status`: the newer of two states of a node counts, or the list's state if their
    /// order is unknown. A node that is missing in a newer list of all nodes no longer exists.
    pub(super) fn join_gating(&mut self) {
        let at = self.gating_at;
        let newest = self.run.nodes.iter().map(|row| row.updated_at).chain([self.listed_at]).flatten();
        let gone = self.has_all_nodes && !is_later(at, Millis::latest(newest));
        for node in std::mem::take(&mut self.gating_nodes) {
            let place = self.node_place(&node.node_id, Some(node.iteration));
            match place.and_then(|place| self.run.nodes.get_mut(place)) {
                Some(row) if is_later(at, row.updated_at.or(self.listed_at)) => {
                    if row.state != node.state {
                        // The command does not print the start time of the state.
                        (row.state, row.updated_at, row.finished_at) = (node.state, None, None);
                    }
                }
                Some(_) => {}
                None if gone => {}
                None => self.run.nodes.push(node),
            }
        }
    }

    /// Takes an event about a node. After the end the server sends all events of the run again (protocol section 5,
    /// item 6); they are ignored.
    pub(super) fn take_node(&mut self, event: NodeEvent, at: Option<Millis>) {
        if self.has_ended() {
            return;
        }
        self.pushed_events.record(&event, at);
        let place = self.node_place(&event.node_id, event.iteration);
        if let Some(row) = place.and_then(|place| self.run.nodes.get_mut(place)) {
            if row.state != event.state {
                // The server repeats events: the time of the first one counts.
                row.updated_at = at.or(row.updated_at);
            }
            row.state = event.state;
            row.last_attempt = event.attempt.or(row.last_attempt);
            return;
        }
        let round = || {
            self.gating_nodes
                .iter()
                .rev()
                .find(|node| node.node_id == event.node_id)
                .map(|node| node.iteration)
        };
        let round = event.iteration.or_else(round).unwrap_or(0);
        self.run.nodes.push(NodeStatus {
            last_attempt: event.attempt,
            updated_at: at,
            ..NodeStatus::from_state(event.node_id, round, event.state)
        });
    }

    /// Returns the index of a node's row; the last row if the iteration is unknown.
    pub(super) fn node_place(&mut self, node_id: &str, iteration: Option<u32>) -> Option<usize> {
        let indexed_nodes = self.indexed_nodes;
        self.indexed_nodes = self.run.nodes.len();
        for (place, row) in self.run.nodes.iter().enumerate().skip(indexed_nodes) {
            self.node_places.insert(row.node_id.clone(), place as u64);
            self.node_places.insert(iteration_key(&row.node_id, row.iteration), place as u64);
        }
        let found = match iteration {
            Some(iteration) => self.node_places.get(&iteration_key(node_id, iteration)),
            None => self.node_places.get(node_id),
        };
        found.map(|place| *place as usize)
    }
}

/// Returns the key of a node in one iteration; an id never contains a line break.
fn iteration_key(node_id: &str, iteration: u32) -> String {
    concat(&[node_id, "\n", &iteration.to_string()])
}
