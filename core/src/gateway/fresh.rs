//! Computes the freshness of the inspection.

use super::Client;
use super::connection::Connection;
use super::requests::ANSWER_LIMIT_MS;
use super::watchdog::Silence;
use crate::clock::Reading;
use crate::freshness::Freshness;
use crate::time::Millis;

impl Client {
    /// Returns the freshness of the inspection at `now` of the local clock.
    pub(crate) fn freshness(&self, now: Millis) -> Freshness {
        let Some(read_at) = self.header_read_at else { return Freshness::Connecting };
        let as_of = self.clock.now(read_at);
        let lost = |retry_at, silence_limit_ms| Freshness::Lost {
            as_of,
            attempt: self.backoff.attempt().max(1),
            retry_at,
            silence_limit_ms,
        };
        match self.connection {
            Connection::Waiting(retry) => lost(Some(self.clock.now(retry.at)), self.exceeded_limit_ms),
            Connection::Stopped => lost(None, None),
            Connection::Opening { .. } | Connection::Handshaking { .. } if !self.replacing_socket => {
                lost(None, self.exceeded_limit_ms)
            }
            Connection::Opening { .. } | Connection::Handshaking { .. } | Connection::Ready { .. }
                if self.resyncing =>
            {
                Freshness::Resyncing { as_of }
            }
            Connection::Opening { .. } | Connection::Handshaking { .. } | Connection::Ready { .. } => {
                let last_frame_at = self.clock.now(self.watchdog.last_frame_at());
                match self.watchdog.silence(now) {
                    Silence::Lost => lost(None, Some(self.watchdog.lost_after_ms())),
                    // Only an answer to the header request refreshes the header; other frames do not.
                    Silence::Late | Silence::Fine if self.header_is_overdue(now) => {
                        Freshness::Late { last_frame_at: as_of }
                    }
                    Silence::Late => Freshness::Late { last_frame_at },
                    Silence::Fine => Freshness::Live { last_frame_at },
                }
            }
        }
    }

    /// Whether the header's answer is overdue: ticks alone do not make the header live while the run is in progress.
    pub(super) fn header_is_overdue(&self, now: Millis) -> bool {
        let goes_on = self.run_id.is_none() || !self.model.ended();
        let limit = ANSWER_LIMIT_MS / 2.0 + self.interval(self.header_method()).period.unwrap_or(0.0);
        goes_on && self.header_read_at.is_some_and(|read_at| now.since(read_at) > limit)
    }

    /// Returns the server's time once its clock has been observed.
    pub(super) fn server_now(&self, now: Millis) -> Option<Reading> {
        self.clock.read(now)
    }
}
