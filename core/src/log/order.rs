//! The order in which events happened.
//!
//! Sequence numbers decide if there are any, else the order of the file: a clock that steps back during a run moves no
//! event. Times only merge several files, and show that a file is newest first throughout.

use std::cmp;
use std::collections::BTreeMap;

use super::column::Column;
use super::effect::Effect;
use super::store::Store;

/// The rule by which the events are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum Ordering {
    /// The order of the file. If some events of a run have sequence numbers, these change places among themselves.
    #[default]
    File,
    /// The file is newest first: its order, turned.
    NewestFirst,
    /// Several files, each in its own order, merged by the latest time so far in each.
    Merged,
    /// Run, then sequence number; used if every event has one.
    Sequence,
}

/// The rows of a store, sorted.
#[derive(Debug, Default)]
pub(super) struct Order {
    ordering: Ordering,
    /// The sorted rows; `None` while that is the order of the lines.
    rows: Option<Column<u32>>,
    /// The number of sorted rows.
    count: u32,
    /// The number of rows with sequence numbers when they were sorted.
    numbered: u32,
    /// The first rows of all files but the first.
    files: Vec<u32>,
    direction: Direction,
    /// Incremented when rows move to other places.
    pub(super) version: u32,
}

/// Whether times rise or fall from line to line, without repeats.
#[derive(Debug, Default)]
struct Direction {
    /// The number of rows that were compared.
    seen: u32,
    /// The last of them that is no repeat.
    last: Option<u32>,
    falls: u32,
    rises: bool,
}

impl Direction {
    /// The number of falls after which a file without rises is newest first. Fewer may be a clock that steps back.
    const ENOUGH_FALLS: u32 = 3;

    fn update(&mut self, store: &Store) {
        for row in (self.seen..store.len()).filter(|row| !store.is_repeat(*row)) {
            if let Some(last) = self.last.replace(row) {
                let (before, at) = (store.time(last), store.time(row));
                self.falls += u32::from(at < before);
                self.rises |= at > before;
            }
            if self.rises {
                break;
            }
        }
        self.seen = store.len();
    }

    fn is_newest_first(&self, store: &Store) -> bool {
        let starts = |row| store.kind(row).is_some_and(|kind| kind.effect == Effect::RunStarted);
        let ends_with_start = || self.last.is_some_and(starts);
        !self.rises && self.falls > 0 && !starts(0) && (self.falls >= Self::ENOUGH_FALLS || ends_with_start())
    }
}

impl Order {
    pub(super) fn len(&self) -> u32 {
        self.count
    }

    pub(super) fn ordering(&self) -> Ordering {
        self.ordering
    }

    /// The row at this position of the order.
    pub(super) fn row(&self, place: u32) -> u32 {
        self.rows.as_ref().map_or(place, |rows| rows.get(place).unwrap_or(place))
    }

    /// Whether the order is that of the rows.
    pub(super) fn is_of_rows(&self) -> bool {
        self.rows.is_none()
    }

    /// The rows from here on are those of another file.
    pub(super) fn begin_file(&mut self, row: u32) {
        self.files.push(row);
    }

    /// Sorts the rows that were added since the last call. Returns the first position with a different row than before.
    pub(super) fn update(&mut self, store: &Store) -> u32 {
        self.direction.update(store);
        let ordering = self.ordering_of(store);
        if ordering != std::mem::replace(&mut self.ordering, ordering) {
            (self.rows, self.count) = (None, 0);
            self.version += 1;
        }
        match ordering {
            Ordering::Sequence => self.sort(store),
            Ordering::File if store.seq_count == 0 => std::mem::replace(&mut self.count, store.len()),
            Ordering::File | Ordering::NewestFirst | Ordering::Merged => self.rearrange(store),
        }
    }

    fn ordering_of(&self, store: &Store) -> Ordering {
        if store.len() > 0 && store.seq_count == store.len() {
            Ordering::Sequence
        } else if !self.files.is_empty() {
            Ordering::Merged
        } else if self.direction.is_newest_first(store) {
            Ordering::NewestFirst
        } else {
            Ordering::File
        }
    }

