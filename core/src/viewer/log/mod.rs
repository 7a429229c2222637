//! The log pane: the events of the run on screen, the oldest first, with filters and windows of rows.

mod copy;
mod detail;
mod family;
mod filter;
mod listing;
mod node_events;
mod node_facts;
mod part;
mod place;
mod row;
#[cfg(test)]
mod tests;
mod text_matches;
mod window;

use std::collections::BTreeSet;
use std::ops::Range;

pub use copy::{EventChoice, EventCopy};
pub use family::Family;
pub use filter::LogQuery;
pub(super) use node_events::{LastRows, NodeEvents};
pub use window::{EntryNode, FamilyCount, LogAction, LogEntry, LogEntryKind, LogWindow};

use self::filter::LogFilter;
use self::listing::Query;
use self::part::{LogCache, LogPart};
use super::FIRST_ROWS;
use super::focus::NodeKey;
use super::pane::Pane;
use super::run_facts::RunFacts;
use super::run_log::RunLog;
use super::run_view::{DetailRequest, RunView};
use crate::log::RowId;
use crate::word::Vocabulary;

/// The events of the run on screen: filters, the selected row and visible rows.
#[derive(Debug)]
pub(super) struct LogPane {
    visible: Range<usize>,
    filter: LogFilter,
    selected: Option<SelectedRow>,
    /// The first events of the folded rows that are open.
    open: BTreeSet<RowId>,
    cache: LogCache,
    /// Whether the rows are those of a stored log; `None` before the first one was read.
    is_stored: Option<bool>,
    /// The number of actions so far.
    actions: u64,
    /// Whether the last window was computed before the search had ended.
    is_searching: bool,
}

/// The selected row.
#[derive(Clone, Copy, Debug)]
struct SelectedRow {
    id: RowId,
    attempt: Option<u32>,
}

