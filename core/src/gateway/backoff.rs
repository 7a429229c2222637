//! Computes the wait before the next reconnection.

/// Upper bound of the first wait, milliseconds.
const BASE_MS: f64 = 500.0;
/// Upper bound of every wait, milliseconds. Connecting and reading take up to a second more, and the panel is live again
/// within three seconds after the server is back.
const MAX_MS: f64 = 2_000.0;

/// Exponential backoff with full jitter, so that many viewers of one Gateway do not reconnect at the same moment.
#[derive(Debug)]
pub(super) struct Backoff {
    attempt: u32,
    state: u64,
}

impl Backoff {
    pub(super) fn new(seed: u64) -> Self {
        // The state of xorshift must not be zero.
        Self { attempt: 0, state: seed ^ 0x9E37_79B9_7F4A_7C15 | 1 }
    }

    /// Number of failures since the last stable connection.
    pub(super) fn attempt(&self) -> u32 {
        self.attempt
    }

    /// Counts a failure and returns the wait, milliseconds.
    pub(super) fn next_wait(&mut self) -> f64 {
        let cap = (BASE_MS * f64::from(1_u32 << self.attempt.min(5))).min(MAX_MS);
        self.attempt = self.attempt.saturating_add(1);
        cap * self.fraction()
    }

    /// Starts over after a stable connection.
    pub(super) fn reset(&mut self) {
        self.attempt = 0;
    }

    /// The next number of [0, 1) from Marsaglia's xorshift.
    fn fraction(&mut self) -> f64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::Backoff;

    #[test]
    fn waits_stay_under_their_cap_and_differ() {
        for seed in [0, 1, 7, u64::MAX, 0x9E37_79B9_7F4A_7C15] {
            let mut backoff = Backoff::new(seed);
            let waits: Vec<f64> = (0..12).map(|_| backoff.next_wait()).collect();
            for (try_no, wait) in (0_u8..).zip(&waits) {
                let cap = (500.0 * 2_f64.powi(i32::from(try_no))).min(2_000.0);
                assert!((0.0..cap).contains(wait), "seed {seed}, try {try_no}: {wait} of {cap}");
            }
            assert!(waits.iter().any(|w| *w > 1300.0), "seed {seed} never waits: {waits:?}");
            assert!(waits.windows(2).all(|pair| pair[0] != pair[1]), "seed {seed} stands still");
            assert_eq!(backoff.attempt(), 12);
            backoff.reset();
            assert!(backoff.next_wait() < 500.0);
        }
    }

    #[test]
    fn two_viewers_do_not_come_back_together() {
        let (mut a, mut b) = (Backoff::new(1), Backoff::new(2));
        assert_ne!(a.next_wait(), b.next_wait());
    }
}
