//! Whether the list stays at its end while events arrive.

use leptos::prelude::*;

use super::super::virtual_list::VirtualList;

/// Follows the end of the list until a person scrolls up; then counts the rows that have been added since.
#[derive(Clone, Copy)]
pub(super) struct Follow {
    list: VirtualList,
    total: Memo<usize>,
    /// The number of rows below the end that a person left; `None` while the list follows.
    pub(super) newer: ReadSignal<Option<usize>>,
}

impl Follow {
    /// Follows from the beginning if the source is live.
    pub(super) fn new(list: VirtualList, total: Memo<usize>, is_live: Memo<bool>) -> Self {
        let (newer, set_newer) = signal(Some(0));
        Effect::new(move |before: Option<(usize, bool)>| {
            let (total, end, is_live) = (total.get(), list.visible_rows.get().end, is_live.get());
            let (before_total, was_live) = before.unwrap_or_default();
            if is_live && !was_live {
                set_newer.set(None);
            }
            match newer.get_untracked() {
                // A filter has fewer rows.
                _ if total < before_total => set_newer.set((end < total).then_some(0)),
                None if total > before_total || is_live && !was_live => list.show(total.saturating_sub(1)),
                Some(newer) if total > before_total && before.is_some() => {
                    set_newer.set(Some(newer + total - before_total));
                }
                // A person has scrolled.
                Some(_) if end >= total => set_newer.set(None),
                None if end < total => set_newer.set(Some(0)),
                Some(_) | None => {}
            }
            (total, is_live)
        });
        Self { list, total, newer }
    }

    /// Goes to the end, and follows it from there.
    pub(super) fn go_to_end(self) {
        self.list.show(self.total.get_untracked().saturating_sub(1));
    }
}
