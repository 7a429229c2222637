//! Search, filters, groups and counts.

use std::collections::HashMap;

use super::entry::{Entry, StateStyle};
use super::query::{RunQuery, RunSort};
use super::{GroupId, NoMatch, StateCount, SystemCount};
use crate::format;
use crate::ingest::System;
use crate::pill::Tone;
use crate::viewer::Attention;
use crate::word::Vocabulary;

/// Above this number, the list states that search and filters cover all rows.
const MANY: usize = 50;

/// The rows by group, as positions in the source's list, and the counts.
#[derive(Debug, Default)]
pub(super) struct Arrangement {
    /// The groups that have rows, by server and in the order of [`Attention`].
    pub(super) groups: Vec<(GroupId, Vec<usize>)>,
    /// The numbers of the servers in order; a single `None` if the list is not by server.
    pub(super) servers: Vec<Option<usize>>,
    /// The number of rows of each server, without legacy sessions.
    by_server: HashMap<Option<usize>, usize>,
    /// The legacy sessions that the search finds.
    pub(super) legacy: Vec<usize>,
    pub(super) systems: Vec<SystemCount>,
    pub(super) states: Vec<StateCount>,
    /// The number of rows, without legacy sessions.
    pub(super) listed: usize,
    /// The number of rows that the search finds.
    found: usize,
}

/// The rows of each group, in the order of the query.
fn sorted_groups(
    entries: &[Entry],
    indices: impl Iterator<Item = usize>,
    query: &RunQuery,
) -> HashMap<GroupId, Vec<usize>> {
    let mut groups: HashMap<GroupId, Vec<usize>> = HashMap::new();
    for index in indices {
        groups.entry(entries[index].group).or_default().push(index);
    }
    for rows in groups.values_mut() {
        rows.sort_by(|one, other| entries[*one].compare(&entries[*other], query.sort));
    }
    groups
}

impl Arrangement {
    /// Arranges rows; those in `legacy` are not counted.
    pub(super) fn new(
        entries: &[Entry],
        servers: Vec<Option<usize>>,
        listed: Vec<usize>,
        legacy: Vec<usize>,
        query: &RunQuery,
    ) -> Self {
        let words = query.words();
        let find = |indices: Vec<usize>| -> Vec<usize> {
            indices.into_iter().filter(|index| entries[*index].matches(&words)).collect()
        };
        let count = listed.len();
        let systems = |indices: &[usize]| counts(indices.iter().map(|index| entries[*index].system));
        let listed_systems = systems(&listed);
        let by_server = counts(listed.iter().map(|index| entries[*index].group.server));
        let found = find(listed);
        let found_systems = systems(&found);
        let has_system = |index: &usize| query.system.is_none_or(|system| entries[*index].system == system);
        let in_system: Vec<usize> = found.iter().copied().filter(has_system).collect();
        let has_state =
            |index: &usize| query.states.is_empty() || query.states.contains(&entries[*index].state.label);
        let mut by_group = sorted_groups(entries, in_system.iter().copied().filter(has_state), query);
        let group = |id: GroupId| Some((id, by_group.remove(&id)?));
        let ids = |server: &Option<usize>| {
            let server = *server;
            Attention::ALL.iter().map(move |attention| GroupId { server, attention: *attention })
        };
        Self {
            groups: servers.iter().flat_map(ids).filter_map(group).collect(),
            servers,
            by_server,
            legacy: find(legacy),
            systems: system_counts(&listed_systems, &found_systems),
            states: state_counts(entries, &in_system, query),
            listed: count,
            found: found.len(),
        }
    }

    /// Moves a row to its place in the order of its group, whose other rows are in order.
    pub(super) fn move_row(&mut self, row: usize, entries: &[Entry], sort: RunSort) {
        let group = self.groups.iter_mut().find(|(id, _)| *id == entries[row].group);
        let Some((_, rows)) = group else { return };
        let Some(place) = rows.iter().position(|known| *known == row) else { return };
        rows.remove(place);
        let is_before =
            |other: &usize| entries[*other].compare(&entries[row], sort).then(other.cmp(&row)).is_lt();
        rows.insert(rows.partition_point(is_before), row);
    }

    /// The number of shown rows, including those of folded groups.
    pub(super) fn shown(&self) -> usize {
        self.groups.iter().map(|(_, rows)| rows.len()).sum()
    }

    /// A server's number of rows, and how many of them are shown, including those of folded groups.
    pub(super) fn counts_of(&self, server: usize) -> (usize, usize) {
        let shown =
            self.groups.iter().filter(|(id, _)| id.server == Some(server)).map(|(_, rows)| rows.len());
        (self.by_server.get(&Some(server)).copied().unwrap_or(0), shown.sum())
    }

