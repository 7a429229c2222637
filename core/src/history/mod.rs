//! The past of a run: its frames, the changes between them, and its milestones.
//!
//! The structure of a requested frame is historical; the states of its nodes are not always (protocol section 5, quirk 3):
//!
//! - a frame of the live stream has the states of its time ([`StateSource::Stream`]);
//! - a frame that was requested later has *today's* states, which are dropped: the state is [`PastState::NotKnown`];
//! - if events of the run are known, they give the states at the time of the frame ([`StateSource::Events`]).
//!
//! A rewind goes back to an earlier frame number. The frames that it deleted stay in memory but no longer belong to the
//! run: a number always means the run's current frame with this number.

mod change;
mod compare;
mod delta_milestones;
mod events;
mod frames;
mod milestone;
mod moments;
mod past;
mod queries;
#[cfg(test)]
mod tests;

pub use change::{Change, ChangeKind};
pub use compare::FrameDiff;
pub use frames::NoFrame;
pub use milestone::{Milestone, MilestoneKind};
pub use past::{PastFrame, PastState, StateSource};

use serde::Serialize;

use crate::number::Number;
use crate::smithers::wire::RunState;
use crate::time::Millis;
use crate::tree::{Delta, InvalidDelta, Op, Snapshot, Tree};
use crate::word::Word;
use delta_milestones::{first_tree_milestones, touched_nodes};
use frames::Frames;
use milestone::Milestones;
use moments::{Moments, NodeMoment};

/// The effect of a message of the stream on the history: a new frame (`forward`), the same frame again (`again`), a rewind
/// of the run from the frame `from` (`rewound`), or none, because the message is older than the newest frame (`old`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[cfg_attr(test, derive(tsify::Tsify), tsify(rename = "HistoryStep"))]
pub enum Step {
    /// The run has a new frame.
    Forward,
    /// The newest frame was sent again.
    Again,
    /// The run went back to an earlier frame.
    Rewound {
        /// The number of the last frame before.
        from: f64,
    },
    /// The message is older than the newest frame; nothing changed.
    Old,
}

/// The frames of a run and its milestones.
///
/// ```
/// use runstate::history::{History, Step};
/// use runstate::tree::{Delta, Snapshot};
/// use runstate::time::Millis;
///
/// let mut history = History::new();
/// let snapshot = Snapshot::from_json(
///     r#"{"version":1,"runId":"r","frameNo":1,"seq":1,"root":{"id":1,"type":"task","name":"task","props":{},
///         "task":{"nodeId":"build","kind":"agent","state":"in-progress","attempt":1},"children":[],"depth":0}}"#,
/// )?;
/// history.take_snapshot(&snapshot, Millis(1000.0));
/// let delta = Delta::from_json(
///     r#"{"version":1,"baseSeq":1,"seq":2,"ops":[
///         {"op":"updateTask","id":1,"task":{"nodeId":"build","kind":"agent","state":"finished","attempt":1}}]}"#,
/// )?;
/// assert_eq!(history.take_delta(&delta, Millis(2000.0))?, Step::Forward);
/// let difference = history.diff(1.0, 2.0)?;
/// assert_eq!(difference.changes[0].sentence(), r#""build" finished."#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct History {
    frames: Frames,
    moments: Moments,
    milestones: Milestones,
    tip: Option<Tip>,
    run_state: Option<Word<RunState>>,
}

/// The newest frame.
#[derive(Debug)]
struct Tip {
    number: f64,
    seq: f64,
    tree: Tree,
}

impl Default for History {
    fn default() -> Self {
        Self::new()
    }
}

impl History {
    /// Makes an empty history.
    pub fn new() -> Self {
        Self {
            frames: Frames::default(),
            moments: Moments::default(),
            milestones: Milestones::default(),
            tip: None,
            run_state: None,
        }
    }

