//! A row of the list, reduced to the data for groups, order, search and filters.

use std::cmp::Ordering;

use super::GroupId;
use super::query::RunSort;
use crate::ingest::{ListRow, System};
use crate::pill::{Icon, Pill, Taxonomy, Tone, pill};
use crate::summary::AnswerPill;
use crate::time::Millis;
use crate::viewer::row_detail::RowDetail;
use crate::viewer::search_words::lower;
use crate::viewer::{Attention, attention};

/// A failed run needs a person for a day.
const FAILURE_NEEDS_YOU_MS: f64 = 24.0 * 3_600_000.0;

/// A row as far as groups, order, search and filters need it.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) group: GroupId,
    pub(super) system: System,
    /// The pill's label and appearance; equal words of two systems share a chip.
    pub(super) state: StateStyle,
    /// Whether it failed a short time ago. It stands behind the runs that wait for a person.
    failed_lately: bool,
    /// Name, id and reason in lower case.
    text: String,
    name: String,
    since: Option<Millis>,
    started_at: Option<Millis>,
    updated_at: Option<Millis>,
}

/// The appearance of a state's chip.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StateStyle {
    pub(super) label: String,
    pub(super) tone: Tone,
    pub(super) icon: Icon,
    pub(super) known: bool,
}

impl Entry {
    /// Makes an entry from a row, with its server if the list is by server.
    pub(super) fn new(row: &ListRow, server: Option<usize>, detail: &RowDetail, now: Millis) -> Self {
        let shown = shown_pill(row, detail.pill.clone());
        let state = state_style(&shown);
        let attention = attention(row.taxonomy, shown.value(), detail.blocked, detail.qualifier.as_ref());
        let has_failed = attention == Attention::Ended && state.tone == Tone::Error;
        let finite = |at: Option<Millis>| at.filter(|at| at.0.is_finite());
        let started_at = finite(row.at);
        // Without the time of its end, it has ended since its start.
        let since = finite(detail.since).or(started_at);
        let failed_lately = has_failed && since.is_some_and(|at| now.since(at) < FAILURE_NEEDS_YOU_MS);
        let attention = if failed_lately { Attention::NeedsYou } else { attention };
        Self {
            group: GroupId { server, attention },
            system: system_of(row.taxonomy),
            state,
            failed_lately,
            text: lower(&[&*row.name, &*row.id, &*detail.reason].join("\n")),
            name: lower(&row.name),
            since,
            started_at,
            updated_at: finite(detail.updated_at).or(since),
        }
    }

    /// Whether every word occurs in the name, the id or the reason.
    pub(super) fn matches(&self, words: &[String]) -> bool {
        words.iter().all(|word| self.text.contains(word.as_str()))
    }

    /// Whether the row is in the same group and in the same counts as an earlier version of itself.
    pub(super) fn counts_like(&self, other: &Self, words: &[String]) -> bool {
        (self.group, self.system, &self.state, self.failed_lately)
            == (other.group, other.system, &other.state, other.failed_lately)
            && self.matches(words) == other.matches(words)
    }

    /// The order of two rows of one group. Rows without a time come last; equal rows keep the order of their source.
    pub(super) fn compare(&self, other: &Self, sort: RunSort) -> Ordering {
        match sort {
            RunSort::Attention => match self.group.attention {
                Attention::NeedsYou => self.failed_lately.cmp(&other.failed_lately).then_with(|| {
                    if self.failed_lately {
                        latest_first(self.since, other.since)
                    } else {
                        oldest_first(self.since, other.since)
                    }
                }),
                Attention::Active | Attention::Ended | Attention::Unknown => {
                    latest_first(self.since, other.since)
                }
            },
            RunSort::Updated => latest_first(self.updated_at, other.updated_at),
            RunSort::Started => latest_first(self.started_at, other.started_at),
            RunSort::Name => self.name.cmp(&other.name),
        }
    }
}

fn oldest_first(one: Option<Millis>, other: Option<Millis>) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) => one.0.total_cmp(&other.0),
        (one, other) => one.is_none().cmp(&other.is_none()),
    }
}

fn latest_first(one: Option<Millis>, other: Option<Millis>) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) => other.0.total_cmp(&one.0),
        (one, other) => one.is_none().cmp(&other.is_none()),
    }
}

/// The pill of a row: that of its word, unless the source provides another.
pub(super) fn shown_pill(row: &ListRow, given: Option<AnswerPill>) -> AnswerPill {
    given.unwrap_or_else(|| match &row.state {
        Some(word) => AnswerPill::Pill { pill: pill(row.taxonomy, word), value: word.clone(), as_of: None },
        None => AnswerPill::Absent,
    })
}

fn state_style(shown: &AnswerPill) -> StateStyle {
    match shown {
        AnswerPill::Absent => StateStyle {
            label: "No run state".to_owned(),
            tone: Tone::Neutral,
            icon: Icon::Minus,
            known: true,
        },
        AnswerPill::Pill { pill: Pill { label, tone, icon, known, .. }, .. } => {
            StateStyle { label: label.to_string(), tone: *tone, icon: *icon, known: *known }
        }
    }
}

/// The system that a vocabulary is of.
pub(super) fn system_of(taxonomy: Taxonomy) -> System {
    match taxonomy {
        Taxonomy::Run | Taxonomy::Blocked | Taxonomy::Unhealthy | Taxonomy::Node | Taxonomy::Freshness => {
            System::Smithers
        }
        Taxonomy::Session
        | Taxonomy::Health
        | Taxonomy::Effective
        | Taxonomy::Delivery
        | Taxonomy::NormalizedHealth
        | Taxonomy::Verdict
        | Taxonomy::Play
        | Taxonomy::Show
        | Taxonomy::Lane => System::Lionagi,
        Taxonomy::Conductor | Taxonomy::Termination | Taxonomy::Planner | Taxonomy::Gate => System::Conductor,
    }
}
