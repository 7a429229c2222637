//! What every sentence about a session needs to know.

use crate::freshness::Freshness;
use crate::lionagi::wire::LionagiRecognised;
use crate::run::lionagi::SessionInspection;
use crate::summary::Line;
use crate::summary::tense::Tense;
use crate::time::Millis;

/// A session with the freshness of what is known.
pub(super) struct Context<'a> {
    pub(super) session: &'a SessionInspection,
    pub(super) freshness: &'a Freshness,
    pub(super) now: Millis,
    pub(super) tense: Tense,
}

impl<'a> Context<'a> {
    pub(super) fn new(session: &'a SessionInspection, freshness: &'a Freshness, now: Millis) -> Self {
        let ended =
            session.row.status.is_terminal() || session.row.status.shown().is_none_or(|s| s == "legacy");
        // Admin health alone says when it was computed.
        let computed = session.evidence.read_at.filter(|_| session.source == LionagiRecognised::AdminHealth);
        Self { session, freshness, now, tense: Tense::new(freshness, ended, computed) }
    }

    /// The moment from which ages count; not a time where nobody knows.
    pub(super) fn then(&self) -> Millis {
        self.tense.then(self.now)
    }

    /// One of two wordings: of what is, or of what was.
    pub(super) fn pick(&self, now: &'static str, past: &'static str) -> &'static str {
        self.tense.pick(now, past)
    }

    /// `4 s ago`, `4 s before that`, `4 s before the recording`; `at 14:06:08Z` where nobody knows the age.
    pub(super) fn ago(&self, line: Line, at: Millis) -> Line {
        match self.tense {
            Tense::Recorded(None) => line.words("at ").time(at, self.now),
            known => line.words(&known.age(self.then().since(at))),
        }
    }
}
