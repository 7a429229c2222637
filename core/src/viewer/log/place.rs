//! The place of the selected row among all rows, for a page that opens on it.

use std::collections::BTreeSet;

use super::LogPane;
use super::filter::LogFilter;
use super::listing::Query;
use super::part::LogCache;
use crate::viewer::run_view::RunView;

impl LogPane {
    /// The position of the selected row among all rows, whatever the filters, and the number of all rows; `None` if no run is
    /// shown.
    pub(in crate::viewer) fn place(&self, view: &RunView<'_>) -> Option<(Option<usize>, usize)> {
        let (filter, open) = (LogFilter::default(), BTreeSet::new());
        let selected = self.selected.map(|selected| selected.id);
        let query = Query { filter: &filter, window: &(0..0), open: &open, selected };
        let listing = view.log()?.part(query, &mut LogCache::default()).listing;
        Some((listing.selected, listing.total))
    }
}
