//! A list that grows without moving what is in it: no copy of a large log, and no room of twice its size.

/// How many values the first parts hold: a little less than a power of two, so that a part and what an allocator writes beside it
/// fit into whole pages of a module's memory.
const FIRST: usize = 992;
/// How many parts there are of one size; the next have twice the size. Room that is not used stays below a sixteenth, and a
/// module's memory, which is slow to grow, grows seldom.
const EACH: usize = 16;

/// Values of one kind, one per event.
#[derive(Clone, Debug, Default)]
pub(super) struct Column<T> {
    parts: Vec<Vec<T>>,
    len: usize,
}

/// The part that a place is in, where it is there, and how many values the part holds.
fn part_of(place: usize) -> (usize, usize, usize) {
    let size = ((place / (FIRST * EACH) + 1).ilog2()) as usize;
    let inside = place - FIRST * EACH * ((1 << size) - 1);
    let part = (inside / FIRST) >> size;
    (EACH * size + part, inside - part * (FIRST << size), FIRST << size)
}

impl<T: Copy> Column<T> {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn push(&mut self, value: T) {
        let (part, _, size) = part_of(self.len);
        self.len += 1;
        if let Some(part) = self.parts.get_mut(part) {
            return part.push(value);
        }
        // The first part grows by itself, so that a short log stays small.
        let mut values = Vec::with_capacity(if part == 0 { 0 } else { size });
        values.push(value);
        self.parts.push(values);
    }

    pub(super) fn get(&self, place: u32) -> Option<T> {
        let (part, inside, _) = part_of(place as usize);
        self.parts.get(part)?.get(inside).copied()
    }

    pub(super) fn set(&mut self, place: u32, value: T) {
        if let Some(slot) = self.get_mut(place) {
            *slot = value;
        }
    }

    pub(super) fn get_mut(&mut self, place: u32) -> Option<&mut T> {
        let (part, inside, _) = part_of(place as usize);
        self.parts.get_mut(part)?.get_mut(inside)
    }

    /// Bytes that the column holds.
    pub(super) fn memory(&self) -> usize {
        self.parts.iter().map(|part| part.capacity() * size_of::<T>()).sum::<usize>()
            + self.parts.capacity() * size_of::<Vec<T>>()
    }
}

#[cfg(test)]
mod tests {
    use super::{Column, part_of};

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

    #[test]
    fn parts_follow_one_another_and_leave_little_room() {
        let mut last = (0, usize::MAX, 0);
        for place in 0..1_000_000 {
            let (part, inside, size) = part_of(place);
            assert!((part, inside) == (last.0, last.1.wrapping_add(1)) || (part, inside) == (last.0 + 1, 0));
            assert!(inside < size && (inside > 0 || place == 0 || last.1 + 1 == last.2));
            last = (part, inside, size);
        }
        assert!(last.0 < 128, "{last:?}");
    }
}
