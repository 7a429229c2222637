//! Frames in memory: checkpoints and the deltas between them.

use std::fmt;

use super::PastFrame;
use crate::number::Number;
use crate::smithers::wire::NodeStatus;
use crate::time::Millis;
use crate::tree::Op;
use crate::tree::{Subtree, Tree};

/// The requested frame was not received; names the nearest ones.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct NoFrame {
    /// The requested number.
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
    /// The number of nodes touched by all deltas up to this one.
    work: usize,
}

/// The whole tree after an entry.
#[derive(Debug)]
struct Checkpoint {
    entry: usize,
    tree: Subtree,
}

/// A frame that was requested by its number.
#[derive(Debug)]
struct RequestedFrame {
    number: f64,
    tree: Tree,
}

/// Maximum number of nodes in all requested frames together.
const MAX_REQUESTED_NODES: usize = 200_000;

/// The number of nodes that are compared in the time of one operation.
const COMPARED_PER_OP: usize = 8;

/// All frames.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// In the order of arrival.
    entries: Vec<Entry>,
    checkpoints: Vec<Checkpoint>,
    /// The entries that are current frames of the run, ascending by number and arrival.
    current: Vec<usize>,
    /// In the order of arrival.
    requested: Vec<RequestedFrame>,
    /// The tree that was shown last, and its entry.
    shown: Option<(usize, Tree)>,
}

impl Frames {
    /// Adds a frame of the stream, with its tree.
    pub(super) fn push(&mut self, number: f64, at: Option<Millis>, ops: Vec<Op>, tree: &Tree) {
        let before = self.entries.last().map_or(0, |entry| entry.work);
        let work = before + ops.iter().map(touched_count).sum::<usize>();
        while self.current.last().is_some_and(|last| self.entries[*last].number >= number) {
            self.current.pop();
        }
        self.requested.retain(|requested| requested.number < number);
        self.current.push(self.entries.len());
        let since = self.checkpoints.last().map_or(0, |last| self.entries[last.entry].work);
        // A checkpoint is as large as the deltas since the last one: memory stays proportional to the input, and a rebuild touches
        // at most half a tree.
        if self.checkpoints.is_empty() || work - since > tree.len() / 2 + 32 {
            self.checkpoints.push(Checkpoint { entry: self.entries.len(), tree: tree.subtree(tree.root()) });
        }
        self.entries.push(Entry { number, at, ops: ops.into(), work });
    }

    pub(super) fn insert_requested(&mut self, number: f64, tree: Tree) {
        self.requested.retain(|requested| requested.number != number);
        self.requested.push(RequestedFrame { number, tree });
        let mut nodes = self.requested.iter().map(|requested| requested.tree.len()).sum::<usize>();
        while nodes > MAX_REQUESTED_NODES && self.requested.len() > 1 {
            nodes -= self.requested.remove(0).tree.len();
        }
    }

    pub(super) fn numbers(&self) -> Vec<f64> {
        let streamed = self.current.iter().map(|entry| self.entries[*entry].number);
        let mut numbers: Vec<f64> =
            streamed.chain(self.requested.iter().map(|requested| requested.number)).collect();
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        numbers
    }

    /// Rebuilds a frame and joins the states from events onto its nodes.
    pub(super) fn show(
        &mut self,
        number: f64,
        rows: Option<Vec<NodeStatus>>,
    ) -> Result<PastFrame<'_>, NoFrame> {
        let place = self.current.binary_search_by(|entry| self.entries[*entry].number.total_cmp(&number));
        let Ok(place) = place else { return self.show_requested(number, rows) };
        let entry = self.current[place];
        let at = self.entries[entry].at;
        let rows = rows.unwrap_or_default();
        let tree = self.rebuild(entry);
        tree.join(&rows);
        Ok(PastFrame::new(number, at, tree, true))
    }

    fn show_requested(
        &mut self,
        number: f64,
        rows: Option<Vec<NodeStatus>>,
    ) -> Result<PastFrame<'_>, NoFrame> {
        let Some(place) = self.requested.iter().position(|requested| requested.number == number) else {
            return Err(self.no_frame(number));
        };
        let requested = &mut self.requested[place];
        requested.tree.join(&rows.unwrap_or_default());
        Ok(PastFrame::new(number, None, &requested.tree, false))
    }

    fn no_frame(&self, number: f64) -> NoFrame {
        let numbers = self.numbers();
        let before = numbers.iter().copied().rev().find(|known| *known < number);
        NoFrame { number, before, after: numbers.into_iter().find(|known| *known > number) }
    }

    /// Rebuilds the tree after an entry, from the tree that was shown last or from a checkpoint.
    fn rebuild(&mut self, entry: usize) -> &mut Tree {
        let place = self.checkpoints.partition_point(|checkpoint| checkpoint.entry <= entry);
        // The very first entry has a checkpoint.
        let checkpoint = &self.checkpoints[place.saturating_sub(1)];
        let started = self.entries[checkpoint.entry].work;
        let (from, mut tree) = match self.shown.take() {
            // Continuing from the tree that was shown last is cheaper than comparing it with the checkpoint.
            Some((shown, tree))
                if shown <= entry && started <= self.entries[shown].work + tree.len() / COMPARED_PER_OP =>
            {
                (shown, tree)
            }
            Some((_, tree)) => (checkpoint.entry, tree.reset_to(&checkpoint.tree)),
            None => (checkpoint.entry, Tree::new(checkpoint.tree.clone())),
        };
        for entry in self.entries.get(from + 1..=entry).unwrap_or_default() {
            tree.apply_valid(&entry.ops);
        }
        &mut self.shown.insert((entry, tree)).1
    }
}

/// The number of nodes that an operation touches.
fn touched_count(op: &Op) -> usize {
    match op {
        Op::AddNode { node, .. } | Op::ReplaceRoot { node } => node.len(),
        Op::RemoveNode { .. } | Op::UpdateProps { .. } | Op::UpdateTask { .. } => 1,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_missing_frame_names_its_neighbours() {
        use crate::history::{History, NoFrame};
        let missing = History::new().frame(7.0).unwrap_err();
        assert_eq!(missing, NoFrame { number: 7.0, before: None, after: None });
    }
}