    /// Adds a snapshot of the live stream: the first frame, a re-baseline, or a rewind.
    ///
    /// `at` is the time of arrival. Its states are current, so they are kept.
    ///
    /// ```
    /// use runstate::history::{History, Step};
    /// use runstate::tree::Snapshot;
    /// use runstate::time::Millis;
    ///
    /// let frame = |number: u32| {
    ///     Snapshot::from_json(&format!(
    ///         r#"{{"version":1,"runId":"r","frameNo":{number},"seq":{number},"root":{{"id":1,"type":"workflow","name":"w"}}}}"#
    ///     ))
    /// };
    /// let mut history = History::new();
    /// for number in [1, 2, 3] {
    ///     assert_eq!(history.take_snapshot(&frame(number)?, Millis(0.0)), Step::Forward);
    /// }
    /// // Somebody rewound the run: frame 3 is not the run's any more.
    /// assert_eq!(history.take_snapshot(&frame(2)?, Millis(9.0)), Step::Rewound { from: 3.0 });
    /// assert_eq!(history.numbers(), [1.0, 2.0]);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn take_snapshot(&mut self, snapshot: &Snapshot, at: Millis) -> Step {
        let Some(tip) = &mut self.tip else {
            let tree = snapshot.tree.copy();
            self.milestones.note_first(snapshot.frame_no);
            self.milestones.note_all(first_tree_milestones(&tree), snapshot.frame_no, Some(at));
            let ops = vec![Op::ReplaceRoot { node: tree.subtree(tree.root()) }];
            self.frames.push(snapshot.frame_no, Some(at), ops, &tree);
            self.tip = Some(Tip { number: snapshot.frame_no, seq: snapshot.seq, tree });
            return Step::Forward;
        };
        let from = tip.number;
        let mut delta = Delta {
            version: 1.0,
            base_seq: tip.seq,
            seq: snapshot.seq,
            ops: if tip.tree.has_duplicates() || snapshot.tree.has_duplicates() {
                vec![Op::ReplaceRoot { node: snapshot.tree.subtree(snapshot.tree.root()) }]
            } else {
                tip.tree.diff(&snapshot.tree)
            },
        };
        let touched = touched_nodes(&tip.tree, &delta.ops);
        let applied = tip.tree.apply(&delta).is_ok();
        if !applied || !tip.tree.diff(&snapshot.tree).is_empty() {
            // If the depths contradict the structure, upstream's order of operations can lead to another tree.
            tip.tree = snapshot.tree.copy();
            delta.ops = vec![Op::ReplaceRoot { node: snapshot.tree.subtree(snapshot.tree.root()) }];
        }
        (tip.number, tip.seq) = (snapshot.frame_no, snapshot.seq);
        let taken = if snapshot.frame_no < from {
            self.milestones.note_rewind(from, snapshot.frame_no, Some(at));
            Step::Rewound { from }
        } else {
            self.milestones.note_gap(from, snapshot.frame_no, Some(at));
            self.milestones.note_all(touched.milestones(&tip.tree), snapshot.frame_no, Some(at));
            if snapshot.frame_no == from { Step::Again } else { Step::Forward }
        };
        self.frames.push(snapshot.frame_no, Some(at), delta.ops, &tip.tree);
        taken
    }

    /// Adds a delta of the live stream. `at` is the time of arrival.
    ///
    /// ```
    /// use runstate::history::{History, Step};
    /// use runstate::tree::{Delta, Snapshot};
    /// use runstate::time::Millis;
    ///
    /// let mut history = History::new();
    /// let first = r#"{"version":1,"runId":"r","frameNo":3,"seq":3,"root":{"id":1,"type":"workflow","name":"w"}}"#;
    /// history.take_snapshot(&Snapshot::from_json(first)?, Millis(0.0));
    ///
    /// let late = Delta::from_json(r#"{"version":1,"baseSeq":1,"seq":2,"ops":[]}"#)?;
    /// assert_eq!(history.take_delta(&late, Millis(5.0))?, Step::Old);
    /// // One was lost: a new base must be requested.
    /// let early = Delta::from_json(r#"{"version":1,"baseSeq":7,"seq":8,"ops":[]}"#)?;
    /// assert!(history.take_delta(&early, Millis(6.0)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidDelta`] if it was made for another frame than the newest or does not fit it; the history is then
    /// unchanged. A delta from before the newest frame is not an error but [`Step::Old`].
    pub fn take_delta(&mut self, delta: &Delta, at: Millis) -> Result<Step, InvalidDelta> {
        let Some(tip) = &mut self.tip else {
            return Err(InvalidDelta::new("There is no snapshot before this delta."));
        };
        if delta.base_seq != tip.seq {
            if delta.seq <= tip.seq {
                return Ok(Step::Old);
            }
            let (base, seq) = (Number(delta.base_seq).to_text(), Number(tip.seq).to_text());
            return Err(InvalidDelta::new(format!(
                "Delta base seq {base} does not match snapshot seq {seq}."
            )));
        }
        let from = tip.number;
        let touched = touched_nodes(&tip.tree, &delta.ops);
        tip.tree.apply(delta)?;
        (tip.number, tip.seq) = (delta.seq, delta.seq);
        self.milestones.note_gap(from, delta.seq, Some(at));
        self.milestones.note_all(touched.milestones(&tip.tree), delta.seq, Some(at));
        self.frames.push(delta.seq, Some(at), delta.ops.clone(), &tip.tree);
        Ok(if delta.seq > from { Step::Forward } else { Step::Again })
    }

    /// Adds a frame that was requested by its number. Its structure is historical; the states in it are today's
    /// and are dropped.
    ///
    /// A frame of the stream is not replaced.
    ///
    /// ```
    /// use runstate::history::{History, PastState};
    /// use runstate::tree::Snapshot;
    ///
    /// let mut history = History::new();
    /// history.take_requested_snapshot(&Snapshot::from_json(
    ///     r#"{"version":1,"runId":"r","frameNo":3,"seq":3,
    ///         "root":{"id":1,"type":"task","name":"t","task":{"nodeId":"build","state":"finished"}}}"#,
    /// )?);
    /// let past = history.frame(3.0)?;
    /// assert!(!past.is_streamed());
    /// assert_eq!(past.state(past.tree().root()), PastState::NotKnown);
    /// assert_eq!(past.unknown_states(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_requested_snapshot(&mut self, snapshot: &Snapshot) {
        let mut tree = snapshot.tree.copy();
        tree.clear_states();
        self.frames.insert_requested(snapshot.frame_no, tree);
    }

    /// Adds the state of a node at a time.
    fn take_moment(&mut self, moment: NodeMoment) {
        let frame = self.frame_at(moment.at);
        let kind = self.moments.milestone(&moment);
        self.milestones.note_all(kind, frame, Some(moment.at));
        self.moments.take(moment);
    }

    /// Adds the commit of a frame, by the server's clock. A lower number than the last means a rewind.
    fn take_commit(&mut self, number: f64, at: Millis) {
        if let Some((from, to)) = self.moments.commit(number, at) {
            self.milestones.note_rewind(from, to, Some(at));
        }
    }

    /// Records a rewind to a frame. States from events after that frame are dropped.
    fn take_jump(&mut self, from: f64, to: f64, at: Millis) {
        self.moments.rewind(to, at);
        self.milestones.note_rewind(from, to, Some(at));
    }

    /// The frame at a time of the server's clock: by the commits, else the newest.
    fn frame_at(&self, at: Millis) -> f64 {
        match (self.moments.frame_at(at), &self.tip) {
            (Some(number), _) => number,
            (None, Some(tip)) if self.moments.is_without_commits() => tip.number,
            (None, _) => 0.0,
        }
    }
}
