//! The person's choices in the run list: query, row and scroll position.

use leptos::prelude::*;
use runstate::viewer::{GroupId, RunQuery};

use super::Store;

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
#[derive(Clone, Copy, Default)]
pub(super) struct RunListState {
    query: RwSignal<RunQuery>,
    chosen_row: RwSignal<ChosenRow>,
    scroll: StoredValue<RunScroll>,
}

impl RunListState {
    pub(super) fn clear(self) {
        self.query.set(RunQuery::default());
        self.scroll_to_top();
    }

    fn scroll_to_top(self) {
        self.chosen_row.update(|chosen| chosen.choose(0));
        self.scroll.set_value(RunScroll::default());
    }
}

impl Store {
    /// Reads the query of the run list.
    pub(crate) fn run_query<T>(self, read: impl FnOnce(&RunQuery) -> T) -> T {
        self.run_list.query.with(read)
    }

    /// Changes the query of the run list and scrolls it to the top.
    pub(crate) fn find_runs(self, change: impl FnOnce(&mut RunQuery)) {
        self.run_list.scroll_to_top();
        change(&mut self.run_list.query.write());
    }

    /// Collapses or expands a group of the run list.
    pub(crate) fn toggle_group(self, id: GroupId) {
        self.run_list.query.update(|query| match query.folded.iter().position(|known| *known == id) {
            Some(at) => {
                query.folded.remove(at);
            }
            None => query.folded.push(id),
        });
    }

    /// The row of the run list that the person chose last; the list sets it.
    pub(crate) fn chosen_row(self) -> RwSignal<ChosenRow> {
        self.run_list.chosen_row
    }

    /// The saved scroll position of the run list, as a screen or beside a run, CSS pixels; `None` after the panel was
    /// removed.
    pub(crate) fn run_scroll(self, is_screen: bool) -> Option<i32> {
        let saved = self.run_list.scroll.try_get_value()?;
        Some(if is_screen { saved.screen } else { saved.column })
    }

    /// Saves the scroll position of the run list, as a screen or beside a run, CSS pixels.
    pub(crate) fn save_run_scroll(self, is_screen: bool, position: i32) {
        self.run_list.scroll.update_value(|saved| {
            let saved = if is_screen { &mut saved.screen } else { &mut saved.column };
            *saved = position;
        });
    }
}
