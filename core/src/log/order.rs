//! The order in which events happened, which may not be that of the lines.

use super::column::Column;
use super::store::Store;

/// By what the events are ordered.
///
/// See [`EventLog::ordering`](super::EventLog::ordering) for an example.
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
    #[inline]
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
        let mut rows = self.rows.take().unwrap_or_else(|| {
            let mut rows = Column::default();
            (0..self.count).for_each(|row| rows.push(row));
            rows
        });
        let new = sorted(store, self.by, self.count);
        let first = new.first().copied().unwrap_or_default();
        let from = rows.partition_point(|row| !before(store, self.by, first, row));
        let tail: Vec<u32> = (from..self.count).filter_map(|place| rows.get(place)).collect();
        let mut merged = Vec::with_capacity(tail.len() + new.len());
        merge(store, self.by, &tail, &new, &mut merged);
        for (place, row) in (from..).zip(merged) {
            if place < self.count {
                rows.set(place, row);
            } else {
                rows.push(row);
            }
        }
        self.rows = Some(rows);
        self.count = store.len();
        from
    }

    pub(super) fn memory(&self) -> usize {
        self.rows.as_ref().map_or(0, Column::memory)
    }
}

fn before(store: &Store, by: Ordering, first: u32, second: u32) -> bool {
    match by {
        Ordering::Time => store.time(first) < store.time(second),
        Ordering::Sequence => {
            let key = |row| (store.run_of(store.unit(row)), store.seq(row));
            key(first) < key(second)
        }
    }
}

/// The rows from one on, in order. Logs are almost in order, or a few ordered parts one after another: runs of ordered rows are
/// merged.
fn sorted(store: &Store, by: Ordering, begin: u32) -> Vec<u32> {
    let mut rows: Vec<u32> = (begin..store.len()).collect();
    let mut runs = vec![0];
    for row in begin + 1..store.len() {
        if before(store, by, row, row - 1) {
            runs.push((row - begin) as usize);
        }
    }
    runs.push(rows.len());
    let mut merged = Vec::with_capacity(rows.len());
    while runs.len() > 2 {
        let mut ends = vec![0];
        let mut from = 0;
        while from + 1 < runs.len() {
            let at = |index: usize| runs.get(from + index).or(runs.last()).copied().unwrap_or_default();
            let (first, second) = (rows.get(at(0)..at(1)), rows.get(at(1)..at(2)));
            merge(store, by, first.unwrap_or_default(), second.unwrap_or_default(), &mut merged);
            ends.push(merged.len());
            from += 2;
        }
        std::mem::swap(&mut rows, &mut merged);
        merged.clear();
        runs = ends;
    }
    rows
}

fn merge(store: &Store, by: Ordering, mut first: &[u32], mut second: &[u32], merged: &mut Vec<u32>) {
    while let (Some((left, left_rest)), Some((right, right_rest))) =
        (first.split_first(), second.split_first())
    {
        if before(store, by, *right, *left) {
            merged.push(*right);
            second = right_rest;
        } else {
            merged.push(*left);
            first = left_rest;
        }
    }
    merged.extend_from_slice(first);
    merged.extend_from_slice(second);
}
