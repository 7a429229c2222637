//! The calls of an agent in the events of a run.

use std::collections::HashSet;

use crate::json::Slice;
use crate::log::{AgentCalls, FeedRow};
use crate::viewer::focus::NodeKey;
use crate::viewer::run_log::RunLog;

impl RunLog<'_> {
    /// The calls of one iteration of a node. Events that do not say their iteration count to every one.
    pub(in super::super) fn calls(&self, key: &NodeKey) -> AgentCalls {
        let NodeKey { node_id, iteration } = key;
        let (events, run_id) = match self {
            Self::Stored { log, run_id, .. } => return log.calls(run_id.as_deref(), node_id, *iteration),
            Self::Received { events, run_id, .. } => (events, run_id),
            Self::Signals(_) | Self::Conductor(_) | Self::Absent(_) => return AgentCalls::default(),
        };
        let mut calls = AgentCalls::default();
        // A server may push an event twice.
        let mut seen = HashSet::new();
        for row in events.rows() {
            let FeedRow::Event(event) = row else { continue };
            let is_of_node = *event.run_id == **run_id
                && event.node_id.as_deref() == Some(node_id)
                && event.iteration.is_none_or(|found| found == *iteration);
            let event_type = event.event_type.filter(|found| AgentCalls::has_type(*found));
            if let Some(event_type) = event_type.filter(|_| is_of_node)
                && seen.insert(&*event.payload)
            {
                calls.take(event_type, event.attempt, Some(event.at), Slice::new(&event.payload));
            }
        }
        calls
    }

    /// Changes whenever events are added; `None` if none ever are.
    pub(in super::super) fn version(&self) -> Option<u64> {
        match self {
            Self::Stored { log, .. } => Some(log.len() as u64),
            Self::Received { events, .. } => Some(events.first() + events.rows().len() as u64),
            Self::Signals(_) | Self::Conductor(_) | Self::Absent(_) => None,
        }
    }
}
