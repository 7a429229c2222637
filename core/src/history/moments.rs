//! What events said of nodes, and when.

use std::collections::HashMap;

use super::LandmarkKind;
use crate::inspection::NodeStatus;
use crate::smithers::NodeState;
use crate::time::Millis;
use crate::word::Word;

/// What an event says of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeMoment {
    /// When, by the server's clock.
    pub at: Millis,
    /// The node's id as the workflow author wrote it.
    pub node_id: String,
    /// Which round of a loop.
    pub iteration: u32,
    /// The state from then on.
    pub state: Word<NodeState>,
    /// The attempt's number, from 1.
    pub attempt: Option<u32>,
}

/// When, the state from then on, and the attempt.
type Said = (Millis, Word<NodeState>, Option<u32>);

/// The moments of each node in the order of time, and when frames were committed.
#[derive(Debug, Default)]
pub(super) struct Moments {
    by_node: HashMap<(String, u32), Vec<Said>>,
    /// Ascending by number and by time.
    commits: Vec<(f64, Millis)>,
}

impl Moments {
    pub(super) fn take(&mut self, moment: NodeMoment) {
        let told = self.by_node.entry((moment.node_id, moment.iteration)).or_default();
        // Stamps of a log are not always ascending (protocol section 5, quirk 13).
        let place = told.partition_point(|(at, _, _)| at.0 <= moment.at.0);
        told.insert(place, (moment.at, moment.state, moment.attempt));
    }

    /// What a moment is worth pointing at for.
    pub(super) fn landmark(&self, moment: &NodeMoment) -> Option<LandmarkKind> {
        let last = self.by_node.get(&(moment.node_id.clone(), moment.iteration)).and_then(|told| told.last());
        let before = last.map(|(_, state, attempt)| (state, *attempt));
        LandmarkKind::between(&moment.node_id, moment.iteration, before, (&moment.state, moment.attempt))
    }

    pub(super) fn commit(&mut self, number: f64, at: Millis) {
        let place = self.commits.partition_point(|(seen, _)| *seen < number);
        self.commits.truncate(place);
        self.commits.push((number, at));
    }

    /// Takes the run back to a frame: what was said after its commit and before the jump is about deleted frames.
    pub(super) fn jump(&mut self, to: f64, at: Millis) {
        let place = self.commits.partition_point(|(seen, _)| *seen <= to);
        let committed = self.commits.get(place.wrapping_sub(1)).filter(|(number, _)| *number == to);
        let since = committed.map(|(_, at)| at.0);
        self.commits.truncate(place);
        for told in self.by_node.values_mut() {
            // Without the moment of the frame it cannot be told what is still true: nothing of before is kept.
            told.retain(|(said, _, _)| said.0 > at.0 || since.is_some_and(|since| said.0 <= since));
        }
    }

    /// The frame that a moment belongs to: the last that was committed before it.
    pub(super) fn frame_at(&self, at: Millis) -> Option<f64> {
        self.commits.iter().rev().find(|(_, committed)| committed.0 <= at.0).map(|(number, _)| *number)
    }

    /// The rows of the nodes when a frame was committed; `None` where that moment is not known.
    pub(super) fn rows_at(&self, number: f64) -> Option<Vec<NodeStatus>> {
        let place = self.commits.binary_search_by(|(seen, _)| seen.total_cmp(&number)).ok()?;
        let (_, at) = self.commits[place];
        Some(self.by_node.iter().filter_map(|(node, told)| row(node, told, at)).collect())
    }
}

fn row((node_id, iteration): &(String, u32), told: &[Said], at: Millis) -> Option<NodeStatus> {
    let until = told.partition_point(|(said, _, _)| said.0 <= at.0);
    let (said, state, _) = told.get(until.checked_sub(1)?)?;
    Some(NodeStatus {
        node_id: node_id.clone(),
        iteration: *iteration,
        state: state.clone(),
        last_attempt: told[..until].iter().rev().find_map(|(_, _, attempt)| *attempt),
        label: None,
        updated_at: Some(*said),
        started_at: None,
        finished_at: None,
    })
}
