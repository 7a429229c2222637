//! Which rows of a log are shown.

use super::Family;
use crate::log::Filter;
use crate::smithers::wire::Category;
use crate::word::Vocabulary;

/// The families and the node of the rows that are shown. Rows of missing events are always shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LogFilter {
    /// The families; empty for all.
    pub(super) families: Vec<Family>,
    /// The id of the only node.
    pub(super) node: Option<String>,
}

impl LogFilter {
    pub(super) fn has_node(&self, node_id: Option<&str>) -> bool {
        self.node.as_deref().is_none_or(|wanted| node_id == Some(wanted))
    }

    pub(super) fn has_family(&self, family: Family) -> bool {
        self.families.is_empty() || self.families.contains(&family)
    }

    /// The same filter for a stored log; `run_id` is the run of a log of several.
    pub(super) fn of_stored(&self, run_id: Option<&str>) -> Filter {
        let is_shown = |category: &Category| self.families.contains(&Family::of_category(*category));
        let categories = Category::ALL.iter().copied().filter(is_shown).collect();
        Filter {
            categories,
            node_id: self.node.clone(),
            run_id: run_id.map(str::to_owned),
            ..Filter::default()
        }
    }
}
