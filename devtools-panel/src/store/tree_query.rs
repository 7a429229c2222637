//! The search and the filters of the tree of the run on screen.

use leptos::prelude::*;
use runstate::viewer::{NodeFilter, TreeQuery, TreeWindow};

/// What a person searches and filters in the tree. What the worker finds is later.
#[derive(Clone, Copy)]
pub(crate) struct TreeQueryState {
    /// The text of the search field.
    pub(crate) search: RwSignal<String>,
    /// The filters that are on.
    pub(crate) filters: RwSignal<Vec<NodeFilter>>,
}

impl TreeQueryState {
    pub(super) fn new() -> Self {
        Self { search: RwSignal::default(), filters: RwSignal::default() }
    }

    /// The query; reactive.
    pub(super) fn get(self) -> TreeQuery {
        let mut query = TreeQuery::default();
        self.search.with(|search| search.trim().clone_into(&mut query.search));
        query.filters = self.filters.get();
        query
    }

    /// Shows another query.
    pub(super) fn show(self, query: &TreeQuery) {
        self.search.set(query.search.clone());
        self.filters.set(query.filters.clone());
    }

    /// Ends the search and the filters that the worker has ended: those of another run, and filters that leave out a node that
    /// is shown.
    pub(super) fn follow(self, before: &TreeWindow, now: &TreeWindow) {
        let is_ended = now.search.is_empty() && !before.search.is_empty();
        if is_ended && self.search.with_untracked(|search| search.trim() == before.search) {
            self.search.set(String::new());
        }
        let (before, now) = (filters_on(before), filters_on(now));
        if now.is_empty()
            && !before.is_empty()
            && self.filters.with_untracked(|filters| filters.iter().all(|filter| before.contains(filter)))
        {
            self.filters.set(now);
        }
    }
}

fn filters_on(tree: &TreeWindow) -> Vec<NodeFilter> {
    tree.filters.iter().filter(|count| count.is_on).map(|count| count.filter).collect()
}
