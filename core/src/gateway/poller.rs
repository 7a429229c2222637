//! Repeats a request: at most one request is in flight and one is queued, with a minimum spacing.

use crate::time::Millis;

/// How many of the last answers tell how long an answer takes.
const RECENT_ANSWERS: usize = 4;

/// The rate of a repeated request, milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    /// Minimum time between two requests.
    pub(super) spacing: f64,
    /// The polling period; `None` if only events trigger the request.
    pub(super) period: Option<f64>,
    /// How long an answer is waited for until the request is sent again, beside the first one; `None` if it is sent once.
    pub(super) resend: Option<f64>,
}

/// A repeated request.
#[derive(Debug, Default)]
pub(super) struct Poller {
    /// The id of the last request, until it is answered.
    in_flight: Option<u64>,
    /// The time at which that request is sent again.
    resend_at: Option<Millis>,
    sent_at: Option<Millis>,
    due: Option<Millis>,
    /// Whether the answer in flight is already outdated, so that the request must be sent again after it.
    outdated: bool,
    /// Whether the Gateway refused the method on this connection.
    forbidden: bool,
    /// How long the last answers on this connection took, milliseconds.
    answers_ms: [f64; RECENT_ANSWERS],
}

impl Poller {
    /// Marks the last answer as outdated and schedules a request.
    pub(super) fn invalidate(&mut self, interval: Interval, now: Millis) {
        if self.forbidden {
            return;
        }
        if self.in_flight.is_some() {
            self.outdated = true;
            return;
        }
        let at = self.sent_at.map_or(now, |sent| Millis((sent.0 + interval.spacing).max(now.0)));
        self.due = Some(self.due.map_or(at, |due| if due < at { due } else { at }));
    }

    /// Schedules a request at a given time, unless one is in flight.
    pub(super) fn schedule(&mut self, at: Millis) {
        if self.in_flight.is_none() && !self.forbidden {
            self.due = Some(self.due.map_or(at, |due| if due < at { due } else { at }));
        }
    }

    /// Whether the request must be sent now.
    pub(super) fn is_due(&self, now: Millis) -> bool {
        self.wake_at().is_some_and(|due| due <= now)
    }

    /// Records that a request was sent.
    pub(super) fn sent(&mut self, id: u64, interval: Interval, now: Millis) {
        let resend_at = interval.resend.map(|wait| Millis(now.0 + wait));
        let answers_ms = self.answers_ms;
        *self = Self { in_flight: Some(id), resend_at, sent_at: Some(now), answers_ms, ..Self::default() };
    }

    /// Records how long an answer took, milliseconds.
    pub(super) fn record_answer(&mut self, took_ms: f64) {
        self.answers_ms.rotate_right(1);
        self.answers_ms[0] = took_ms.max(0.0);
    }

    /// Returns how long an answer on this connection takes at least, milliseconds; 0 until that is known. A single slow answer
    /// does not count: what it says is as old as the request.
    pub(super) fn answer_ms(&self) -> f64 {
        self.answers_ms.into_iter().fold(f64::INFINITY, f64::min)
    }

    /// Ends the request `id` and schedules the next; returns `false` if another request is in flight.
    pub(super) fn finish(&mut self, id: u64, interval: Interval, now: Millis) -> bool {
        if self.in_flight != Some(id) {
            return false;
        }
        (self.in_flight, self.resend_at) = (None, None);
        if std::mem::take(&mut self.outdated) {
            self.invalidate(interval, now);
        } else if let (Some(period), Some(sent)) = (interval.period, self.sent_at) {
            self.due = Some(Millis((sent.0 + period).max(now.0)));
        }
        true
    }

    /// Drops the request in flight and schedules one now.
    pub(super) fn restart(&mut self, now: Millis) {
        *self = Self { due: (!self.forbidden).then_some(now), forbidden: self.forbidden, ..Self::default() };
    }

