//! An open hash table of places in a list that its owner keeps.
//!
//! `hashbrown::HashTable` does the same, but has a power of two of slots: with it, an event of a log that is not in order takes 48.6
//! bytes beside its text (`core/tests/log/rows.rs`, 40 640 events), where 48 are the budget; with this table 45.1.

use super::column::Column;
use crate::json::words::word;

/// Places, found again by hash and comparison. Hashes are the owner's as well: they are asked for when the table grows.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// The place + 1 in the lower bits, and above them as much of the hash as there is room for, so that a search seldom looks at
    /// another's entry: its lower bits, because the upper ones say where an entry lies, and neighbours share those; 0 is empty. In parts, so that a larger table can take the room of the smaller one before.
    slots: Column<u32>,
    /// How many bits a place has.
    bits: u32,
    used: usize,
}

impl Table {
    /// The place whose entry is the same, among those that have this hash.
    pub(super) fn find(&self, hash: u32, mut same: impl FnMut(u32) -> bool) -> Option<u32> {
        let mut slot = self.first(hash);
        let (places, mark) = (self.places(), self.mark(hash));
        loop {
            let found = self.slots.get(slot)?;
            let place = (found & places).checked_sub(1)?;
            if found & !places == mark && same(place) {
                return Some(place);
            }
            slot = self.after(slot);
        }
    }

    /// Adds a place. `hash_of` gives the hashes of those that are there.
    pub(super) fn insert(&mut self, hash: u32, place: u32, hash_of: impl Fn(u32) -> u32) {
        // A fifth at least stays empty: searches end soon.
        if (self.used + 1) * 5 > self.slots.len() * 4 || place >= self.places() {
            self.grow(place, hash_of);
        }
        self.put(hash, place);
        self.used += 1;
    }

    pub(super) fn memory(&self) -> usize {
        self.slots.memory()
    }

    fn grow(&mut self, place: u32, hash_of: impl Fn(u32) -> u32) {
        let (old, places) = (std::mem::take(&mut self.slots), self.places());
        let more = old.len() / 2;
        let needed = u32::BITS - (place + 1).leading_zeros();
        self.bits = self.bits.max((needed + 2).min(u32::BITS));
        for _ in 0..(old.len() + more).max(16) {
            self.slots.push(0);
        }
        for slot in 0..old.len() as u32 {
            let found = old.get(slot).unwrap_or_default() & places;
            if let Some(place) = found.checked_sub(1) {
                self.put(hash_of(place), place);
            }
        }
    }

    /// The bits of a place.
    fn places(&self) -> u32 {
        1_u32.checked_shl(self.bits).map_or(u32::MAX, |beyond| beyond - 1)
    }

    /// What of a hash stands above a place.
    fn mark(&self, hash: u32) -> u32 {
        hash.checked_shl(self.bits).unwrap_or_default()
    }

    /// Spreads hashes over a table of any size without a division.
    fn first(&self, hash: u32) -> u32 {
        ((u64::from(hash) * self.slots.len() as u64) >> 32) as u32
    }

    fn after(&self, slot: u32) -> u32 {
        if slot as usize + 1 == self.slots.len() { 0 } else { slot + 1 }
    }

    fn put(&mut self, hash: u32, place: u32) {
        let mut slot = self.first(hash);
        while self.slots.get(slot).is_some_and(|found| found != 0) {
            slot = self.after(slot);
        }
        self.slots.set(slot, self.mark(hash) | (place + 1));
    }
}

/// A number for these bytes that other bytes seldom have.
pub(super) fn hash(bytes: &[u8]) -> u32 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = bytes.len() as u64 ^ MIX;
    let mut at = 0;
    while let Some(word) = word(bytes, at) {
        state = (state.rotate_left(23) ^ word).wrapping_mul(MIX);
        at += 8;
    }
    let mut last = 0;
    for byte in bytes.get(at..).unwrap_or_default() {
        last = last << 8 | u64::from(*byte);
    }
    state = (state.rotate_left(23) ^ last).wrapping_mul(MIX);
    (state ^ state >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::{Table, hash};

    #[test]
    fn places_are_found_again_however_large_they_are() {
        let hash = |place: u32| place.wrapping_mul(0x9e37_79b9);
        let mut table = Table::default();
        assert_eq!(table.find(7, |_| true), None);
        for number in 0..20_000_u32 {
            table.insert(hash(number * 50), number * 50, hash);
        }
        for number in 0..20_000_u32 {
            let place = number * 50;
            assert_eq!(table.find(hash(place), |found| found == place), Some(place));
            assert_eq!(table.find(hash(place + 1), |found| found == place + 1), None);
        }
        assert!(table.memory() < 20_000 * 8, "{}", table.memory());
    }

    #[test]
    fn a_search_seldom_looks_at_another_entry() {
        let hash = |place: u32| place.wrapping_mul(0x9e37_79b9) ^ (place >> 3).wrapping_mul(0x85eb_ca6b);
        let mut table = Table::default();
        (0..200_000).for_each(|place| table.insert(hash(place), place, hash));
        let mut looked = 0;
        for place in 200_000..400_000 {
            table.find(hash(place), |found| {
                looked += 1;
                found == place
            });
        }
        assert!(looked < 2_000, "{looked} of 200 000");
    }

    #[test]
    fn places_of_one_hash_are_told_apart_by_their_owner() {
        let mut table = Table::default();
        for place in 0..100 {
            table.insert(5, place, |_| 5);
        }
        for place in 0..100 {
            assert_eq!(table.find(5, |found| found == place), Some(place));
        }
        assert_eq!(table.find(5, |_| false), None);
    }

    #[test]
    fn hashes_tell_bytes_apart() {
        let texts = ["", "a", "b", "ab", "ba", "abcdefgh", "abcdefghi", "bbcdefgh", "\0", "\0\0"];
        let mut hashes: Vec<u32> = texts.iter().map(|text| hash(text.as_bytes())).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), texts.len());
    }
}
