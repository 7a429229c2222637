//! A list that grows without moving what is in it: no copy of a large log, and no room of twice its size.

const PART: usize = 4096;

/// Values of one kind, one per event.
#[derive(Debug, Default)]
pub(super) struct Column<T> {
    parts: Vec<Vec<T>>,
}

impl<T: Copy> Column<T> {
    pub(super) fn len(&self) -> usize {
        match self.parts.split_last() {
            Some((last, full)) => full.len() * PART + last.len(),
            None => 0,
        }
    }

    pub(super) fn push(&mut self, value: T) {
        match self.parts.last_mut() {
            Some(last) if last.len() < PART => last.push(value),
            Some(_) => {
                let mut part = Vec::with_capacity(PART);
                part.push(value);
                self.parts.push(part);
            }
            // The first part grows by itself, so that a short log stays small.
            None => self.parts.push(vec![value]),
        }
    }

    #[inline]
    pub(super) fn get(&self, place: u32) -> Option<T> {
        let place = place as usize;
        self.parts.get(place / PART)?.get(place % PART).copied()
    }

    pub(super) fn set(&mut self, place: u32, value: T) {
        let place = place as usize;
        if let Some(slot) = self.parts.get_mut(place / PART).and_then(|part| part.get_mut(place % PART)) {
            *slot = value;
        }
    }

    /// Bytes that the column holds.
    pub(super) fn memory(&self) -> usize {
        self.parts.iter().map(|part| part.capacity() * size_of::<T>()).sum::<usize>()
            + self.parts.capacity() * size_of::<Vec<T>>()
    }
}

#[cfg(test)]
mod tests {
    use super::Column;

    #[test]
    fn values_stay_where_they_were_put() {
        let mut column = Column::default();
        assert_eq!((column.len(), column.get(0)), (0, None));
        for value in 0..10_000_u32 {
            column.push(value);
        }
        column.set(9_999, 7);
        column.set(20_000, 1);
        assert_eq!((column.len(), column.get(4_095), column.get(4_096)), (10_000, Some(4_095), Some(4_096)));
        assert_eq!((column.get(9_999), column.get(10_000)), (Some(7), None));
        assert!(column.memory() < 10_000 * 4 * 2);
    }
}
