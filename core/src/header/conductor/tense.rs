//! The tense of the sentences: whether the shown state still holds. An end always holds.

use crate::conductor::derive::ConductorRun;
use crate::conductor::wire::Liveness;
use crate::format;
use crate::freshness::Freshness;
use crate::pill::Tone;
use crate::text;
use crate::time::Millis;

/// Whether what is shown still holds.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Tense {
    /// It holds.
    Now,
    /// It held then; the feed is lost.
    Lost(Millis),
    /// It held then, and is being read again.
    Resyncing(Millis),
    /// It is what the files say. Without a time in them nobody knows when.
    Recorded(Option<Millis>),
}

impl Tense {
    pub(super) fn new(run: &ConductorRun, freshness: &Freshness) -> Self {
        if run.liveness == Liveness::Ended {
            return Self::Now;
        }
        match freshness {
            Freshness::Live { .. } | Freshness::Late { .. } | Freshness::Connecting => Self::Now,
            Freshness::Resyncing { as_of } => Self::Resyncing(*as_of),
            Freshness::Lost { as_of, .. } => Self::Lost(*as_of),
            Freshness::Recorded { at } => Self::Recorded(at.or(run.dated())),
        }
    }

    /// One of two wordings: of what is, or of what was.
    pub(super) fn pick(self, now: &'static str, past: &'static str) -> &'static str {
        if self == Self::Now { now } else { past }
    }

    /// The words beside a state that may no longer hold.
    pub(super) fn as_of(self, now: Millis) -> Option<String> {
        match self {
            Self::Now => None,
            Self::Lost(at) | Self::Resyncing(at) => Some(words("as of ", &format::ago(now.since(at)))),
            Self::Recorded(None) => Some("as recorded".to_owned()),
            Self::Recorded(Some(at)) => Some(format::as_of(at, now)),
        }
    }

    /// The tone of the answer: a lost feed is the thing to see, a new reading is nothing to do about.
    pub(super) fn tone(self, tone: Tone) -> Tone {
        match self {
            Self::Lost(_) => Tone::Stale,
            Self::Resyncing(_) => Tone::Neutral,
            Self::Now | Self::Recorded(_) => tone,
        }
    }

    /// The tone of the pill: old data has no colour; a recording is as it was.
    pub(super) fn faded(self, tone: Tone) -> Tone {
        match self {
            Self::Lost(_) | Self::Resyncing(_) => Tone::Neutral,
            Self::Now | Self::Recorded(_) => tone,
        }
    }
}

fn words(first: &str, second: &str) -> String {
    text::concat(&[first, second])
}
