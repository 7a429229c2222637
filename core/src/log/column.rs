//! Columns that grow without moving their values: a large log is never copied, and no buffer of twice its size is needed.

/// Capacity of the first parts: a little less than a power of two, so that a part and the allocator's header fit into whole
/// pages of WebAssembly memory.
const FIRST: usize = 992;
/// The number of parts with the same capacity before it doubles. Unused capacity stays below a sixteenth, and WebAssembly
/// memory, which is slow to grow, rarely grows.
const EACH: usize = 16;

/// Values of one kind, one per event.
#[derive(Clone, Debug, Default)]
pub(super) struct Column<T> {
    parts: Vec<Vec<T>>,
    len: usize,
}

/// The part for an index of the column, the offset within the part, and the part's capacity.
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

    /// The memory of the column, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.parts.iter().map(|part| part.capacity() * size_of::<T>()).sum::<usize>()
            + self.parts.capacity() * size_of::<Vec<T>>()
    }
}

/// Capacity of one part of [`Times`].
const TIMES_PER_PART: usize = 1024;
/// Maximum distance from the first time of the part, milliseconds: 24 days.
const MAX_OFFSET_MS: f64 = i32::MAX as f64;

/// The times of events, milliseconds since 1970. Times of one log are close together, so most take four bytes.
#[derive(Debug, Default)]
pub(super) struct Times {
    parts: Vec<Chunk>,
    len: usize,
}

#[derive(Debug)]
enum Chunk {
    /// Whole milliseconds after the first one.
    Near { first: f64, rest: Vec<i32> },
    /// Anything else.
    Exact(Vec<f64>),
}

impl Times {
    pub(super) fn push(&mut self, at: f64) {
        if self.len.is_multiple_of(TIMES_PER_PART) {
            // The first part grows by itself, so that a short log stays small.
            let room = if self.len == 0 { 0 } else { TIMES_PER_PART };
            self.parts.push(Chunk::Near { first: at, rest: Vec::with_capacity(room) });
        }
        self.len += 1;
        let Some(part) = self.parts.last_mut() else { return };
        match part {
            Chunk::Near { first, rest } => {
                if let Some(offset) = near(at, *first) {
                    rest.push(offset);
                    return;
                }
                let mut exact = Vec::with_capacity(TIMES_PER_PART);
                exact.extend(rest.iter().map(|offset| *first + f64::from(*offset)));
                exact.push(at);
                *part = Chunk::Exact(exact);
            }
            Chunk::Exact(exact) => exact.push(at),
        }
    }

    pub(super) fn get(&self, place: u32) -> Option<f64> {
        let place = place as usize;
        match self.parts.get(place / TIMES_PER_PART)? {
            Chunk::Near { first, rest } => Some(*first + f64::from(*rest.get(place % TIMES_PER_PART)?)),
            Chunk::Exact(exact) => exact.get(place % TIMES_PER_PART).copied(),
        }
    }

    pub(super) fn memory(&self) -> usize {
        let bytes = |part: &Chunk| match part {
            Chunk::Near { rest, .. } => rest.capacity() * size_of::<i32>(),
            Chunk::Exact(exact) => exact.capacity() * size_of::<f64>(),
        };
        self.parts.iter().map(bytes).sum::<usize>() + self.parts.capacity() * size_of::<Chunk>()
    }
}

/// The offset from the first time, if it is a small whole number.
fn near(at: f64, first: f64) -> Option<i32> {
    let offset = at - first;
    let whole = offset.abs() <= MAX_OFFSET_MS && offset.trunc() == offset;
    // The difference of very large numbers is not exact.
    (whole && first + offset == at).then_some(offset as i32)
}

#[cfg(test)]
mod tests {
    use super::{Column, TIMES_PER_PART, Times, part_of};

    #[test]
    fn values_are_read_back_by_place() {
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
    fn parts_are_contiguous_and_mostly_filled() {
        let mut last = (0, usize::MAX, 0);
        for place in 0..1_000_000 {
            let (part, inside, size) = part_of(place);
            assert!((part, inside) == (last.0, last.1.wrapping_add(1)) || (part, inside) == (last.0 + 1, 0));
            assert!(inside < size && (inside > 0 || place == 0 || last.1 + 1 == last.2));
            last = (part, inside, size);
        }
        assert!(last.0 < 128, "{last:?}");
    }

    #[test]
    fn times_round_trip() {
        let usual = (0..5_000).map(|n| 1.7e12 + f64::from(n * 37 % 4_001));
        let odd = [0.0, -0.0, 1.5, 1e300, -1e300, f64::MAX, 8.64e15, 1.7e12 + 3e9, f64::INFINITY, 5e-324];
        let all: Vec<f64> = usual.clone().chain(odd).chain(usual).collect();
        let mut times = Times::default();
        for at in &all {
            times.push(*at);
        }
        for (place, at) in all.iter().enumerate() {
            assert_eq!(times.get(place as u32), Some(*at), "{place}");
        }
        assert_eq!(times.get(all.len() as u32), None);
    }

    #[test]
    fn close_times_take_four_bytes() {
        let mut times = Times::default();
        for n in 0..100 * TIMES_PER_PART {
            times.push(1.7e12 + n as f64);
        }
        assert!(times.memory() < 100 * TIMES_PER_PART * 45 / 10, "{}", times.memory());
    }
}
