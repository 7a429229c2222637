//! The log pane: the events of the run on screen, the oldest first, with filters and windows of rows.

mod detail;
mod family;
mod filter;
mod listed;
mod part;
mod row;
#[cfg(test)]
mod tests;
mod window;

use std::ops::Range;

pub use family::Family;
pub use window::{FamilyCount, LogAction, LogEntry, LogEntryKind, LogWindow};

use self::filter::LogFilter;
use self::part::{LogPart, StoredCounts};
use super::FIRST_ROWS;
use super::pane::Pane;
use super::run_log::RunLog;
use super::run_view::RunView;
use crate::log::RowIndex;
use crate::word::Vocabulary;

/// The events of the run on screen: filters, the selected row and visible rows.
#[derive(Debug)]
pub(super) struct LogPane {
    visible: Range<usize>,
    filter: LogFilter,
    /// The position of the selected row among the rows with this filter.
    selected: Option<usize>,
    index: RowIndex,
    counts: StoredCounts,
    /// The number of actions so far.
    actions: u64,
}

impl Default for LogPane {
    fn default() -> Self {
        Self {
            visible: 0..FIRST_ROWS,
            filter: LogFilter::default(),
            selected: None,
            index: RowIndex::default(),
            counts: StoredCounts::default(),
            actions: 0,
        }
    }
}

impl Pane for LogPane {
    type Action = LogAction;
    type Window = LogWindow;
    /// The actions and the source.
    type Version = (u64, u64);

    fn act(&mut self, action: LogAction, view: &mut RunView<'_>) {
        self.actions += 1;
        match action {
            LogAction::Show { first, count } => self.visible = first..first.saturating_add(count),
            LogAction::Families(families) => self.set_filter(LogFilter { families, ..self.filter.clone() }),
            LogAction::Node(node) => self.set_filter(LogFilter { node, ..self.filter.clone() }),
            LogAction::Select { row } => self.select(row, view),
            LogAction::Move { by } => {
                let row = self.selected.map_or(0, |row| row.saturating_add_signed(by as isize));
                self.select(row, view);
            }
            LogAction::First => self.select(0, view),
            LogAction::Last => self.select(usize::MAX, view),
        }
    }

    fn version(&self, view: &RunView<'_>) -> Self::Version {
        (self.actions, view.source_version)
    }

    fn window(&mut self, view: &mut RunView<'_>) -> Option<LogWindow> {
        let log = view.log()?;
        let LogPart { listed, missing } = self.part(&log, self.visible.clone());
        let families = Family::ALL.iter().filter_map(|family| {
            let is_on = self.filter.families.contains(family);
            let count = listed.counts.get(family).copied().unwrap_or_default();
            (count > 0 || is_on).then_some(FamilyCount { family: *family, count, is_on })
        });
        Some(LogWindow {
            events: listed.events,
            missing,
            total: listed.total,
            first: self.visible.start.min(listed.total),
            families: families.collect(),
            rows: listed.rows,
            only_node: self.filter.node.clone(),
            selected: self.selected,
            is_live: log.is_live(),
            note: log.note(),
            empty: (listed.events == 0).then(|| log.empty().to_owned()),
        })
    }

    fn reset(&mut self) {
        let Self { visible, actions, .. } = std::mem::take(self);
        (self.visible, self.actions) = (visible, actions);
    }
}

impl LogPane {
    fn part(&mut self, log: &RunLog<'_>, window: Range<usize>) -> LogPart {
        log.part(&self.filter, &window, &mut self.index, &mut self.counts)
    }

    /// Changes the filter, which moves the rows.
    fn set_filter(&mut self, filter: LogFilter) {
        (self.filter, self.selected) = (filter, None);
    }

    /// Selects a row, at most the last one, and its node.
    fn select(&mut self, row: usize, view: &mut RunView<'_>) {
        let Some(log) = view.log() else { return };
        let total = self.part(&log, 0..0).listed.total;
        self.selected = total.checked_sub(1).map(|last| row.min(last));
        let Some(row) = self.selected else { return };
        let node = self.part(&log, row..row + 1).listed.rows.into_iter().find_map(|row| row.node);
        if let Some(key) = node {
            view.focus.select_key(key);
        }
    }
}
