//! Whether the list of a live log stays at its end while events arrive.

use leptos::prelude::*;
use runstate::viewer::{Family, LogWindow};

use super::super::virtual_list::VirtualList;

/// Follows the end of a live log until a person scrolls up; then counts the rows that have been added since.
#[derive(Clone, Copy)]
pub(super) struct Follow {
    list: VirtualList,
    total: Memo<usize>,
    /// The number of rows that were added below those that a person looks at; `None` while the list follows.
    pub(super) newer: ReadSignal<Option<usize>>,
}

/// Which rows the list has: other filters have other rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rows {
    is_live: bool,
    families: Vec<Family>,
    only_node: Option<String>,
}

impl From<&LogWindow> for Rows {
    fn from(log: &LogWindow) -> Self {
        let families = log.families.iter().filter(|count| count.is_on).map(|count| count.family).collect();
        Self { is_live: log.is_live, families, only_node: log.only_node.clone() }
    }
}

impl Follow {
    pub(super) fn new(list: VirtualList, total: Memo<usize>, rows: Memo<Rows>) -> Self {
        let (newer, set_newer) = signal(Some(0));
        let follow = Self { list, total, newer };
        Effect::new(move |before: Option<(usize, Rows)>| {
            let (total, end, rows) = (total.get(), list.visible_rows.get().end, rows.get());
            let (before_total, before_rows) = before.unwrap_or_default();
            let added = total.saturating_sub(before_total);
            match newer.get_untracked() {
                _ if !rows.is_live => set_newer.set(Some(0)),
                _ if rows != before_rows || before_total == 0 => {
                    set_newer.set(None);
                    follow.go_to_end();
                }
                None if added > 0 => follow.go_to_end(),
                Some(newer) if added > 0 => set_newer.set(Some(newer + added)),
                // A person has scrolled.
                None if end < total => set_newer.set(Some(0)),
                Some(_) if end >= total => set_newer.set(None),
                Some(_) | None => {}
            }
            (total, rows)
        });
        follow
    }

    /// Goes to the last row.
    pub(super) fn go_to_end(self) {
        if let Some(last) = self.total.get_untracked().checked_sub(1) {
            self.list.show(last);
        }
    }
}
