//! The order in which events happened, which can differ from the order of the lines.

use std::cmp;

use super::column::Column;
use super::store::Store;

/// The sort key of the events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum Ordering {
    /// Time, then line; used unless every event has a sequence number.
    #[default]
    Time,
    /// Run, then sequence number.
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
    /// Incremented when rows move to other places.
    pub(super) version: u32,
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

    /// Sorts the rows that were added since the last call. Returns the first position with a different row than before.
    pub(super) fn update(&mut self, store: &Store) -> u32 {
        let ordering = if store.seq_count == store.len() { Ordering::Sequence } else { Ordering::Time };
        if ordering != std::mem::replace(&mut self.ordering, ordering) {
            (self.rows, self.count) = (None, 0);
            self.version += 1;
        }
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
            if last.is_some_and(|last| is_before(store, self.ordering, row, last)) {
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
        let new = sort_rows(store, self.ordering, self.count);
        // Makes room at the end, then merges from the back, so that each row moves only once.
        for row in &new {
            rows.push(*row);
        }
        let (mut sorted, mut place) = (self.count, store.len());
        for row in new.into_iter().rev() {
            while let Some(last) = sorted.checked_sub(1).and_then(|last| rows.get(last))
                && is_before(store, self.ordering, row, last)
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

fn is_before(store: &Store, ordering: Ordering, first: u32, second: u32) -> bool {
    compare(store, ordering, first, second).is_lt()
}

fn compare(store: &Store, ordering: Ordering, first: u32, second: u32) -> cmp::Ordering {
    match ordering {
        // Adding zero turns negative zero into zero.
        Ordering::Time => (store.time(first) + 0.0).total_cmp(&(store.time(second) + 0.0)),
        Ordering::Sequence => {
            let key = |row| (store.run_of(store.unit(row)), store.seq(row));
            key(first).cmp(&key(second))
        }
    }
}

/// The rows from `begin` on, sorted. The unstable sort needs no extra memory, which WebAssembly could never release.
fn sort_rows(store: &Store, ordering: Ordering, begin: u32) -> Vec<u32> {
    let mut rows: Vec<u32> = (begin..store.len()).collect();
    rows.sort_unstable_by(|first, second| compare(store, ordering, *first, *second).then(first.cmp(second)));
    rows
}
