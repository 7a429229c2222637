//! The events of a list in memory that contain a text, found in slices.

use std::collections::HashSet;

use crate::log::{RowId, Search};

/// About the number of bytes of text that are searched at once. Commands are carried out between two slices.
pub(super) const SLICE_BYTES: usize = 4 << 20;

/// The events that contain all words of a text. It outlives the calls, so that an event is searched once.
#[derive(Debug, Default)]
pub(super) struct TextMatches {
    text: String,
    search: Search,
    found: HashSet<RowId>,
    /// The last event that was searched.
    last: Option<RowId>,
    /// The number of events of this call, and how many of them were searched by now.
    asked: u64,
    known: u64,
}

impl TextMatches {
    /// Begins a call with this text.
    pub(super) fn begin(&mut self, text: &str) {
        if self.text != text {
            *self = Self { text: text.to_owned(), search: Search::new(text), ..Self::default() };
        }
        (self.search.bytes, self.asked, self.known) = (0, 0, 0);
    }

    /// Whether an event is a match. Events must be asked for in their order. After a slice, an event that was not searched is
    /// none.
    pub(super) fn has(&mut self, id: RowId, texts: &[&str]) -> bool {
        if self.text.is_empty() {
            return true;
        }
        self.asked += 1;
        if self.last.is_none_or(|last| id > last) {
            if self.search.bytes > SLICE_BYTES {
                return false;
            }
            self.last = Some(id);
            if self.search.is_in(texts) {
                self.found.insert(id);
            }
        }
        self.known += 1;
        self.found.contains(&id)
    }

    /// The searched part in percent; `None` if it was all.
    pub(super) fn searched(&self) -> Option<u32> {
        (self.known < self.asked).then(|| (100 * self.known / self.asked) as u32)
    }
}
