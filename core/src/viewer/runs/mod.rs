//! The list of runs: groups, counts and windows of rows.

mod arrange;
mod entry;
mod group_id;
mod pane;
mod query;
mod servers;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use group_id::GroupId;
pub use pane::RunsAction;
pub(super) use pane::RunsPane;
pub use query::{RunQuery, RunSort};
pub use servers::ServerRuns;

use super::FIRST_ROWS;
use super::list_origin::ListOrigin;
use super::row_detail::{RowDetail, SinceEvent};
use super::search_words::hits;
use super::viewer_source::ServerRows;
use crate::format;
use crate::ingest::{ListRow, System};
use crate::pill::{Icon, Taxonomy, Tone};
use crate::summary::AnswerPill;
use crate::time::Millis;
use arrange::Arrangement;
use entry::{Entry, shown_pill, system_of};

/// The maximum number of letters of a reason in a row.
const REASON_LETTERS: usize = 240;

/// The maximum number of changed rows that are moved one by one, which takes time in proportion to the list for each.
const MAX_MOVES: usize = 16;

/// The list of runs, as the page shows it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RunList {
    /// The heading, with the number of runs.
    pub heading: String,
    /// The number of runs in the source, regardless of the query and without legacy sessions.
    pub total: usize,
    /// The number of matching runs of each system; empty if all runs are of one system.
    pub systems: Vec<SystemCount>,
    /// The number of matching runs in each state.
    pub states: Vec<StateCount>,
    /// The servers in their order, if the source is a page's traffic.
    pub servers: Vec<ServerRuns>,
    /// The groups that have rows, in order, grouped by server.
    pub groups: Vec<RunGroup>,
    /// The text to show if no run matches.
    pub no_match: Option<NoMatch>,
    /// The scope of search and filters, or the number of runs hidden by a filter, as a sentence.
    pub foot: Option<String>,
    /// The legacy sessions, if there are any.
    pub legacy: Option<LegacyRuns>,
    /// The group and the position of the run on screen, if its row is not hidden.
    pub current: Option<(GroupId, usize)>,
    /// Where the list is from and how fresh it is, if that is one live server.
    pub origin: Option<Box<ListOrigin>>,
}

impl RunList {
    /// Whether the source has any runs or legacy sessions.
    pub fn has_rows(&self) -> bool {
        self.total > 0 || self.legacy.as_ref().is_some_and(|legacy| legacy.runs.total > 0)
    }
}

/// The number of matching runs of a system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SystemCount {
    /// The system.
    pub system: System,
    /// The display name.
    pub label: String,
    /// The number of runs.
    pub count: String,
}

/// A state of the list, with its number of runs. States with the same label are combined.
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
    /// The number of runs.
    pub count: String,
}

/// The runs of one server in one attention group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RunGroup {
    /// The identity of the group.
    pub id: GroupId,
    /// Its heading.
    pub label: String,
    /// The number of its runs, folded or not.
    pub count: String,
    /// Whether its rows are hidden.
    pub is_folded: bool,
    /// The rows; none while the group is folded.
    pub runs: RunWindow,
}

/// The text to show if no run matches search and filters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NoMatch {
    /// The query, and the number of runs that the search alone finds.
    pub sentence: String,
    /// The number of runs that the search finds without filters, as the label of a link; `None` if there are none.
    pub without_filters: Option<String>,
}

/// Sessions from before lionagi's status vocabulary. They are in no count and open on demand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LegacyRuns {
    /// Their number, as text.
    pub label: String,
    /// Their rows, as far as the document contains them.
    pub runs: RunWindow,
}

/// Some consecutive rows of a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RunWindow {
    /// The number of rows in the list.
    pub total: usize,
    /// The position of the first row of the window, from 0.
    pub first: usize,
    /// The rows of the window.
    pub rows: Vec<ListedRun>,
}

/// One run of the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ListedRun {
    /// The position in the source's own list: ids may repeat.
    pub index: usize,
    /// The run's id.
    pub id: String,
    /// The display name.
    pub name: String,
    /// The vocabulary of the pill.
    pub taxonomy: Taxonomy,
    /// The state.
    pub pill: AnswerPill,
    /// The reason for the state, preceded by the system's name in a list of several systems.
    pub reason: String,
    /// The time since its request, silence or end, else since its start, with the event: `asked 12 min ago`. Empty if unknown.
    pub age: String,
    /// Whether this run is on screen.
    pub is_current: bool,
    /// The ranges in the name that match the search, in bytes.
    pub name_hits: Vec<Range<usize>>,
    /// The ranges in the id that match the search.
    pub id_hits: Vec<Range<usize>>,
    /// The ranges in the reason that match the search.
    pub reason_hits: Vec<Range<usize>>,
}

/// The rows of a source, the query, and the visible ranges.
#[derive(Debug, Default)]
pub(super) struct Runs {
    rows: Vec<ListRow>,
    entries: Vec<Entry>,
    /// The number of lionagi's plays among the rows.
    plays: usize,
    legacy_label: Option<String>,
    query: RunQuery,
    arrangement: Arrangement,
    visible: HashMap<GroupId, Range<usize>>,
    visible_legacy: Range<usize>,
    servers: Vec<ServerRows>,
}

