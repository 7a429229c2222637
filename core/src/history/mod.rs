//! The past of a run: its frames, what changed between them, and its milestones.
//!
//! The structure of a requested frame is historical; the states of its nodes are not always (protocol section 5, quirk 3):
//!
//! - a frame of the live stream has the states of its time ([`SaidBy::Stream`]);
//! - a frame that was requested later has *today's* states; they are dropped, and the state is [`Then::NotKnown`];
//! - where events of the run are known, the states at the moment of the frame come from them ([`SaidBy::Events`]).
//!
//! A rewind takes the frame number back. The frames that it deleted stay in memory but no longer belong to
//! the run: a number always means the run's current frame with this number.

mod milestone;

mod change;
mod compare;
mod events;
mod frames;
mod look;
mod moments;
mod past;
mod watch;

pub use change::{Change, ChangeKind};
pub use compare::FrameDiff;
pub use frames::NoFrame;
pub use milestone::{Milestone, MilestoneKind};
pub use moments::NodeMoment;
pub use past::{Past, SaidBy, Then};

use crate::number::Number;
use crate::smithers::wire::RunState;
use crate::time::Millis;
use crate::tree::{Delta, InvalidDelta, Op, Snapshot};
use crate::tree::{RemovedNodes, Tree};
use crate::word::Word;
use frames::Frames;
use milestone::Milestones;
use moments::Moments;

/// Maximum number of removed nodes kept.
const MAX_REMOVED_NODES: usize = 1000;

