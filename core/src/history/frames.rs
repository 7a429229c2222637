//! Frames in memory: a checkpoint now and then, and the steps between.

use std::fmt;

use super::Past;
use crate::number::Number;
use crate::smithers::wire::NodeStatus;
use crate::time::Millis;
use crate::tree::Op;
use crate::tree::{Subtree, Tree};

/// A frame's number is not among the frames that were seen.
///
/// Which frames would do instead is part of the answer.
///
/// ```
/// use runstate::history::{History, NoFrame};
///
/// let missing = History::new().frame(7.0).unwrap_err();
/// assert_eq!(missing, NoFrame { number: 7.0, before: None, after: None });
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoFrame {
    /// The number that was asked for.
    pub number: f64,
    /// The nearest frame before it.
    pub before: Option<f64>,
    /// The nearest frame after it.
    pub after: Option<f64>,
}

impl fmt::Display for NoFrame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |number: f64| Number(number).to_text();
        write!(f, "Frame {} was not seen", number(self.number))?;
        match (self.before, self.after) {
            (Some(before), Some(after)) => {
                write!(f, ": between {} and {} there is none.", number(before), number(after))
            }
            (Some(before), None) => write!(f, ": the newest is {}.", number(before)),
            (None, Some(after)) => write!(f, ": the first is {}.", number(after)),
            (None, None) => f.write_str(": there is none yet."),
        }
    }
}

impl std::error::Error for NoFrame {}

/// One message of the stream.
#[derive(Debug)]
struct Entry {
    number: f64,
    at: Option<Millis>,
    ops: Box<[Op]>,
    /// How many nodes the steps touched from the very first to this one.
    work: usize,
}

/// A whole tree, as it was after an entry.
#[derive(Debug)]
struct Checkpoint {
    entry: usize,
    tree: Subtree,
}

/// A frame that was asked for.
#[derive(Debug)]
struct Asked {
    number: f64,
    tree: Tree,
}

/// How many nodes the frames that were asked for may hold together.
const ASKED_NODES: usize = 200_000;

/// How many nodes are compared in the time of one step.
const COMPARED: usize = 8;

/// All frames.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// In the order of their coming.
    entries: Vec<Entry>,
    checkpoints: Vec<Checkpoint>,
    /// The entries whose numbers are the run's, ascending by number and by coming.
    line: Vec<usize>,
    /// The last that was asked for stands last.
    asked: Vec<Asked>,
    /// The tree that was shown last, after which entry.
    shown: Option<(usize, Tree)>,
}

impl Frames {
    /// Takes in a frame of the stream, with the tree that it made.
    pub(super) fn push(&mut self, number: f64, at: Option<Millis>, ops: Vec<Op>, tree: &Tree) {
        let before = self.entries.last().map_or(0, |entry| entry.work);
        let work = before + ops.iter().map(work).sum::<usize>();
        while self.line.last().is_some_and(|last| self.entries[*last].number >= number) {
            self.line.pop();
        }
        self.asked.retain(|asked| asked.number < number);
        self.line.push(self.entries.len());
        let since = self.checkpoints.last().map_or(0, |last| self.entries[last.entry].work);
        // A checkpoint costs as much as the steps since the last one, so that memory stays in proportion to what came;
        // and from one on there is never more to do than half a tree.
        if self.checkpoints.is_empty() || work - since > tree.len() / 2 + 32 {
            self.checkpoints.push(Checkpoint { entry: self.entries.len(), tree: tree.subtree(tree.root()) });
        }
        self.entries.push(Entry { number, at, ops: ops.into(), work });
    }

    pub(super) fn keep_asked(&mut self, number: f64, tree: Tree) {
        self.asked.retain(|asked| asked.number != number);
        self.asked.push(Asked { number, tree });
        let mut nodes = self.asked.iter().map(|asked| asked.tree.len()).sum::<usize>();
        while nodes > ASKED_NODES && self.asked.len() > 1 {
            nodes -= self.asked.remove(0).tree.len();
        }
    }

    pub(super) fn numbers(&self) -> Vec<f64> {
        let streamed = self.line.iter().map(|entry| self.entries[*entry].number);
        let mut numbers: Vec<f64> = streamed.chain(self.asked.iter().map(|asked| asked.number)).collect();
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        numbers
    }

    /// The frame with a number; what events say of its nodes is put onto them.
    pub(super) fn show(&mut self, number: f64, rows: Option<Vec<NodeStatus>>) -> Result<Past<'_>, NoFrame> {
        let place = self.line.binary_search_by(|entry| self.entries[*entry].number.total_cmp(&number));
        let Ok(place) = place else { return self.show_asked(number, rows) };
        let entry = self.line[place];
        let at = self.entries[entry].at;
        let rows = rows.unwrap_or_default();
        let tree = self.rebuild(entry);
        tree.join(&rows);
        Ok(Past::new(number, at, tree, true))
    }

    fn show_asked(&mut self, number: f64, rows: Option<Vec<NodeStatus>>) -> Result<Past<'_>, NoFrame> {
        let Some(place) = self.asked.iter().position(|asked| asked.number == number) else {
            return Err(self.none(number));
        };
        let asked = &mut self.asked[place];
        asked.tree.join(&rows.unwrap_or_default());
        Ok(Past::new(number, None, &asked.tree, false))
    }

    fn none(&self, number: f64) -> NoFrame {
        let numbers = self.numbers();
        let before = numbers.iter().copied().rev().find(|seen| *seen < number);
        NoFrame { number, before, after: numbers.into_iter().find(|seen| *seen > number) }
    }

    /// The tree after an entry: from the tree that was shown last if it is on the way, else from a checkpoint.
    fn rebuild(&mut self, entry: usize) -> &mut Tree {
        let place = self.checkpoints.partition_point(|checkpoint| checkpoint.entry <= entry);
        // The very first entry has a checkpoint.
        let checkpoint = &self.checkpoints[place.saturating_sub(1)];
        let started = self.entries[checkpoint.entry].work;
        let (from, mut tree) = match self.shown.take() {
            // To go on from the tree that was shown last is less work than to compare it with the checkpoint.
            Some((shown, tree))
                if shown <= entry && started <= self.entries[shown].work + tree.len() / COMPARED =>
            {
                (shown, tree)
            }
            Some((_, tree)) => (checkpoint.entry, tree.like(&checkpoint.tree)),
            None => (checkpoint.entry, Tree::new(checkpoint.tree.clone())),
        };
        for entry in self.entries.get(from + 1..=entry).unwrap_or_default() {
            tree.apply_known(&entry.ops);
        }
        &mut self.shown.insert((entry, tree)).1
    }
}

/// How many nodes a step touches.
fn work(op: &Op) -> usize {
    match op {
        Op::AddNode { node, .. } | Op::ReplaceRoot { node } => node.len(),
        Op::RemoveNode { .. } | Op::UpdateProps { .. } | Op::UpdateTask { .. } => 1,
    }
}
