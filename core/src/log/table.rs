//! An open hash table of places in a list that its owner keeps.

/// Places, found again by hash and comparison.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// The hash, and the place + 1; 0 is empty. The hash is here as well so that a search stays in one line of the cache.
    slots: Vec<u64>,
    used: usize,
}

impl Table {
    /// The place whose entry is the same, among those that have this hash.
    #[inline]
    pub(super) fn find(&self, hash: u32, mut same: impl FnMut(u32) -> bool) -> Option<u32> {
        let mut slot = self.first(hash);
        loop {
            let found = *self.slots.get(slot)?;
            let place = (found as u32).checked_sub(1)?;
            if (found >> 32) as u32 == hash && same(place) {
                return Some(place);
            }
            slot = self.after(slot);
        }
    }

    /// Adds a place.
    pub(super) fn insert(&mut self, hash: u32, place: u32) {
        // A fifth at least stays empty: searches end soon.
        if (self.used + 1) * 5 > self.slots.len() * 4 {
            let more = self.slots.len() / if self.slots.len() < 4096 { 2 } else { 4 };
            let larger = (self.slots.len() + more).max(16);
            let old = std::mem::replace(&mut self.slots, vec![0; larger]);
            for slot in old.into_iter().filter(|slot| *slot != 0) {
                self.put(slot);
            }
        }
        self.put(u64::from(hash) << 32 | u64::from(place + 1));
        self.used += 1;
    }

    pub(super) fn memory(&self) -> usize {
        self.slots.capacity() * size_of::<u64>()
    }

    /// Spreads hashes over a table of any size without a division.
    #[inline(always)]
    fn first(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.slots.len() as u64) >> 32) as usize
    }

    #[inline(always)]
    fn after(&self, slot: usize) -> usize {
        if slot + 1 == self.slots.len() { 0 } else { slot + 1 }
    }

    fn put(&mut self, value: u64) {
        let mut at = self.first((value >> 32) as u32);
        loop {
            let next = self.after(at);
            match self.slots.get_mut(at) {
                Some(slot) if *slot == 0 => {
                    *slot = value;
                    return;
                }
                Some(_) => at = next,
                None => return,
            }
        }
    }
}
