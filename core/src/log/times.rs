//! Moments as a column: those of a log lie near each other, and then four bytes are enough for one.

/// How many moments one part holds.
const PART: usize = 1024;
/// How far moments may lie from the first one of their part, milliseconds: 24 days.
const FAR: f64 = i32::MAX as f64;

/// The times of events, milliseconds since 1970.
#[derive(Debug, Default)]
pub(super) struct Times {
    parts: Vec<Chunk>,
    len: usize,
}

#[derive(Debug)]
enum Chunk {
    /// Whole milliseconds from the first one.
    Near { first: f64, rest: Vec<i32> },
    /// Anything else.
    Exact(Vec<f64>),
}

impl Times {
    pub(super) fn push(&mut self, at: f64) {
        if self.len.is_multiple_of(PART) {
            // The first part grows by itself, so that a short log stays small.
            let room = if self.len == 0 { 0 } else { PART };
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
                let mut exact = Vec::with_capacity(PART);
                exact.extend(rest.iter().map(|offset| *first + f64::from(*offset)));
                exact.push(at);
                *part = Chunk::Exact(exact);
            }
            Chunk::Exact(exact) => exact.push(at),
        }
    }

    pub(super) fn get(&self, place: u32) -> Option<f64> {
        let place = place as usize;
        match self.parts.get(place / PART)? {
            Chunk::Near { first, rest } => Some(*first + f64::from(*rest.get(place % PART)?)),
            Chunk::Exact(exact) => exact.get(place % PART).copied(),
        }
    }

    pub(super) fn memory(&self) -> usize {
        let held = |part: &Chunk| match part {
            Chunk::Near { rest, .. } => rest.capacity() * size_of::<i32>(),
            Chunk::Exact(exact) => exact.capacity() * size_of::<f64>(),
        };
        self.parts.iter().map(held).sum::<usize>() + self.parts.capacity() * size_of::<Chunk>()
    }
}

/// How far a moment lies from another, if that is a small whole number.
fn near(at: f64, first: f64) -> Option<i32> {
    let offset = at - first;
    let whole = offset.abs() <= FAR && offset.trunc() == offset;
    // Near the largest numbers a difference is not exact.
    (whole && first + offset == at).then_some(offset as i32)
}

#[cfg(test)]
mod tests {
    use super::{PART, Times};

    #[test]
    fn moments_are_what_they_were() {
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
    fn near_ones_cost_four_bytes() {
        let mut times = Times::default();
        for n in 0..100 * PART {
            times.push(1.7e12 + n as f64);
        }
        assert!(times.memory() < 100 * PART * 45 / 10, "{}", times.memory());
    }
}
