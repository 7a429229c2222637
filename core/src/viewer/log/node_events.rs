//! The events of one iteration of a node, for its detail.

use std::collections::BTreeSet;

use super::filter::LogFilter;
use super::listing::Query;
use super::part::LogCache;
use super::{LogEntry, LogQuery};
use crate::viewer::focus::NodeKey;
use crate::viewer::run_log::RunLog;

/// The maximum number of rows that are listed.
const MAX_ROWS: usize = 200;

/// The last events of one iteration of a node.
#[derive(Debug, Default)]
pub(in super::super) struct NodeEvents {
    cache: LogCache,
}

/// Some of the rows of a log.
pub(in super::super) struct LastRows {
    /// The last ones, the oldest first.
    pub(in super::super) rows: Vec<LogEntry>,
    /// The number of rows before them.
    pub(in super::super) more: usize,
}

impl NodeEvents {
    /// The last events, and the gaps between them. Events that do not say their iteration count to every one.
    pub(in super::super) fn last(&mut self, log: &RunLog<'_>, key: &NodeKey) -> LastRows {
        let query = LogQuery { node: Some(key.node_id.clone()), ..LogQuery::default() };
        let filter = LogFilter { query, iteration: Some(key.iteration) };
        let open = BTreeSet::new();
        let mut listing = |window| {
            log.part(Query { filter: &filter, window: &window, open: &open, selected: None }, &mut self.cache)
                .listing
        };
        let total = listing(0..0).total;
        let more = total.saturating_sub(MAX_ROWS);
        let mut rows: Vec<LogEntry> = listing(more..total).rows.into_iter().map(|(_, row)| row).collect();
        LogEntry::add_days(&mut rows);
        LastRows { rows, more }
    }
}
