//! Collects the unreadable entries of a file whose other entries can be read.

use super::{Piece, UnpackedFiles};
use crate::ingest::DocumentError;
use crate::text::concat;

/// The unreadable entries: the first is described with its position, the others are counted.
#[derive(Default)]
pub(super) struct Broken {
    /// The number of the entry, and its error.
    pub(super) first: Option<(String, DocumentError)>,
    more: usize,
}

impl Broken {
    /// Adds an entry by its index from 0.
    pub(super) fn add(&mut self, at: usize, error: DocumentError) {
        match self.first {
            Some(_) => self.more += 1,
            None => self.first = Some((part(at), error)),
        }
    }

    /// Adds the unreadable entries to the problems of a file.
    pub(super) fn name(self, all: &mut UnpackedFiles<'_>, file: &Piece<'_>) {
        if let Some((part, error)) = self.first {
            all.problems.add(error.problem().in_file(file.name.as_deref(), Some(&part)));
        }
        if self.more > 0 {
            let message = concat(&["More entries that cannot be read: ", &self.more.to_string(), "."]);
            all.problems.add(file.problem(message));
        }
    }
}

/// Returns the name of an entry in the file.
pub(super) fn part(at: usize) -> String {
    concat(&["entry ", &(at + 1).to_string()])
}
