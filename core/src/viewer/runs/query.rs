//! The query of the list of runs.

use serde::{Deserialize, Serialize};

use super::GroupId;
use crate::ingest::System;
use crate::viewer::search_words::words;

crate::vocabulary! {
    /// The order of the runs inside each group.
    ///
    /// ```
    /// use runstate::viewer::RunSort;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(RunSort::from_word("name"), Some(RunSort::Name));
    /// assert_eq!(RunSort::default(), RunSort::Attention);
    /// ```
    #[derive(Default)]
    pub enum RunSort ("sort") {
        /// The longest wait first; active and ended runs, the latest first.
        #[default]
        Attention = "attention",
        /// The latest change first.
        Updated = "updated",
        /// The latest start first.
        Started = "started",
        /// By name.
        Name = "name",
    }
}

impl RunSort {
    /// The display name of the order.
    pub fn label(self) -> &'static str {
        match self {
            Self::Attention => "Attention",
            Self::Updated => "Last update",
            Self::Started => "Started",
            Self::Name => "Name",
        }
    }
}

/// The query of the list of runs, with its order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RunQuery {
    /// Words that the name, the id or the reason must contain; empty for all runs.
    pub search: String,
    /// The states to show, by the labels of their pills; empty for all.
    pub states: Vec<String>,
    /// The system to show; `None` for all.
    pub system: Option<System>,
    /// The order inside each group.
    pub sort: RunSort,
    /// The groups whose rows are hidden.
    pub folded: Vec<GroupId>,
}

impl RunQuery {
    /// The words of the search.
    pub(super) fn words(&self) -> Vec<String> {
        words(&self.search)
    }

    /// Whether a filter hides states or systems.
    pub(super) fn has_filter(&self) -> bool {
        !self.states.is_empty() || self.system.is_some()
    }

    /// Whether all runs are shown.
    pub(super) fn is_all(&self) -> bool {
        !self.has_filter() && self.search.trim().is_empty()
    }
}
