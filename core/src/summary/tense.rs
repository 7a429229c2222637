//! Whether what is shown still holds, and the words that follow from it: the same for all three systems.

use super::line::Line;
use crate::format;
use crate::freshness::Freshness;
use crate::pill::{Pill, Tone};
use crate::time::Millis;

/// Whether the state on screen still holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Tense {
    /// It holds now, or it is an end, which holds for ever.
    Now,
    /// It held then; the feed is back, and the state is being read again.
    Resyncing(Millis),
    /// It held then; the feed is lost.
    Lost(Millis),
    /// It held when it was recorded. Without a time in the document nobody knows when that was.
    Recorded(Option<Millis>),
}

impl Tense {
    /// The tense of a state; `dated` is the document's own time, for a recording without one.
    pub(crate) fn new(freshness: &Freshness, has_ended: bool, dated: Option<Millis>) -> Self {
        match freshness {
            _ if has_ended => Self::Now,
            Freshness::Live { .. } | Freshness::Late { .. } | Freshness::Connecting => Self::Now,
            Freshness::Resyncing { as_of } => Self::Resyncing(*as_of),
            Freshness::Lost { as_of, .. } => Self::Lost(*as_of),
            Freshness::Recorded { at } => Self::Recorded(at.or(dated)),
        }
    }

    /// The moment from which ages count, where it is known.
    pub(crate) fn at(self, now: Millis) -> Option<Millis> {
        match self {
            Self::Now => Some(now),
            Self::Resyncing(at) | Self::Lost(at) => Some(at),
            Self::Recorded(at) => at,
        }
    }

    /// The same; not a number where it is not known.
    pub(crate) fn then(self, now: Millis) -> Millis {
        self.at(now).unwrap_or(Millis(f64::NAN))
    }

    pub(crate) fn is_past(self) -> bool {
        self != Self::Now
    }

    /// One of two wordings: of what is, or of what was.
    pub(crate) fn pick(self, now: &'static str, past: &'static str) -> &'static str {
        if self.is_past() { past } else { now }
    }

    /// `4 s ago`, `4 s before that`, `4 s before the recording`.
    pub(crate) fn age(self, age_ms: f64) -> String {
        match self {
            Self::Now => format::ago(age_ms),
            Self::Resyncing(_) | Self::Lost(_) => format::before(age_ms, "that"),
            Self::Recorded(_) => format::before(age_ms, "the recording"),
        }
    }

    /// The words after a state that may no longer hold.
    pub(crate) fn as_of(self, now: Millis) -> Option<String> {
        match self {
            Self::Now => None,
            Self::Resyncing(at) | Self::Lost(at) => Some(format!("as of {}", format::ago(now.since(at)))),
            Self::Recorded(None) => Some("as recorded".to_owned()),
            Self::Recorded(Some(at)) => Some(format::as_of(at, now)),
        }
    }

    /// The tone of an answer: a lost feed is the thing to see, a resync is nothing to do about.
    pub(crate) fn tone(self, tone: Tone) -> Tone {
        match self {
            Self::Lost(_) => Tone::Stale,
            Self::Resyncing(_) => Tone::Neutral,
            Self::Now | Self::Recorded(_) => tone,
        }
    }

    /// A pill over old data has no colour; a recording is as it was.
    pub(crate) fn faded(self, pill: Pill) -> Pill {
        match self {
            Self::Resyncing(_) | Self::Lost(_) => Pill { tone: Tone::Neutral, ..pill },
            Self::Now | Self::Recorded(_) => pill,
        }
    }

    /// Adds to a sentence why it speaks of the past; `subject` is what a resync reads.
    pub(crate) fn explain(
        self,
        freshness: &Freshness,
        subject: &str,
        now: Millis,
        (sentence, meta): (Line, Line),
    ) -> (Line, Line) {
        match self {
            Self::Now | Self::Recorded(_) => (sentence, meta),
            Self::Resyncing(as_of) => {
                let ago = format::ago(now.since(as_of));
                let last = Line::new("Last heard ").words(&ago).words(", ").time(as_of, now).words(".");
                (sentence.next(Line::new(&format!("Reading the current {subject}."))), last)
            }
            Self::Lost(as_of) => {
                let silent = format!("Nothing has arrived for {}.", format::age(now.since(as_of)));
                let last = Line::new("Last heard at ").time(as_of, now).words(".");
                let meta = reconnecting(freshness, now).unwrap_or_default().next(last);
                (sentence.next(Line::new(&silent)), meta)
            }
        }
    }
}

/// Which reconnection comes when; `None` unless the feed is lost.
pub(crate) fn reconnecting(freshness: &Freshness, now: Millis) -> Option<Line> {
    match freshness {
        Freshness::Lost { attempt, retry_at: Some(at), .. } => {
            let left = format::countdown(at.since(now));
            Some(Line::new(&format!("Reconnecting: try {attempt} in {left}.")))
        }
        Freshness::Lost { attempt, retry_at: None, .. } => {
            Some(Line::new(&format!("Not connected: try {attempt}.")))
        }
        Freshness::Live { .. }
        | Freshness::Late { .. }
        | Freshness::Connecting
        | Freshness::Resyncing { .. }
        | Freshness::Recorded { .. } => None,
    }
}
