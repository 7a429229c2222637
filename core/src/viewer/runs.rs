//! The list of runs: groups, counts and windows of rows.

mod arrange;
mod entry;
mod query;
mod servers;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use query::{RunQuery, RunSort};
pub use servers::{GroupId, ServerRuns};

use super::FIRST_ROWS;
use super::row_detail::RowDetail;
use crate::format;
use crate::ingest::{ListRow, System};
use crate::pill::{Icon, Taxonomy, Tone};
use crate::summary::AnswerPill;
use crate::time::Millis;
use arrange::Arrangement;
use entry::{Entry, name_of, shown_pill, system_of};
use query::hits;
pub(super) use servers::ServerRows;

/// How many letters of a reason a row holds.
const REASON_LETTERS: usize = 240;

/// What the list of runs shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RunList {
    /// How many runs there are, as a heading.
    pub heading: String,
    /// How many runs the source has, whatever is searched for; legacy sessions are not counted.
    pub total: usize,
    /// How many runs of each system the search finds; empty where all runs are of one system.
    pub systems: Vec<SystemCount>,
    /// How many runs are in each state, among those that the search finds.
    pub states: Vec<StateCount>,
    /// The servers in their order, where the list is that of a page's traffic.
    pub servers: Vec<ServerRuns>,
    /// The groups that have rows, in their order, those of one server after those of another.
    pub groups: Vec<RunGroup>,
    /// What to say where no run matches.
    pub no_match: Option<NoMatch>,
    /// What search and filters cover, or how many runs a filter leaves out, as a sentence.
    pub foot: Option<String>,
    /// The legacy sessions, where there are any.
    pub legacy: Option<LegacyRuns>,
}

impl RunList {
    /// Which rows are in sight, as a sentence, where not all are. The rows are counted from 0 over all groups; those of a folded
    /// group do not count.
    pub fn rows_in_sight(&self, rows: &Range<usize>) -> Option<String> {
        let total = self.groups.iter().map(|group| group.runs.total).sum();
        if rows.is_empty() || rows.len() >= total {
            return None;
        }
        let [first, last, total] = [rows.start + 1, rows.end, total].map(|row| format::count(row as f64));
        let rows = if first == last { format!("Row {first}") } else { format!("Rows {first} to {last}") };
        Some(format!("{rows} of {total}."))
    }
}

/// How many runs of a system the search finds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SystemCount {
    /// The system.
    pub system: System,
    /// What it is called.
    pub label: String,
    /// How many.
    pub count: String,
}

/// A state of the list, and how many runs are in it. States that have the same label count as one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StateCount {
    /// The label of its pill.
    pub label: String,
    /// The tone of its pill.
    pub tone: Tone,
    /// The outline of its pill.
    pub icon: Icon,
    /// Whether the word is in its vocabulary.
    pub known: bool,
    /// How many.
    pub count: String,
}

/// The runs that ask for the same attention, of one server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RunGroup {
    /// Which group it is.
    pub id: GroupId,
    /// Its heading.
    pub label: String,
    /// How many runs it has, folded or not.
    pub count: String,
    /// Whether its rows are hidden.
    pub is_folded: bool,
    /// Its rows; none while it is folded.
    pub runs: RunWindow,
}

/// What to say where search and filters leave no run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NoMatch {
    /// What was looked for, and how many runs the search alone finds.
    pub sentence: String,
    /// How many runs the search finds without the filters, as a label for the way there; `None` where it finds none.
    pub without_filters: Option<String>,
}

/// Sessions from before lionagi's status vocabulary. They are in no count and open on demand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LegacyRuns {
    /// How many there are, in words.
    pub label: String,
    /// Their rows, as far as the document holds them.
    pub runs: RunWindow,
}

/// Some consecutive rows of a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
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
    /// Why it is in that state; the system's name first where runs of several systems are listed.
    pub reason: String,
    /// How long ago it was asked, went silent or ended, else how long ago it began; empty where that is not known.
    pub age: String,
    /// Whether this run is on screen.
    pub is_current: bool,
    /// Where the words of the search stand in the name, bytes.
    pub name_hits: Vec<Range<usize>>,
    /// Where they stand in the id.
    pub id_hits: Vec<Range<usize>>,
    /// Where they stand in the reason.
    pub reason_hits: Vec<Range<usize>>,
}

/// The rows of a source, what a person searches for in them, and which of them are on screen.
#[derive(Debug, Default)]
pub(super) struct Runs {
    rows: Vec<ListRow>,
    entries: Vec<Entry>,
    legacy_label: Option<String>,
    query: RunQuery,
    arrangement: Arrangement,
    visible: HashMap<GroupId, Range<usize>>,
    visible_legacy: Range<usize>,
    servers: Vec<ServerRows>,
}

impl Runs {
    /// Replaces the rows, and the servers that they are of in a page's traffic. Legacy sessions form a group of their own only
    /// where `legacy_label` introduces them.
    pub(super) fn replace(
        &mut self,
        rows: Vec<ListRow>,
        legacy_label: Option<String>,
        servers: Vec<ServerRows>,
        detail_of: impl Fn(usize) -> RowDetail,
    ) {
        let rows_of_servers = rows.iter().zip(Self::servers_of_rows(&servers)).enumerate();
        let entry = |(index, (row, server))| Entry::new(row, server, &detail_of(index));
        self.entries = rows_of_servers.map(entry).collect();
        self.rows = rows;
        self.legacy_label = legacy_label;
        self.servers = servers;
        self.arrange();
    }

