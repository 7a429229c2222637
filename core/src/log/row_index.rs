//! The index of the rows of a log that match a filter, which is made in slices.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use super::EventLog;
use super::filter::{Filter, Search};
use super::row_id::RowId;
use crate::smithers::wire::{Category, EventType};

/// Rows between two checkpoints, which bound the cost of finding a window far down.
const CHECKPOINT_INTERVAL: u32 = 256;

/// Index of the rows of one log that match the last filter.
#[derive(Debug, Default)]
pub(crate) struct RowIndex {
    filter: Option<Filter>,
    version: u32,
    /// Whether gaps were hidden because the log omits frames.
    omits_frames: bool,
    verdicts: Verdicts,
    /// Checkpoints at rows of events: the row's number and the event's position in the order.
    checkpoints: Vec<(u32, u32)>,
    cursor: RowCursor,
    /// The first heartbeats of the rows that are open.
    open: BTreeSet<RowId>,
    /// The row whose position is wanted, and that position, once it was found.
    sought: Option<RowId>,
    found: Option<u32>,
}

/// Whether each event of a log, in order, has everything that a filter asks for besides its type.
#[derive(Debug, Default)]
struct Verdicts {
    filter: Option<Filter>,
    version: u32,
    /// One bit for each event.
    bits: Vec<u64>,
    /// The number of events with a verdict.
    judged: u32,
    /// The number of matches for each type.
    matches: Vec<u64>,
}

impl Verdicts {
    /// Judges the events that were added since the last call, until about this many bytes have been searched.
    fn update(&mut self, log: &EventLog, filter: &Filter, max_bytes: usize) {
        let version = log.order.version;
        let is_same = self.filter.as_ref().is_some_and(|before| *before == filter.of_all_kinds());
        if !is_same || self.version != version {
            *self = Self { filter: Some(filter.of_all_kinds()), version, ..Self::default() };
        }
        let mut search = Search::new(filter.text.as_deref().unwrap_or_default());
        while self.judged < log.order.len() && search.bytes < max_bytes {
            #[cfg(test)]
            work::count();
            let row = log.order.row(self.judged);
            let (word, bit) = (self.judged as usize / 64, self.judged % 64);
            if word == self.bits.len() {
                self.bits.push(0);
            }
            if filter.matches(&log.store, row, &mut search) {
                if let Some(bits) = self.bits.get_mut(word) {
                    *bits |= 1 << bit;
                }
                let kind = log.store.kind_index(row);
                if self.matches.len() <= kind {
                    self.matches.resize(kind + 1, 0);
                }
                if let Some(count) = self.matches.get_mut(kind) {
                    *count += 1;
                }
            }
            self.judged += 1;
        }
    }

    fn is_match(&self, place: u32) -> bool {
        self.bits.get(place as usize / 64).is_some_and(|bits| bits >> (place % 64) & 1 == 1)
    }
}

/// A cursor over the events and gaps, row by row.
#[derive(Clone, Debug, Default)]
pub(super) struct RowCursor {
    place: u32,
    gap: u32,
    /// The places before this one have the rows of their unreadable lines.
    unread: u32,
    pub(super) rows: u32,
    pub(super) heartbeat_rows: HeartbeatRows,
}

/// The last rows that are heartbeats; empty if the last row is something else.
#[derive(Clone, Debug, Default)]
pub(super) struct HeartbeatRows {
    /// The number of the first one.
    first: Option<u32>,
    /// The number of each attempt's row and whether it is open, by unit and attempt.
    by_attempt: HashMap<(u32, u16), (u32, bool)>,
}

impl HeartbeatRows {
    /// The row of an attempt, if it has one; otherwise it gets the row with this number.
    fn known_or_new(&mut self, attempt: (u32, u16), row: u32, is_open: bool) -> Option<(u32, bool)> {
        match self.by_attempt.entry(attempt) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(new) => {
                new.insert((row, is_open));
                self.first.get_or_insert(row);
                None
            }
        }
    }

    fn clear(&mut self) {
        self.first = None;
        self.by_attempt.clear();
    }

    /// Whether no row lies before this one.
    pub(super) fn begin_at(&self, row: u32) -> bool {
        self.first.is_none_or(|first| first >= row)
    }
}

/// The next step of the cursor.
pub(super) enum Step {
    /// A new row for a gap.
    Gap(u32),
    /// A new row for unreadable lines.
    Unread(u32),
    /// A new row for an event. A heartbeat may be followed by more of its attempt.
    Event(u32),
    /// A heartbeat that belongs to an earlier row; if that is open, it has a new row too.
    Heartbeat { event: u32, row: u32, is_open: bool },
}

