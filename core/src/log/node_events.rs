//! The events of a node.

use super::EventLog;
use super::store::Unit;
use crate::json::Slice;
use crate::smithers::wire::EventType;
use crate::time::Millis;

/// An event of a node: its type, its attempt, its time, and its text.
pub(crate) type NodeEvent<'a> = (EventType, Option<u32>, Option<Millis>, Slice<'a>);

impl EventLog {
    /// Whether an event of a run is about this iteration of a node; without `run_id`, of the first run.
    pub(crate) fn has_node(&self, run_id: Option<&str>, node: (&str, u32)) -> bool {
        self.unit_of(run_id, node).is_some()
    }

    fn unit_of(&self, run_id: Option<&str>, (node_id, iteration): (&str, u32)) -> Option<u32> {
        let run = run_id.map_or(Some(0), |run_id| self.store.runs.find(0, run_id.as_bytes()))?;
        let node = self.store.nodes.find(run, node_id.as_bytes())?;
        self.store.find_unit(Unit { node, iteration })
    }

    /// Visits the events of some types of one iteration of a node of a run, of a log that was viewed after its last event was
    /// added; without `run_id`, of the first run.
    pub(crate) fn each_event_of(
        &self,
        run_id: Option<&str>,
        node: (&str, u32),
        has_type: fn(EventType) -> bool,
        mut visit: impl FnMut(NodeEvent<'_>),
    ) {
        debug_assert_eq!(self.order.len(), self.store.len(), "the events are in order");
        let Some(unit) = self.unit_of(run_id, node) else { return };
        for place in 0..self.order.len() {
            let row = self.order.row(place);
            if self.store.unit(row) != unit || self.store.is_repeat(row) {
                continue;
            }
            let event_type = self.store.kind(row).and_then(|kind| kind.word.known());
            if let Some(event_type) = event_type.filter(|found| has_type(*found))
                && let Some(json) = self.json(row)
            {
                visit((event_type, self.store.attempt(row), self.time_at(place), Slice::new(&json)));
            }
        }
    }
}
