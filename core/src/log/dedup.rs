//! Finding an event again that was there before.

use super::column::Column;
use super::hash_index::Table;

/// How many events one range of times is for.
const PART: u32 = 64;
/// How many ranges are looked back at: tasks that run side by side overtake each other by less.
const FEW: usize = 16;

/// The events so far, to be found by what their text hashes to.
///
/// The same text has the same time. In a log that is nearly in order, an event that was there before is therefore one of the last, or
/// there is none; a table of all of them costs more than all else that is done with an event, and is made where that does not hold.
#[derive(Debug, Default)]
pub(super) struct DedupIndex {
    /// Until there is a table, no two events have the same text.
    ranges: Vec<Range>,
    table: Option<Table>,
}

/// The times of [`PART`] events.
#[derive(Debug)]
struct Range {
    /// The earliest of them.
    earliest: f64,
    /// The latest of them and of all before.
    latest: f64,
}

/// The events that would have to be looked at are too many.
struct TooMany;

/// An event that is looked for or added.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub(super) hash: u32,
    /// No number where it does not stand in the text.
    pub(super) at: f64,
}

impl DedupIndex {
    /// The event with this hash and time that is the same. `hashes` are those of all events so far.
    pub(super) fn find(
        &mut self,
        wanted: Wanted,
        hashes: &Column<u32>,
        mut same: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        if self.table.is_none()
            && let Ok(found) = self.look_back(wanted, hashes, &mut same)
        {
            return found;
        }
        self.table(hashes).find(wanted.hash, same)
    }

    /// Adds an event, the next after those that have hashes. What is not `new` stays to be found by the one that it repeats.
    pub(super) fn add(&mut self, wanted: Wanted, hashes: &Column<u32>, new: bool) {
        let row = hashes.len() as u32;
        if new && self.table.is_none() {
            return self.extend(row, wanted.at);
        }
        let table = self.table(hashes);
        if new {
            table.insert(wanted.hash, row, |row| hashes.get(row).unwrap_or_default());
        }
    }

    pub(super) fn memory(&self) -> usize {
        self.ranges.capacity() * size_of::<Range>() + self.table.as_ref().map_or(0, Table::memory)
    }

    /// Looks at the last events that may have this time.
    fn look_back(
        &self,
        wanted: Wanted,
        hashes: &Column<u32>,
        same: &mut impl FnMut(u32) -> bool,
    ) -> Result<Option<u32>, TooMany> {
        if wanted.at.is_nan() {
            return Err(TooMany);
        }
        for (looked, (part, range)) in self.ranges.iter().enumerate().rev().enumerate() {
            if range.latest < wanted.at {
                break;
            }
            if looked == FEW {
                return Err(TooMany);
            }
            if range.earliest <= wanted.at {
                let from = part as u32 * PART;
                for row in from..(from + PART).min(hashes.len() as u32) {
                    if hashes.get(row) == Some(wanted.hash) && same(row) {
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

    /// The table of all events, made where there is none yet.
    fn table(&mut self, hashes: &Column<u32>) -> &mut Table {
        let ranges = &mut self.ranges;
        self.table.get_or_insert_with(|| {
            *ranges = Vec::new();
            let mut table = Table::default();
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
    use super::{DedupIndex, Wanted};
    use crate::log::column::Column;

    /// What is found of each event, a text and its time, beside what a look at all of them finds; and whether a table was made.
    fn looked_for(events: &[(u32, f64)]) -> bool {
        let (mut seen, mut hashes, mut added) = (DedupIndex::default(), Column::default(), Vec::new());
        for (number, (text, at)) in events.iter().enumerate() {
            // Some texts share a hash.
            let wanted = Wanted { hash: text / 2, at: *at };
            let found = seen.find(wanted, &hashes, |row| added[row as usize] == *text);
            let expected = added.iter().position(|known| known == text).map(|row| row as u32);
            assert_eq!(found, expected, "event {number}");
            // Every other repeat is an event of its own.
            if found.is_none() || number % 2 == 0 {
                seen.add(wanted, &hashes, found.is_none());
                hashes.push(wanted.hash);
                added.push(*text);
            }
        }
        seen.table.is_some()
    }

    #[test]
    fn in_order_nothing_is_looked_for() {
        let rising: Vec<(u32, f64)> = (0..5_000).map(|number| (number, f64::from(number))).collect();
        assert!(!looked_for(&rising));
        let pairs: Vec<(u32, f64)> = (0..5_000).map(|number| (number, f64::from(number / 2))).collect();
        assert!(!looked_for(&pairs));
    }

    #[test]
    fn events_that_overtake_each_other_are_looked_for_nearby() {
        let early = |number: u32| f64::from(number) - if number.is_multiple_of(5) { 300.0 } else { 0.0 };
        let near: Vec<(u32, f64)> = (0..5_000).map(|number| (number, early(number))).collect();
        assert!(!looked_for(&near));
        // A repeat that changes nothing is found there as well.
        let mut repeated = near.clone();
        repeated.insert(4_001, near[3_900]);
        assert!(!looked_for(&repeated));
    }

    #[test]
    fn anything_else_is_looked_for_in_a_table() {
        let rising: Vec<(u32, f64)> = (0..3_000).map(|number| (number, f64::from(number))).collect();
        let falling: Vec<(u32, f64)> = rising.iter().copied().rev().collect();
        let at_once: Vec<(u32, f64)> = rising.iter().map(|(text, _)| (*text, 1.0)).collect();
        let no_times: Vec<(u32, f64)> = rising.iter().map(|(text, _)| (text % 100, f64::NAN)).collect();
        let twice = [&rising[..], &rising].concat();
        let odd = |number: u32| (number % 700, [f64::INFINITY, -1.0, 1e300, 0.5][number as usize % 700 % 4]);
        let odd: Vec<(u32, f64)> = (0..3_000).map(odd).collect();
        for events in [falling, at_once, no_times, twice, odd] {
            assert!(looked_for(&events));
        }
        // A repeat that is an event of its own makes two of one text.
        assert!(looked_for(&[(1, 1.0), (2, 2.0), (2, 2.0), (2, 2.0)]));
    }
}