    /// Drops the scheduled request.
    pub(super) fn unschedule(&mut self) {
        self.due = None;
    }

    /// Drops the request in flight and the scheduled one.
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }

    /// Disables the poller on this connection.
    pub(super) fn forbid(&mut self) {
        *self = Self { forbidden: true, ..Self::default() };
    }

    /// Whether the poller is disabled on this connection.
    pub(super) fn is_forbidden(&self) -> bool {
        self.forbidden
    }

    pub(super) fn in_flight(&self) -> Option<u64> {
        self.in_flight
    }

    /// Returns the time at which the next request is due.
    pub(super) fn wake_at(&self) -> Option<Millis> {
        if self.in_flight.is_some() { self.resend_at } else { self.due }
    }
}

#[cfg(test)]
mod tests {
    use super::{Interval, Poller};
    use crate::time::Millis;

    const PACE: Interval = Interval { spacing: 60.0, period: Some(200.0), resend: None };

    #[test]
    fn answers_take_as_long_as_the_quickest_of_the_last_ones() {
        let mut poller = Poller::default();
        for (took_ms, expected) in
            [(500.0, 0.0), (600.0, 0.0), (700.0, 0.0), (800.0, 500.0), (900.0, 600.0), (-1.0, 0.0)]
        {
            poller.record_answer(took_ms);
            poller.sent(1, PACE, Millis(0.0));
            assert_eq!(poller.answer_ms(), expected, "{took_ms}");
        }
    }

    #[test]
    fn a_burst_costs_one_question_now_and_one_after() {
        let mut poller = Poller::default();
        poller.invalidate(PACE, Millis(0.0));
        assert!(poller.is_due(Millis(0.0)));
        poller.sent(1, PACE, Millis(0.0));
        for at in 1..30 {
            poller.invalidate(PACE, Millis(f64::from(at)));
            assert!(!poller.is_due(Millis(f64::from(at))));
        }
        assert!(poller.finish(1, PACE, Millis(30.0)));
        assert_eq!(poller.wake_at(), Some(Millis(60.0)), "spacing holds");
        poller.sent(2, PACE, Millis(60.0));
        assert!(poller.finish(2, PACE, Millis(63.0)));
        assert_eq!(poller.wake_at(), Some(Millis(260.0)), "then the beat");
    }

    #[test]
    fn a_request_that_is_not_answered_is_sent_again() {
        let pace = Interval { resend: Some(1500.0), ..PACE };
        let mut poller = Poller::default();
        poller.sent(1, pace, Millis(0.0));
        assert!(!poller.is_due(Millis(1499.0)));
        assert_eq!(poller.wake_at(), Some(Millis(1500.0)));
        assert!(poller.is_due(Millis(1500.0)));
        poller.sent(2, pace, Millis(1500.0));
        assert!(!poller.finish(1, pace, Millis(1600.0)), "the answer to the first request ends only that");
        assert!(poller.finish(2, pace, Millis(1700.0)));
        assert_eq!(poller.wake_at(), Some(Millis(1700.0)), "the period has passed");
    }

    #[test]
    fn an_old_answer_settles_nothing() {
        let mut poller = Poller::default();
        poller.sent(1, PACE, Millis(0.0));
        poller.restart(Millis(10.0));
        assert!(!poller.finish(1, PACE, Millis(11.0)));
        assert!(poller.is_due(Millis(11.0)));
    }

    #[test]
    fn without_a_beat_it_rests() {
        let mut poller = Poller::default();
        poller.sent(1, PACE, Millis(0.0));
        poller.finish(1, Interval { period: None, ..PACE }, Millis(2.0));
        assert_eq!(poller.wake_at(), None);
        poller.schedule(Millis(500.0));
        poller.schedule(Millis(900.0));
        assert_eq!(poller.wake_at(), Some(Millis(500.0)));
        poller.reset();
        assert_eq!(poller.wake_at(), None);
    }
}
