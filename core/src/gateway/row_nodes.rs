//! Keeps the nodes in progress of the running rows. A Gateway pushes the events of the runs that it executes, so an answer to
//! `listNodeStates` holds while they arrive and until one says that a node has ended. It pushes none of the runs that another
//! process executes: an answer about them holds for some seconds.

use crate::json::{Slice, fields};
use crate::log::{Effect, PushedEvent};
use crate::run::{RunInspection, Witness};
use crate::smithers::wire::{NodeState, NodeStatus, RunState};
use crate::time::Millis;

/// How long an answer is waited for until the run is asked about again, milliseconds.
const ANSWER_PERIOD_MS: f64 = 5000.0;

/// How long the nodes are named after the question, or after the last event of their run, milliseconds.
const MAX_AGE_MS: f64 = 10_000.0;

/// What is known about the nodes of the running rows.
#[derive(Debug, Default)]
pub(super) struct RowNodes {
    runs: Vec<NodesOfRun>,
    /// The run of the question that is not answered yet.
    asking: Option<String>,
}

/// The nodes of one run.
#[derive(Debug)]
struct NodesOfRun {
    run_id: String,
    /// When the last question was sent, on the local clock.
    asked_at: Millis,
    is_answered: bool,
    /// When the last answer was asked for, or the last event of the run arrived, on the local clock.
    known_at: Millis,
    /// The nodes in progress, without those that have ended since the answer.
    in_progress: Vec<NodeStatus>,
    /// The nodes that have ended since the question, until it is answered.
    ended: Vec<String>,
    /// Whether an event since the question may have changed the nodes.
    is_old: bool,
}

/// What an event says about the nodes in progress of its run.
#[derive(Debug, PartialEq)]
pub(super) enum NodeChange {
    /// One may have been added.
    Started,
    /// This one is no longer in progress.
    Ended(String),
    /// All of them may have changed.
    Any,
}

impl NodeChange {
    /// Reads an event; `None` if it changes no node in progress.
    pub(super) fn read(event: &PushedEvent, payload: Slice<'_>) -> Option<Self> {
        let effect = match event {
            PushedEvent::Other(effect) => *effect,
            PushedEvent::BoundaryCrossed => return None,
            PushedEvent::Completed(_)
            | PushedEvent::Gap
            | PushedEvent::RunState { .. }
            | PushedEvent::TimeTravel
            | PushedEvent::NodesReset => return Some(Self::Any),
        };
        match effect.node_state() {
            Some(NodeState::InProgress) => return Some(Self::Started),
            None if effect != Effect::Retrying => return None,
            Some(_) | None => {}
        }
        let [node_id] = fields(payload, ["nodeId"]).unwrap_or_default();
        Some(node_id.and_then(Slice::text).map_or(Self::Any, Self::Ended))
    }
}

impl RowNodes {
    /// Returns the run to ask about at `now`: of those that were not asked about, or whose answer is old, the one that was asked
    /// about first.
    pub(super) fn due<'a>(
        &self,
        rows: impl Iterator<Item = &'a RunInspection>,
        now: Millis,
    ) -> Option<&'a str> {
        let due = rows.filter(|row| is_running(row)).filter_map(|row| {
            let run_id = row.run_id.as_deref()?;
            let Some(known) = self.runs.iter().find(|known| known.run_id == run_id) else {
                return Some((run_id, f64::NEG_INFINITY));
            };
            let is_overdue = |at| now.since(at) >= ANSWER_PERIOD_MS;
            let is_due = if known.is_answered {
                known.is_old || is_overdue(known.known_at)
            } else {
                is_overdue(known.asked_at)
            };
            is_due.then_some((run_id, known.asked_at.0))
        });
        due.min_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(run_id, _)| run_id)
    }

    pub(super) fn record_question(&mut self, run_id: &str, now: Millis) {
        let earlier = self.runs.iter().position(|known| known.run_id == run_id);
        let earlier = earlier.map(|place| self.runs.remove(place));
        let (known_at, in_progress) =
            earlier.map_or((now, Vec::new()), |earlier| (earlier.known_at, earlier.in_progress));
        self.runs.push(NodesOfRun {
            run_id: run_id.to_owned(),
            asked_at: now,
            is_answered: false,
            known_at,
            in_progress,
            ended: Vec::new(),
            is_old: false,
        });
        self.asking = Some(run_id.to_owned());
    }

    /// Records the answer to the last question. Returns its run.
    pub(super) fn record_answer(&mut self, nodes: Vec<NodeStatus>) -> Option<String> {
        let run_id = self.asking.take()?;
        let known = self.runs.iter_mut().find(|known| known.run_id == run_id)?;
        let ended = std::mem::take(&mut known.ended);
        let in_progress = |node: &NodeStatus| node.state.known() == Some(NodeState::InProgress);
        known.in_progress = nodes.into_iter().filter(in_progress).collect();
        known.in_progress.retain(|node| !ended.contains(&node.node_id));
        known.is_answered = true;
        known.known_at = known.asked_at;
        Some(run_id)
    }

    /// Records that an event of a run arrived.
    pub(super) fn record_event(&mut self, run_id: &str, now: Millis) {
        if let Some(known) = self.runs.iter_mut().find(|known| known.run_id == run_id) {
            known.known_at = now;
        }
    }

    pub(super) fn record_change(&mut self, run_id: &str, change: NodeChange) {
        let Some(place) = self.runs.iter().position(|known| known.run_id == run_id) else { return };
        let known = &mut self.runs[place];
        known.is_old = true;
        match change {
            NodeChange::Started => {}
            NodeChange::Ended(node_id) => {
                known.in_progress.retain(|node| node.node_id != node_id);
                if !known.is_answered {
                    known.ended.push(node_id);
                }
            }
            NodeChange::Any => {
                self.runs.remove(place);
            }
        }
    }

    /// The nodes in progress of a run, as far as they are known at `now`.
    pub(super) fn of(&self, run_id: &str, now: Millis) -> &[NodeStatus] {
        let known = self.runs.iter().find(|known| known.run_id == run_id);
        known.map_or(&[], |known| known.nodes(now))
    }

    /// The runs about which something is known.
    pub(super) fn into_run_ids(self) -> impl Iterator<Item = String> {
        self.runs.into_iter().map(|known| known.run_id)
    }

    /// Writes the nodes on the rows of a new list, and forgets the runs that are not running any more.
    pub(super) fn show(&mut self, rows: &mut [RunInspection], now: Millis) {
        self.runs.retain(|known| {
            let row = rows.iter_mut().find(|row| row.run_id.as_deref() == Some(&*known.run_id));
            row.filter(|row| is_running(row))
                .map(|row| row.nodes = known.nodes(now).to_vec().into())
                .is_some()
        });
    }
}

impl NodesOfRun {
    fn nodes(&self, now: Millis) -> &[NodeStatus] {
        if now.since(self.known_at) <= MAX_AGE_MS { &self.in_progress } else { &[] }
    }
}

/// Whether the row alone says that the run is in progress.
pub(super) fn is_running(row: &RunInspection) -> bool {
    row.verdict.as_ref().is_some_and(Witness::is_derived) && row.known_state() == Some(RunState::Running)
}
