//! When to ask the same question again: one answer in flight, one question queued, never too close together.

use crate::time::Millis;

/// How a question is repeated, milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    /// The least distance between two questions.
    pub(super) spacing: f64,
    /// Ask again after this long even when nothing happened.
    pub(super) beat: Option<f64>,
}

/// One repeated question.
#[derive(Debug, Default)]
pub(super) struct Poller {
    in_flight: Option<u64>,
    sent_at: Option<Millis>,
    due: Option<Millis>,
    /// Something happened after the question in flight was asked: its answer may be too old.
    again: bool,
    /// Asking is not allowed on this connection.
    forbidden: bool,
}

impl Poller {
    /// Something happened: the answer on hand may be old.
    pub(super) fn nudge(&mut self, interval: Interval, now: Millis) {
        if self.forbidden {
            return;
        }
        if self.in_flight.is_some() {
            self.again = true;
            return;
        }
        let at = self.sent_at.map_or(now, |sent| Millis((sent.0 + interval.spacing).max(now.0)));
        self.due = Some(self.due.map_or(at, |due| if due < at { due } else { at }));
    }

    /// Asks at a given moment, unless a question is under way.
    pub(super) fn schedule(&mut self, at: Millis) {
        if self.in_flight.is_none() && !self.forbidden {
            self.due = Some(self.due.map_or(at, |due| if due < at { due } else { at }));
        }
    }

    /// Whether to ask now.
    pub(super) fn is_due(&self, now: Millis) -> bool {
        self.in_flight.is_none() && self.due.is_some_and(|due| due <= now)
    }

    pub(super) fn asked(&mut self, id: u64, now: Millis) {
        *self = Self { in_flight: Some(id), sent_at: Some(now), ..Self::default() };
    }

    /// The answer to `id` came, or will never come; `false` when it was not the question in flight.
    pub(super) fn settled(&mut self, id: u64, interval: Interval, now: Millis) -> bool {
        if self.in_flight != Some(id) {
            return false;
        }
        self.in_flight = None;
        if std::mem::take(&mut self.again) {
            self.nudge(interval, now);
        } else if let (Some(beat), Some(sent)) = (interval.beat, self.sent_at) {
            self.due = Some(Millis((sent.0 + beat).max(now.0)));
        }
        true
    }

    /// Drops the question in flight: what it will bring is from before.
    pub(super) fn restart(&mut self, now: Millis) {
        *self = Self { due: (!self.forbidden).then_some(now), forbidden: self.forbidden, ..Self::default() };
    }

    /// Asks no more until nudged.
    pub(super) fn rest(&mut self) {
        *self = Self::default();
    }

    /// Asks no more on this connection.
    pub(super) fn forbid(&mut self) {
        *self = Self { forbidden: true, ..Self::default() };
    }

    pub(super) fn in_flight(&self) -> Option<u64> {
        self.in_flight
    }

    /// When to look again.
    pub(super) fn wake_at(&self) -> Option<Millis> {
        if self.in_flight.is_some() { None } else { self.due }
    }
}

#[cfg(test)]
mod tests {
    use super::{Interval, Poller};
    use crate::time::Millis;

    const PACE: Interval = Interval { spacing: 60.0, beat: Some(200.0) };

    #[test]
    fn a_burst_costs_one_question_now_and_one_after() {
        let mut reread = Poller::default();
        reread.nudge(PACE, Millis(0.0));
        assert!(reread.is_due(Millis(0.0)));
        reread.asked(1, Millis(0.0));
        for at in 1..30 {
            reread.nudge(PACE, Millis(f64::from(at)));
            assert!(!reread.is_due(Millis(f64::from(at))));
        }
        assert!(reread.settled(1, PACE, Millis(30.0)));
        assert_eq!(reread.wake_at(), Some(Millis(60.0)), "spacing holds");
        reread.asked(2, Millis(60.0));
        assert!(reread.settled(2, PACE, Millis(63.0)));
        assert_eq!(reread.wake_at(), Some(Millis(260.0)), "then the beat");
    }

    #[test]
    fn an_old_answer_settles_nothing() {
        let mut reread = Poller::default();
        reread.asked(1, Millis(0.0));
        reread.restart(Millis(10.0));
        assert!(!reread.settled(1, PACE, Millis(11.0)));
        assert!(reread.is_due(Millis(11.0)));
    }

    #[test]
    fn without_a_beat_it_rests() {
        let mut reread = Poller::default();
        reread.asked(1, Millis(0.0));
        reread.settled(1, Interval { beat: None, ..PACE }, Millis(2.0));
        assert_eq!(reread.wake_at(), None);
        reread.schedule(Millis(500.0));
        reread.schedule(Millis(900.0));
        assert_eq!(reread.wake_at(), Some(Millis(500.0)));
        reread.rest();
        assert_eq!(reread.wake_at(), None);
    }
}