impl Step {
    fn id(&self) -> RowId {
        match self {
            Self::Gap(gap) => RowId::Gap(u64::from(*gap)),
            Self::Unread(number) => RowId::Unread(u64::from(*number)),
            Self::Event(event) | Self::Heartbeat { event, .. } => RowId::Event(u64::from(*event)),
        }
    }
}

impl RowCursor {
    /// Advances to the next visible event or gap, of those that the index has judged.
    pub(super) fn next(&mut self, log: &EventLog, filter: &Filter, index: &RowIndex) -> Option<Step> {
        while self.place < index.verdicts.judged {
            if let Some(gap) = log.fold.gaps.get(self.gap as usize)
                && gap.before == self.place
            {
                self.gap += 1;
                let wanted = filter.run_id.as_deref().is_none_or(|run| log.store.runs.name(gap.run) == run);
                if filter.gaps && wanted && !log.is_frame_gap(gap) {
                    self.rows += 1;
                    self.heartbeat_rows.clear();
                    return Some(Step::Gap(self.gap - 1));
                }
                continue;
            }
            if let Some(step) = self.unread(log, filter) {
                return Some(step);
            }
            let (place, row) = (self.place, log.order.row(self.place));
            self.place += 1;
            let Some(kind) = log.store.kind(row).filter(|_| index.verdicts.is_match(place)) else { continue };
            if !filter.matches_kind(kind) {
                continue;
            }
            if kind.word.known() == Some(EventType::TaskHeartbeat) {
                let attempt = (log.store.unit(row), log.store.attempt_key(row));
                let is_open = index.open.contains(&RowId::Event(u64::from(row)));
                if let Some((known, is_open)) = self.heartbeat_rows.known_or_new(attempt, self.rows, is_open)
                {
                    self.rows += u32::from(is_open);
                    return Some(Step::Heartbeat { event: row, row: known, is_open });
                }
            } else {
                self.heartbeat_rows.clear();
            }
            self.rows += 1;
            return Some(Step::Event(row));
        }
        // Behind the last event.
        if self.place < log.order.len() { None } else { self.unread(log, filter) }
    }

    /// The place of the next event.
    pub(super) fn place(&self) -> u32 {
        self.place
    }

    /// The row of the unreadable lines at this place, once.
    fn unread(&mut self, log: &EventLog, filter: &Filter) -> Option<Step> {
        let is_new = filter.unread && self.unread <= self.place;
        let number = is_new.then(|| log.unread_before(self.place))??;
        self.unread = self.place + 1;
        self.rows += 1;
        self.heartbeat_rows.clear();
        Some(Step::Unread(number))
    }
}

impl RowIndex {
    /// Finds the rows that were added since the last call, until about this many bytes have been searched.
    pub(super) fn update(&mut self, log: &EventLog, filter: &Filter, max_bytes: usize) {
        self.verdicts.update(log, filter, max_bytes);
        let (version, omits_frames) = (log.order.version, log.omits_frames());
        if self.filter.as_ref() != Some(filter)
            || (self.version, self.omits_frames) != (version, omits_frames)
        {
            self.clear_rows();
            (self.filter, self.version, self.omits_frames) = (Some(filter.clone()), version, omits_frames);
        }
        let mut cursor = std::mem::take(&mut self.cursor);
        while let Some(step) = cursor.next(log, filter, self) {
            if Some(step.id()) == self.sought {
                self.found = Some(match step {
                    Step::Heartbeat { row, is_open: false, .. } => row,
                    Step::Heartbeat { is_open: true, .. }
                    | Step::Gap(_)
                    | Step::Unread(_)
                    | Step::Event(_) => cursor.rows - 1,
                });
            }
            let last = self.checkpoints.last().map_or(0, |checkpoint| checkpoint.0 + CHECKPOINT_INTERVAL);
            let row = cursor.rows - 1;
            // A checkpoint among heartbeats must be at the first one, or the cursor would not know to which rows the others
            // belong.
            let begins = cursor.heartbeat_rows.begin_at(row);
            if matches!(step, Step::Event(_)) && begins && row >= last {
                self.checkpoints.push((row, cursor.place - 1));
            }
        }
        self.cursor = cursor;
    }

    fn clear_rows(&mut self) {
        self.checkpoints.clear();
        (self.cursor, self.found) = (RowCursor::default(), None);
        // The rows of the next call are other ones.
        self.filter = None;
    }

    /// The number of rows that were found.
    pub(crate) fn total(&self) -> u32 {
        self.cursor.rows
    }

    /// The part of the log that was searched, from 0 to 1; `None` if it was all.
    pub(crate) fn searched(&self, log: &EventLog) -> Option<f32> {
        let (judged, all) = (self.verdicts.judged, log.order.len());
        (judged < all).then(|| judged as f32 / all as f32)
    }

