//! The tense of the sentences, by the freshness of the session.

use crate::format;
use crate::freshness::Freshness;
use crate::lionagi::wire::LionagiRecognised;
use crate::pill::{Pill, Tone};
use crate::run::lionagi::SessionInspection;
use crate::summary::Line;
use crate::text;
use crate::time::Millis;

/// A session with the freshness of what is known.
pub(super) struct Context<'a> {
    pub(super) session: &'a SessionInspection,
    freshness: &'a Freshness,
    pub(super) now: Millis,
    tense: Tense,
}

/// Whether the shown state still holds.
#[derive(Clone, Copy, PartialEq)]
enum Tense {
    /// It holds, or it is an end.
    Now,
    /// It held then, by a feed.
    AsOf(Millis),
    /// It held then, by a document. Without a time in the document nobody knows when.
    Recorded(Option<Millis>),
}

impl<'a> Context<'a> {
    pub(super) fn new(session: &'a SessionInspection, freshness: &'a Freshness, now: Millis) -> Self {
        let ended =
            session.row.status.is_terminal() || session.row.status.shown().is_none_or(|s| s == "legacy");
        // Admin health alone says when it was computed.
        let computed = session.evidence.read_at.filter(|_| session.source == LionagiRecognised::AdminHealth);
        let held = match freshness {
            Freshness::Live { .. } | Freshness::Late { .. } | Freshness::Connecting => Tense::Now,
            Freshness::Resyncing { as_of } | Freshness::Lost { as_of, .. } => Tense::AsOf(*as_of),
            Freshness::Recorded { at } => Tense::Recorded(at.or(computed)),
        };
        Self { session, freshness, now, tense: if ended { Tense::Now } else { held } }
    }

    /// The moment from which ages count; not a time where nobody knows.
    pub(super) fn then(&self) -> Millis {
        match self.tense {
            Tense::Now => self.now,
            Tense::AsOf(at) | Tense::Recorded(Some(at)) => at,
            Tense::Recorded(None) => Millis(f64::NAN),
        }
    }

    fn past(&self) -> bool {
        self.tense != Tense::Now
    }

    /// One of two wordings: of what is, or of what was.
    pub(super) fn pick(&self, now: &'static str, past: &'static str) -> &'static str {
        if self.past() { past } else { now }
    }

    /// `4 s ago`, `4 s before that`, `4 s before the recording`; `at 14:06:08Z` where nobody knows the age.
    pub(super) fn ago(&self, line: Line, at: Millis) -> Line {
        let age = self.then().since(at);
        match self.tense {
            Tense::Now => line.words(&format::ago(age)),
            Tense::Recorded(None) => line.words("at ").time(at, self.now),
            Tense::AsOf(_) => line.words(&format::before(age, "that")),
            Tense::Recorded(Some(_)) => line.words(&format::before(age, "the recording")),
        }
    }

    /// Adds to the sentence why it speaks of the past.
    pub(super) fn with_viewer(&self, sentence: Line, meta: Line) -> (Line, Line) {
        match (self.tense, self.freshness) {
            (Tense::AsOf(as_of), Freshness::Lost { attempt, retry_at, .. }) => {
                let silent =
                    text::concat(&["Nothing has arrived for ", &format::age(self.now.since(as_of)), "."]);
                let attempt = attempt.to_string();
                let left = retry_at.map(|at| format::countdown(at.since(self.now)));
                let next = match &left {
                    Some(left) => ["Reconnecting: try ", &attempt, " in ", left, "."],
                    None => ["Not connected: try ", &attempt, ".", "", ""],
                };
                let heard = Line::new("Last heard at ").time(as_of, self.now).words(".");
                (sentence.next(Line::new(&silent)), Line::new(&text::concat(&next)).next(heard))
            }
            (Tense::AsOf(as_of), _) => {
                let ago = format::ago(self.now.since(as_of));
                let heard = Line::new("Last heard ").words(&ago).words(", ").time(as_of, self.now).words(".");
                (sentence.next(Line::new("Reading the current row.")), heard)
            }
            (Tense::Now | Tense::Recorded(_), _) => (sentence, meta),
        }
    }

    /// The words beside a state that may no longer hold.
    pub(super) fn as_of(&self) -> Option<String> {
        match self.tense {
            Tense::Now => None,
            Tense::AsOf(at) => Some(text::concat(&["as of ", &format::ago(self.now.since(at))])),
            Tense::Recorded(None) => Some("as recorded".into()),
            Tense::Recorded(Some(at)) => Some(format::as_of(at, self.now)),
        }
    }

    /// The tone of the answer: a lost feed is the thing to see, a resync is nothing to do about.
    pub(super) fn tone(&self, tone: Tone) -> Tone {
        match (self.tense, self.freshness) {
            (Tense::AsOf(_), Freshness::Lost { .. }) => Tone::Stale,
            (Tense::AsOf(_), _) => Tone::Neutral,
            (Tense::Now | Tense::Recorded(_), _) => tone,
        }
    }

    /// Old data has no colour; a recording is as it was.
    pub(super) fn faded(&self, pill: Pill) -> Pill {
        match self.tense {
            Tense::AsOf(_) => Pill { tone: Tone::Neutral, ..pill },
            Tense::Now | Tense::Recorded(_) => pill,
        }
    }
}
