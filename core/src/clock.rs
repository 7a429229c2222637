//! An estimate of the server's clock.
//!
//! A run's times are the Gateway's. The viewer's own clock may be minutes off, so it is never read: the caller counts
//! milliseconds on a monotonic clock, and the Gateway's timestamps relate that count to the server's time. A pushed
//! timestamp bounds the offset from one side, an answer from both, because it was taken between the request and the
//! answer. Between timestamps the bounds widen by the drift of two quartzes.

use crate::time::Millis;

/// Maximum drift between two clocks, per millisecond: 50 ppm, the tolerance of a common quartz.
const DRIFT: f64 = 50e-6;

/// The maximum distance of a timestamp from 1970, milliseconds: the range of JavaScript's `Date`.
const MAX_STAMP_MS: f64 = 8.64e15;

/// The server writes whole milliseconds, so a timestamp may be up to this much too early.
const STAMP_QUANTUM_MS: f64 = 1.0;

/// Maximum clock error at which a verdict that depends on an age is trusted, milliseconds.
pub(crate) const MARGIN_MS: f64 = 5000.0;

/// A time on the server's clock, with its error.
///
/// ```
/// use runstate::clock::Reading;
/// use runstate::time::Millis;
///
/// // The clock of the server is known to two seconds.
/// let reading = Reading::new(Millis(57_000.0), 2_000.0);
/// assert_eq!(reading.error_ms, 2_000.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reading {
    /// The estimated server time.
    pub now: Millis,
    /// Maximum error in either direction, milliseconds; infinite if it is unbounded.
    pub error_ms: f64,
}

impl From<Millis> for Reading {
    /// A time that is known exactly.
    fn from(now: Millis) -> Self {
        Self::exact(now)
    }
}

impl Reading {
    /// A time with the maximum error in either direction, milliseconds.
    pub const fn new(now: Millis, error_ms: f64) -> Self {
        Self { now, error_ms }
    }

    /// A reading without error, such as the time of a document.
    pub(crate) fn exact(now: Millis) -> Self {
        Self { now, error_ms: 0.0 }
    }

    /// Whether the error is small enough to compute ages.
    pub(crate) fn is_sure(self) -> bool {
        self.error_ms <= MARGIN_MS
    }
}

/// A clock that is anchored to the server's timestamps.
///
/// `local` times are any monotonic count of milliseconds; only their differences matter.
///
/// ```
/// use runstate::clock::Clock;
/// use runstate::time::Millis;
///
/// let mut clock = Clock::default();
/// assert_eq!(clock.now(Millis(5.0)), Millis(5.0));
///
/// // Asked at 100, answered at 104: the server's stamp was taken somewhere between.
/// clock.observe_reply(Millis(1_000_102.0), Millis(100.0), Millis(104.0));
/// assert_eq!(clock.error_ms(), Some(2.5));
/// assert_eq!(clock.now(Millis(200.0)), Millis(1_000_200.5));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Clock {
    bounds: Option<Bounds>,
    /// The last stamp, and the local time at which it was received.
    last: Option<(Millis, Millis)>,
}

/// The bounds of the offset (server minus local), as of `at`.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    low: f64,
    high: f64,
    at: f64,
}

impl Clock {
    /// Observes a pushed timestamp (`connect.challenge.ts`, `tick.ts`), which was taken at an unknown time
    /// before `local`. It bounds the offset from below.
    ///
    /// ```
    /// use runstate::clock::Clock;
    /// use runstate::time::Millis;
    ///
    /// let mut clock = Clock::default();
    /// clock.observe_push(Millis(1_000_000.0), Millis(200.0));
    /// // The stamp may be old, so the server's clock is here or later; how much later is unknown.
    /// assert_eq!(clock.now(Millis(200.0)), Millis(1_000_000.0));
    /// assert_eq!(clock.error_ms(), None);
    /// ```
    pub fn observe_push(&mut self, server: Millis, local: Millis) {
        // A stamp may be old, but a later one is not earlier, unless the server's clock was set back.
        let is_set_back = self.last.is_some_and(|(last, at)| local >= at && last.since(server) > MARGIN_MS);
        if is_set_back && server.0.abs() <= MAX_STAMP_MS {
            self.bounds = None;
        }
        self.observe(server, Bounds { low: server.0 - local.0, high: f64::INFINITY, at: local.0 });
    }

