//! Finds events that the log already contains.

use super::column::Column;
use super::hash_index::HashIndex;

/// The number of events in one range of times.
const PART: u32 = 64;
/// The maximum number of ranges that a search visits: the events of parallel tasks overlap by less.
const MAX_RANGES: usize = 16;

/// Index of the events so far by the hash of their text.
///
/// The same text has the same time. In a log that is nearly in order, a repeated event is therefore among the last ones,
/// and a short backward search is sufficient. A hash table of all events costs more than all other work on an event, so
/// it is built only for logs that are out of order.
#[derive(Debug, Default)]
pub(super) struct DedupIndex {
    /// Used while there is no table; until then no two events have the same text.
    ranges: Vec<Range>,
    table: Option<HashIndex>,
}

/// The times of [`PART`] events.
#[derive(Debug)]
struct Range {
    /// The earliest of them.
    earliest: f64,
    /// The latest of them and of all before.
    latest: f64,
}

/// The search would have to visit too many ranges.
struct TooManyRanges;

/// The key of an event that is searched or added.
#[derive(Clone, Copy)]
pub(super) struct EventKey {
    pub(super) hash: u32,
    /// The time; NaN if it is not part of the text.
    pub(super) at: f64,
}

impl DedupIndex {
    /// The event with this key for which `is_same` holds. `hashes` are those of all events so far.
    pub(super) fn find(
        &mut self,
        key: EventKey,
        hashes: &Column<u32>,
        mut is_same: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        if self.table.is_none()
            && let Ok(found) = self.look_back(key, hashes, &mut is_same)
        {
            return found;
        }
        self.table(hashes).find(key.hash, is_same)
    }

    /// Adds the next event after those in `hashes`. An event that is not `new` is found by the one that it repeats.
    pub(super) fn add(&mut self, key: EventKey, hashes: &Column<u32>, new: bool) {
        let row = hashes.len() as u32;
        if new && self.table.is_none() {
            return self.extend(row, key.at);
        }
        let table = self.table(hashes);
        if new {
            table.insert(key.hash, row, |row| hashes.get(row).unwrap_or_default());
        }
    }

    pub(super) fn memory(&self) -> usize {
        self.ranges.capacity() * size_of::<Range>() + self.table.as_ref().map_or(0, HashIndex::memory)
    }

    /// Searches the last events that may have this time.
    fn look_back(
        &self,
        key: EventKey,
        hashes: &Column<u32>,
        is_same: &mut impl FnMut(u32) -> bool,
    ) -> Result<Option<u32>, TooManyRanges> {
        if key.at.is_nan() {
            return Err(TooManyRanges);
        }
        for (visited, (part, range)) in self.ranges.iter().enumerate().rev().enumerate() {
            if range.latest < key.at {
                break;
            }
            if visited == MAX_RANGES {
                return Err(TooManyRanges);
            }
            if range.earliest <= key.at {
                let from = part as u32 * PART;
                for row in from..(from + PART).min(hashes.len() as u32) {
                    if hashes.get(row) == Some(key.hash) && is_same(row) {
                        return Ok(Some(row));
                    }
                }
            }
        }
        Ok(None)
    }

    fn extend(&mut self, row: u32, at: f64) {
        let before = self.ranges.last().map_or(at, |last| last.latest);
        let latest = if at > before { at } else { before };
        match self.ranges.last_mut() {
            Some(last) if !row.is_multiple_of(PART) => {
                last.latest = latest;
                if at < last.earliest {
                    last.earliest = at;
                }
            }
            Some(_) | None => self.ranges.push(Range { earliest: at, latest }),
        }
    }

    /// The table of all events, built on first use.
    fn table(&mut self, hashes: &Column<u32>) -> &mut HashIndex {
        let ranges = &mut self.ranges;
        self.table.get_or_insert_with(|| {
            *ranges = Vec::new();
            let mut table = HashIndex::default();
            let hash_of = |row| hashes.get(row).unwrap_or_default();
            for row in 0..hashes.len() as u32 {
                table.insert(hash_of(row), row, hash_of);
            }
            table
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{DedupIndex, EventKey};
    use crate::log::column::Column;

    /// Checks that each event, a text and its time, is found exactly if a search of all events finds it. Returns whether
    /// that needed a table.
    fn needs_table(events: &[(u32, f64)]) -> bool {
        let (mut index, mut hashes, mut added) = (DedupIndex::default(), Column::default(), Vec::new());
        for (number, (text, at)) in events.iter().enumerate() {
            // Some texts share a hash.
            let key = EventKey { hash: text / 2, at: *at };
            let found = index.find(key, &hashes, |row| added[row as usize] == *text);
            let expected = added.iter().position(|known| known == text).map(|row| row as u32);
            assert_eq!(found, expected, "event {number}");
            // Every other repeat is accepted as an event of its own.
            if found.is_none() || number % 2 == 0 {
                index.add(key, &hashes, found.is_none());
                hashes.push(key.hash);
                added.push(*text);
            }
        }
        index.table.is_some()
    }

    #[test]
    fn ordered_events_need_no_table() {
        let rising: Vec<(u32, f64)> = (0..5_000).map(|number| (number, f64::from(number))).collect();
        assert!(!needs_table(&rising));
        let pairs: Vec<(u32, f64)> = (0..5_000).map(|number| (number, f64::from(number / 2))).collect();
        assert!(!needs_table(&pairs));
    }

    #[test]
    fn overlapping_events_are_found_without_a_table() {
        let early = |number: u32| f64::from(number) - if number.is_multiple_of(5) { 300.0 } else { 0.0 };
        let near: Vec<(u32, f64)> = (0..5_000).map(|number| (number, early(number))).collect();
        assert!(!needs_table(&near));
        // So is an event that is repeated.
        let mut repeated = near.clone();
        repeated.insert(4_001, near[3_900]);
        assert!(!needs_table(&repeated));
    }

    #[test]
    fn unordered_events_are_found_in_a_table() {
        let rising: Vec<(u32, f64)> = (0..3_000).map(|number| (number, f64::from(number))).collect();
        let falling: Vec<(u32, f64)> = rising.iter().copied().rev().collect();
        let at_once: Vec<(u32, f64)> = rising.iter().map(|(text, _)| (*text, 1.0)).collect();
        let no_times: Vec<(u32, f64)> = rising.iter().map(|(text, _)| (text % 100, f64::NAN)).collect();
        let twice = [&rising[..], &rising].concat();
        let odd = |number: u32| (number % 700, [f64::INFINITY, -1.0, 1e300, 0.5][number as usize % 700 % 4]);
        let odd: Vec<(u32, f64)> = (0..3_000).map(odd).collect();
        for events in [falling, at_once, no_times, twice, odd] {
            assert!(needs_table(&events));
        }
        // An accepted repeat makes two events of the same text.
        assert!(needs_table(&[(1, 1.0), (2, 2.0), (2, 2.0), (2, 2.0)]));
    }
}
