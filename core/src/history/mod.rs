//! The past of a run: its frames, what changed between them, and the places worth looking at.
//!
//! A frame's structure is a fact of its time. The states of its nodes are another matter (protocol section 5, quirk 3):
//!
//! - a frame that came through the live stream has the states that the stream said then ([`SaidBy::Stream`]);
//! - a frame that was asked for later has *today's* states; they are thrown away, and [`Then::NotKnown`] says so;
//! - where events of the run are known, the states at the moment of the frame come from them ([`SaidBy::Events`]).
//!
//! A rewind takes the frame number back. The frames that it deleted stay in memory but are no longer the run's: a
//! number means the frame that the run has under this number now.

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
use milestone::Landmarks;
use moments::Moments;

/// How many nodes that left are remembered.
const GHOSTS: usize = 1000;

/// What a message of the stream did to the history.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Taken {
    /// The run has a new frame.
    Forward,
    /// The same frame once more, from scratch.
    Again,
    /// The run was taken back to an earlier frame.
    Rewound {
        /// The number of the last frame before.
        from: f64,
    },
    /// It was known already; nothing changed.
    Old,
}

/// Frames as checkpoints and deltas, and what happened around them.
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
    milestones: Landmarks,
    ghosts: RemovedNodes,
    tip: Option<Tip>,
    run_state: Option<Word<RunState>>,
    /// `getRun` told the state at least once.
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
    /// A history in which nothing happened yet.
    pub fn new() -> Self {
        Self {
            frames: Frames::default(),
            moments: Moments::default(),
            milestones: Landmarks::default(),
            ghosts: RemovedNodes::new(GHOSTS),
            tip: None,
            run_state: None,
            asked_server: false,
        }
    }

    /// Takes in a snapshot of the live stream: the first frame, a re-baseline, or a rewind.
    ///
    /// `at` is when it came. The states in it are those of this moment, so they are kept.
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
        let seen = watch::before(&tip.tree, &delta.ops);
        let applied = tip.tree.apply_keeping(&delta, &mut self.ghosts).is_ok();
        if !applied || !tip.tree.diff(&snapshot.tree).is_empty() {
            // Depths that contradict the structure can put upstream's steps into an order that leads elsewhere.
            tip.tree = snapshot.tree.copy();
            delta.ops = vec![Op::ReplaceRoot { node: snapshot.tree.subtree(snapshot.tree.root()) }];
        }
        (tip.number, tip.seq) = (snapshot.frame_no, snapshot.seq);
        let taken = if snapshot.frame_no < from {
            self.milestones.rewound(from, snapshot.frame_no, Some(at));
            Taken::Rewound { from }
        } else {
            self.milestones.note_gap(from, snapshot.frame_no, Some(at));
            self.milestones.note_all(seen.after(&tip.tree), snapshot.frame_no, Some(at));
            if snapshot.frame_no == from { Taken::Again } else { Taken::Forward }
        };
        self.frames.push(snapshot.frame_no, Some(at), delta.ops, &tip.tree);
        taken
    }

    /// Takes in a delta of the live stream. `at` is when it came.
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
    /// // One was lost on the way: a new base must be asked for.
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
        let seen = watch::before(&tip.tree, &delta.ops);
        tip.tree.apply_keeping(delta, &mut self.ghosts)?;
        (tip.number, tip.seq) = (delta.seq, delta.seq);
        self.milestones.note_gap(from, delta.seq, Some(at));
        self.milestones.note_all(seen.after(&tip.tree), delta.seq, Some(at));
        self.frames.push(delta.seq, Some(at), delta.ops.clone(), &tip.tree);
        Ok(if delta.seq > from { Taken::Forward } else { Taken::Again })
    }

    /// Takes in a frame that was asked for by its number. Its structure is historical; the states in it are those of
    /// today and are thrown away.
    ///
    /// A frame that the stream brought stays as the stream brought it.
    ///
    /// What the server says today of the nodes of frame 3 is not what they were then.
    ///
    /// ```
    /// use runstate::history::{History, Then};
    /// use runstate::tree::Snapshot;
    ///
    /// let mut history = History::new();
    /// history.take_asked(&Snapshot::from_json(
    ///     r#"{"version":1,"runId":"r","frameNo":3,"seq":3,
    ///         "root":{"id":1,"type":"task","name":"t","task":{"nodeId":"build","state":"finished"}}}"#,
    /// )?);
    /// let past = history.frame(3.0)?;
    /// assert!(!past.streamed());
    /// assert_eq!(past.state(past.tree().root()), Then::NotKnown);
    /// assert_eq!(past.not_known(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_asked(&mut self, snapshot: &Snapshot) {
        let mut tree = snapshot.tree.copy();
        tree.forget_states();
        self.frames.keep_asked(snapshot.frame_no, tree);
    }

    /// Takes in what an event says of a node.
    pub fn take_moment(&mut self, moment: NodeMoment) {
        let frame = self.frame_at(moment.at);
        let kind = self.moments.milestone(&moment);
        self.milestones.note_all(kind, frame, Some(moment.at));
        self.moments.take(moment);
    }

    /// Takes in when a frame was committed, by the server's clock.
    ///
    /// A number that goes back tells of a rewind.
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
            self.milestones.rewound(from, to, Some(at));
        }
    }

    /// Takes in that the run was taken back to a frame. What events said of the time after that frame is not about the
    /// run's frames any more.
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
        self.moments.jump(to, at);
        self.milestones.rewound(from, to, Some(at));
    }

    /// Takes in that events between two sequence numbers are lost.
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

    /// Takes in the run's state as `getRun` says it. From then on what events imply of it makes no milestone.
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
