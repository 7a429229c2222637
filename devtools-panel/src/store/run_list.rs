//! The person's choices in the run list: query, row and scroll position.

use leptos::prelude::*;
use runstate::viewer::{GroupId, RunQuery};

/// The scroll positions of the run list, CSS pixels. Beside a run, the rows of the list are higher.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RunScroll {
    /// As a screen.
    screen: i32,
    /// Beside a run.
    column: i32,
}

/// The row of the run list that the person chose last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChosenRow {
    /// Counted from 0 over all groups.
    pub(crate) position: usize,
    /// The number of choices so far, because the same position may be chosen again.
    count: usize,
}

impl ChosenRow {
    pub(crate) fn choose(&mut self, position: usize) {
        *self = Self { position, count: self.count.wrapping_add(1) };
    }
}

/// The choices in the run list, which are kept while the list is not on screen.
#[derive(Clone, Copy)]
pub(crate) struct RunListState {
    /// The query.
    pub(crate) query: ReadSignal<RunQuery>,
    set_query: WriteSignal<RunQuery>,
    /// The row that the person chose last; the list sets it.
    pub(crate) chosen_row: RwSignal<ChosenRow>,
    scroll: StoredValue<RunScroll>,
}

impl RunListState {
    pub(super) fn new() -> Self {
        let (query, set_query) = signal(RunQuery::default());
        Self {
            query,
            set_query,
            chosen_row: RwSignal::default(),
            scroll: StoredValue::new(RunScroll::default()),
        }
    }

    pub(super) fn clear(self) {
        self.set_query.set(RunQuery::default());
        self.scroll_to_top();
    }

    fn scroll_to_top(self) {
        self.chosen_row.update(|chosen| chosen.choose(0));
        self.scroll.set_value(RunScroll::default());
    }

    /// Shows another query; folded groups stay folded.
    pub(super) fn show(self, mut query: RunQuery) {
        query.folded = self.query.with_untracked(|known| known.folded.clone());
        if self.query.with_untracked(|known| *known != query) {
            self.find(|known| *known = query);
        }
    }

    /// Changes the query and scrolls the list to the top.
    pub(crate) fn find(self, change: impl FnOnce(&mut RunQuery)) {
        self.scroll_to_top();
        self.set_query.update(change);
    }

    /// Collapses or expands a group.
    pub(crate) fn toggle_group(self, id: GroupId) {
        self.set_query.update(|query| match query.folded.iter().position(|known| *known == id) {
            Some(at) => {
                query.folded.remove(at);
            }
            None => query.folded.push(id),
        });
    }

    /// The saved scroll position, as a screen or beside a run, CSS pixels; `None` after the panel was removed.
    pub(crate) fn saved_scroll(self, is_screen: bool) -> Option<i32> {
        let saved = self.scroll.try_get_value()?;
        Some(if is_screen { saved.screen } else { saved.column })
    }

    /// Saves the scroll position, as a screen or beside a run, CSS pixels.
    pub(crate) fn save_scroll(self, is_screen: bool, position: i32) {
        self.scroll.update_value(|saved| {
            let saved = if is_screen { &mut saved.screen } else { &mut saved.column };
            *saved = position;
        });
    }
}