    /// Sets what is searched for.
    pub(super) fn find(&mut self, query: RunQuery) {
        if self.query != query {
            self.query = query;
            self.arrange();
        }
    }

    /// Sets the rows that are on screen: of groups, and of the legacy sessions. Of any other group the first rows are.
    pub(super) fn show(&mut self, groups: Vec<(GroupId, Range<usize>)>, legacy: Range<usize>) {
        self.visible = groups.into_iter().collect();
        self.visible_legacy = legacy;
    }

    /// Whether the source has no row at all.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The position of the first row with an id.
    pub(super) fn position_of(&self, id: &str) -> Option<usize> {
        self.rows.iter().position(|row| row.id == id)
    }

    /// The list with the rows that are on screen. `detail_of` gives what a row says now, `line_of` how the page talks to a
    /// server; `current` is the row of the run on screen.
    pub(super) fn list(
        &self,
        now: Millis,
        current: Option<usize>,
        detail_of: impl Fn(usize) -> RowDetail,
        line_of: impl Fn(usize) -> String,
    ) -> RunList {
        let words = self.query.words();
        let row = |index: &usize| ListedRun {
            is_current: current == Some(*index),
            ..self.row(*index, now, &words, detail_of(*index))
        };
        let window = |indices: &[usize], visible: Range<usize>| {
            let total = indices.len();
            let first = visible.start.min(total);
            let shown = &indices[first..visible.end.clamp(first, total)];
            RunWindow { total, first, rows: shown.iter().map(row).collect() }
        };
        let group = |(id, indices): &(GroupId, Vec<usize>)| {
            let is_folded = self.query.folded.contains(id);
            let shown = if is_folded { &[][..] } else { &indices[..] };
            let runs = window(shown, self.visible.get(id).cloned().unwrap_or(0..FIRST_ROWS));
            let count = format::count(indices.len() as f64);
            RunGroup { id: *id, label: id.attention.label().to_owned(), count, is_folded, runs }
        };
        let legacy = |label: String| LegacyRuns {
            label,
            runs: window(&self.arrangement.legacy, self.visible_legacy.clone()),
        };
        let shown = (!self.query.is_all()).then(|| self.arrangement.shown());
        RunList {
            heading: self.heading(self.arrangement.listed, shown),
            total: self.arrangement.listed,
            systems: self.arrangement.systems.clone(),
            states: self.arrangement.states.clone(),
            servers: self.server_runs(line_of),
            groups: self.arrangement.groups.iter().map(group).collect(),
            no_match: self.arrangement.no_match(&self.query),
            foot: self.arrangement.foot(&self.query),
            legacy: self.legacy_label.clone().map(legacy),
        }
    }

    fn arrange(&mut self) {
        let is_legacy = |row: &ListRow| {
            self.legacy_label.is_some()
                && row.taxonomy != Taxonomy::Run
                && row.state.as_deref() == Some("legacy")
        };
        let (legacy, listed) = (0..self.rows.len()).partition(|index| is_legacy(&self.rows[*index]));
        self.arrangement = Arrangement::new(&self.entries, self.server_order(), listed, legacy, &self.query);
    }

    /// How many runs there are, and how many of them search and filters show, where those leave any out. A lionagi show is
    /// listed before its plays, which are what is counted.
    fn heading(&self, listed: usize, shown: Option<usize>) -> String {
        let plays = self.rows.iter().filter(|row| row.taxonomy == Taxonomy::Play).count();
        let (count, noun) = if plays > 0 { (plays, "plays") } else { (listed, "runs") };
        match (listed, shown) {
            (0, _) => "No runs here yet".to_owned(),
            (1, None) if plays == 0 => "1 run".to_owned(),
            (_, None) => format!("{} {noun}", format::count(count as f64)),
            (_, Some(shown)) => {
                format!("{} of {} {noun}", format::count(shown as f64), format::count(listed as f64))
            }
        }
    }

    fn row(&self, index: usize, now: Millis, words: &[String], detail: RowDetail) -> ListedRun {
        let row = &self.rows[index];
        let mut reason = detail.reason;
        if !self.arrangement.systems.is_empty() {
            reason = format!("{} · {reason}", name_of(system_of(row.taxonomy)));
        }
        if let Some((end, _)) = reason.char_indices().nth(REASON_LETTERS) {
            reason.truncate(end);
            reason.push('…');
        }
        let at = detail.since.or(row.at);
        ListedRun {
            index,
            id: row.id.clone(),
            name: row.name.clone(),
            taxonomy: row.taxonomy,
            pill: shown_pill(row, detail.pill),
            age: at.map(|at| format::ago(now.since(at))).unwrap_or_default(),
            is_current: false,
            name_hits: hits(&row.name, words),
            id_hits: hits(&row.id, words),
            reason_hits: hits(&reason, words),
            reason,
        }
    }
}
