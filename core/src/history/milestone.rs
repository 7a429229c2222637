//! Milestones: the notable points of a run's past.

use std::collections::HashMap;

use crate::number::Number;
use crate::smithers::wire::{NodeState, RunState};
use crate::text::quoted;
use crate::time::Millis;
use crate::word::Word;

/// A notable point of a run's past.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Milestone {
    /// The frame; 0 before the first.
    pub frame: f64,
    /// The time, if known.
    pub at: Option<Millis>,
    /// The kind of milestone.
    pub kind: MilestoneKind,
}

/// The kind of a milestone.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MilestoneKind {
    /// The run's state changed.
    RunState {
        /// The state before; `None` if unknown.
        from: Option<Word<RunState>>,
        /// The state from then on.
        to: Word<RunState>,
    },
    /// A node began to wait for a person.
    ApprovalRequested {
        /// The node's id as the workflow author wrote it.
        node_id: String,
        /// The iteration of a loop.
        iteration: u32,
    },
    /// A node stopped waiting for a person.
    ApprovalEnded {
        /// The node's id as the workflow author wrote it.
        node_id: String,
        /// The iteration of a loop.
        iteration: u32,
        /// Its state from then on.
        state: Word<NodeState>,
    },
    /// A node is tried again.
    Retry {
        /// The node's id as the workflow author wrote it.
        node_id: String,
        /// The iteration of a loop.
        iteration: u32,
        /// The number of the attempt, from 2.
        attempt: u32,
    },
    /// A node failed; it may be tried again.
    Failed {
        /// The node's id as the workflow author wrote it.
        node_id: String,
        /// The iteration of a loop.
        iteration: u32,
        /// The failed attempt, if known.
        attempt: Option<u32>,
    },
    /// Frames were not received.
    MissedFrames {
        /// The first.
        from: f64,
        /// The last.
        to: f64,
    },
    /// The run was taken back to an earlier frame.
    Rewind {
        /// The newest frame before.
        from: f64,
        /// The frame that the run was taken back to.
        to: f64,
    },
}

impl Milestone {
    /// The milestone as a sentence.
    pub fn sentence(&self) -> String {
        let number = |number: &f64| Number(*number).to_text();
        match &self.kind {
            MilestoneKind::RunState { from: None, to } => format!("The run is {to}."),
            MilestoneKind::RunState { from: Some(from), to } => format!("The run went from {from} to {to}."),
            MilestoneKind::ApprovalRequested { node_id, iteration } => {
                format!("{} waits for an approval.", name(node_id, *iteration))
            }
            MilestoneKind::ApprovalEnded { node_id, iteration, state } => {
                format!("{} waits for an approval no more: it is {state}.", name(node_id, *iteration))
            }
            MilestoneKind::Retry { node_id, iteration, attempt } => {
                format!("{} is tried again (attempt {attempt}).", name(node_id, *iteration))
            }
            MilestoneKind::Failed { node_id, iteration, attempt: None } => {
                format!("{} failed.", name(node_id, *iteration))
            }
            MilestoneKind::Failed { node_id, iteration, attempt: Some(attempt) } => {
                format!("{} failed (attempt {attempt}).", name(node_id, *iteration))
            }
            MilestoneKind::MissedFrames { from, to } if from == to => {
                format!("Frame {} was not seen.", number(from))
            }
            MilestoneKind::MissedFrames { from, to } => {
                format!("Frames {} to {} were not seen.", number(from), number(to))
            }
            MilestoneKind::Rewind { from, to } => {
                format!("The run was taken back from frame {} to frame {}.", number(from), number(to))
            }
        }
    }
}

/// The name of a node in a sentence.
pub(super) fn name(node_id: &str, iteration: u32) -> String {
    let node = quoted(node_id);
    if iteration == 0 { node } else { format!("{node} (round {iteration})") }
}

impl MilestoneKind {
    /// The milestone of a node whose state or attempt changes.
    pub(super) fn between(
        node_id: &str,
        iteration: u32,
        before: Option<(&Word<NodeState>, Option<u32>)>,
        after: (&Word<NodeState>, Option<u32>),
    ) -> Option<Self> {
        let (was, tried) =
            (before.and_then(|(state, _)| state.known()), before.and_then(|(_, attempt)| attempt));
        let (state, attempt) = after;
        let node_id = node_id.to_owned();
        let now_known = state.known();
        let again = attempt.filter(|attempt| *attempt > tried.unwrap_or(1).max(1));
        if now_known == Some(NodeState::WaitingApproval) {
            return (was != now_known).then_some(Self::ApprovalRequested { node_id, iteration });
        }
        if was == Some(NodeState::WaitingApproval) {
            return Some(Self::ApprovalEnded { node_id, iteration, state: state.clone() });
        }
        if now_known == Some(NodeState::Failed) {
            let another = was != now_known || again.is_some();
            return another.then_some(Self::Failed {
                node_id,
                iteration,
                attempt: attempt.filter(|at| *at > 0),
            });
        }
        let attempt = again.filter(|_| before.is_some())?;
        Some(Self::Retry { node_id, iteration, attempt })
    }