impl Runs {
    /// Replaces the rows and, for a page's traffic, their servers. Legacy sessions form a group of their own only if
    /// there is a `legacy_label`.
    pub(super) fn replace(
        &mut self,
        rows: Vec<ListRow>,
        legacy_label: Option<String>,
        servers: Vec<ServerRows>,
        detail_of: impl Fn(usize) -> RowDetail,
        now: Millis,
    ) {
        let rows_of_servers = rows.iter().zip(Self::servers_of_rows(&servers)).enumerate();
        let entry = |(index, (row, server))| Entry::new(row, server, &detail_of(index), now);
        self.entries = rows_of_servers.map(entry).collect();
        self.rows = rows;
        self.legacy_label = legacy_label;
        self.servers = servers;
        self.arrange();
    }

    /// Replaces single rows. The list is arranged anew only if many change, or if one is counted or grouped differently.
    fn update(&mut self, changed: Vec<(usize, ListRow, RowDetail)>, now: Millis) {
        let words = self.query.words();
        let mut must_arrange = changed.len() > MAX_MOVES;
        for (index, row, detail) in changed {
            let entry = Entry::new(&row, self.entries[index].group.server, &detail, now);
            let known_row = std::mem::replace(&mut self.rows[index], row);
            let known = std::mem::replace(&mut self.entries[index], entry);
            let (row, entry) = (&self.rows[index], &self.entries[index]);
            if (known_row.taxonomy, known_row.is_legacy) != (row.taxonomy, row.is_legacy)
                || !known.counts_like(entry, &words)
            {
                must_arrange = true;
            } else if !must_arrange && known.compare(entry, self.query.sort).is_ne() {
                self.arrangement.move_row(index, &self.entries, self.query.sort);
            }
        }
        if must_arrange {
            self.arrange();
        }
    }

    /// Sets the query.
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

    /// Whether the source has no rows.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The list with its visible rows. `detail_of` returns the present details of a row, `line_of` the page's connection
    /// to a server; `current` is the row of the run on screen.
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
            let first = visible.start.min(indices.len());
            let shown = &indices[first..visible.end.clamp(first, indices.len())];
            RunWindow { total: indices.len(), first, rows: shown.iter().map(row).collect() }
        };
        let group = |(id, indices): &(GroupId, Vec<usize>)| {
            let is_folded = self.query.folded.contains(id);
            let shown = if is_folded { &[][..] } else { &indices[..] };
            let runs = window(shown, self.visible.get(id).cloned().unwrap_or(0..FIRST_ROWS));
            let count = format::count(indices.len() as f64);
            RunGroup { id: *id, label: id.attention.label().to_owned(), count, is_folded, runs }
        };
        let visible_legacy = || window(&self.arrangement.legacy, self.visible_legacy.clone());
        let legacy = |label: String| LegacyRuns { label, runs: visible_legacy() };
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
            current: current.and_then(|row| self.place_of(row)),
            origin: None,
        }
    }

    /// The group and the position of a row, unless it is hidden.
    fn place_of(&self, row: usize) -> Option<(GroupId, usize)> {
        let groups = self.arrangement.groups.iter().filter(|(id, _)| !self.query.folded.contains(id));
        let mut places = groups.map(|(id, rows)| (*id, rows.iter().position(|known| *known == row)));
        places.find_map(|(id, place)| Some((id, place?)))
    }

    fn arrange(&mut self) {
        let is_legacy = |row: &ListRow| self.legacy_label.is_some() && row.is_legacy;
        let (legacy, listed) = (0..self.rows.len()).partition(|index| is_legacy(&self.rows[*index]));
        self.arrangement = Arrangement::new(&self.entries, self.server_order(), listed, legacy, &self.query);
        self.plays = self.rows.iter().filter(|row| row.taxonomy == Taxonomy::Play).count();
    }

    /// The number of runs and, if search or filters hide some, the number of shown ones. A lionagi show is
    /// listed before its plays, and only the plays are counted.
    fn heading(&self, listed: usize, shown: Option<usize>) -> String {
        let (count, noun) = if self.plays > 0 { (self.plays, "plays") } else { (listed, "runs") };
        match (listed, shown) {
            (0, _) => "No runs here yet".to_owned(),
            (1, None) if self.plays == 0 => "1 run".to_owned(),
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
            reason = format!("{} · {reason}", system_of(row.taxonomy).name());
        }
        if let Some((end, _)) = reason.char_indices().nth(REASON_LETTERS) {
            reason.truncate(end);
            reason.push('…');
        }
        let since = detail.since.map(|at| (at, detail.since_event.map(SinceEvent::label)));
        let shown_time = since.or(row.at.map(|at| (at, Some("started"))));
        let age = |(at, label): (Millis, Option<&str>)| {
            let ago = format::rough_ago(now.since(at));
            label.map_or_else(|| ago.clone(), |label| format!("{label} {ago}"))
        };
        ListedRun {
            index,
            id: row.id.clone(),
            name: row.name.clone(),
            taxonomy: row.taxonomy,
            pill: shown_pill(row, detail.pill),
            age: shown_time.map(age).unwrap_or_default(),
            is_current: false,
            name_hits: hits(&row.name, words),
            id_hits: hits(&row.id, words),
            reason_hits: hits(&reason, words),
            reason,
        }
    }
}
