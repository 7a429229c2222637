//! An open-addressing hash table of positions in a list that its owner keeps.
//!
//! `hashbrown::HashTable` does the same, but has a power of two of slots: with it, an event of a log that is not in order takes 48.6
//! bytes besides its text (`core/src/tests/log/rows.rs`, 40 640 events), where 48 are the budget; with this table 45.1.

use super::column::Column;
use crate::json::words::word;

/// Places, found by hash and comparison. The owner also keeps the hashes; the table asks for them when it grows.
#[derive(Debug, Default)]
pub(super) struct HashIndex {
    /// The lower bits are the position + 1, the upper bits a tag: as many of the hash's lower bits as fit. A search
    /// rarely visits a foreign entry, because the slot is chosen by the hash's upper bits, which neighbours share. 0 is
    /// an empty slot. A column, so that a larger table can reuse the memory of the smaller one.
    slots: Column<u32>,
    /// The number of bits of a slot for the position.
    bits: u32,
    used: usize,
}

impl HashIndex {
    /// The position among those with this hash for which `same` returns true.
    pub(super) fn find(&self, hash: u32, mut same: impl FnMut(u32) -> bool) -> Option<u32> {
        let mut slot = self.first_slot(hash);
        let (mask, tag) = (self.place_mask(), self.tag(hash));
        loop {
            let found = self.slots.get(slot)?;
            let place = (found & mask).checked_sub(1)?;
            if found & !mask == tag && same(place) {
                return Some(place);
            }
            slot = self.next_slot(slot);
        }
    }

    /// Adds a position. `hash_of` returns the hash of a position that was added before.
    pub(super) fn insert(&mut self, hash: u32, place: u32, hash_of: impl Fn(u32) -> u32) {
        // At least a fifth of the slots stays empty, so that searches are short.
        if (self.used + 1) * 5 > self.slots.len() * 4 || place >= self.place_mask() {
            self.grow(place, hash_of);
        }
        self.fill_slot(hash, place);
        self.used += 1;
    }

    pub(super) fn memory(&self) -> usize {
        self.slots.memory()
    }

    fn grow(&mut self, place: u32, hash_of: impl Fn(u32) -> u32) {
        let (old, mask) = (std::mem::take(&mut self.slots), self.place_mask());
        let more = old.len() / 2;
        let needed = u32::BITS - (place + 1).leading_zeros();
        self.bits = self.bits.max((needed + 2).min(u32::BITS));
        for _ in 0..(old.len() + more).max(16) {
            self.slots.push(0);
        }
        for slot in 0..old.len() as u32 {
            let found = old.get(slot).unwrap_or_default() & mask;
            if let Some(place) = found.checked_sub(1) {
                self.fill_slot(hash_of(place), place);
            }
        }
    }

    /// The mask of the position's bits.
    fn place_mask(&self) -> u32 {
        1_u32.checked_shl(self.bits).map_or(u32::MAX, |beyond| beyond - 1)
    }

    /// The bits of a hash that are stored above the position.
    fn tag(&self, hash: u32) -> u32 {
        hash.checked_shl(self.bits).unwrap_or_default()
    }

    /// The slot at which a search begins: spreads hashes over a table of any size without a division.
    fn first_slot(&self, hash: u32) -> u32 {
        ((u64::from(hash) * self.slots.len() as u64) >> 32) as u32
    }

    fn next_slot(&self, slot: u32) -> u32 {
        if slot as usize + 1 == self.slots.len() { 0 } else { slot + 1 }
    }

    fn fill_slot(&mut self, hash: u32, place: u32) {
        let mut slot = self.first_slot(hash);
        while self.slots.get(slot).is_some_and(|found| found != 0) {
            slot = self.next_slot(slot);
        }
        self.slots.set(slot, self.tag(hash) | (place + 1));
    }
}

/// A hash of the bytes. Not cryptographic.
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
    use super::{HashIndex, hash};

    #[test]
    fn places_of_any_size_are_found() {
        let hash = |place: u32| place.wrapping_mul(0x9e37_79b9);
        let mut table = HashIndex::default();
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
    fn a_search_rarely_visits_foreign_entries() {
        let hash = |place: u32| place.wrapping_mul(0x9e37_79b9) ^ (place >> 3).wrapping_mul(0x85eb_ca6b);
        let mut table = HashIndex::default();
        (0..200_000).for_each(|place| table.insert(hash(place), place, hash));
        let mut visited = 0;
        for place in 200_000..400_000 {
            table.find(hash(place), |found| {
                visited += 1;
                found == place
            });
        }
        assert!(visited < 2_000, "{visited} of 200 000");
    }

    #[test]
    fn places_with_the_same_hash_are_compared_by_their_owner() {
        let mut table = HashIndex::default();
        for place in 0..100 {
            table.insert(5, place, |_| 5);
        }
        for place in 0..100 {
            assert_eq!(table.find(5, |found| found == place), Some(place));
        }
        assert_eq!(table.find(5, |_| false), None);
    }

    #[test]
    fn different_bytes_have_different_hashes() {
        let texts = ["", "a", "b", "ab", "ba", "abcdefgh", "abcdefghi", "bbcdefgh", "\0", "\0\0"];
        let mut hashes: Vec<u32> = texts.iter().map(|text| hash(text.as_bytes())).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), texts.len());
    }
}