    /// Observes a timestamp in an answer (`computedAt`), taken between sending the request and receiving the answer.
    ///
    /// ```
    /// use runstate::{clock::Clock, time::Millis};
    ///
    /// let mut clock = Clock::default();
    /// // Asked at 1 000, answered at 1 080: the shorter the way, the better the clock.
    /// clock.observe_reply(Millis(500_000.0), Millis(1_000.0), Millis(1_080.0));
    /// let first = clock.error_ms().unwrap();
    /// clock.observe_reply(Millis(500_200.0), Millis(1_240.0), Millis(1_244.0));
    /// assert!(clock.error_ms().unwrap() < first);
    /// ```
    pub fn observe_reply(&mut self, server: Millis, sent_local: Millis, received_local: Millis) {
        self.observe(
            server,
            Bounds {
                low: server.0 - received_local.0,
                high: server.0 + STAMP_QUANTUM_MS - sent_local.0,
                at: received_local.0,
            },
        );
    }

    /// The server's time at a local time; the local time itself before the first observation.
    pub fn now(&self, local: Millis) -> Millis {
        Millis(local.0 + self.offset_ms().unwrap_or(0.0))
    }

    /// The server's time at a local time, with its error, which grows between observations. The error is unbounded
    /// while only pushes were observed; the result is `None` before the first observation.
    ///
    /// ```
    /// use runstate::clock::{Clock, Reading};
    /// use runstate::time::Millis;
    ///
    /// let mut clock = Clock::default();
    /// assert_eq!(clock.read(Millis(0.0)), None);
    /// clock.observe_reply(Millis(1_000_102.0), Millis(100.0), Millis(104.0));
    /// assert_eq!(clock.read(Millis(104.0)), Some(Reading::new(Millis(1_000_104.5), 2.5)));
    /// assert_eq!(clock.read(Millis(100_104.0)).map(|reading| reading.error_ms), Some(7.5));
    /// ```
    pub fn read(&self, local: Millis) -> Option<Reading> {
        let bounds = self.bounds?;
        let drift = (local.0 - bounds.at).max(0.0) * DRIFT;
        Some(Reading {
            now: self.now(local),
            error_ms: self.error_ms().map_or(f64::INFINITY, |ms| ms + drift),
        })
    }

    /// Server time minus local time: the middle of the possible range, or its lower bound while only pushes were
    /// observed.
    pub(crate) fn offset_ms(&self) -> Option<f64> {
        self.bounds.map(|b| if b.high.is_finite() { f64::midpoint(b.low, b.high) } else { b.low })
    }

    /// The maximum error of the estimated server time in either direction, milliseconds; `None` while it is unbounded.
    pub fn error_ms(&self) -> Option<f64> {
        self.bounds.and_then(|b| b.high.is_finite().then(|| (b.high - b.low) / 2.0))
    }

