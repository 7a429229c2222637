//! What panes read of the source, and the selection that they share.

use super::focus::Focus;
use super::source::Source;
use crate::time::Millis;
use crate::tree::Tree;

/// The source with the run on screen, the selection, and the time.
pub(super) struct RunView<'a> {
    pub(super) source: &'a Source,
    /// Changes whenever the data of the source may have changed.
    pub(super) source_version: u64,
    pub(super) focus: &'a mut Focus,
    /// The viewer's own clock.
    pub(super) now: Millis,
}

impl<'a> RunView<'a> {
    /// The version of everything that the source says at this time: of its data, and of ages and countdowns, which
    /// change each second.
    pub(super) fn version(&self) -> (u64, f64) {
        (self.source_version, second(self.now))
    }

    /// The tree of the run on screen, if it has one.
    pub(super) fn tree(&self) -> Option<&'a Tree> {
        self.source.get().tree()
    }

    /// The time up to which the nodes of the tree are known, by the server's clock.
    pub(super) fn known_until(&self) -> Option<Millis> {
        self.source.get().known_until(self.now)
    }

    /// The age of the tree and of the states in it, if they are old.
    pub(super) fn tree_age(&self) -> Option<String> {
        self.source.get().tree_age(self.now)
    }
}

/// The whole second of a time.
pub(super) fn second(at: Millis) -> f64 {
    (at.0 / 1000.0).floor()
}