/// The effect of a stream message on the history.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Taken {
    /// The run has a new frame.
    Forward,
    /// The newest frame was sent again.
    Again,
    /// The run was taken back to an earlier frame.
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
/// use runstate::history::{History, Taken};
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
/// assert_eq!(history.take_delta(&delta, Millis(2000.0))?, Taken::Forward);
/// let difference = history.diff(1.0, 2.0)?;
/// assert_eq!(difference.changes[0].sentence(), r#""build" finished."#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct History {
    frames: Frames,
    moments: Moments,
    milestones: Milestones,
    removed_nodes: RemovedNodes,
    tip: Option<Tip>,
    run_state: Option<Word<RunState>>,
    /// `getRun` has answered at least once.
    asked_server: bool,
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
            removed_nodes: RemovedNodes::new(MAX_REMOVED_NODES),
            tip: None,
            run_state: None,
            asked_server: false,
        }
    }

    /// Adds a snapshot of the live stream: the first frame, a re-baseline, or a rewind.
    ///
    /// `at` is the time of arrival. Its states are current, so they are kept.
    ///
    /// ```
    /// use runstate::history::{History, Taken};
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
    ///     assert_eq!(history.take_snapshot(&frame(number)?, Millis(0.0)), Taken::Forward);
    /// }
    /// // Somebody rewound the run: frame 3 is not the run's any more.
    /// assert_eq!(history.take_snapshot(&frame(2)?, Millis(9.0)), Taken::Rewound { from: 3.0 });
    /// assert_eq!((history.newest(), history.numbers()), (Some(2.0), vec![1.0, 2.0]));
    /// assert_eq!(history.tip().unwrap().len(), 1);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn take_snapshot(&mut self, snapshot: &Snapshot, at: Millis) -> Taken {
        let Some(tip) = &mut self.tip else {
            let tree = snapshot.tree.copy();
            self.milestones.begin(snapshot.frame_no);
            self.milestones.note_all(watch::first(&tree), snapshot.frame_no, Some(at));
            let ops = vec![Op::ReplaceRoot { node: tree.subtree(tree.root()) }];
            self.frames.push(snapshot.frame_no, Some(at), ops, &tree);
            self.tip = Some(Tip { number: snapshot.frame_no, seq: snapshot.seq, tree });
            return Taken::Forward;
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
        let touched = watch::before(&tip.tree, &delta.ops);
        let applied = tip.tree.apply_keeping(&delta, &mut self.removed_nodes).is_ok();
        if !applied || !tip.tree.diff(&snapshot.tree).is_empty() {
            // Depths that contradict the structure can put upstream's steps into an order that leads elsewhere.
            tip.tree = snapshot.tree.copy();
            delta.ops = vec![Op::ReplaceRoot { node: snapshot.tree.subtree(snapshot.tree.root()) }];
        }
        (tip.number, tip.seq) = (snapshot.frame_no, snapshot.seq);
        let taken = if snapshot.frame_no < from {
            self.milestones.note_rewind(from, snapshot.frame_no, Some(at));
            Taken::Rewound { from }
        } else {
            self.milestones.note_gap(from, snapshot.frame_no, Some(at));
            self.milestones.note_all(touched.after(&tip.tree), snapshot.frame_no, Some(at));
            if snapshot.frame_no == from { Taken::Again } else { Taken::Forward }
        };
        self.frames.push(snapshot.frame_no, Some(at), delta.ops, &tip.tree);
        taken
    }

    /// Adds a delta of the live stream. `at` is the time of arrival.
    ///
    /// ```
    /// use runstate::history::{History, Taken};
    /// use runstate::tree::{Delta, Snapshot};
    /// use runstate::time::Millis;
    ///
    /// let mut history = History::new();
    /// let first = r#"{"version":1,"runId":"r","frameNo":3,"seq":3,"root":{"id":1,"type":"workflow","name":"w"}}"#;
    /// history.take_snapshot(&Snapshot::from_json(first)?, Millis(0.0));
    ///
    /// let late = Delta::from_json(r#"{"version":1,"baseSeq":1,"seq":2,"ops":[]}"#)?;
    /// assert_eq!(history.take_delta(&late, Millis(5.0))?, Taken::Old);
    /// // One was lost: a new base must be requested.
    /// let early = Delta::from_json(r#"{"version":1,"baseSeq":7,"seq":8,"ops":[]}"#)?;
    /// assert!(history.take_delta(&early, Millis(6.0)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidDelta`] where it was made for another frame than the newest or does not fit it; the history is then as it
    /// was. A delta from before the newest frame is [`Taken::Old`].
    pub fn take_delta(&mut self, delta: &Delta, at: Millis) -> Result<Taken, InvalidDelta> {
        let Some(tip) = &mut self.tip else {
            return Err(InvalidDelta::new("There is no snapshot before this delta."));
        };
        if delta.base_seq != tip.seq {
            if delta.seq <= tip.seq {
                return Ok(Taken::Old);
            }
            let (base, seq) = (Number(delta.base_seq).to_text(), Number(tip.seq).to_text());
            return Err(InvalidDelta::new(format!(
                "Delta base seq {base} does not match snapshot seq {seq}."
            )));
        }
        let from = tip.number;
        let touched = watch::before(&tip.tree, &delta.ops);
        tip.tree.apply_keeping(delta, &mut self.removed_nodes)?;
        (tip.number, tip.seq) = (delta.seq, delta.seq);
        self.milestones.note_gap(from, delta.seq, Some(at));
        self.milestones.note_all(touched.after(&tip.tree), delta.seq, Some(at));
        self.frames.push(delta.seq, Some(at), delta.ops.clone(), &tip.tree);
        Ok(if delta.seq > from { Taken::Forward } else { Taken::Again })
    }

    /// Adds a frame that was requested by its number. Its structure is historical; the states in it are today's
    /// and are dropped.
    ///
    /// A frame of the stream is not replaced.
    ///
    /// ```
    /// use runstate::history::{History, Then};
    /// use runstate::tree::Snapshot;
    ///
    /// let mut history = History::new();
    /// history.take_requested_snapshot(&Snapshot::from_json(
    ///     r#"{"version":1,"runId":"r","frameNo":3,"seq":3,
    ///         "root":{"id":1,"type":"task","name":"t","task":{"nodeId":"build","state":"finished"}}}"#,
    /// )?);
    /// let past = history.frame(3.0)?;
    /// assert!(!past.streamed());
    /// assert_eq!(past.state(past.tree().root()), Then::NotKnown);
    /// assert_eq!(past.not_known(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_requested_snapshot(&mut self, snapshot: &Snapshot) {
        let mut tree = snapshot.tree.copy();
        tree.forget_states();
        self.frames.insert_requested(snapshot.frame_no, tree);
    }

    /// Adds the state of a node at a moment.
    pub fn take_moment(&mut self, moment: NodeMoment) {
        let frame = self.frame_at(moment.at);
        let kind = self.moments.milestone(&moment);
        self.milestones.note_all(kind, frame, Some(moment.at));
        self.moments.take(moment);
    }

    /// Adds the commit of a frame, by the server's clock. A lower number than the last means a rewind.
    ///
    /// ```
    /// use runstate::{history::History, time::Millis};
    ///
    /// let mut history = History::new();
    /// for (number, at) in [(8.0, 1_000.0), (9.0, 2_000.0), (4.0, 3_000.0)] {
    ///     history.take_commit(number, Millis(at));
    /// }
    /// // Frame 4 is written anew, so the run went on from frame 3.
    /// assert_eq!(history.milestones()[0].sentence(), "The run was taken back from frame 9 to frame 3.");
    /// ```
    pub fn take_commit(&mut self, number: f64, at: Millis) {
        if let Some((from, to)) = self.moments.commit(number, at) {
            self.milestones.note_rewind(from, to, Some(at));
        }
    }

    /// Records a rewind to a frame. States from events after that frame are dropped.
    ///
    /// ```
    /// use runstate::history::History;
    /// use runstate::time::Millis;
    ///
    /// let mut history = History::new();
    /// history.take_jump(9.0, 4.0, Millis(5_000.0));
    /// assert_eq!(history.milestones()[0].sentence(), "The run was taken back from frame 9 to frame 4.");
    /// ```
    pub fn take_jump(&mut self, from: f64, to: f64, at: Millis) {
        self.moments.rewind(to, at);
        self.milestones.note_rewind(from, to, Some(at));
    }

    /// Records lost events by their sequence numbers.
    ///
    /// ```
    /// use runstate::history::History;
    ///
    /// let mut history = History::new();
    /// history.take_lost_events(40.0, 52.0, None);
    /// assert_eq!(history.milestones()[0].sentence(), "Events 40 to 52 are lost.");
    /// ```
    pub fn take_lost_events(&mut self, from: f64, to: f64, at: Option<Millis>) {
        let frame = self.tip.as_ref().map_or(0.0, |tip| tip.number);
        self.milestones.note_all([MilestoneKind::LostEvents { from, to }], frame, at);
    }

    /// The frame at a moment of the server's clock: by the commits, else the newest.
    fn frame_at(&self, at: Millis) -> f64 {
        match (self.moments.frame_at(at), &self.tip) {
            (Some(number), _) => number,
            (None, Some(tip)) if self.moments.is_without_commits() => tip.number,
            (None, _) => 0.0,
        }
    }

    /// Adds the run's state by `getRun`. From then on states implied by events make no milestones.
    ///
    /// ```
    /// use runstate::history::{History, MilestoneKind};
    /// use runstate::{time::Millis, word::Word};
    ///
    /// let mut history = History::new();
    /// for (state, at) in [("running", 0.0), ("running", 200.0), ("waiting-approval", 400.0)] {
    ///     history.take_run_state(&Word::new(state), Millis(at));
    /// }
    /// // Asked three times, changed twice.
    /// assert_eq!(history.milestones().len(), 2);
    /// assert!(matches!(&history.milestones()[1].kind, MilestoneKind::RunState { to, .. } if to.as_str() == "waiting-approval"));
    /// ```
    pub fn take_run_state(&mut self, state: &Word<RunState>, at: Millis) {
        self.asked_server = true;
        let frame = self.tip.as_ref().map_or(0.0, |tip| tip.number);
        self.note_run_state(state, frame, at);
    }

    fn note_run_state(&mut self, state: &Word<RunState>, frame: f64, at: Millis) {
        if self.run_state.as_ref() == Some(state) {
            return;
        }
        let from = self.run_state.replace(state.clone());
        let kind = MilestoneKind::RunState { from, to: state.clone() };
        self.milestones.note_all([kind], frame, Some(at));
    }
}
