//! Whether the list of a live log stays at its end while events arrive.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use runstate::format;
use runstate::viewer::{LogAction, LogQuery, LogWindow};

use super::super::virtual_list::{Scroller, VirtualList};
use crate::store::Announcements;

/// Follows the end of a live log until a person scrolls up; then counts the rows that have been added since.
#[derive(Clone, Copy)]
pub(super) struct Follow {
    list: VirtualList,
    total: Memo<usize>,
    rows: Memo<Rows>,
    /// The number of rows that were added below those that a person looks at; `None` while the list follows.
    pub(super) newer: RwSignal<Option<usize>>,
    /// Whether the last action of a key selects the last row.
    selects_last: StoredValue<bool>,
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

/// The scroll position of the list and what limits it, CSS pixels.
#[derive(Clone, Copy, Debug, Default)]
struct ScrollPosition {
    top: i32,
    content: i32,
    viewport: i32,
}

impl ScrollPosition {
    fn of(scroller: Scroller) -> Self {
        let element = scroller.element.get_untracked();
        element.map_or_else(Self::default, |element| Self {
            top: element.scroll_top(),
            content: element.scroll_height(),
            viewport: element.client_height(),
        })
    }

    /// Whether a person has scrolled up from another position. The browser scrolls up by itself when the content gets lower, or
    /// the list higher.
    fn is_scrolled_up_from(self, before: Self) -> bool {
        self.top < before.top && (self.content, self.viewport) == (before.content, before.viewport)
    }
}

impl Follow {
    pub(super) fn new(list: VirtualList, scroller: Scroller, total: Memo<usize>, rows: Memo<Rows>) -> Self {
        let newer = RwSignal::new(Some(0));
        let follow = Self { list, total, rows, newer, selects_last: StoredValue::new(false) };
        Effect::new(move |before: Option<(usize, ScrollPosition, Rows)>| {
            let (total, end, rows) = (total.get(), list.visible_rows.get().end, rows.get());
            let (before_total, before_position, before_rows) = before.unwrap_or_default();
            let position = ScrollPosition::of(scroller);
            let added = total.saturating_sub(before_total);
            match newer.get_untracked() {
                _ if !rows.is_live => newer.set(Some(0)),
                _ if rows != before_rows || before_total == 0 => follow.resume(),
                None if added > 0 => follow.go_to_end(),
                Some(count) if added > 0 => newer.set(Some(count + added)),
                None if end < total && position.is_scrolled_up_from(before_position) => newer.set(Some(0)),
                // The list has become lower, as more buttons are above it.
                None if end < total => follow.go_to_end(),
                Some(_) if end >= total => newer.set(None),
                Some(_) | None => {}
            }
            (total, position, rows)
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

    /// Goes to the last row, and stays at the end of a live log from now on.
    pub(super) fn resume(self) {
        if self.rows.with_untracked(|rows| rows.is_live) {
            self.newer.set(None);
        }
        self.go_to_end();
    }

    /// Takes note of what a key does, before the selected row follows.
    pub(super) fn on_key(self, action: &LogAction) {
        let selects_last = *action == LogAction::Last;
        self.selects_last.set_value(selects_last);
        if selects_last {
            self.resume();
        }
    }

    /// Shows the selected row. If it was the last one when the key was pressed, events may have been added since.
    pub(super) fn show_selected(self, row: usize) {
        let selects_last = self.selects_last.get_value();
        self.selects_last.set_value(false);
        if selects_last && self.newer.get_untracked().is_none() {
            self.go_to_end();
        } else {
            self.list.show(row);
        }
    }

    fn go_to_end(self) {
        if let Some(last) = self.total.get_untracked().checked_sub(1) {
            self.list.show(last);
        }
    }
}