    /// Arranges all rows anew, which few logs need.
    fn rearrange(&mut self, store: &Store) -> u32 {
        let before = self.count;
        if before == store.len() && self.numbered == store.seq_count {
            return before;
        }
        let mut rows: Vec<u32> = (0..store.len()).collect();
        match self.ordering {
            Ordering::NewestFirst => rows.reverse(),
            Ordering::Merged => self.merge_files(store, &mut rows),
            Ordering::File | Ordering::Sequence => {}
        }
        if store.seq_count > 0 {
            place_by_number(store, &mut rows);
        }
        let from = (0..before).find(|place| rows.get(*place as usize) != Some(&self.row(*place)));
        let mut column = Column::default();
        for row in rows {
            column.push(row);
        }
        (self.rows, self.count, self.numbered) = (Some(column), store.len(), store.seq_count);
        self.version += u32::from(from.is_some());
        from.unwrap_or(before)
    }

    /// Merges the rows of several files. A file whose clock steps back keeps its order.
    fn merge_files(&self, store: &Store, rows: &mut [u32]) {
        let mut files = self.files.iter().copied().peekable();
        let mut latest = f64::NEG_INFINITY;
        let mut keys: Vec<f64> = Vec::with_capacity(rows.len());
        for row in 0..store.len() {
            while files.next_if_eq(&row).is_some() {
                latest = f64::NEG_INFINITY;
            }
            if !store.is_repeat(row) {
                latest = latest.max(store.time(row));
            }
            keys.push(latest);
        }
        let key = |row: u32| keys.get(row as usize).copied().unwrap_or_default();
        rows.sort_by(|first, second| key(*first).total_cmp(&key(*second)));
    }

    /// Sorts the new rows by their numbers.
    fn sort(&mut self, store: &Store) -> u32 {
        let before = self.count;
        self.append(store);
        if self.count == store.len() {
            return before;
        }
        let from = self.merge(store);
        self.version += 1;
        from.min(before)
    }

    /// Appends new rows until one belongs before its predecessor.
    fn append(&mut self, store: &Store) {
        for row in self.count..store.len() {
            let last = self.count.checked_sub(1).map(|place| self.row(place));
            if last.is_some_and(|last| is_before(store, row, last)) {
                return;
            }
            if let Some(rows) = &mut self.rows {
                rows.push(row);
            }
            self.count += 1;
        }
    }

    /// Inserts the remaining rows in order. Returns the first changed position.
    fn merge(&mut self, store: &Store) -> u32 {
        let rows = self.rows.get_or_insert_with(|| {
            let mut rows = Column::default();
            (0..self.count).for_each(|row| rows.push(row));
            rows
        });
        let new = sort_rows(store, self.count);
        // Makes room at the end, then merges from the back, so that each row moves only once.
        for row in &new {
            rows.push(*row);
        }
        let (mut sorted, mut place) = (self.count, store.len());
        for row in new.into_iter().rev() {
            while let Some(last) = sorted.checked_sub(1).and_then(|last| rows.get(last))
                && is_before(store, row, last)
            {
                (sorted, place) = (sorted - 1, place - 1);
                rows.set(place, last);
            }
            place -= 1;
            rows.set(place, row);
        }
        self.count = store.len();
        place
    }

    pub(super) fn memory(&self) -> usize {
        self.rows.as_ref().map_or(0, Column::memory)
    }
}

fn is_before(store: &Store, first: u32, second: u32) -> bool {
    compare(store, first, second).is_lt()
}

/// Compares runs, then sequence numbers.
fn compare(store: &Store, first: u32, second: u32) -> cmp::Ordering {
    let key = |row| (store.run_of(store.unit(row)), store.seq(row));
    key(first).cmp(&key(second))
}

/// The rows from `begin` on, sorted. The unstable sort needs no extra memory, which WebAssembly could never release.
fn sort_rows(store: &Store, begin: u32) -> Vec<u32> {
    let mut rows: Vec<u32> = (begin..store.len()).collect();
    rows.sort_unstable_by(|first, second| compare(store, *first, *second).then(first.cmp(second)));
    rows
}

/// Gives the places that a run's numbered events have to these events in the order of their numbers. Repeats, which no
/// list shows, do not count.
fn place_by_number(store: &Store, rows: &mut [u32]) {
    let mut places: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (place, row) in rows.iter().enumerate() {
        if store.seq(*row).is_some() && !store.is_repeat(*row) {
            places.entry(store.run_of(store.unit(*row))).or_default().push(place);
        }
    }
    for places in places.values() {
        let mut numbered: Vec<u32> = places.iter().filter_map(|place| rows.get(*place).copied()).collect();
        numbered.sort_by_key(|row| store.seq(*row));
        for (place, row) in places.iter().zip(numbered) {
            if let Some(known) = rows.get_mut(*place) {
                *known = row;
            }
        }
    }
}
