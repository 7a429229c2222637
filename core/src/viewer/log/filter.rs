//! Which rows of a log are shown.

use super::Family;
use crate::log::Filter;
use crate::smithers::wire::{Category, EventSeverity};
use crate::word::Vocabulary;

/// What the events on screen have in common. Rows of missing events are always shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LogFilter {
    /// The families; empty for all.
    pub(super) families: Vec<Family>,
    /// The id of the only node.
    pub(super) node: Option<String>,
    /// The only iteration of the node.
    pub(super) iteration: Option<u32>,
    /// The only attempt.
    pub(super) attempt: Option<u32>,
    /// The minimum severity.
    pub(super) severity: Option<EventSeverity>,
    /// Words that the events contain.
    pub(super) text: String,
    /// Whether the events of all runs of a log are shown, and not only those of the run on screen.
    pub(super) all_runs: bool,
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
        self.node.as_deref().is_none_or(|wanted| event.node_id == Some(wanted))
            && self.iteration.is_none_or(|wanted| event.iteration.is_none_or(|found| found == wanted))
            && self.attempt.is_none_or(|wanted| event.attempt == Some(wanted))
            && self.severity.is_none_or(|wanted| event.severity as u8 >= wanted as u8)
    }

    pub(super) fn has_family(&self, family: Family) -> bool {
        self.families.is_empty() || self.families.contains(&family)
    }

    /// The same filter for a stored log; `run_id` is the run on screen of a log of several.
    pub(super) fn of_stored(&self, run_id: Option<&str>) -> Filter {
        let is_shown = |category: &Category| self.families.contains(&Family::of_category(*category));
        Filter {
            categories: Category::ALL.iter().copied().filter(is_shown).collect(),
            severity: self.severity,
            node_id: self.node.clone(),
            iteration: self.iteration,
            attempt: self.attempt,
            run_id: run_id.filter(|_| !self.all_runs).map(str::to_owned),
            text: Some(self.text.clone()),
            ..Filter::default()
        }
    }
}
