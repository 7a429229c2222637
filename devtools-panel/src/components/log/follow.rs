//! Whether the list of a live log stays at its end while events arrive.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use runstate::format;
use runstate::viewer::{LogQuery, LogWindow};

use super::super::virtual_list::VirtualList;
use crate::store::Announcements;

/// Follows the end of a live log until a person scrolls up; then counts the rows that have been added since.
#[derive(Clone, Copy)]
pub(super) struct Follow {
    list: VirtualList,
    total: Memo<usize>,
    /// The number of rows that were added below those that a person looks at; `None` while the list follows.
    pub(super) newer: ReadSignal<Option<usize>>,
}

/// The time between two announcements of newer events, ms.
const ANNOUNCE_MS: u32 = 10_000;

/// Which rows the list has: other filters have other rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rows {
    is_live: bool,
    query: LogQuery,
}

impl From<&LogWindow> for Rows {
    fn from(log: &LogWindow) -> Self {
        Self { is_live: log.is_live, query: log.query.clone() }
    }
}

impl Follow {
    pub(super) fn new(list: VirtualList, total: Memo<usize>, rows: Memo<Rows>) -> Self {
        let (newer, set_newer) = signal(Some(0));
        let follow = Self { list, total, newer };
        Effect::new(move |before: Option<(usize, usize, Rows)>| {
            let (total, visible, rows) = (total.get(), list.visible_rows.get(), rows.get());
            let (before_total, before_start, before_rows) = before.unwrap_or_default();
            let end = visible.end;
            let added = total.saturating_sub(before_total);
            match newer.get_untracked() {
                _ if !rows.is_live => set_newer.set(Some(0)),
                _ if rows != before_rows || before_total == 0 => {
                    set_newer.set(None);
                    follow.go_to_end();
                }
                None if added > 0 => follow.go_to_end(),
                Some(newer) if added > 0 => set_newer.set(Some(newer + added)),
                // A person has scrolled up.
                None if end < total && visible.start < before_start => set_newer.set(Some(0)),
                // The list has become lower, as more buttons are above it.
                None if end < total => follow.go_to_end(),
                Some(_) if end >= total => set_newer.set(None),
                Some(_) | None => {}
            }
            (total, visible.start, rows)
        });
        follow
    }

    /// Announces the number of newer events at most once in 10 s, and nothing while the list follows.
    pub(super) fn announce(self, announcements: Announcements) {
        let is_waiting = StoredValue::new(false);
        let announced = StoredValue::new(0);
        let announce = move || {
            let newer = self.newer.try_get_untracked().flatten().unwrap_or_default();
            let is_new = newer > announced.try_get_value().unwrap_or(newer);
            announced.try_set_value(newer);
            if is_new {
                announcements.announce(format!("{} newer events", format::count(newer as f64)));
            }
            is_new
        };
        Effect::new(move |_| {
            let newer = self.newer.get().unwrap_or_default();
            if newer == 0 {
                announced.set_value(0);
            }
            if newer > 0 && !is_waiting.get_value() && announce() {
                is_waiting.set_value(true);
                spawn_local(async move {
                    loop {
                        TimeoutFuture::new(ANNOUNCE_MS).await;
                        if !announce() {
                            break;
                        }
                    }
                    is_waiting.try_set_value(false);
                });
            }
        });
    }

    /// Goes to the last row.
    pub(super) fn go_to_end(self) {
        if let Some(last) = self.total.get_untracked().checked_sub(1) {
            self.list.show(last);
        }
    }
}
