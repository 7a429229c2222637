//! The watchdog: when the last frame came, and how much silence the Gateway's own announcement allows.

use crate::time::Millis;

/// Smithers' default interval between ticks, until `connect` announced the real one (protocol section 3.2).
const DEFAULT_HEARTBEAT_MS: f64 = 15_000.0;
/// One heartbeat is overdue, with half an interval for the way.
const LATE: f64 = 1.5;
/// Two heartbeats were missed.
const LOST: f64 = 2.5;

/// What the silence so far means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    Fine,
    Late,
    Lost,
}

#[derive(Debug)]
pub(super) struct Watchdog {
    heartbeat_ms: f64,
    heard_at: Millis,
    /// A heartbeat was overdue and the frames since then have not come steadily yet.
    shaken: bool,
}

impl Watchdog {
    pub(super) fn new(now: Millis) -> Self {
        Self { heartbeat_ms: DEFAULT_HEARTBEAT_MS, heard_at: now, shaken: false }
    }

    /// A new connection: silence counts from here.
    pub(super) fn restart(&mut self, now: Millis) {
        *self = Self { heartbeat_ms: self.heartbeat_ms, heard_at: now, shaken: false };
    }

    /// The interval that `connect` announced; nonsense keeps the default.
    pub(super) fn announce(&mut self, heartbeat_ms: Option<f64>) {
        if let Some(ms) = heartbeat_ms.filter(|ms| ms.is_finite() && *ms >= 1.0) {
            self.heartbeat_ms = ms;
        }
    }

    /// A frame arrived. One frame after a long silence is not yet a steady feed: it takes a second one in time.
    pub(super) fn hear(&mut self, now: Millis) {
        let gap = now.since(self.heard_at);
        self.shaken = gap > LATE * self.heartbeat_ms || (self.shaken && gap > self.heartbeat_ms * 1.25);
        self.heard_at = now;
    }

    pub(super) fn heard_at(&self) -> Millis {
        self.heard_at
    }

    pub(super) fn lost_after_ms(&self) -> f64 {
        LOST * self.heartbeat_ms
    }

    pub(super) fn silence(&self, now: Millis) -> Silence {
        let gap = now.since(self.heard_at);
        if gap > self.lost_after_ms() {
            Silence::Lost
        } else if gap > LATE * self.heartbeat_ms || self.shaken {
            Silence::Late
        } else {
            Silence::Fine
        }
    }

    /// When the silence next changes its meaning, if no frame comes.
    pub(super) fn wake_at(&self, now: Millis) -> Millis {
        let late = Millis(self.heard_at.0 + LATE * self.heartbeat_ms);
        if now <= late {
            just_after(late)
        } else {
            just_after(Millis(self.heard_at.0 + self.lost_after_ms()))
        }
    }
}

/// The limits are "longer than", so the clock must have passed them.
fn just_after(at: Millis) -> Millis {
    Millis(at.0 + 1.0)
}

#[cfg(test)]
mod tests {
    use super::{Silence, Watchdog};
    use crate::time::Millis;

    fn pulse() -> Watchdog {
        let mut pulse = Watchdog::new(Millis(0.0));
        pulse.announce(Some(2000.0));
        pulse
    }

    #[test]
    fn silence_is_measured_against_what_was_announced() {
        let pulse = pulse();
        assert_eq!(pulse.silence(Millis(3000.0)), Silence::Fine);
        assert_eq!(pulse.silence(Millis(3000.1)), Silence::Late);
        assert_eq!(pulse.silence(Millis(5000.0)), Silence::Late);
        assert_eq!(pulse.silence(Millis(5000.1)), Silence::Lost);
        assert_eq!(Watchdog::new(Millis(0.0)).silence(Millis(22_500.0)), Silence::Fine);
    }

    #[test]
    fn the_watchdog_wakes_where_the_meaning_changes() {
        let pulse = pulse();
        let late = pulse.wake_at(Millis(10.0));
        assert_eq!((late, pulse.silence(late)), (Millis(3001.0), Silence::Late));
        let lost = pulse.wake_at(late);
        assert_eq!((lost, pulse.silence(lost)), (Millis(5001.0), Silence::Lost));
    }

    #[test]
    fn one_frame_does_not_make_a_feed_live_again() {
        let mut pulse = pulse();
        pulse.hear(Millis(4000.0));
        assert_eq!(pulse.silence(Millis(4001.0)), Silence::Late);
        pulse.hear(Millis(6900.0));
        assert_eq!(pulse.silence(Millis(6901.0)), Silence::Late, "late again");
        pulse.hear(Millis(8900.0));
        assert_eq!(pulse.silence(Millis(8901.0)), Silence::Fine);
    }

    #[test]
    fn a_nonsense_announcement_keeps_the_default() {
        for nonsense in [None, Some(0.0), Some(-5.0), Some(f64::NAN), Some(f64::INFINITY)] {
            let mut pulse = Watchdog::new(Millis(0.0));
            pulse.announce(nonsense);
            assert_eq!(pulse.lost_after_ms(), 37_500.0, "{nonsense:?}");
        }
    }
}
