//! The panel's copy of the tree that the worker holds.

use std::collections::VecDeque;

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use runstate::inspection::NodeStatus;
use runstate::smithers::{Delta, Op, read_node_states};
use runstate::tree::Tree;

use crate::host;
use crate::kept::Slot;

/// A text about the tree that was not taken in yet.
enum Text {
    Piece(String),
    Delta(String),
    Rows(String),
}

/// How many pieces come in between two looks at a tree that grows.
const PIECES_A_LOOK: usize = 16;

/// The tree, the rows to join onto it, and what is still to be taken in.
#[derive(Default)]
struct Held {
    tree: Option<Tree>,
    rows: Vec<NodeStatus>,
    texts: VecDeque<Text>,
    /// Somebody is taking in texts.
    busy: bool,
    /// How many pieces came in a row.
    pieces: usize,
}

/// The copy; cheap to copy itself.
#[derive(Clone, Copy)]
pub(crate) struct TreeCopy {
    held: StoredValue<Held>,
    /// Changes whenever the tree may look different.
    pub(crate) changed: Slot<u64>,
    /// Whether there is a tree.
    pub(crate) present: Slot<bool>,
}

impl TreeCopy {
    pub(crate) fn new() -> Self {
        Self { held: StoredValue::new(Held::default()), changed: Slot::new(0), present: Slot::new(false) }
    }

    /// Another tree, by its first piece, or none.
    pub(crate) fn replace(self, first: Option<&str>) {
        self.held.update_value(|held| {
            held.tree = first.and_then(|first| Tree::from_json(first).ok());
            held.rows.clear();
            held.texts.clear();
        });
        let present = self.held.with_value(|held| held.tree.is_some());
        if self.present.get_untracked() != present {
            self.present.set(present);
        }
        self.changed();
    }

    /// There is more of the tree.
    pub(crate) fn grow(self, piece: String) {
        self.add(Text::Piece(piece));
    }

    /// The tree changed.
    pub(crate) fn change(self, delta: String) {
        self.add(Text::Delta(delta));
    }

    /// There are other rows to join.
    pub(crate) fn join(self, rows: String) {
        self.add(Text::Rows(rows));
    }

    /// Reads the tree, if there is one.
    pub(crate) fn with(self, read: &mut dyn FnMut(&Tree)) {
        self.held.with_value(|held| held.tree.iter().for_each(read));
    }

    fn add(self, text: Text) {
        let large = matches!(text, Text::Piece(_));
        self.held.update_value(|held| held.texts.push_back(text));
        self.take_in(large);
    }

    /// Takes in one text at a time, so that the page draws between the pieces of a large tree. Those come all at once: what
    /// is done as they come leaves no room for anything else.
    fn take_in(self, large: bool) {
        if self.held.try_update_value(|held| std::mem::replace(&mut held.busy, true)) != Some(false) {
            return;
        }
        if !large && self.step() {
            return;
        }
        host::spawn(async move {
            loop {
                TimeoutFuture::new(0).await;
                if self.step() {
                    break;
                }
            }
        });
    }

    /// Whether nothing is left to do.
    fn step(self) -> bool {
        let stepped = self.held.try_update_value(|held| {
            let text = held.texts.pop_front();
            held.pieces = if matches!(text, Some(Text::Piece(_))) { held.pieces + 1 } else { 0 };
            if let Some(text) = text {
                held.take(&text);
            }
            held.busy = !held.texts.is_empty();
            (held.pieces, held.busy)
        });
        // The copy is gone only with the page.
        let (pieces, busy) = stepped.unwrap_or_default();
        // Every look at the tree walks all of it; the rows, which come last, end in one.
        if pieces.is_multiple_of(PIECES_A_LOOK) {
            self.changed();
        }
        !busy
    }

    fn changed(self) {
        self.changed.update(|n| *n += 1);
    }
}

impl Held {
    /// What does not fit is left out: the worker sends the whole tree again when it has another one.
    fn take(&mut self, text: &Text) {
        if let Text::Rows(json) = text {
            self.rows = read_node_states(json).unwrap_or_default();
        }
        let Some(tree) = &mut self.tree else { return };
        let joins = match text {
            Text::Rows(_) => true,
            Text::Piece(json) => {
                // Rows come after the last piece.
                let _ = tree.add_piece(json);
                false
            }
            Text::Delta(json) => Delta::from_json(json).is_ok_and(|delta| {
                let adds = |op: &Op| matches!(op, Op::AddNode { .. } | Op::ReplaceRoot { .. });
                tree.apply(&delta).is_ok() && delta.ops.iter().any(adds)
            }),
        };
        if joins {
            tree.join(&self.rows);
        }
    }
}