    /// The text to show if no row matches search and filters.
    pub(super) fn no_match(&self, query: &RunQuery) -> Option<NoMatch> {
        if self.listed == 0 || self.shown() > 0 {
            return None;
        }
        let search = query.search.trim();
        let mut sought = if search.is_empty() { "Runs".to_owned() } else { format!("“{search}”") };
        if query.has_filter() {
            sought = format!("{sought} with {}", filters(query));
        }
        let mut sentence = format!("{sought}: 0 of {} runs.", format::count(self.listed as f64));
        let runs = runs(self.found);
        let finds_more = query.has_filter() && self.found > 0;
        if finds_more && !search.is_empty() {
            sentence = format!("{sentence} The same words without the filter: {runs}.");
        }
        Some(NoMatch { sentence, without_filters: finds_more.then(|| format!("Show the {runs}")) })
    }

    /// The scope of search and filters, or the number of matches that pass a filter.
    pub(super) fn foot(&self, query: &RunQuery) -> Option<String> {
        let shown = self.shown();
        if shown > 0 && query.has_filter() {
            let (shown, found) = (format::count(shown as f64), format::count(self.found as f64));
            let noun = if query.search.trim().is_empty() { "runs" } else { "matches" };
            return Some(format!("{shown} of {found} {noun} shown: {}.", filters(query)));
        }
        let all = format::count(self.listed as f64);
        (self.listed > MANY).then(|| format!("Search, filters and counts cover all {all} runs."))
    }
}

/// The filters as text.
fn filters(query: &RunQuery) -> String {
    let states = (!query.states.is_empty()).then(|| format!("state {}", query.states.join(" or ")));
    let system = query.system.map(|system| format!("system {}", system.name()));
    states.into_iter().chain(system).collect::<Vec<_>>().join(", ")
}

/// A number of runs, as text.
pub(super) fn runs(count: usize) -> String {
    if count == 1 { "1 run".to_owned() } else { format!("{} runs", format::count(count as f64)) }
}

fn counts<T: std::hash::Hash + Eq>(items: impl Iterator<Item = T>) -> HashMap<T, usize> {
    let mut counts = HashMap::new();
    for item in items {
        *counts.entry(item).or_default() += 1;
    }
    counts
}

/// The systems of the list, where it is of several; one of which the search finds nothing stays, with 0.
fn system_counts(listed: &HashMap<System, usize>, found: &HashMap<System, usize>) -> Vec<SystemCount> {
    let count = |system: &System| SystemCount {
        system: *system,
        label: system.name().to_owned(),
        count: format::count(found.get(system).copied().unwrap_or(0) as f64),
    };
    let is_listed = |system: &&System| listed.len() > 1 && listed.contains_key(*system);
    System::ALL.iter().filter(is_listed).map(count).collect()
}

/// The states of the rows, the most urgent first. A chosen state stays in the list, with 0.
fn state_counts(entries: &[Entry], indices: &[usize], query: &RunQuery) -> Vec<StateCount> {
    let count = counts(indices.iter().map(|index| entries[*index].state.label.as_str()));
    let chosen = entries.iter().filter(|entry| query.states.contains(&entry.state.label));
    let mut looks: HashMap<&str, (Attention, &StateStyle)> = HashMap::new();
    for entry in indices.iter().map(|index| &entries[*index]).chain(chosen) {
        looks.entry(&entry.state.label).or_insert((entry.group.attention, &entry.state));
    }
    let mut states: Vec<_> = looks.into_values().collect();
    let number = |label: &str| count.get(label).copied().unwrap_or(0);
    states.sort_by_key(|(attention, look)| {
        (rank(*attention, look.tone), std::cmp::Reverse(number(&look.label)), &look.label)
    });
    let state = |(_, look): (Attention, &StateStyle)| StateCount {
        label: look.label.clone(),
        tone: look.tone,
        icon: look.icon,
        known: look.known,
        count: format::count(number(&look.label) as f64),
    };
    states.into_iter().map(state).collect()
}

/// Runs that ended with an error follow those that need a person.
fn rank(attention: Attention, tone: Tone) -> u8 {
    match (attention, tone) {
        (Attention::NeedsYou, _) => 0,
        (_, Tone::Error) => 1,
        (Attention::Active, _) => 2,
        (Attention::Unknown, _) => 3,
        (Attention::Ended, _) => 4,
    }
}
