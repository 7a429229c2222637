//! Which rows of a log are shown.

use serde::{Deserialize, Serialize};

use super::Family;
use crate::log::Filter;
use crate::smithers::wire::{Category, EventSeverity};
use crate::word::Vocabulary;

/// The search and the filters of the events of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LogQuery {
    /// Words that an event must contain; the case of ASCII letters is ignored. Empty without a search.
    pub search: String,
    /// The families; empty for all.
    pub families: Vec<Family>,
    /// The minimum severity.
    pub severity: Option<EventSeverity>,
    /// The id of the only node, in all its iterations.
    pub node: Option<String>,
    /// The only attempt.
    pub attempt: Option<u32>,
    /// Whether the events of all runs of a file with several are shown, and not only those of the run on screen.
    pub all_runs: bool,
}

/// What the events on screen have in common. Rows of missing events are always shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LogFilter {
    /// The search and the filters.
    pub(super) query: LogQuery,
    /// The only iteration of the node.
    pub(super) iteration: Option<u32>,
}

/// What a filter asks about an event.
#[derive(Clone, Copy)]
pub(super) struct EventFacts<'a> {
    pub(super) family: Family,
    pub(super) node_id: Option<&'a str>,
    /// `None` for an event that does not say it.
    pub(super) iteration: Option<u32>,
    pub(super) attempt: Option<u32>,
    pub(super) severity: EventSeverity,
}

impl LogFilter {
    /// Whether an event has everything that the filter asks for, besides its family and its text.
    pub(super) fn has(&self, event: &EventFacts<'_>) -> bool {
        self.query.node.as_deref().is_none_or(|wanted| event.node_id == Some(wanted))
            && self.iteration.is_none_or(|wanted| event.iteration.is_none_or(|found| found == wanted))
            && self.query.attempt.is_none_or(|wanted| event.attempt == Some(wanted))
            && self.query.severity.is_none_or(|wanted| event.severity as u8 >= wanted as u8)
    }

    pub(super) fn has_family(&self, family: Family) -> bool {
        self.query.families.is_empty() || self.query.families.contains(&family)
    }

    /// The same filter for a stored log; `run_id` is the run on screen of a log of several.
    pub(super) fn of_stored(&self, run_id: Option<&str>) -> Filter {
        let is_shown = |category: &Category| self.query.families.contains(&Family::of_category(*category));
        Filter {
            categories: Category::ALL.iter().copied().filter(is_shown).collect(),
            severity: self.query.severity,
            node_id: self.query.node.clone(),
            iteration: self.iteration,
            attempt: self.query.attempt,
            run_id: run_id.filter(|_| !self.query.all_runs).map(str::to_owned),
            text: Some(self.query.search.clone()),
            unread: true,
            ..Filter::default()
        }
    }
}
