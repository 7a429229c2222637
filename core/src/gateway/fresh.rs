//! How fresh what is shown is.

use super::Client;
use super::connection::Connection;
use super::requests::ANSWER_LIMIT_MS;
use super::watchdog::Silence;
use crate::clock::Reading;
use crate::freshness::Freshness;
use crate::time::Millis;

impl Client {
    /// How fresh the inspection is at `now` of the local clock.
    pub fn freshness(&self, now: Millis) -> Freshness {
        let Some(read_at) = self.header_read_at else { return Freshness::Connecting };
        let as_of = self.clock.now(read_at);
        let lost = |retry_at, silence_limit_ms| Freshness::Lost {
            as_of,
            attempt: self.backoff.attempt().max(1),
            retry_at,
            silence_limit_ms,
        };
        match self.connection {
            Connection::Waiting(retry) => lost(Some(self.clock.now(retry.at)), self.broken_limit),
            Connection::Stopped => lost(None, None),
            Connection::Opening { .. } | Connection::Handshaking { .. } if !self.exchanging => {
                lost(None, self.broken_limit)
            }
            Connection::Opening { .. } | Connection::Handshaking { .. } | Connection::Ready { .. }
                if self.resyncing =>
            {
                Freshness::Resyncing { as_of }
            }
            Connection::Opening { .. } | Connection::Handshaking { .. } | Connection::Ready { .. } => {
                let heard_at = self.clock.now(self.watchdog.heard_at());
                match self.watchdog.silence(now) {
                    Silence::Lost => lost(None, Some(self.watchdog.lost_after_ms())),
                    // Whatever else arrives: what is shown was heard of in the last answer.
                    Silence::Late | Silence::Fine if self.header_is_overdue(now) => {
                        Freshness::Late { heard_at: as_of }
                    }
                    Silence::Late => Freshness::Late { heard_at },
                    Silence::Fine => Freshness::Live { heard_at },
                }
            }
        }
    }

    /// Ticks alone do not make a header live: while the run goes on, `getRun` must answer as well.
    pub(super) fn header_is_overdue(&self, now: Millis) -> bool {
        let goes_on = self.run_id.is_none() || !self.model.ended();
        let limit = ANSWER_LIMIT_MS / 2.0 + self.header_beat_ms();
        goes_on && self.header_read_at.is_some_and(|read_at| now.since(read_at) > limit)
    }

    /// The server's now, once anything is known of its clock.
    pub(super) fn server_now(&self, now: Millis) -> Option<Reading> {
        self.clock.read(now)
    }

    fn header_beat_ms(&self) -> f64 {
        let interval = if self.run_id.is_some() { self.run_interval() } else { self.list_interval() };
        interval.beat.unwrap_or(0.0)
    }
}
