//! What the events of a run say about a node: its attempts, the calls of its agent, and its approval.

use std::collections::HashSet;

use crate::json::Slice;
use crate::log::{AgentCalls, FeedRow, LoggedApproval, LoggedAttempts, NodeEvent};
use crate::smithers::wire::{Attempt, EventType};
use crate::viewer::focus::NodeKey;
use crate::viewer::run_log::RunLog;

impl RunLog<'_> {
    /// The calls of one iteration of a node.
    pub(in super::super) fn calls(&self, key: &NodeKey) -> AgentCalls {
        let mut calls = AgentCalls::default();
        self.each_new_event_of(key, AgentCalls::has_type, |(event_type, attempt, at, event)| {
            calls.take(event_type, attempt, at, event);
        });
        calls
    }

    /// The attempts at one iteration of a node.
    pub(in super::super) fn attempts(&self, key: &NodeKey) -> Vec<Attempt> {
        let mut attempts = LoggedAttempts::new(&key.node_id, key.iteration);
        self.each_new_event_of(key, LoggedAttempts::has_type, |(event_type, attempt, at, event)| {
            attempts.take(event_type, attempt, at, event);
        });
        attempts.into_attempts()
    }

    /// Whether a stored event is about one iteration of a node.
    pub(in super::super) fn has_node(&self, NodeKey { node_id, iteration }: &NodeKey) -> bool {
        match self {
            Self::Stored { log, run_id, .. } => log.has_node(run_id.as_deref(), (node_id, *iteration)),
            Self::Received { .. } | Self::Signals(_) | Self::Conductor(_) | Self::Absent(_) => false,
        }
    }

    /// The last approval at one iteration of a node.
    pub(in super::super) fn approval(&self, key: &NodeKey) -> LoggedApproval {
        let mut approval = LoggedApproval::default();
        self.each_event_of(key, LoggedApproval::has_type, |(event_type, _, at, event)| {
            approval.take(event_type, at, event);
        });
        approval
    }

    /// Visits the events of some types once each: a server may push an event twice.
    fn each_new_event_of(
        &self,
        key: &NodeKey,
        has_type: fn(EventType) -> bool,
        mut visit: impl FnMut(NodeEvent<'_>),
    ) {
        let (is_pushed, mut seen) = (matches!(self, Self::Received { .. }), HashSet::new());
        self.each_event_of(key, has_type, |event| {
            if !is_pushed || seen.insert(event.3.json().to_owned()) {
                visit(event);
            }
        });
    }

    /// Visits the events of some types of one iteration of a node. Events that do not say their iteration count to every one.
    fn each_event_of(
        &self,
        NodeKey { node_id, iteration }: &NodeKey,
        has_type: fn(EventType) -> bool,
        mut visit: impl FnMut(NodeEvent<'_>),
    ) {
        let (events, run_id) = match self {
            Self::Stored { log, run_id, .. } => {
                return log.each_event_of(run_id.as_deref(), (node_id, *iteration), has_type, visit);
            }
            Self::Received { events, run_id, .. } => (events, run_id),
            Self::Signals(_) | Self::Conductor(_) | Self::Absent(_) => return,
        };
        for row in events.rows() {
            let FeedRow::Event(event) = row else { continue };
            let is_of_node = *event.run_id == **run_id
                && event.node_id.as_deref() == Some(node_id)
                && event.iteration.is_none_or(|found| found == *iteration);
            if let Some(event_type) = event.event_type.filter(|found| is_of_node && has_type(*found)) {
                visit((event_type, event.attempt, Some(event.at), Slice::new(&event.payload)));
            }
        }
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
