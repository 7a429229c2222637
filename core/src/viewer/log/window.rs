//! What the page draws of a log, and what a person does in it.

use serde::{Deserialize, Serialize};

use super::{Family, LogQuery};
use crate::pill::{Icon, Tone};

/// A person's action in the log, or a change of the visible rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum LogAction {
    /// These rows are on screen.
    Show {
        /// The first row, from 0.
        first: usize,
        /// The number of rows.
        count: usize,
    },
    /// Searches and filters the events.
    Query(LogQuery),
    /// Opens a folded row, so that each of its events has a row, or closes it.
    Toggle {
        /// The row, from 0.
        row: usize,
    },
    /// Opens the selected row.
    Open,
    /// Closes the selected row.
    Close,
    /// Selects a row and its node.
    Select {
        /// The row, from 0.
        row: usize,
    },
    /// Moves the selection by this many rows, at most to the first or last one.
    Move {
        /// Positive numbers move down.
        by: i32,
    },
    /// Selects the first row.
    First,
    /// Selects the last row.
    Last,
}

/// Some consecutive rows of a log, the oldest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LogWindow {
    /// The number of events of the run, whatever the filters.
    pub events: u64,
    /// The number of events that are missing according to their numbers.
    pub missing: u64,
    /// The number of rows with these filters.
    pub total: usize,
    /// The number of events with these filters.
    pub matches: u64,
    /// The position of the first row of the window, from 0.
    pub first: usize,
    /// The rows of the window.
    pub rows: Vec<LogEntry>,
    /// The families of the run's events with their numbers of events; with a filter by node, of that node.
    pub families: Vec<FamilyCount>,
    /// The search and the filters.
    pub query: LogQuery,
    /// The searched part of the log in percent, while a search is running.
    pub searched: Option<u32>,
    /// The number of runs in the log.
    pub runs: usize,
    /// The position of the selected row.
    pub selected: Option<usize>,
    /// Whether a row is selected that the filters hide.
    pub is_selected_hidden: bool,
    /// The attempt of the selected event.
    pub selected_attempt: Option<u32>,
    /// Whether events are added while the source is open.
    pub is_live: bool,
    /// What the log does not contain, and why, as a sentence.
    pub note: Option<String>,
    /// Why there is no event, and what to do, as sentences; `None` if there are events.
    pub empty: Option<String>,
}

/// The events of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FamilyCount {
    /// The family.
    pub family: Family,
    /// The number of its events.
    pub count: u64,
    /// Whether it is chosen.
    pub is_on: bool,
}

/// What a row stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LogEntryKind {
    /// One event.
    Event,
    /// Consecutive events of the same kind, such as heartbeats.
    Folded {
        /// Their number.
        count: u32,
        /// The time of the last one.
        until: String,
        /// Whether rows of all events but the first follow.
        is_open: bool,
    },
    /// Events that are missing; `detail` says which.
    Gap,
}

/// The node of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EntryNode {
    /// The author's id.
    pub node_id: String,
    /// The iteration, from 0; `None` if the event does not say it.
    pub iteration: Option<u32>,
    /// Its name, if it differs from its id.
    pub name: Option<String>,
}

/// A row of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LogEntry {
    /// What the row stands for.
    pub kind: LogEntryKind,
    /// The time of day, with milliseconds; empty if it is not known.
    pub at: String,
    /// Date and time; `None` if they are not known.
    pub moment: Option<String>,
    /// The date, if it is not that of the row before.
    pub day: Option<String>,
    /// The number of the event; empty if it has none.
    pub number: String,
    /// The type, as it was written.
    pub name: String,
    /// Whether the type is in the system's vocabulary.
    pub is_known: bool,
    /// The family.
    pub family: Family,
    /// The icon.
    pub icon: Icon,
    /// The tone of the icon.
    pub tone: Tone,
    /// The run, if the events of several runs are shown.
    pub run: Option<String>,
    /// Whether it is an event of another run than the one on screen: its node is not one of that run.
    pub is_of_other_run: bool,
    /// The node, if the event is about one.
    pub node: Option<EntryNode>,
    /// The attempt.
    pub attempt: Option<u32>,
    /// What happened, in one line; empty if the type says it.
    pub detail: String,
}