    /// The fact about a node that the milestone reports, and whether it begins; `None` for milestones of the run.
    fn node_change(&self) -> Option<(NodeChange, bool)> {
        let change = |node_id: &String, iteration: &u32, kind| NodeChange {
            node_id: node_id.clone(),
            iteration: *iteration,
            kind,
        };
        match self {
            Self::ApprovalRequested { node_id, iteration } => {
                Some((change(node_id, iteration, ChangeKind::Approval), true))
            }
            Self::ApprovalEnded { node_id, iteration, .. } => {
                Some((change(node_id, iteration, ChangeKind::Approval), false))
            }
            Self::Retry { node_id, iteration, attempt } => {
                Some((change(node_id, iteration, ChangeKind::Retry(*attempt)), true))
            }
            Self::Failed { node_id, iteration, attempt } => {
                Some((change(node_id, iteration, ChangeKind::Failed(*attempt)), true))
            }
            Self::RunState { .. } | Self::MissedFrames { .. } | Self::Rewind { .. } => None,
        }
    }
}

/// A fact about a node that both stream and events report.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct NodeChange {
    node_id: String,
    iteration: u32,
    kind: ChangeKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ChangeKind {
    Approval,
    Retry(u32),
    Failed(Option<u32>),
}

/// All milestones. Stream and events report the same facts; each is recorded once.
#[derive(Debug, Default)]
pub(super) struct Milestones {
    all: Vec<Milestone>,
    /// The facts reported since the last rewind.
    reported: HashMap<NodeChange, bool>,
    /// The last rewind, until the run has passed its old frame. Stream and events both report it.
    rewind: Option<(f64, f64)>,
}

impl Milestones {
    pub(super) fn all(&self) -> &[Milestone] {
        &self.all
    }

    pub(super) fn note_all(
        &mut self,
        kinds: impl IntoIterator<Item = MilestoneKind>,
        frame: f64,
        at: Option<Millis>,
    ) {
        for kind in kinds {
            if let Some((change, way)) = kind.node_change()
                && self.reported.insert(change, way) == Some(way)
            {
                continue;
            }
            self.all.push(Milestone { frame, at, kind });
        }
    }

    /// Notes the frames missing between two received ones.
    pub(super) fn note_gap(&mut self, from: f64, to: f64, at: Option<Millis>) {
        self.rewind = self.rewind.filter(|(newest, _)| to < *newest);
        if to > from + 1.0 {
            self.note_all([MilestoneKind::MissedFrames { from: from + 1.0, to: to - 1.0 }], to, at);
        }
    }

    /// Notes the frames missing before the first received one.
    pub(super) fn note_first(&mut self, number: f64) {
        if number > 1.0 {
            self.note_all([MilestoneKind::MissedFrames { from: 1.0, to: number - 1.0 }], number, None);
        }
    }

    pub(super) fn note_rewind(&mut self, from: f64, to: f64, at: Option<Millis>) {
        self.reported.clear();
        if self.rewind != Some((from, to)) {
            self.note_all([MilestoneKind::Rewind { from, to }], to, at);
        }
        self.rewind = Some((from, to));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn missed_frames_as_a_sentence() {
        use crate::history::{Milestone, MilestoneKind};
        let milestone =
            Milestone { frame: 4.0, at: None, kind: MilestoneKind::MissedFrames { from: 5.0, to: 8.0 } };
        assert_eq!(milestone.sentence(), "Frames 5 to 8 were not seen.");
    }

    #[test]
    fn a_milestone_as_a_sentence() {
        use crate::history::{Milestone, MilestoneKind};
        let kind = MilestoneKind::Retry { node_id: "build".into(), iteration: 0, attempt: 2 };
        let milestone = Milestone { frame: 7.0, at: None, kind };
        assert_eq!(milestone.sentence(), r#""build" is tried again (attempt 2)."#);
    }
}
