//! The order in which events happened, which may not be that of the lines.

use std::cmp;

use super::column::Column;
use super::store::Store;

/// By what the events are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ordering {
    /// By time, and by line where times are equal: not every event has a sequence number.
    #[default]
    Time,
    /// By sequence number, run after run.
    Sequence,
}

/// The rows of a store in order.
#[derive(Debug, Default)]
pub(super) struct Order {
    by: Ordering,
    /// The rows in order; `None` while that is the order of the lines.
    rows: Option<Column<u32>>,
    /// How many rows are in order.
    count: u32,
    /// Counts up when rows have other places than before.
    pub(super) version: u32,
}

impl Order {
    pub(super) fn len(&self) -> u32 {
        self.count
    }

    pub(super) fn by(&self) -> Ordering {
        self.by
    }

    /// The row at this place of the order.
    pub(super) fn row(&self, place: u32) -> u32 {
        self.rows.as_ref().map_or(place, |rows| rows.get(place).unwrap_or(place))
    }

    /// Takes in the rows that came since, and gives the first place whose row is another than before.
    pub(super) fn arrange(&mut self, store: &Store) -> u32 {
        let by = if store.with_seq == store.len() { Ordering::Sequence } else { Ordering::Time };
        if by != std::mem::replace(&mut self.by, by) {
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

    /// Puts new rows at the end, as long as each comes after the one before.
    fn append(&mut self, store: &Store) {
        for row in self.count..store.len() {
            let last = self.count.checked_sub(1).map(|place| self.row(place));
            if last.is_some_and(|last| before(store, self.by, row, last)) {
                return;
            }
            if let Some(rows) = &mut self.rows {
                rows.push(row);
            }
            self.count += 1;
        }
    }

    /// Puts the remaining rows where they belong. Everything before the place of the first of them stays as it is.
    fn merge(&mut self, store: &Store) -> u32 {
        let rows = self.rows.get_or_insert_with(|| {
            let mut rows = Column::default();
            (0..self.count).for_each(|row| rows.push(row));
            rows
        });
        let new = sorted(store, self.by, self.count);
        // The room for them; then they come in from behind, so that what was there moves aside once.
        for row in &new {
            rows.push(*row);
        }
        let (mut known, mut place) = (self.count, store.len());
        for row in new.into_iter().rev() {
            while let Some(last) = known.checked_sub(1).and_then(|last| rows.get(last))
                && before(store, self.by, row, last)
            {
                (known, place) = (known - 1, place - 1);
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

fn before(store: &Store, by: Ordering, first: u32, second: u32) -> bool {
    compare(store, by, first, second).is_lt()
}

fn compare(store: &Store, by: Ordering, first: u32, second: u32) -> cmp::Ordering {
    match by {
        // Negative zero is the moment 0 as well.
        Ordering::Time => (store.time(first) + 0.0).total_cmp(&(store.time(second) + 0.0)),
        Ordering::Sequence => {
            let key = |row| (store.run_of(store.unit(row)), store.seq(row));
            key(first).cmp(&key(second))
        }
    }
}

/// The rows from one on, in order. WebAssembly's memory never shrinks: this sort needs no room of its own.
fn sorted(store: &Store, by: Ordering, begin: u32) -> Vec<u32> {
    let mut rows: Vec<u32> = (begin..store.len()).collect();
    rows.sort_unstable_by(|first, second| compare(store, by, *first, *second).then(first.cmp(second)));
    rows
}
