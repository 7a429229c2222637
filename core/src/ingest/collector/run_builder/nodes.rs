//! The nodes of a run and their attempts, told at once or one by one.

use std::collections::hash_map::Entry;

use super::RunBuilder;
use crate::ingest::collector::NodeEvent;
use crate::smithers::wire::Attempt;
use crate::smithers::wire::NodeStatus;
use crate::text::concat;
use crate::time::Millis;

impl RunBuilder {
    /// The list of all nodes; a row without a time of its own is as old as the list.
    pub(crate) fn take_nodes(&mut self, rows: Vec<NodeStatus>, at: Option<Millis>) {
        self.asked_for = true;
        self.forget_places();
        (self.whole, self.listed_at) = (true, at);
        self.run.nodes = rows;
    }

    pub(crate) fn forget_places(&mut self) {
        self.places.clear();
        self.indexed = 0;
    }

    /// Joins the nodes that `smithers status` named: of two words about a node the younger one counts, and in doubt that of
    /// the list. A node that a younger list of all does not have is gone.
    pub(super) fn join_gating(&mut self) {
        let at = self.gating_at;
        let newest = self.run.nodes.iter().map(|row| row.updated_at).chain([self.listed_at]).flatten();
        let newest = newest.reduce(|a, b| if b > a { b } else { a });
        let gone = self.whole && !is_younger(at, newest);
        for node in std::mem::take(&mut self.gating) {
            let place = self.place(&node.node_id, Some(node.iteration));
            match place.and_then(|place| self.run.nodes.get_mut(place)) {
                Some(row) if is_younger(at, row.updated_at.or(self.listed_at)) => {
                    if row.state != node.state {
                        // When it came to this, the command does not say.
                        (row.state, row.updated_at, row.finished_at) = (node.state, None, None);
                    }
                }
                Some(_) => {}
                None if gone => {}
                None => self.run.nodes.push(node),
            }
        }
    }

    /// Rows of attempts: those of one node may come alone. A row replaces what was told of the same attempt before.
    pub(crate) fn take_attempts(&mut self, rows: Vec<Attempt>) {
        for row in rows {
            let attempts = &mut self.run.attempts;
            match self.attempt_places.entry((row.node_id.clone(), row.iteration, row.attempt)) {
                Entry::Occupied(entry) => attempts[*entry.get()] = row,
                Entry::Vacant(entry) => {
                    entry.insert(attempts.len());
                    attempts.push(row);
                }
            }
        }
    }

    /// An event about a node. After the end the server sends the whole run's events once more (protocol section 5, item
    /// 6): nothing of it is news.
    pub(crate) fn take_node(&mut self, event: NodeEvent, at: Option<Millis>) {
        if self.ended() {
            return;
        }
        self.pushed.heard(&event, at);
        let place = self.place(&event.node_id, event.iteration);
        if let Some(row) = place.and_then(|place| self.run.nodes.get_mut(place)) {
            if row.state != event.state {
                // The server tells the same again now and then: the first time is the moment.
                row.updated_at = at.or(row.updated_at);
            }
            row.state = event.state;
            row.last_attempt = event.attempt.or(row.last_attempt);
            return;
        }
        let round =
            || self.gating.iter().rev().find(|node| node.node_id == event.node_id).map(|node| node.iteration);
        let round = event.iteration.or_else(round).unwrap_or(0);
        self.run.nodes.push(NodeStatus {
            last_attempt: event.attempt,
            updated_at: at,
            ..NodeStatus::bare(event.node_id, round, event.state)
        });
    }

    /// Where the row of a node is; the last one where the iteration is not told.
    pub(crate) fn place(&mut self, node_id: &str, iteration: Option<u32>) -> Option<usize> {
        let indexed = self.indexed;
        self.indexed = self.run.nodes.len();
        for (place, row) in self.run.nodes.iter().enumerate().skip(indexed) {
            self.places.insert(row.node_id.clone(), place as u64);
            self.places.insert(in_round(&row.node_id, row.iteration), place as u64);
        }
        let found = match iteration {
            Some(iteration) => self.places.get(&in_round(node_id, iteration)),
            None => self.places.get(node_id),
        };
        found.map(|place| *place as usize)
    }
}

pub(super) fn is_younger(at: Option<Millis>, other: Option<Millis>) -> bool {
    at.zip(other).is_some_and(|(at, other)| at > other)
}

/// A node in one round of its loop; no id has a line break.
fn in_round(node_id: &str, iteration: u32) -> String {
    concat(&[node_id, "\n", &iteration.to_string()])
}
