//! An open hash table of places in a list that its owner keeps.

/// Places, found again by hash and comparison.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// Place + 1; 0 is empty.
    slots: Vec<u32>,
    used: usize,
}

impl Table {
    /// The place whose entry is the same, among those that may have this hash.
    #[inline]
    pub(super) fn find(&self, hash: u32, mut same: impl FnMut(u32) -> bool) -> Option<u32> {
        let mut slot = self.first(hash);
        while let Some(place) = self.slots.get(slot)?.checked_sub(1) {
            if same(place) {
                return Some(place);
            }
            slot = if slot + 1 == self.slots.len() { 0 } else { slot + 1 };
        }
        None
    }

    /// Adds a place. `hash_of` gives the hash of the places that are in already.
    pub(super) fn insert(&mut self, hash: u32, place: u32, hash_of: impl Fn(u32) -> u32) {
        // Never full: an eighth at least stays empty.
        if (self.used + 1) * 8 > self.slots.len() * 7 {
            let larger = (self.slots.len() + self.slots.len() / 2).max(16);
            let old = std::mem::replace(&mut self.slots, vec![0; larger]);
            for place in old.iter().filter_map(|slot| slot.checked_sub(1)) {
                self.put(hash_of(place), place);
            }
        }
        self.put(hash, place);
        self.used += 1;
    }

    pub(super) fn memory(&self) -> usize {
        self.slots.capacity() * size_of::<u32>()
    }

    /// Spreads hashes over a table of any size without a division.
    fn first(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.slots.len() as u64) >> 32) as usize
    }

    fn put(&mut self, hash: u32, place: u32) {
        let mut at = self.first(hash);
        while let Some(slot) = self.slots.get_mut(at) {
            if *slot == 0 {
                *slot = place + 1;
                return;
            }
            at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
        }
    }
}
