//! The states of nodes over time, by events.

use std::collections::HashMap;

use super::MilestoneKind;
use crate::smithers::wire::NodeState;
use crate::smithers::wire::NodeStatus;
use crate::time::Millis;
use crate::word::Word;

/// The state of a node from a time on, by an event.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NodeMoment {
    /// The time on the server's clock.
    pub(super) at: Millis,
    /// The node's id as the workflow author wrote it.
    pub(super) node_id: String,
    /// The iteration of a loop.
    pub(super) iteration: u32,
    /// The state from then on.
    pub(super) state: Word<NodeState>,
    /// The attempt's number, from 1.
    pub(super) attempt: Option<u32>,
}

/// A time, the state from then on (`None` if unknown), and the attempt.
type StateChange = (Millis, Option<Word<NodeState>>, Option<u32>);

/// The state changes of each node by time, and the commits of frames.
#[derive(Debug, Default)]
pub(super) struct Moments {
    by_node: HashMap<(String, u32), Vec<StateChange>>,
    /// Ascending by number and by time.
    commits: Vec<(f64, Millis)>,
    /// When the engine last started.
    started: Option<Millis>,
}

impl Moments {
    pub(super) fn take(&mut self, moment: NodeMoment) {
        let changes = self.by_node.entry((moment.node_id, moment.iteration)).or_default();
        // The timestamps of a log are not always ascending (protocol section 5, quirk 13).
        let place = changes.partition_point(|(at, _, _)| at.0 <= moment.at.0);
        changes.insert(place, (moment.at, Some(moment.state), moment.attempt));
    }

    /// The milestone of a node's change, if it is one.
    pub(super) fn milestone(&self, moment: &NodeMoment) -> Option<MilestoneKind> {
        let last =
            self.by_node.get(&(moment.node_id.clone(), moment.iteration)).and_then(|changes| changes.last());
        let before = last.and_then(|(_, state, attempt)| Some((state.as_ref()?, *attempt)));
        MilestoneKind::between(&moment.node_id, moment.iteration, before, (&moment.state, moment.attempt))
    }

    pub(super) fn start(&mut self, at: Millis) {
        self.started = Some(at);
    }

    /// Records the commit of a frame. A lower number is a rewind, of which the log has no other trace (protocol section
    /// 5, quirk 13). Returns the newest frame before the rewind and the frame to which it went back.
    pub(super) fn commit(&mut self, number: f64, at: Millis) -> Option<(f64, f64)> {
        let rewind = self.commits.last().copied().filter(|(newest, _)| number < *newest);
        let back = rewind.map(|(newest, last)| {
            let to = number - 1.0;
            self.rewind(to, self.started.filter(|started| started.0 > last.0).unwrap_or(at));
            (newest, to)
        });
        let place = self.commits.partition_point(|(known, _)| *known < number);
        self.commits.truncate(place);
        self.commits.push((number, at));
        back
    }

    /// Rewinds to a frame: drops the states between its commit and the rewind, which belong to deleted frames.
    pub(super) fn rewind(&mut self, to: f64, at: Millis) {
        let place = self.commits.partition_point(|(known, _)| *known <= to);
        let committed = self.commits.get(place.wrapping_sub(1)).filter(|(number, _)| *number == to);
        let since = committed.map(|(_, at)| at.0);
        self.commits.truncate(place);
        for changes in self.by_node.values_mut() {
            // If the time of the frame is unknown, it is unknown which states are still valid.
            changes.retain(|(since_at, _, _)| {
                since_at.0 > at.0 || since.is_some_and(|since| since_at.0 <= since)
            });
            let place = changes.partition_point(|(since_at, _, _)| since_at.0 <= at.0);
            let last = place.checked_sub(1).and_then(|last| changes[last].1.as_ref()).and_then(Word::known);
            if last.is_some_and(is_under_way) {
                // The rewind deleted the attempt, and no event has the new state of the node.
                changes.insert(place, (at, None, None));
            }
        }
    }

    pub(super) fn is_without_commits(&self) -> bool {
        self.commits.is_empty()
    }

    /// The frame at a time: the last one committed before it.
    pub(super) fn frame_at(&self, at: Millis) -> Option<f64> {
        self.commits.iter().rev().find(|(_, committed)| committed.0 <= at.0).map(|(number, _)| *number)
    }

    /// The rows of the nodes when a frame was committed; `None` if that time is unknown.
    pub(super) fn rows_at(&self, number: f64) -> Option<Vec<NodeStatus>> {
        let place = self.commits.binary_search_by(|(known, _)| known.total_cmp(&number)).ok()?;
        let (_, at) = self.commits[place];
        Some(self.by_node.iter().filter_map(|(node, changes)| row(node, changes, at)).collect())
    }
}

fn row((node_id, iteration): &(String, u32), changes: &[StateChange], at: Millis) -> Option<NodeStatus> {
    let until = changes.partition_point(|(since_at, _, _)| since_at.0 <= at.0);
    let (since_at, state, _) = changes.get(until.checked_sub(1)?)?;
    Some(NodeStatus {
        last_attempt: changes[..until].iter().rev().find_map(|(_, _, attempt)| *attempt),
        updated_at: Some(*since_at),
        ..NodeStatus::from_state(node_id.clone(), *iteration, state.clone()?)
    })
}

/// Whether a node in this state works or waits: the states that a rewind changes.
fn is_under_way(state: NodeState) -> bool {
    match state {
        NodeState::InProgress
        | NodeState::WaitingApproval
        | NodeState::WaitingEvent
        | NodeState::WaitingTimer
        | NodeState::WaitingQuota
        | NodeState::WaitingBound => true,
        NodeState::Pending
        | NodeState::BoundStale
        | NodeState::Finished
        | NodeState::Failed
        | NodeState::Cancelled
        | NodeState::Skipped => false,
    }
}
