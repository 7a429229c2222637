//! The search query, and its matches in a row.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::GroupId;
use crate::ingest::System;

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
    /// The words of the search, in lower case.
    pub(super) fn words(&self) -> Vec<String> {
        self.search.split_whitespace().map(lower).collect()
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

/// Converts a text to lower case letter by letter, so that the case of a letter does not depend on its neighbours.
pub(super) fn lower(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// The matches of a search's words in a text, as ranges of bytes, in order and without overlap.
pub(super) fn hits(text: &str, words: &[String]) -> Vec<Range<usize>> {
    if words.is_empty() {
        return Vec::new();
    }
    // Maps each byte of the lower-case text to its original letter, since some letters become longer.
    let (mut lowered, mut letters) = (String::new(), Vec::new());
    for (start, letter) in text.char_indices() {
        let end = start + letter.len_utf8();
        lowered.extend(letter.to_lowercase());
        letters.resize(lowered.len(), start..end);
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    for word in words.iter().filter(|word| !word.is_empty()) {
        for (at, _) in lowered.match_indices(word.as_str()) {
            found.push(letters[at].start..letters[at + word.len() - 1].end);
        }
    }
    found.sort_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in found {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            Some(_) | None => merged.push(range),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::{RunQuery, hits};

    fn marked(text: &str, search: &str) -> Vec<String> {
        let words = RunQuery { search: search.to_owned(), ..RunQuery::default() }.words();
        hits(text, &words).into_iter().map(|range| text[range].to_owned()).collect()
    }

    #[test]
    fn every_word_is_found_in_any_case() {
        assert_eq!(marked("At Deploy-EU after deploy-eu", "deploy-eu"), ["Deploy-EU", "deploy-eu"]);
        assert_eq!(marked("release-train", "TRAIN rel"), ["rel", "train"]);
        assert_eq!(marked("ÄPFEL und İzmir", "äpfel i"), ["ÄPFEL", "İ", "i"]);
        assert_eq!(marked("aaaa", "aa aaa"), ["aaaa"], "overlapping hits are one");
    }

    #[test]
    fn an_empty_search_or_text_has_no_matches() {
        for (text, search) in [("", "a"), ("abc", ""), ("abc", " \t\n"), ("abc", "abcd"), ("a b", "ab")] {
            assert_eq!(marked(text, search), [""; 0], "{search:?} in {text:?}");
        }
    }
}
