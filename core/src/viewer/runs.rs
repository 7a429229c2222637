//! The list of runs as windows of rows.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::format;
use crate::ingest::ListRow;
use crate::pill::{Taxonomy, pill};
use crate::summary::AnswerPill;
use crate::time::Millis;

/// What the list of runs shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunList {
    /// How many runs there are, as a heading.
    pub heading: String,
    /// The runs, without legacy sessions.
    pub runs: RunWindow,
    /// The legacy sessions, where there are any.
    pub legacy: Option<LegacyRuns>,
}

/// Sessions from before lionagi's status vocabulary. They are in no count and open on demand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LegacyRuns {
    /// How many there are, in words.
    pub label: String,
    /// Their rows, as far as the document holds them.
    pub runs: RunWindow,
}

/// Some consecutive rows of a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunWindow {
    /// How many rows the list has.
    pub total: usize,
    /// The position of the first row of the window, from 0.
    pub first: usize,
    /// The rows of the window.
    pub rows: Vec<ListedRun>,
}

/// One run of the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedRun {
    /// The position in the source's own list: ids may repeat.
    pub index: usize,
    /// The run's id.
    pub id: String,
    /// What a person calls it.
    pub name: String,
    /// The vocabulary of the pill.
    pub taxonomy: Taxonomy,
    /// The state.
    pub pill: AnswerPill,
    /// How long ago the run began, in words; empty where that is not known.
    pub age: String,
}

/// The rows of a source, and which of them are on screen.
#[derive(Debug, Default)]
pub(super) struct Runs {
    rows: Vec<ListRow>,
    listed: Group,
    legacy: Group,
    legacy_label: Option<String>,
}

/// Rows that are listed together, by their position in the source's list.
#[derive(Debug, Default)]
struct Group {
    indices: Vec<usize>,
    visible: Range<usize>,
}

impl Runs {
    /// Replaces the rows. Legacy sessions form a group of their own only where `legacy_label` introduces them.
    pub(super) fn replace(&mut self, rows: Vec<ListRow>, legacy_label: Option<String>) {
        let is_legacy =
            |row: &ListRow| row.taxonomy != Taxonomy::Run && row.state.as_deref() == Some("legacy");
        let grouped = legacy_label.is_some();
        let (legacy, listed) = (0..rows.len()).partition(|index| grouped && is_legacy(&rows[*index]));
        self.listed.indices = listed;
        self.legacy.indices = legacy;
        self.legacy_label = legacy_label;
        self.rows = rows;
    }

    /// Sets the rows that are on screen.
    pub(super) fn show(&mut self, listed: Range<usize>, legacy: Range<usize>) {
        self.listed.visible = listed;
        self.legacy.visible = legacy;
    }

    /// The list with the rows that are on screen. `pill_of` gives the pill of a row whose state is more than one word.
    pub(super) fn list(&self, now: Millis, pill_of: impl Fn(usize) -> Option<AnswerPill>) -> RunList {
        let window = |group: &Group| {
            let total = group.indices.len();
            let first = group.visible.start.min(total);
            let end = group.visible.end.clamp(first, total);
            let rows = group.indices[first..end].iter().map(|index| self.row(*index, now, &pill_of));
            RunWindow { total, first, rows: rows.collect() }
        };
        RunList {
            heading: self.heading(),
            runs: window(&self.listed),
            legacy: self.legacy_label.clone().map(|label| LegacyRuns { label, runs: window(&self.legacy) }),
        }
    }

    /// How many runs there are. A lionagi show is listed before its plays, which are what is counted.
    fn heading(&self) -> String {
        let plays = self.rows.iter().filter(|row| row.taxonomy == Taxonomy::Play).count();
        match (self.listed.indices.len(), plays) {
            (0, _) => "No runs here yet".to_owned(),
            (1, 0) => "1 run".to_owned(),
            (runs, 0) => format!("{} runs", format::count(runs as f64)),
            (_, plays) => format!("{} plays", format::count(plays as f64)),
        }
    }

    fn row(&self, index: usize, now: Millis, pill_of: impl Fn(usize) -> Option<AnswerPill>) -> ListedRun {
        let row = &self.rows[index];
        let by_word = || match &row.state {
            Some(word) => {
                AnswerPill::Pill { pill: pill(row.taxonomy, word), value: word.clone(), as_of: None }
            }
            None => AnswerPill::Absent,
        };
        ListedRun {
            index,
            id: row.id.clone(),
            name: row.name.clone(),
            taxonomy: row.taxonomy,
            pill: pill_of(index).unwrap_or_else(by_word),
            age: row.at.map(|at| format::ago(now.since(at))).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: usize, state: &str) -> ListRow {
        let (id, taxonomy) = (format!("s{id}"), Taxonomy::Session);
        ListRow { name: id.clone(), id, taxonomy, state: Some(state.into()), at: Some(Millis(0.0)) }
    }

    #[test]
    fn a_window_holds_only_the_rows_asked_for() {
        let mut runs = Runs::default();
        runs.replace((0..10_000).map(|id| row(id, "completed")).collect(), None);
        runs.show(9_990..10_050, 0..0);
        let list = runs.list(Millis(60_000.0), |_| None);
        assert_eq!(
            (list.heading.as_str(), list.runs.total, list.runs.first),
            ("10\u{202f}000 runs", 10_000, 9_990)
        );
        assert_eq!(list.runs.rows.len(), 10);
        assert_eq!((list.runs.rows[0].id.as_str(), list.runs.rows[0].age.as_str()), ("s9990", "1 min ago"));
        runs.show(20_000..20_050, 0..0);
        assert!(runs.list(Millis(0.0), |_| None).runs.rows.is_empty(), "a range outside the list");
    }

    #[test]
    fn legacy_sessions_are_a_group_only_where_they_are_introduced() {
        let mut runs = Runs::default();
        let rows = || vec![row(0, "legacy"), row(1, "completed")];
        runs.show(0..10, 0..10);
        runs.replace(rows(), None);
        let list = runs.list(Millis(0.0), |_| None);
        assert_eq!((list.runs.total, list.legacy), (2, None));
        runs.replace(rows(), Some("1 legacy session".into()));
        let list = runs.list(Millis(0.0), |_| None);
        assert_eq!((list.runs.total, list.runs.rows[0].index), (1, 1));
        assert_eq!(list.legacy.unwrap().runs.rows[0].id, "s0");
    }
}