impl Default for LogPane {
    fn default() -> Self {
        Self {
            visible: 0..FIRST_ROWS,
            filter: LogFilter::default(),
            selected: None,
            open: BTreeSet::new(),
            cache: LogCache::default(),
            is_stored: None,
            actions: 0,
            is_searching: false,
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
            LogAction::Query(query) => self.filter.query = query,
            LogAction::Toggle { row } => self.fold(row, None, view),
            LogAction::Open => self.fold_selected(true, view),
            LogAction::Close => self.fold_selected(false, view),
            LogAction::Select { row } => self.select(row, view),
            LogAction::Move { by } => {
                let row = self.selected_row(view).map_or(0, |row| row.saturating_add_signed(by as isize));
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
        view.requests.push(DetailRequest::Events);
        let log = view.log()?;
        // The row before the first one says whether another day begins.
        let before = usize::from(self.visible.start > 0);
        let LogPart { listing, missing } = self.part(&log, self.visible.start - before..self.visible.end);
        let mut rows: Vec<LogEntry> = listing.rows.into_iter().map(|(_, row)| row).collect();
        LogEntry::add_days(&mut rows);
        self.is_searching = listing.searched.is_some();
        let families = Family::ALL.iter().filter_map(|family| {
            let is_on = self.filter.query.families.contains(family);
            let count = listing.counts.get(family).copied().unwrap_or_default();
            (count > 0 || is_on).then_some(FamilyCount { family: *family, count, is_on })
        });
        let shown = listing.counts.iter().filter(|(family, _)| self.filter.has_family(**family));
        let matches = shown.map(|(_, count)| count).sum();
        let is_hidden = self.selected.is_some() && listing.selected.is_none() && listing.searched.is_none();
        Some(LogWindow {
            events: listing.events,
            missing,
            total: listing.total,
            matches,
            first: self.visible.start.min(listing.total),
            families: families.collect(),
            rows: rows.into_iter().skip(before).collect(),
            query: self.filter.query.clone(),
            searched: listing.searched,
            runs: log.runs(),
            selected: listing.selected,
            is_selected_hidden: is_hidden,
            selected_attempt: self.selected.and_then(|selected| selected.attempt),
            is_live: log.is_live(),
            note: log.note(),
            empty: (listing.events == 0).then(|| log.empty().to_owned()),
        })
    }

    fn is_unfinished(&self) -> bool {
        self.is_searching
    }

    fn reset(&mut self) {
        let Self { visible, actions, .. } = std::mem::take(self);
        (self.visible, self.actions) = (visible, actions);
    }
}

impl LogPane {
    /// Forgets the rows, which are those of another list of events from now on: their ids begin again.
    pub(super) fn forget_rows(&mut self) {
        self.actions += 1;
        self.is_stored = None;
        self.selected = None;
        self.open = BTreeSet::new();
        self.cache = LogCache::default();
    }

    fn part(&mut self, log: &RunLog<'_>, window: Range<usize>) -> LogPart {
        let is_stored = matches!(log, RunLog::Stored { .. });
        if self.is_stored.is_some_and(|before| before != is_stored) {
            self.forget_rows();
        }
        self.is_stored = Some(is_stored);
        let Self { filter, open, cache, selected, .. } = self;
        let selected = selected.map(|selected| selected.id);
        log.part(Query { filter, window: &window, open, selected }, cache)
    }

    /// The position of the selected row; `None` if no row is selected, or the filter hides it.
    fn selected_row(&mut self, view: &RunView<'_>) -> Option<usize> {
        self.part(&view.log()?, 0..0).listing.selected
    }

    /// The row at a position.
    fn row(&mut self, row: usize, view: &RunView<'_>) -> Option<(RowId, LogEntry)> {
        self.part(&view.log()?, row..row.saturating_add(1)).listing.rows.into_iter().next()
    }

    /// Selects a row, at most the last one, and its node; no node for an event of another run.
    fn select(&mut self, row: usize, view: &mut RunView<'_>) {
        let Some(log) = view.log() else { return };
        let last = self.part(&log, 0..0).listing.total.checked_sub(1);
        let Some(row) = last.map(|last| row.min(last)) else { return };
        let Some((id, entry)) = self.row(row, view) else { return };
        self.selected = Some(SelectedRow { id, attempt: entry.attempt });
        self.cache.index.seek_at(id, row as u32);
        if entry.is_of_other_run {
            view.focus.selection = None;
        } else if let Some(node) = entry.node {
            let key = node_key(node, view);
            view.focus.select_key(key);
        }
    }

    fn fold_selected(&mut self, is_open: bool, view: &RunView<'_>) {
        if let Some(row) = self.selected_row(view) {
            self.fold(row, Some(is_open), view);
        }
    }

    /// Opens or closes a folded row; without `wanted`, whichever it is not.
    fn fold(&mut self, row: usize, wanted: Option<bool>, view: &RunView<'_>) {
        let Some((id, entry)) = self.row(row, view) else { return };
        let LogEntryKind::Folded { is_open, .. } = entry.kind else { return };
        if wanted == Some(is_open) {
            return;
        }
        if !self.open.remove(&id) {
            self.open.insert(id);
        }
        self.cache.index.set_open(&self.open);
    }
}

/// The key of the node of an event. An event without an iteration selects that of the tree, as most of them are about it;
/// without a tree, the last one that the server lists.
fn node_key(node: EntryNode, view: &RunView<'_>) -> NodeKey {
    let of_tree = || {
        let tree = view.run().tree?;
        tree.node(tree.find_node(&node.node_id, None)?).iteration()
    };
    let last = || match view.facts()? {
        RunFacts::Smithers(run) => {
            let rows = run.nodes.iter().filter(|row| row.node_id == node.node_id);
            rows.map(|row| row.iteration).max()
        }
        RunFacts::Conductor(_) | RunFacts::Lionagi(_) => None,
    };
    let iteration = node.iteration.or_else(of_tree).or_else(last).unwrap_or(0);
    NodeKey { node_id: node.node_id, iteration }
}
