//! Compares the time since the last frame with the Gateway's announced heartbeat.

use crate::time::Millis;

/// Smithers' default interval between ticks, milliseconds, until `connect` has announced the real one (protocol section
/// 3.2).
const DEFAULT_HEARTBEAT_MS: f64 = 15_000.0;
/// Heartbeat intervals until a heartbeat is overdue; half an interval allows for the network.
const LATE: f64 = 1.5;
/// Heartbeat intervals until the connection counts as lost: two heartbeats were missed.
const LOST: f64 = 2.5;

/// The meaning of the time since the last frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    Fine,
    Late,
    Lost,
}

#[derive(Debug)]
pub(super) struct Watchdog {
    heartbeat_ms: f64,
    last_frame_at: Millis,
    /// Whether a heartbeat was overdue and frames have not arrived in time since.
    unsteady: bool,
}

impl Watchdog {
    pub(super) fn new(now: Millis) -> Self {
        Self { heartbeat_ms: DEFAULT_HEARTBEAT_MS, last_frame_at: now, unsteady: false }
    }

    /// Starts over for a new connection.
    pub(super) fn restart(&mut self, now: Millis) {
        *self = Self { heartbeat_ms: self.heartbeat_ms, last_frame_at: now, unsteady: false };
    }

    /// Sets the interval that `connect` announced; an invalid interval keeps the default.
    pub(super) fn announce(&mut self, heartbeat_ms: Option<f64>) {
        if let Some(ms) = heartbeat_ms.filter(|ms| ms.is_finite() && *ms >= 1.0) {
            self.heartbeat_ms = ms;
        }
    }

    /// Records a frame. After a long silence, the state is `Fine` again only after a second frame in time.
    pub(super) fn record_frame(&mut self, now: Millis) {
        let gap = now.since(self.last_frame_at);
        self.unsteady = gap > LATE * self.heartbeat_ms || (self.unsteady && gap > self.heartbeat_ms * 1.25);
        self.last_frame_at = now;
    }

    pub(super) fn lost_after_ms(&self) -> f64 {
        LOST * self.heartbeat_ms
    }

    pub(super) fn silence(&self, now: Millis) -> Silence {
        let gap = now.since(self.last_frame_at);
        if gap > self.lost_after_ms() {
            Silence::Lost
        } else if gap > LATE * self.heartbeat_ms || self.unsteady {
            Silence::Late
        } else {
            Silence::Fine
        }
    }

    /// Returns the time at which the silence changes its meaning if no frame arrives.
    pub(super) fn wake_at(&self, now: Millis) -> Millis {
        let late = Millis(self.last_frame_at.0 + LATE * self.heartbeat_ms);
        if now <= late {
            just_after(late)
        } else {
            just_after(Millis(self.last_frame_at.0 + self.lost_after_ms()))
        }
    }
}

/// Returns the first time after a limit: the limits are exclusive, so the clock must have passed them.
pub(super) fn just_after(at: Millis) -> Millis {
    Millis(at.0 + 1.0)
}

#[cfg(test)]
mod tests {
    use super::{Silence, Watchdog};
    use crate::time::Millis;

    fn watchdog() -> Watchdog {
        let mut watchdog = Watchdog::new(Millis(0.0));
        watchdog.announce(Some(2000.0));
        watchdog
    }

    #[test]
    fn silence_is_measured_against_what_was_announced() {
        let watchdog = watchdog();
        assert_eq!(watchdog.silence(Millis(3000.0)), Silence::Fine);
        assert_eq!(watchdog.silence(Millis(3000.1)), Silence::Late);
        assert_eq!(watchdog.silence(Millis(5000.0)), Silence::Late);
        assert_eq!(watchdog.silence(Millis(5000.1)), Silence::Lost);
        assert_eq!(Watchdog::new(Millis(0.0)).silence(Millis(22_500.0)), Silence::Fine);
    }

    #[test]
    fn the_watchdog_wakes_where_the_meaning_changes() {
        let watchdog = watchdog();
        let late = watchdog.wake_at(Millis(10.0));
        assert_eq!((late, watchdog.silence(late)), (Millis(3001.0), Silence::Late));
        let lost = watchdog.wake_at(late);
        assert_eq!((lost, watchdog.silence(lost)), (Millis(5001.0), Silence::Lost));
    }

    #[test]
    fn one_frame_does_not_make_a_feed_live_again() {
        let mut watchdog = watchdog();
        watchdog.record_frame(Millis(4000.0));
        assert_eq!(watchdog.silence(Millis(4001.0)), Silence::Late);
        watchdog.record_frame(Millis(6900.0));
        assert_eq!(watchdog.silence(Millis(6901.0)), Silence::Late, "late again");
        watchdog.record_frame(Millis(8900.0));
        assert_eq!(watchdog.silence(Millis(8901.0)), Silence::Fine);
    }

    #[test]
    fn a_nonsense_announcement_keeps_the_default() {
        for nonsense in [None, Some(0.0), Some(-5.0), Some(f64::NAN), Some(f64::INFINITY)] {
            let mut watchdog = Watchdog::new(Millis(0.0));
            watchdog.announce(nonsense);
            assert_eq!(watchdog.lost_after_ms(), 37_500.0, "{nonsense:?}");
        }
    }
}