    /// The number of events of each category that match the filter, whatever its categories.
    pub(crate) fn matches(&self, log: &EventLog) -> HashMap<Category, u64> {
        let mut counts = HashMap::new();
        for (kind, count) in
            log.store.kinds.iter().zip(&self.verdicts.matches).filter(|(_, count)| **count > 0)
        {
            *counts.entry(kind.category()).or_default() += count;
        }
        counts
    }

    /// The ids of all events and gaps that were found, in order.
    pub(super) fn ids(&self, log: &EventLog, filter: &Filter) -> Vec<RowId> {
        let mut cursor = RowCursor::default();
        std::iter::from_fn(|| cursor.next(log, filter, self)).map(|step| step.id()).collect()
    }

    /// Looks for the position of this row from now on.
    pub(super) fn seek(&mut self, id: Option<RowId>) {
        if self.sought != id {
            self.sought = id;
            self.clear_rows();
        }
    }

    /// Like [`seek`](Self::seek), for a row whose position with the last filter is known.
    pub(crate) fn seek_at(&mut self, id: RowId, at: u32) {
        (self.sought, self.found) = (Some(id), Some(at));
    }

    /// The position of the row that is looked for; `None` if the filter hides it, or it was not found yet.
    pub(crate) fn position(&self) -> Option<u32> {
        self.found
    }

    /// Opens the rows that begin with these heartbeats, and closes all others.
    pub(crate) fn set_open(&mut self, heartbeats: &BTreeSet<RowId>) {
        self.open.clone_from(heartbeats);
        self.clear_rows();
    }

    /// A cursor at the last checkpoint before this row.
    pub(super) fn cursor_near(&self, log: &EventLog, row: u32) -> RowCursor {
        let after = self.checkpoints.partition_point(|checkpoint| checkpoint.0 <= row);
        let Some((rows, place)) =
            after.checked_sub(1).and_then(|checkpoint| self.checkpoints.get(checkpoint)).copied()
        else {
            return RowCursor::default();
        };
        // The gaps before an event have their rows before it.
        let gap = log.fold.gaps.partition_point(|gap| gap.before <= place) as u32;
        RowCursor { place, gap, unread: place + 1, rows, heartbeat_rows: HeartbeatRows::default() }
    }

    pub(super) fn memory(&self) -> usize {
        self.checkpoints.capacity() * size_of::<(u32, u32)>()
            + self.verdicts.bits.capacity() * size_of::<u64>()
    }
}

/// Counts judged events, to test that a search is not repeated.
#[cfg(test)]
mod work {
    use std::cell::Cell;

    thread_local!(static DONE: Cell<u64> = const { Cell::new(0) });

    pub(super) fn count() {
        DONE.set(DONE.get() + 1);
    }

    /// The count since the last call.
    pub(super) fn take() -> u64 {
        DONE.replace(0)
    }
}

#[cfg(test)]
mod tests {
    use super::work;
    use crate::log::{EventLog, Filter};
    use crate::smithers::wire::Category;

    fn push(log: &mut EventLog, events: std::ops::Range<u32>) {
        for at in events {
            let line = format!(r#"{{"type":"RunStarted","runId":"r{}","timestampMs":{at}}}"#, at % 7);
            log.push((line + "\n").as_bytes());
        }
    }

    #[test]
    fn each_event_is_searched_once_for_a_text() {
        let mut log = EventLog::new();
        push(&mut log, 0..10_000);
        let filter = Filter { text: Some("R3".to_owned()), ..Filter::default() };
        let judged = |log: &mut EventLog, start: u32, filter: &Filter| {
            work::take();
            let page = log.rows(start, start + 40, filter);
            (page.total, page.rows.len(), work::take())
        };
        assert_eq!(judged(&mut log, 0, &filter), (1_429, 40, 10_000));
        assert_eq!(judged(&mut log, 1_400, &filter), (1_429, 29, 0), "another window");
        let of_runs = Filter { categories: vec![Category::Run], ..filter.clone() };
        assert_eq!(judged(&mut log, 0, &of_runs), (1_429, 40, 0), "other categories");
        let of_nodes = Filter { categories: vec![Category::Node], ..filter.clone() };
        assert_eq!(judged(&mut log, 0, &of_nodes), (0, 0, 0));
        push(&mut log, 10_000..10_007);
        assert_eq!(judged(&mut log, 0, &filter), (1_430, 40, 7), "events that were added");
        let other = Filter { text: Some("r4".to_owned()), ..Filter::default() };
        assert_eq!(judged(&mut log, 0, &other).2, 10_007, "another text");
    }
}