    fn observe(&mut self, server: Millis, new: Bounds) {
        if server.0.abs() > MAX_STAMP_MS || !new.low.is_finite() || new.high < new.low {
            return;
        }
        if self.last.is_none_or(|(_, at)| new.at >= at.0) {
            self.last = Some((server, Millis(new.at)));
        }
        let joined = self.bounds.map(|old| {
            let drift = (new.at - old.at).max(0.0) * DRIFT;
            Bounds { low: new.low.max(old.low - drift), high: new.high.min(old.high + drift), at: new.at }
        });
        // Disjoint bounds mean that one of the clocks was set, so the old bounds are void.
        self.bounds = Some(joined.filter(|b| b.low <= b.high).unwrap_or(new));
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;
    use crate::time::Millis;

    fn reply(clock: &mut Clock, server: f64, sent: f64, received: f64) {
        clock.observe_reply(Millis(server), Millis(sent), Millis(received));
    }

    #[test]
    fn a_push_bounds_from_below_only() {
        let mut clock = Clock::default();
        clock.observe_push(Millis(10_000.0), Millis(50.0));
        assert_eq!(clock.offset_ms(), Some(9950.0));
        assert_eq!(clock.error_ms(), None);
        clock.observe_push(Millis(10_100.0), Millis(200.0));
        assert!((clock.offset_ms().unwrap() - 9950.0).abs() < 0.1, "a slower push teaches nothing");
        clock.observe_push(Millis(10_200.0), Millis(240.0));
        assert_eq!(clock.offset_ms(), Some(9960.0));
    }

    #[test]
    fn the_interval_contains_the_true_offset_and_shrinks() {
        // The true offset is 5000.25; the delays in both directions vary.
        let (mut clock, truth) = (Clock::default(), 5000.25);
        let mut last = f64::INFINITY;
        for (step, (there, back)) in
            [(40.0, 2.0), (3.0, 30.0), (1.0, 9.0), (9.0, 1.0)].into_iter().enumerate()
        {
            let sent = 100.0 * step as f64;
            reply(&mut clock, (sent + there + truth).floor(), sent, sent + there + back);
            let (offset, error) = (clock.offset_ms().unwrap(), clock.error_ms().unwrap());
            assert!((offset - truth).abs() <= error, "step {step}: {offset} ± {error}");
            assert!(error <= last + 0.01);
            last = error;
        }
        assert!(last <= 2.0, "two quick ways leave little room, found ± {last}");
    }

    #[test]
    fn a_stepped_clock_starts_anew() {
        let mut clock = Clock::default();
        reply(&mut clock, 10_001.0, 0.0, 2.0);
        reply(&mut clock, 5_001.0, 1000.0, 1002.0);
        assert_eq!(clock.offset_ms(), Some(4000.5));
        clock.observe_push(Millis(99_000.0), Millis(2000.0));
        assert_eq!((clock.offset_ms(), clock.error_ms()), (Some(97_000.0), None));
    }

    #[test]
    fn a_push_shows_that_the_clock_was_set_back() {
        let mut clock = Clock::default();
        reply(&mut clock, 700_001.0, 0.0, 2.0);
        clock.observe_push(Millis(715_000.0), Millis(15_000.0));
        clock.observe_push(Millis(130_000.0), Millis(30_000.0));
        assert_eq!((clock.offset_ms(), clock.error_ms()), (Some(100_000.0), None));
        reply(&mut clock, 131_001.0, 31_000.0, 31_002.0);
        assert!(clock.error_ms().unwrap() < 1.5, "the next answer bounds it");
    }

    #[test]
    fn a_push_that_is_late_or_read_late_sets_no_clock_back() {
        let mut clock = Clock::default();
        reply(&mut clock, 700_001.0, 0.0, 2.0);
        // Sent 4 s before the answer, received after it.
        clock.observe_push(Millis(696_001.0), Millis(5.0));
        // Received a minute before the answer, read after it.
        clock.observe_push(Millis(639_000.0), Millis(-60_000.0));
        clock.observe_push(Millis(f64::MIN), Millis(10.0));
        assert!(clock.error_ms().unwrap() < 1.6, "it only drifts");
    }

    #[test]
    fn old_knowledge_widens() {
        let mut clock = Clock::default();
        reply(&mut clock, 10_001.0, 0.0, 2.0);
        let before = clock.error_ms().unwrap();
        reply(&mut clock, 1_010_001.0, 900_000.0, 1_100_000.0);
        assert!((clock.error_ms().unwrap() - before - 1_100_000.0 * 50e-6).abs() < 0.001);
    }

    #[test]
    fn invalid_timestamps_are_ignored() {
        let mut clock = Clock::default();
        clock.observe_push(Millis(f64::NAN), Millis(0.0));
        clock.observe_push(Millis(f64::INFINITY), Millis(0.0));
        clock.observe_push(Millis(1e300), Millis(0.0));
        reply(&mut clock, 100.0, 50.0, 10.0);
        assert_eq!(clock.offset_ms(), None);
    }
}
